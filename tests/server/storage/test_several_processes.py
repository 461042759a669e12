"""Several processes write to one database, of either engine: no fork of a table, nothing lost by a kill."""

import asyncio
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import apsw
import pytest

from server.storage.database import EMPTY, Head, LogEntry, NotSaved
from server.storage.engines import database_at
from server.storage.sqlite_database import SqliteDatabase
from tests.soak import long
from tests.support.log_entries import entry, grow, heads

ROOT = Path(__file__).parents[3]
Place: TypeAlias = tuple[str, str]
"""What `database_at` takes: the URL of a database, and a folder."""


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where the log is."""
    return ("", str(tmp_path)) if request.param == "sqlite" else (request.getfixturevalue("database"), "")


WRITER = """
import asyncio, sys
from server.storage.engines import database_at
from server.storage.database import EMPTY, Conflict, LogEntry

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

async def main(database, data, name, seconds):
    log = database_at(database, data)
    await log.open()
    until = asyncio.get_running_loop().time() + float(seconds)
    await asyncio.gather(*(write(log, name.encode(), table, until) for table in (1, 2, 2, 3)))
    await log.close()

asyncio.run(main(*sys.argv[1:]))
"""
"""A process that appends to three tables, each entry holding the hash it stands on, and says what was acknowledged."""


def write_elsewhere(place: Place, name: str, seconds: float) -> "subprocess.Popen[str]":
    """Start a process that appends; its hashes begin with ``name``, two letters."""
    command = [sys.executable, "-c", WRITER, *place, name, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


async def all_entries(place: Place) -> list[LogEntry]:
    """Every entry in the database; checks that there is no gap and that each entry follows the one before."""
    log, entries = database_at(*place), list[LogEntry]()
    await log.open()
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


async def test_acknowledged_entries_survive_a_kill(place: Place) -> None:
    """A process is killed again and again right after it reported an entry; every reported entry is in the database."""
    said = list[tuple[int, Head]]()
    for number in range(long(3, 6)):
        with write_elsewhere(place, f"k{number}", seconds=60) as writer:
            assert writer.stdout is not None
            said += [acknowledged(writer.stdout.readline()) for _ in range(number + 1)]
            writer.kill()
            said += [acknowledged(line) for line in writer.stdout if line.endswith("\n")]
        kept = {(each.table, each.head) for each in await all_entries(place)}
        assert kept.issuperset(said)


async def test_two_processes_never_fork_a_table(place: Place) -> None:
    """Both append as fast as they can: each table has one sequence of entries, and each report is true."""
    with write_elsewhere(place, "aa", 1.0) as one, write_elsewhere(place, "bb", 1.0) as other:
        said = [
            acknowledged(line)
            for output in (one.communicate()[0], other.communicate()[0])
            for line in output.splitlines()
        ]
    assert one.returncode == other.returncode == 0
    entries = await all_entries(place)
    assert Counter(said) == Counter((each.table, each.head) for each in entries)
    assert {each.hash[:2] for each in entries} == {b"aa", b"bb"}


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
    connections: list[apsw.Connection], log: SqliteDatabase, file: Path
) -> None:
    """A short lock delays the write; a long one fails it. Reads go on meanwhile."""
    head = await grow(log, 1, 1)
    with locked_elsewhere(file) as unlock:
        with pytest.raises(NotSaved, match="the file is locked by another program"):
            await log.append(head, entry(1, 2))
        assert len(await log.read(1)) == 1
        waits, pause = threading.Event(), threading.Event()

        def wait(tries: int) -> bool:
            waits.set()
            pause.wait(0.01)
            return tries < 1_000

        await asyncio.to_thread(connections[0].set_busy_handler, wait)
        waiting = asyncio.create_task(log.append(head, entry(1, 2)))
        assert await asyncio.to_thread(waits.wait, 10)
        assert not waiting.done()
        unlock()
        await waiting
