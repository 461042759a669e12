"""The log in a file: what it creates, what it refuses, and how it survives faults of the disk and of other programs."""

import asyncio
import math
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest

from server.storage import file_check
from server.storage.file_check import FileCheck
from server.storage.sqlite_connections import CHECK_AFTER_SECONDS, CHECK_SECONDS
from server.storage.sqlite_file import LockWait, migrate, open_for_writing
from server.storage.sqlite_log import SqliteLog
from server.storage.sqlite_queries import (
    BEST,
    BEST_UNDER,
    LINKED_KEYS,
    NAME_OWNER,
    OLDEST,
    OLDEST_TEXTS,
    STANDINGS_OF,
    TEXT,
)
from server.storage.sqlite_schema import MIGRATIONS
from server.storage.table_log import EMPTY, Conflict, Head, LogEntry, NotSaved, OutcomeUnknown
from tests.support.faulty_disk import FaultyDisk, faulty_disk
from tests.support.log_entries import entry, finished, grow, heads, texts_of
from tests.support.virtual_time import SkippingLoop

ROOT = Path(__file__).parents[3]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of the database."""
    return tmp_path / "quatch.db"


@pytest.fixture
def disk() -> Iterator[FaultyDisk]:
    """A disk that fails when a test says so. Request it before the log."""
    with faulty_disk() as disk:
        yield disk


@pytest.fixture
def connections() -> Iterator[list[apsw.Connection]]:
    """The connections that are opened, the writer's first. Request it before the log."""
    opened = list[apsw.Connection]()
    apsw.connection_hooks.append(opened.append)
    yield opened
    apsw.connection_hooks.remove(opened.append)


@pytest.fixture
async def log(file: Path) -> AsyncIterator[SqliteLog]:
    """An open log that does not wait long for another program's lock."""
    log = SqliteLog(file, patience=0.05)
    await log.open()
    yield log
    await log.close()


def refusal(file: Path) -> str:
    """The line that says why a file was not opened."""
    log = SqliteLog(file, patience=0.05)
    with pytest.raises(NotSaved) as caught:
        asyncio.run(log.open())
    assert "\n" not in str(caught.value)
    return str(caught.value)


async def filled(file: Path) -> None:
    """Make a database of a few pages."""
    log = SqliteLog(file)
    await log.open()
    await asyncio.gather(*(grow(log, table, 20) for table in range(20)))
    await log.close()


async def test_the_file_is_private_and_keeps_its_content(tmp_path: Path) -> None:
    """File and folder are created with mode 0600 whatever the umask; a log opened again reads what was written."""
    file = tmp_path / "new" / "folder" / "quatch.db"
    log, before = SqliteLog(file), os.umask(0)
    try:
        await log.open()
    finally:
        os.umask(before)
    head = await grow(log, 1, 3)
    await log.append(EMPTY, entry(2, 1), finished("g1"))
    await log.put_text("name", "a", "b")
    assert {stat.S_IMODE(each.stat().st_mode) for each in file.parent.iterdir()} == {0o600}
    await log.close()
    assert [each.name for each in file.parent.iterdir()] == ["quatch.db"]
    await log.open()
    assert (await heads(log))[1] == head
    assert await log.game("g1") == finished("g1")
    assert await texts_of(log, "name") == {"a": "b"}
    await log.close()


async def test_a_closed_log_refuses_every_call(file: Path) -> None:
    """Before it is opened and after it is closed, however often; it can be opened again."""
    log = SqliteLog(file)
    for _ in range(2):
        for call in (log.read(1), log.append(EMPTY, entry(2, 1)), log.put_text("name", "a", None), heads(log)):
            with pytest.raises(NotSaved, match="the log is closed"):
                await call
        await log.open()
        await log.close()
        await log.close()


async def test_closing_writes_what_is_waiting(disk: FaultyDisk, file: Path) -> None:
    """The running transaction ends, and the one after it is written too."""
    log = SqliteLog(file)
    await log.open()
    disk.may_sync.clear()
    disk.syncing.clear()
    writing = asyncio.create_task(log.append(EMPTY, entry(1, 1)))
    assert await asyncio.to_thread(disk.syncing.wait, 10)
    waiting = asyncio.create_task(log.append(EMPTY, entry(2, 1)))
    closing_log = asyncio.create_task(log.close())
    await asyncio.sleep(0)
    disk.may_sync.set()
    async with asyncio.timeout(10):
        await asyncio.gather(writing, waiting, closing_log)
    await log.open()
    assert (await heads(log)).keys() == {1, 2}
    await log.close()


def test_a_file_that_is_no_database_is_left_alone(file: Path) -> None:
    """One line says what is wrong and what would be right."""
    file.write_text("My diary.\n" * 100)
    assert refusal(file).startswith(f"{file}: the file is no database; put a backup in its place")
    assert file.read_text() == "My diary.\n" * 100


def spoil(file: Path, part: slice) -> None:
    """Overwrite these bytes of a file."""
    content = bytearray(file.read_bytes())
    content[part] = b"\xa5" * len(content[part])
    file.write_bytes(content)


async def test_a_damaged_file_is_found_and_not_written_to(file: Path) -> None:
    """Damage that no start reads is found in the background: the log says so, and takes no more writes."""
    await filled(file)
    spoil(file, slice(-4096 * 2, None))
    log = SqliteLog(file, poll=0.001, check_after=0.0)
    await log.open()
    async with asyncio.timeout(10):
        while not log.problem:
            await asyncio.sleep(0.001)
    with pytest.raises(NotSaved, match="the file is damaged; put a backup in its place"):
        await log.put_text("name", "a", "b")
    await log.close()


def test_a_file_whose_first_page_is_damaged_is_not_opened(file: Path) -> None:
    """Every start reads that page."""
    asyncio.run(filled(file))
    spoil(file, slice(100, 4096))
    assert refusal(file).startswith(f"{file}: the file is damaged; put a backup in its place")


async def test_a_log_closes_while_its_file_is_checked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the file: the check is broken off."""
    check, begun = FileCheck.damage, threading.Event()

    def endless(self: FileCheck) -> str:
        begun.set()
        while not self.stopped.is_set():
            check(self)
        return ""

    monkeypatch.setattr(FileCheck, "damage", endless)
    log = SqliteLog(file, check_after=0.0)
    await log.open()
    assert await asyncio.to_thread(begun.wait, 10)
    async with asyncio.timeout(10):
        await log.close()


def test_the_first_check_begins_some_time_after_the_start(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next ones follow once a day."""
    begun: list[float] = []

    async def watch() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SkippingLoop)
        monkeypatch.setattr(asyncio, "wrap_future", loop.wrap_future)

        def sound(_: FileCheck) -> str:
            begun.append(loop.time())
            return ""

        monkeypatch.setattr(FileCheck, "damage", sound)
        log, start = SqliteLog(file, poll=math.inf), loop.time()
        await log.open()
        await asyncio.sleep(CHECK_AFTER_SECONDS / 2)
        assert not begun
        await asyncio.sleep(CHECK_SECONDS + CHECK_AFTER_SECONDS)
        await log.close()
        assert begun == pytest.approx([start + CHECK_AFTER_SECONDS, start + CHECK_AFTER_SECONDS + CHECK_SECONDS], abs=4)

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(watch())


def test_a_check_pauses_again_and_again(file: Path) -> None:
    """So that players do not wait for the disk and the processor."""

    class Stopped(threading.Event):
        """Counts the pauses instead of waiting."""

        pauses = 0

        def wait(self, timeout: float | None = None) -> bool:
            """Whether the check is to end."""
            assert timeout
            self.pauses += 1
            return self.is_set()

    asyncio.run(filled(file))
    check = FileCheck(file)
    check.stopped = stopped = Stopped()
    assert not check.damage()
    assert stopped.pauses >= 2


def test_a_file_of_a_newer_program_is_left_alone(file: Path) -> None:
    """This version does not know its schema."""
    with closing(apsw.Connection(str(file))) as db:
        db.pragma("user_version", len(MIGRATIONS) + 1)
    assert refusal(file).startswith(f"{file}: the file was written by a newer version of this program")


def test_a_path_that_cannot_be_opened_is_refused_in_one_line(tmp_path: Path) -> None:
    """A folder is in place of the file, or a file in place of its folder."""
    assert refusal(tmp_path).startswith(f"{tmp_path}: the file cannot be opened")
    (tmp_path / "diary").write_text("")
    assert refusal(tmp_path / "diary" / "quatch.db") == f"{tmp_path / 'diary'}: File exists"


@pytest.mark.parametrize("running", [True, False])
def test_a_read_only_file_is_not_opened(running: bool) -> None:  # noqa: FBT001
    """One line says so, whether or not its owner has it open."""
    script = """
import asyncio, os, pathlib, sys
from server.storage.sqlite_log import SqliteLog
if os.geteuid() == 0:  # who may write anything
    os.seteuid(65534)
try:
    asyncio.run(SqliteLog(pathlib.Path(sys.argv[1])).open())
except Exception as error:
    print(error)
"""
    with TemporaryDirectory() as folder, ExitStack() as undo:  # not below pytest's folder, which is one user's alone
        file = Path(folder, "quatch.db")
        asyncio.run(filled(file))
        if running:
            owner = undo.enter_context(closing(open_for_writing(file, patience=1)))
            owner.execute("DELETE FROM text")
        for each in file.parent.iterdir():
            each.chmod(0o444 if each == file else 0o666)
        file.parent.chmod(0o755)
        command = [sys.executable, "-c", script, str(file)]
        run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
        assert run.stdout == f"{file}: the file is read-only\n"


async def test_a_full_disk_fails_every_waiting_write_and_passes(
    connections: list[apsw.Connection], log: SqliteLog
) -> None:
    """Nothing of the transaction is kept. Once there is space, writing works again."""
    head = await grow(log, 1, 1)
    await asyncio.to_thread(connections[0].pragma, "max_page_count", 1)
    large = [log.append(EMPTY, entry(table, 1, data=b"x" * 5000), finished(f"g{table}")) for table in range(2, 9)]
    outcomes = await asyncio.gather(*large, return_exceptions=True)
    assert [(type(outcome), str(outcome)) for outcome in outcomes] == [(NotSaved, "the disk is full")] * 7
    assert await heads(log) == {1: head}
    assert await log.latest(9) == []
    await asyncio.to_thread(connections[0].pragma, "max_page_count", 1_000_000)
    await grow(log, 2, 1)


async def test_writing_fails_while_the_file_is_read_only(connections: list[apsw.Connection], log: SqliteLog) -> None:
    """It works again as soon as the file can be written."""
    await asyncio.to_thread(connections[0].pragma, "query_only", True)  # noqa: FBT003 - that is how the library has it
    with pytest.raises(NotSaved, match="the file is read-only"):
        await log.append(EMPTY, entry(1, 1))
    with pytest.raises(NotSaved, match="the file is read-only"):
        await log.put_text("name", "a", "b")
    await asyncio.to_thread(connections[0].pragma, "query_only", False)  # noqa: FBT003
    await grow(log, 1, 1)


@contextmanager
def locked_elsewhere(file: Path) -> Iterator[Callable[[], object]]:
    """Another process holds the file's lock until the function that this yields is called."""
    script = """
import apsw, sys
db = apsw.Connection(sys.argv[1])
db.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.readline()
db.execute("ROLLBACK")
"""
    command = [sys.executable, "-c", script, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as locker:
        assert locker.stdout is not None
        assert locker.stdout.readline() == "locked\n"
        yield lambda: locker.communicate("\n")


async def test_a_write_waits_for_another_programs_lock(
    connections: list[apsw.Connection], log: SqliteLog, file: Path
) -> None:
    """A short lock delays the write; a long one fails it. Reads go on meanwhile."""
    head = await grow(log, 1, 1)
    with locked_elsewhere(file) as unlock:
        with pytest.raises(NotSaved, match="the file is locked by another program"):
            await log.append(head, entry(1, 2))
        assert len(await log.read(1)) == 1
        lock_wait, waits = LockWait(10), threading.Event()

        def wait_and_tell(tries: int) -> bool:
            waits.set()
            return lock_wait(tries)

        await asyncio.to_thread(connections[0].set_busy_handler, wait_and_tell)
        waiting = asyncio.create_task(log.append(head, entry(1, 2)))
        assert await asyncio.to_thread(waits.wait, 10)
        assert not waiting.done()
        unlock()
        await waiting


async def test_closing_does_not_wait_for_another_programs_lock(file: Path) -> None:
    """What waits is refused, so that a server stops in time."""
    log = SqliteLog(file, patience=60)
    await log.open()
    with locked_elsewhere(file):
        waiting = asyncio.create_task(log.append(EMPTY, entry(1, 1)))
        await asyncio.sleep(0)
        async with asyncio.timeout(10):
            await log.close()
        with pytest.raises(NotSaved, match="the file is locked by another program"):
            await waiting


@pytest.mark.parametrize(
    ("asked", "fault", "expected"),
    [
        ("sync", apsw.IOError("no answer"), OutcomeUnknown("the disk reports an error")),
        ("write", apsw.IOError("no answer"), OutcomeUnknown("the disk reports an error")),
        ("write", apsw.FullError("no room"), NotSaved("the disk is full")),
    ],
)
async def test_a_failed_commit_is_unknown_unless_nothing_was_written(
    disk: FaultyDisk, log: SqliteLog, asked: str, fault: apsw.Error, expected: Exception
) -> None:
    """The log works again at once when the fault has gone."""
    head = await grow(log, 1, 1)
    disk.faults[asked] = fault
    writes = (log.append(head, entry(1, 2)), log.append(EMPTY, entry(2, 1)), log.put_text("name", "a", "b"))
    outcomes = await asyncio.gather(*writes, return_exceptions=True)
    assert [repr(outcome) for outcome in outcomes] == [repr(expected)] * 3
    disk.faults.clear()
    assert len(await log.read(1)) == 1
    await log.append(head, entry(1, 2))
    assert len(await log.read(1)) == 2


def move(source: str, target: str) -> None:
    """Rename a file, over another one if there is one."""
    Path(source).rename(target)


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
@pytest.mark.parametrize("replaced", [True, False])
async def test_nothing_is_written_to_a_file_that_was_moved(file: Path, ending: str, replaced: bool) -> None:  # noqa: FBT001
    """Nobody would find it there. It is noticed without a write, too, and over when the file is back in its place."""
    log = SqliteLog(file, poll=0.001)
    await log.open()
    head = await grow(log, 1, 2)
    entries = await log.read(1)
    in_place, away = f"{file}{ending}", f"{file}.away"
    move(in_place, away)
    if replaced:
        shutil.copyfile(away, in_place)
    async with asyncio.timeout(5):
        while "deleted, moved or replaced" not in log.problem:
            await asyncio.sleep(0)
    with pytest.raises(NotSaved, match="was deleted, moved or replaced while"):
        await log.append(head, entry(1, 3))
    assert await log.read(1) == entries
    move(away, in_place)
    async with asyncio.timeout(5):
        while log.problem:
            await asyncio.sleep(0)
    await log.append(head, entry(1, 3))
    await log.close()


async def test_a_deleted_write_ahead_log_loses_nothing_if_the_server_stops(file: Path) -> None:
    """As the line for the host says."""
    log = SqliteLog(file)
    await log.open()
    head = await grow(log, 1, 2)
    for ending in ("-wal", "-shm"):
        move(f"{file}{ending}", f"{file}.away{ending}")
    with pytest.raises(NotSaved, match="stop the server, which saves everything"):
        await log.append(head, entry(1, 3))
    await log.close()
    await log.open()
    assert len(await log.read(1)) == 2
    await log.append(head, entry(1, 3))
    await log.close()


async def test_damage_that_a_read_finds_is_told_and_nothing_is_written_to_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, before the next check of the whole file."""
    monkeypatch.setattr(FileCheck, "damage", lambda _: "")
    await filled(file)
    log = SqliteLog(file, poll=0.001)
    await log.open()
    spoil(file, slice(4096, None))
    with pytest.raises(NotSaved, match="the file is damaged"):
        await log.best(None, 20)
    async with asyncio.timeout(5):
        while not log.problem:
            await asyncio.sleep(0)
    with pytest.raises(NotSaved, match="the file is damaged"):
        await log.put_text("name", "a", "b")
    await log.close()


async def test_a_check_that_finds_nothing_does_not_hide_what_a_read_found(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The read may find it while the whole file is checked."""
    begun, read_failed = threading.Event(), threading.Event()

    def sound(_: FileCheck) -> str:
        begun.set()
        read_failed.wait(10)
        return ""

    await filled(file)
    monkeypatch.setattr(FileCheck, "damage", sound)
    log = SqliteLog(file, poll=0.001, check_after=0.0)
    await log.open()
    assert await asyncio.to_thread(begun.wait, 10)
    spoil(file, slice(4096, None))
    with pytest.raises(NotSaved, match="the file is damaged"):
        await log.best(None, 20)
    read_failed.set()
    for _ in range(20):
        await asyncio.sleep(0.001)
    assert log.problem.startswith("the file is damaged")
    await log.close()


def test_an_error_of_a_kind_of_its_own_is_named_like_its_family(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever SQLite's binding raises for damage."""

    class SpecialCorruptError(apsw.CorruptError):
        """A kind of damage."""

    def damaged(_: Path) -> apsw.Connection:
        raise SpecialCorruptError

    monkeypatch.setattr(file_check, "open_for_reading", damaged)
    assert FileCheck(file).damage().startswith("the file is damaged")


async def test_a_failed_write_names_its_problem_until_one_succeeds(disk: FaultyDisk, log: SqliteLog) -> None:
    """For the host, the ops and monitoring."""
    disk.faults["write"] = apsw.FullError("no room")
    with pytest.raises(NotSaved):
        await log.append(EMPTY, entry(1, 1))
    assert log.problem == "the disk is full"
    disk.faults.clear()
    await log.append(EMPTY, entry(1, 1))
    assert log.problem == ""


async def test_writes_that_wait_together_share_one_sync(disk: FaultyDisk, log: SqliteLog) -> None:
    """A conflict and a bug among a hundred entries fail alone; the others are written."""
    await grow(log, 500, 1)
    disk.asked.clear()
    good = [log.append(EMPTY, entry(table, 1)) for table in range(100)]
    assert await asyncio.gather(*good) == [None] * 100
    assert disk.asked.count("sync") == 1
    mixed = (
        log.append(EMPTY, entry(600, 1)),
        log.append(EMPTY, entry(500, 1)),
        log.append(EMPTY, entry(601, 1)),
        log.append(EMPTY, entry(2**64, 1), finished("impossible")),
        log.append(EMPTY, entry(602, 1), finished("\udc80")),
        log.append(EMPTY, entry(603, 1)),
    )
    outcomes = await asyncio.gather(*mixed, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [
        type(None), Conflict, type(None), OverflowError, UnicodeEncodeError, type(None)
    ]  # fmt: skip
    assert {table for table in await heads(log) if table > 500} == {600, 601, 603}
    assert await log.games() == []


async def test_an_entry_is_not_read_before_it_is_synced(disk: FaultyDisk, log: SqliteLog, file: Path) -> None:
    """The event loop does not wait for the sync, and a cancelled write does not affect the others."""
    other = SqliteLog(file)
    await other.open()
    disk.may_sync.clear()
    disk.syncing.clear()
    writing = [asyncio.create_task(log.append(EMPTY, entry(table, 1))) for table in (1, 2)]
    assert await asyncio.to_thread(disk.syncing.wait, 10)
    later = [asyncio.create_task(log.append(EMPTY, entry(table, 1))) for table in (3, 4)]
    await asyncio.sleep(0)
    for cancelled in (writing[0], later[0]):
        cancelled.cancel()
    assert await heads(log) == await heads(other) == {}
    assert not writing[1].done()
    disk.may_sync.set()
    async with asyncio.timeout(10):
        await asyncio.gather(writing[1], later[1])
    assert (await heads(log)).keys() == (await heads(other)).keys() == {1, 2, 3, 4}
    assert disk.asked[-1] == "sync"
    await other.close()


async def test_changed_is_called_when_another_log_has_written(file: Path) -> None:
    """It is not called for the log's own writes."""
    logs = [SqliteLog(file, poll=0.005) for _ in range(2)]
    rung = [asyncio.Event() for _ in logs]
    for log, event in zip(logs, rung, strict=True):
        await log.open()
        log.changed = event.set
    one, other = logs
    for seq in range(3):
        await one.append(EMPTY, entry(seq, 1))
        await asyncio.wait_for(rung[1].wait(), 5)
        rung[1].clear()
        assert not rung[0].is_set()
    await other.put_text("name", "a", "b")
    await asyncio.wait_for(rung[0].wait(), 5)
    assert not rung[1].is_set()
    for log in logs:
        await log.close()


def test_processes_may_create_the_file_at_the_same_time(tmp_path: Path) -> None:
    """When servers start at once on an empty folder, each gets the same complete schema."""
    start = threading.Barrier(4)

    def make(file: Path) -> None:
        start.wait(10)
        with closing(open_for_writing(file, patience=10)) as db:
            db.execute("INSERT INTO text (kind, key, value) VALUES ('who', ?, '')", (str(threading.get_ident()),))

    with ThreadPoolExecutor(4) as threads:
        for number in range(10):
            file = tmp_path / f"{number}.db"
            list(threads.map(make, [file] * 4))
            with closing(apsw.Connection(str(file))) as db:
                assert db.pragma("journal_mode") == "wal"
                assert db.execute("SELECT count(*) FROM text").fetchall() == [(4,)]


def schema(db: apsw.Connection) -> set[object]:
    """The SQL of all tables, indexes and triggers."""
    return {row[0] for row in db.execute("SELECT sql FROM sqlite_schema")}


@pytest.mark.parametrize("version", range(len(MIGRATIONS) + 1))
def test_every_earlier_schema_becomes_the_present_one(version: int) -> None:
    """A migration from nothing and from each released version gives the same schema."""
    with closing(apsw.Connection(":memory:")) as new, closing(apsw.Connection(":memory:")) as old:
        migrate(new)
        migrate(old, MIGRATIONS[:version])
        migrate(old)
        assert schema(old) == schema(new)
        assert old.pragma("user_version") == len(MIGRATIONS)


async def test_texts_of_an_earlier_release_are_read_while_it_still_writes(file: Path) -> None:
    """The last release may run beside this one for a while; its changes and deletions are read too."""
    with closing(apsw.Connection(str(file))) as old:
        migrate(old, MIGRATIONS[:1])
        for key in "ab":
            old.execute("INSERT INTO text (kind, key, value) VALUES ('name', ?, 'before')", (key,))
        log = SqliteLog(file)
        await log.open()
        try:
            found = await log.read_texts("name")
            assert [(row.key, row.text) for row in found] == [("a", "before"), ("b", "before")]
            old.execute("DELETE FROM text WHERE key IN ('a', 'b')")
            old.execute("INSERT INTO text (kind, key, value) VALUES ('name', 'a', 'after')")
            feed = await log.read_texts("name", found[-1].number)
            assert [(row.key, row.text) for row in feed] == [("b", None), ("a", "after")]
        finally:
            await log.close()


async def test_old_deletions_are_dropped(log: SqliteLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file does not grow for ever, however long a server runs. Texts that were not deleted stay."""
    monkeypatch.setattr("server.storage.sqlite_file.DELETIONS_KEPT", 20)
    await log.put_text("name", "always", "here")
    for number in range(100):
        await log.put_text("here", f"passing {number}", "by")
        await log.put_text("here", f"passing {number}", None)
        for _ in range(3):  # each of which gives two numbers
            await log.put_text("name", "often", f"here {number}")
        if number == 50:  # and this one, one
            await log.put_text("name", "once", "here")
        assert len(await log.read_texts("here")) <= 3
    assert [row.key for row in await log.read_texts("here")][-1] == "passing 99"
    assert await texts_of(log, "name") == {"always": "here", "once": "here", "often": "here 99"}


@pytest.mark.parametrize("query", [BEST, BEST_UNDER, STANDINGS_OF, OLDEST, TEXT, LINKED_KEYS, NAME_OWNER, OLDEST_TEXTS])
def test_frequent_queries_scan_and_sort_no_table(query: str) -> None:
    """So they take the same time in a large file."""
    with closing(apsw.Connection(":memory:")) as db:
        migrate(db)
        values = (None,) * query.count("?")
        plan = [step[-1] for step in db.execute(f"EXPLAIN QUERY PLAN {query}", values)]
        reads = [step for step in plan if step.startswith("SCAN") and " USING " not in step]
        assert reads == []
        assert not [step for step in plan if "TEMP B-TREE" in step]


def test_a_failed_migration_leaves_the_version_before_it() -> None:
    """Its data stays too. Earlier migrations are kept, and none is carried out twice."""
    first, second = "CREATE TABLE a (x); INSERT INTO a VALUES (1)", "ALTER TABLE a ADD y DEFAULT 2"
    with closing(apsw.Connection(":memory:")) as db:
        with pytest.raises(apsw.SQLError):
            migrate(db, [first, second, "DELETE FROM a; SELECT nonsense"])
        assert db.pragma("user_version") == 2
        migrate(db, [first, second])
        assert db.execute("SELECT * FROM a").fetchall() == [(1, 2)]
        with pytest.raises(NotSaved, match="newer version"):
            migrate(db, [first])


WRITER = """
import asyncio, pathlib, sys
from server.storage.sqlite_log import SqliteLog
from server.storage.table_log import EMPTY, Conflict, LogEntry

async def write(log, name, table, until):
    loop, acknowledged = asyncio.get_running_loop(), []
    while loop.time() < until:
        entries = await log.read(table)
        head = entries[-1].head if entries else EMPTY
        mine = LogEntry(table, head.seq + 1, b"%s%06d" % (name, head.seq), 0.0, head.hash)
        try:
            await log.append(head, mine)
        except Conflict:
            continue
        print(table, mine.seq, mine.hash.decode(), flush=True)

async def main(file, name, seconds):
    log = SqliteLog(pathlib.Path(file))
    await log.open()
    until = asyncio.get_running_loop().time() + float(seconds)
    await asyncio.gather(*(write(log, name.encode(), table, until) for table in (1, 2, 2, 3)))
    await log.close()

asyncio.run(main(*sys.argv[1:]))
"""
"""A process that appends to three tables, each entry holding the hash it stands on, and says what was acknowledged."""


def write_elsewhere(file: Path, name: str, seconds: float) -> "subprocess.Popen[str]":
    """Start a process that appends; its hashes begin with ``name``, two letters."""
    command = [sys.executable, "-c", WRITER, str(file), name, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


async def all_entries(file: Path) -> list[LogEntry]:
    """Every entry in the file; checks that there is no gap and that each entry follows the one before."""
    log = SqliteLog(file)
    await log.open()
    entries = list[LogEntry]()
    for table in await heads(log):
        head = EMPTY
        for kept in await log.read(table):
            assert (kept.seq, kept.data) == (head.seq + 1, head.hash)
            head = kept.head
            entries.append(kept)
    await log.close()
    return entries


def acknowledged(line: str) -> tuple[int, Head]:
    """The table and its head that a line of such a process reports."""
    table, seq, state = line.split()
    return int(table), Head(int(seq), state.encode())


async def test_acknowledged_entries_survive_a_kill(file: Path) -> None:
    """A process is killed again and again right after it reported an entry; every reported entry is in the file."""
    said = list[tuple[int, Head]]()
    for number in range(6):
        with write_elsewhere(file, f"k{number}", seconds=60) as writer:
            assert writer.stdout is not None
            said += [acknowledged(writer.stdout.readline()) for _ in range(number + 1)]
            writer.kill()
            said += [acknowledged(line) for line in writer.stdout if line.endswith("\n")]
        kept = {(each.table, each.head) for each in await all_entries(file)}
        assert kept.issuperset(said)


async def test_two_processes_never_fork_a_table(file: Path) -> None:
    """Both append as fast as they can: each table has one sequence of entries, and each report is true."""
    with write_elsewhere(file, "aa", 1.0) as one, write_elsewhere(file, "bb", 1.0) as other:
        said = [
            acknowledged(line)
            for output in (one.communicate()[0], other.communicate()[0])
            for line in output.splitlines()
        ]
    assert one.returncode == other.returncode == 0
    entries = await all_entries(file)
    assert Counter(said) == Counter((each.table, each.head) for each in entries)
    assert {each.hash[:2] for each in entries} == {b"aa", b"bb"}
