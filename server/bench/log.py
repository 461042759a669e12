"""`quatch bench log`: how many entries a second become durable, and how soon one does, in a file and in PostgreSQL.

The baselines write the same rows with the least of code: with one commit for each entry, and in a file also with one
for all that waits, as the log does.
"""

import asyncio
import sqlite3
import time
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeAlias

from engine.errors import InputError
from server.bench.figures import Figure, Line, delays
from server.database_url import DatabaseUrl
from server.storage.database import log_in
from server.storage.table_log import EMPTY, Head, LogEntry, TableLog

WRITERS: Final = 300
RATE: Final = 500
"""The rate at which latency is measured, in entries a second: one server on a busy evening."""
SHORTEST: Final = 0.05
"""The shortest time that gives a figure."""
TICK: Final = 0.002
"""Seconds between two checks of the event loop's lag."""
CONNECTIONS: Final = 16
"""Those of the bare writer in PostgreSQL, which needs one for each transaction."""
DATA: Final = (
    b'{"v":1,"id":"0123456789abcdef","kind":"moved","seat":3,"move":"play 7 7 from hand","ply":123,"clock":45.678}'
)
CREATE: Final = "CREATE TABLE bare (table_id {0}, seq {0}, hash {1}, at {2}, data {1}, PRIMARY KEY (table_id, seq))"
INSERT: Final = "INSERT INTO bare (table_id, seq, hash, at, data) VALUES ({})"

Append: TypeAlias = Callable[[Head, LogEntry], Awaitable[object]]
"""Makes an entry durable, directly behind this head."""
Opened: TypeAlias = Callable[[], AbstractAsyncContextManager[Append]]
"""An empty log."""


class AtRate(NamedTuple):
    """What was seen while entries came at random moments."""

    latencies: list[float]
    """Seconds until each entry that was due was durable."""
    late: list[float]
    """By how many seconds the event loop was late meanwhile."""
    cpu: float
    """CPU seconds of all threads but that of the event loop, for each entry."""


def bench_log(options: Namespace) -> Iterator[Line]:
    """Throughput, latency, the work of the log's thread and the event loop's lag, with both engines.

    Raises InputError if the PostgreSQL database is not empty.
    """
    seconds = max(options.seconds, SHORTEST)
    yield f"The log in a file, with {WRITERS} writers, then with {RATE} entries a second, beside bare SQLite:"
    alone, alike = (partial(_bare_file, most) for most in (1, WRITERS))
    yield _throughput("log: entries with group commit, beside one commit each", _file, alone, seconds)
    ours, bare = (asyncio.run(_at_rate(log, seconds)) for log in (_file, alike))
    yield from delays("log: until an entry is durable, {}, beside bare groups", ours.latencies, bare.latencies)
    name = "log: CPU of the thread of the log for an entry, beside bare groups"
    yield Figure(name, 1e6 * ours.cpu, 1e6 * bare.cpu, "us")
    yield from delays("log: how late the event loop is, {}, beside bare groups", ours.late, bare.late)
    if options.database:
        asyncio.run(_refuse_unless_empty(options.database))
        yield "The same in PostgreSQL, beside a bare INSERT for each entry:"
        quatch, inserts = (partial(log, options.database) for log in (_postgres, _bare_postgres))
        yield _throughput("log: entries in PostgreSQL, beside one INSERT each", quatch, inserts, seconds)
        ours, bare = (asyncio.run(_at_rate(log, seconds)) for log in (quatch, inserts))
        name = "log: until an entry is durable in PostgreSQL, {}, beside INSERT"
        yield from delays(name, ours.latencies, bare.latencies)


def _throughput(name: str, log: Opened, baseline: Opened, seconds: float) -> Figure:
    mine, theirs = (asyncio.run(_entries_a_second(each, seconds)) for each in (log, baseline))
    return Figure(name, mine, theirs, "entries/s")


async def _entries_a_second(log: Opened, seconds: float) -> float:
    """How many become durable when many writers each append the next entry as soon as the last one is."""
    done = 0
    async with log() as append:
        begin = time.perf_counter()

        async def write(table: int) -> None:
            nonlocal done
            head = EMPTY
            while time.perf_counter() - begin < seconds:
                entry = next_entry(table, head)
                await append(head, entry)
                head = entry.head
                done += 1

        await asyncio.gather(*map(write, range(1, WRITERS + 1)))
        return done / (time.perf_counter() - begin)


async def _at_rate(log: Opened, seconds: float) -> AtRate:
    """Have entries be due at random moments."""
    chance, found, late = Random(1), list[float](), list[float]()

    def cpu() -> float:
        return time.process_time() - time.thread_time()

    async def write(table: int, due: float) -> None:
        await append(EMPTY, next_entry(table, EMPTY))
        found.append(time.perf_counter() - due)

    async def look() -> None:
        while True:
            due = time.perf_counter() + TICK
            await asyncio.sleep(TICK)
            late.append(time.perf_counter() - due)

    async with log() as append:
        began, looking = cpu(), asyncio.create_task(look())
        async with asyncio.TaskGroup() as writers:
            due = begin = time.perf_counter()
            for table in count(WRITERS + 1):
                due += chance.expovariate(RATE)
                if due - begin > seconds:
                    break
                await asyncio.sleep(due - time.perf_counter())
                writers.create_task(write(table, due))
        looking.cancel()
        return AtRate(found, late, (cpu() - began) / len(found))


def next_entry(table: int, head: Head) -> LogEntry:
    """A move behind this head."""
    return LogEntry(table, head.seq + 1, head.seq.to_bytes(8), time.time(), DATA)


@asynccontextmanager
async def _open(log: TableLog) -> AsyncIterator[Append]:
    await log.open()
    try:
        yield log.append
    finally:
        await log.close()


@asynccontextmanager
async def _file() -> AsyncIterator[Append]:
    with TemporaryDirectory() as folder:
        async with _open(log_in("", folder)) as append:
            yield append


@asynccontextmanager
async def _bare_file(most: int) -> AsyncIterator[Append]:
    """Rows of one table, at most so many in a transaction, which another thread commits."""
    waiting = list[tuple[LogEntry, asyncio.Future[None]]]()
    loop, insert, writing = asyncio.get_running_loop(), INSERT.format("?, ?, ?, ?, ?"), set[asyncio.Task[None]]()

    def commit(entries: list[LogEntry]) -> None:
        db.execute("BEGIN IMMEDIATE")
        for each in entries:
            db.execute(insert, (each.table, each.seq, each.hash, each.at, each.data))
        db.execute("COMMIT")

    async def write_all() -> None:
        while some := waiting[:most]:
            del waiting[:most]
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
        closing(sqlite3.connect(Path(folder, "bare"), isolation_level=None, check_same_thread=False)) as db,
    ):
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute(CREATE.format("INTEGER", "BLOB", "REAL"))
        yield append


@asynccontextmanager
async def _postgres(url: str) -> AsyncIterator[Append]:
    async with _open(log_in(url, "")) as append:
        yield append


async def _refuse_unless_empty(url: str) -> None:
    log = log_in(url, "")
    async with _open(log):
        if await log.awake() or await log.latest(1):
            raise InputError("bad_request", "bench log: the PostgreSQL database must be empty, for rows are left in it")


@asynccontextmanager
async def _bare_postgres(url: str) -> AsyncIterator[Append]:
    """Rows of one table, each in a transaction of its own."""
    import asyncpg  # noqa: PLC0415 - not every server has the driver

    arguments, insert = DatabaseUrl.read(url).arguments(), INSERT.format("$1, $2, $3, $4, $5")
    async with asyncpg.create_pool(**arguments, max_size=CONNECTIONS) as pool:
        await pool.execute("DROP TABLE IF EXISTS bare")
        await pool.execute(CREATE.format("bigint", "bytea", "float8"))

        async def append(_: Head, entry: LogEntry) -> None:
            await pool.execute(insert, entry.table, entry.seq, entry.hash, entry.at, entry.data)

        yield append
