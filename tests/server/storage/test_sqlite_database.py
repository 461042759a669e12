"""The log in a file: what it creates, what it refuses, and how it survives crashes and faults of the disk."""

import asyncio
import os
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest

from server.storage.database import EMPTY, Conflict, NotSaved, OutcomeUnknown
from server.storage.folder_in_use import folder_in_use
from server.storage.sqlite_database import MemoryDatabase, SqliteDatabase
from server.storage.sqlite_file import open_for_writing
from tests.support.database_files import filled, refusal
from tests.support.faulty_disk import FaultyDisk
from tests.support.log_entries import entry, finished, grow, heads, texts_of
from tests.support.virtual_time import asked_of_logs

ROOT = Path(__file__).parents[3]


async def test_the_file_is_private_and_keeps_its_content(tmp_path: Path) -> None:
    """They are created for their owner alone, whatever the umask; a log opened again reads what was written."""
    file = tmp_path / "new" / "folder" / "quatch.db"
    log, before = SqliteDatabase(file), os.umask(0)
    try:
        await log.open()
    finally:
        os.umask(before)
    head = await grow(log, 1, 3)
    await log.append(EMPTY, entry(2, 1), finished("g1"))
    await log.put_text("name", "a", "b")
    assert {stat.S_IMODE(each.stat().st_mode) for each in file.parent.iterdir()} == {0o600}
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    await log.close()
    assert [each.name for each in file.parent.iterdir()] == ["quatch.db"]
    await log.open()
    assert (await heads(log))[1] == head
    assert await log.game("g1") == finished("g1")
    assert await texts_of(log, "name") == {"a": "b"}
    await log.close()


async def test_closing_writes_what_is_waiting(disk: FaultyDisk, file: Path) -> None:
    """The running transaction ends, and the one after it is written too."""
    log = SqliteDatabase(file)
    await log.open()
    writing = await disk.hold(log.append(EMPTY, entry(1, 1)))
    waiting = asyncio.create_task(log.append(EMPTY, entry(2, 1)))
    closing_log = asyncio.create_task(log.close())
    await asyncio.sleep(0)
    disk.may_sync.set()
    async with asyncio.timeout(10):
        await asyncio.gather(writing, waiting, closing_log)
    await log.open()
    assert (await heads(log)).keys() == {1, 2}
    await log.close()


async def test_nobody_need_wait_for_the_end_of_a_write(
    disk: FaultyDisk, connections: list[apsw.Connection], file: Path
) -> None:
    """A server whose time is up ends, and leaves the connection to the thread that uses it."""
    log = SqliteDatabase(file)
    await log.open()
    writing = await disk.hold(log.append(EMPTY, entry(1, 1)))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(log.close(), 0.01)
    disk.may_sync.set()
    await writing
    await asyncio.to_thread(connections[0].close)


def test_a_path_that_cannot_be_opened_is_refused_in_one_line(tmp_path: Path) -> None:
    """A folder is in place of the file, or a file in place of its folder."""
    assert refusal(tmp_path).startswith(f"{tmp_path}: the file cannot be opened")
    (tmp_path / "diary").write_text("")
    assert refusal(tmp_path / "diary" / "quatch.db") == f"{tmp_path / 'diary'}: File exists"


@pytest.mark.parametrize("running", [True, False])
def test_a_read_only_file_is_not_opened(running: bool) -> None:  # noqa: FBT001
    """One line says so, whether or not its owner has it open."""
    script = """
import asyncio, concurrent.futures.thread, os, pathlib, sys
from server.storage.sqlite_database import SqliteDatabase
if os.geteuid() == 0:  # who may write anything
    os.seteuid(65534)
try:
    asyncio.run(SqliteDatabase(pathlib.Path(sys.argv[1])).open())
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
    connections: list[apsw.Connection], log: SqliteDatabase
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


async def test_writing_fails_while_the_file_is_read_only(
    connections: list[apsw.Connection], log: SqliteDatabase
) -> None:
    """It works again as soon as the file can be written."""
    await asyncio.to_thread(connections[0].pragma, "query_only", True)  # noqa: FBT003 - that is how the library has it
    with pytest.raises(NotSaved, match="the file is read-only"):
        await log.append(EMPTY, entry(1, 1))
    with pytest.raises(NotSaved, match="the file is read-only"):
        await log.put_text("name", "a", "b")
    await asyncio.to_thread(connections[0].pragma, "query_only", False)  # noqa: FBT003
    await grow(log, 1, 1)


@pytest.mark.parametrize(
    ("asked", "fault", "expected"),
    [
        ("sync", apsw.IOError("no answer"), OutcomeUnknown("the disk reports an error")),
        ("write", apsw.IOError("no answer"), OutcomeUnknown("the disk reports an error")),
        ("write", apsw.FullError("no room"), NotSaved("the disk is full")),
    ],
)
async def test_a_failed_commit_is_unknown_unless_nothing_was_written(
    disk: FaultyDisk, log: SqliteDatabase, asked: str, fault: apsw.Error, expected: Exception
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


async def test_a_failed_write_names_its_problem_until_one_succeeds(disk: FaultyDisk, log: SqliteDatabase) -> None:
    """For the host, the ops and monitoring."""
    disk.faults["write"] = apsw.FullError("no room")
    with pytest.raises(NotSaved):
        await log.append(EMPTY, entry(1, 1))
    assert log.problem == "the disk is full"
    disk.faults.clear()
    await log.append(EMPTY, entry(1, 1))
    assert log.problem == ""


async def test_writes_that_wait_together_share_one_sync(disk: FaultyDisk, log: SqliteDatabase) -> None:
    """A conflict and a bug among a hundred entries fail alone; the others are written."""
    await grow(log, 500, 1)
    held = await disk.hold(log.append(EMPTY, entry(400, 1)))
    good = [asyncio.create_task(log.append(EMPTY, entry(table, 1))) for table in range(100)]
    while asked_of_logs() <= len(good):
        await asyncio.sleep(0)
    disk.asked.clear()
    disk.may_sync.set()
    assert await asyncio.gather(held, *good) == [None] * 101
    assert disk.asked.count("sync") == 2, "the one that was held, and one for the hundred"
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


async def test_an_entry_is_not_read_before_it_is_synced(disk: FaultyDisk, log: SqliteDatabase, file: Path) -> None:
    """The event loop does not wait for the sync, and a cancelled write does not affect the others."""
    async with SqliteDatabase(file) as other:
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


def test_a_folder_is_in_use_as_long_as_a_server_runs_there(tmp_path: Path) -> None:
    """Not the first server, but each further one is told so, whichever of them ends first."""
    folder = tmp_path / "var"
    with ExitStack() as second:
        with folder_in_use(folder) as first:
            assert not first
            assert second.enter_context(folder_in_use(folder))
        with folder_in_use(folder) as third:
            assert third
    with folder_in_use(folder) as fourth:
        assert not fourth


def test_a_folder_that_cannot_be_made_counts_as_free(tmp_path: Path) -> None:
    """The database says why it cannot be opened."""
    (tmp_path / "file").touch()
    with folder_in_use(tmp_path / "file") as in_use:
        assert not in_use


def test_a_new_file_waits_for_another_server_that_makes_it(file: Path) -> None:
    """When servers start at once on an empty folder, none is told that the file is locked."""
    waits = threading.Event()

    def trace(_: object, statement: str, __: object) -> bool:
        if statement.startswith("BEGIN"):
            waits.set()
        return True

    with closing(apsw.Connection(str(file))) as other, ThreadPoolExecutor(1) as thread:
        other.execute("BEGIN IMMEDIATE")
        apsw.connection_hooks.append(hook := lambda db: db.set_exec_trace(trace))
        opening = thread.submit(open_for_writing, file, 10)
        waits.wait(5)
        apsw.connection_hooks.remove(hook)
        other.execute("ROLLBACK")
        opening.result().close()


async def test_old_deletions_are_dropped() -> None:
    """The file does not grow for ever, however long a server runs. Texts that were not deleted stay."""
    log = MemoryDatabase()
    log.deletions_kept = 20

    async def put(kind: str, key: str, value: str | None) -> None:
        await log.put_text(kind, key, value)

    async def texts(kind: str) -> dict[str, str | None]:
        return {row.key: row.text for row in await log.read_texts(kind)}

    await put("name", "always", "here")
    for number in range(100):
        await put("here", f"passing {number}", "by")
        await put("here", f"passing {number}", None)
        for _ in range(6):
            await put("name", "often", f"here {number}")
        if number == 50:
            await put("name", "once", "here")
        assert len(await texts("here")) <= 4
    assert [*await texts("here")][-1] == "passing 99"
    assert await texts("name") == {"always": "here", "once": "here", "often": "here 99"}
