"""A database file that several processes use: its locks, and news of each other."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from server.storage.sqlite_file import LockWait
from server.storage.sqlite_log import SqliteLog
from server.storage.table_log import EMPTY, NotSaved
from tests.support.log_entries import entry, grow


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


async def test_changed_is_called_when_another_log_has_written(file: Path) -> None:
    """It is not called for the log's own writes."""
    logs = [SqliteLog(file, poll=0.005) for _ in range(2)]
    rung = [asyncio.Event() for _ in logs]
    for log, event in zip(logs, rung, strict=True):
        await log.open()
        log.on_change(event.set)
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
