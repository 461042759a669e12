"""`quatch bench log`: how many entries a second become durable, and how soon one does, in a file and elsewhere.

Beside the file stand such rows in bare SQLite, with a commit for all that wait, as the log does it, or for each: what
the log may cost is told as so many times their cost.
"""

import asyncio
import sqlite3
import time
from argparse import Namespace
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from engine.errors import InputError
from server.bench.figures import Figure, Line, delays
from server.storage.database import EMPTY, Head, LogEntry
from server.storage.engines import database_at

WRITERS: Final = 300
RATE: Final = 500
"""The rate at which latency is measured, in entries a second: one server on a busy evening."""
SHORTEST: Final = 0.05
"""The shortest time that gives a figure."""
TABLES: Final = count(1)
"""The numbers of tables, none of which is used twice."""
DATA: Final = (
    b'{"v":1,"id":"0123456789abcdef","kind":"moved","seat":3,"move":"play 7 7 from hand","ply":123,"clock":45.678}'
)

Append: TypeAlias = Callable[[Head, LogEntry], Awaitable[object]]
"""Makes an entry durable, directly behind this head."""
Opened: TypeAlias = Callable[[], AbstractAsyncContextManager[Append]]


def bench_log(options: Namespace) -> Iterator[Line]:
    """Throughput, latency, the work of the log's thread. Raises InputError if the other database is not empty."""
    seconds = max(options.seconds, SHORTEST)
    yield f"The log in a file, with {WRITERS} writers, then with {RATE} entries a second, beside bare SQLite:"
    many, one = (
        asyncio.run(_entries_a_second(log, seconds, writers)) for log, writers in ((_ours, WRITERS), (_bare, 1))
    )
    yield Figure("log: entries with group commit, beside one commit each", many, one, "entries/s")
    (ours, cpu), (bare, bare_cpu) = (asyncio.run(_at_rate(log, seconds)) for log in (_ours, _bare))
    yield from delays("log: until an entry is durable, {}, beside bare groups", ours, bare)
    yield Figure("log: CPU of the thread of the log for an entry, beside bare groups", 1e6 * cpu, 1e6 * bare_cpu, "us")
    if options.database:
        other = partial(_ours, options.database)
        asyncio.run(_refuse_unless_empty(options.database))
        yield f"The log elsewhere, with {WRITERS} writers beside one, then with {RATE} entries a second:"
        many, one = (asyncio.run(_entries_a_second(other, seconds, writers)) for writers in (WRITERS, 1))
        yield Figure("log: entries elsewhere with group commit, beside one commit each", many, one, "entries/s")
        found, _ = asyncio.run(_at_rate(other, seconds))
        yield from delays("log: until an entry is durable elsewhere, {}", found)


async def _entries_a_second(log: Opened, seconds: float, writers: int) -> float:
    """How many become durable when so many writers each append the next entry as soon as the last one is."""

    async def write(append: Append, table: int) -> int:
        head = EMPTY
        while head == EMPTY or time.perf_counter() - begin < seconds:  # on a slow machine one at least
            entry = _next_entry(table, head)
            await append(head, entry)
            head = entry.head
        return head.seq

    async with log() as append:
        begin = time.perf_counter()
        done = await asyncio.gather(*(write(append, next(TABLES)) for _ in range(writers)))
        return sum(done) / (time.perf_counter() - begin)


async def _at_rate(log: Opened, seconds: float) -> tuple[list[float], float]:
    """Have moves of open tables be due at random moments.

    Returns the seconds until each was durable, and the CPU seconds of all threads but the event loop's for each.
    """
    chance, found, free = Random(1), list[float](), deque[tuple[int, Head]]()

    def cpu() -> float:
        return time.process_time() - time.thread_time()

    async def move(table: int, head: Head) -> None:
        entry = _next_entry(table, head)
        await append(head, entry)
        free.append((table, entry.head))

    async def write(due: float) -> None:
        await move(*(free.popleft() if free else (next(TABLES), EMPTY)))
        found.append(time.perf_counter() - due)

    async with log() as append:
        await asyncio.gather(*(move(next(TABLES), EMPTY) for _ in range(WRITERS)))
        began = cpu()
        async with asyncio.TaskGroup() as writers:
            due = time.perf_counter()
            end = due + seconds
            while (due := due + chance.expovariate(RATE)) < end:
                await asyncio.sleep(due - time.perf_counter())
                writers.create_task(write(due))
        return found, (cpu() - began) / len(found)


def _next_entry(table: int, head: Head) -> LogEntry:
    return LogEntry(table, head.seq + 1, head.seq.to_bytes(8), time.time(), DATA)


@asynccontextmanager
async def _ours(url: str = "") -> AsyncIterator[Append]:
    """The database of this URL, or one in a file."""
    with TemporaryDirectory() as folder:
        async with database_at(url, folder) as log:
            yield log.append


async def _refuse_unless_empty(url: str) -> None:
    async with database_at(url, "") as log:
        if await log.awake() or await log.latest(1):
            raise InputError("bad_request", "bench log: the database must be empty, for rows are left in it")


@asynccontextmanager
async def _bare() -> AsyncIterator[Append]:
    """Rows of one table of SQLite: another thread commits all that wait together."""
    waiting = list[tuple[LogEntry, asyncio.Future[None]]]()
    loop, writing = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    def commit(entries: list[LogEntry]) -> None:
        rows = ((each.table, each.seq, each.hash, each.at, each.data) for each in entries)
        with db:
            for row in rows:
                db.execute("INSERT INTO bare VALUES (?, ?, ?, ?, ?)", row)

    async def write_all() -> None:
        while some := waiting.copy():
            waiting.clear()
            await loop.run_in_executor(thread, commit, [entry for entry, _ in some])
            for _, written in some:
                written.set_result(None)
        writing.clear()

    async def append(_: Head, entry: LogEntry) -> None:
        written = loop.create_future()
        waiting.append((entry, written))
        if not writing:
            writing.add(loop.create_task(write_all()))
        await written

    with (
        TemporaryDirectory() as folder,
        ThreadPoolExecutor(1) as thread,
        closing(sqlite3.connect(Path(folder, "bare"), check_same_thread=False)) as db,
    ):
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("CREATE TABLE bare (table_id INTEGER, seq INTEGER, hash, at, data, PRIMARY KEY (table_id, seq))")
        yield append
