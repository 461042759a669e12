"""`quatch bench log`: how many entries a second become durable, and the latency of one, in a temporary folder."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from functools import partial
from itertools import count, cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from server.bench.figures import Figure, Line, percentile, rate
from server.storage.sqlite_connections import PATIENCE
from server.storage.sqlite_file import FILE_NAME, open_for_writing
from server.storage.sqlite_log import SqliteLog
from server.storage.sqlite_writes import append_entry, commit
from server.storage.table_log import EMPTY, Head, LogEntry

WRITERS: Final = 300
RATE: Final = 500
"""The rate at which latency is measured, in entries a second: one server on a busy evening."""
SHORTEST: Final = 0.05
"""The shortest time that gives a figure."""
TICK: Final = 0.002
"""Seconds between two checks of the event loop's lag."""
DATA: Final = (
    b'{"v":1,"id":"0123456789abcdef","kind":"moved","seat":3,"move":"play 7 7 from hand","ply":123,"clock":45.678}'
)


def bench_log(seconds: float) -> Iterator[Line]:
    """Throughput with group commit and with a commit for each entry, then latency and the event loop's lag."""
    seconds = max(seconds, SHORTEST)
    single, grouped = _one_by_one(seconds), asyncio.run(_grouped(seconds))
    yield f"{'baseline: one commit an entry, no thread':<40} {single:>12,.0f} events a second"
    label = f"group commit, {WRITERS} writers"
    text = f"{label:<40} {grouped:>12,.0f} events a second {grouped / single:>8.2f} x baseline"
    yield Figure("log: entries with group commit, beside one commit each", grouped, single, "entries/s", text)
    latencies, late, late_idle = asyncio.run(_latency(seconds))
    yield f"{f'latency, {RATE} events a second':<40} {_spread(latencies)}"
    yield f"{'the event loop is late meanwhile by':<40} {_spread(late)}"
    yield f"{'and in an idle process by':<40} {_spread(late_idle)}"


def _one_by_one(seconds: float) -> float:
    """Entries a second when only the disk takes time."""
    with TemporaryDirectory() as folder, closing(open_for_writing(Path(folder, FILE_NAME), PATIENCE)) as db:

        def entries() -> Iterator[int]:
            heads = [EMPTY] * WRITERS
            for table in cycle(range(WRITERS)):
                entry = next_entry(table, heads[table])
                (problem,) = commit(db, [partial(append_entry, head=heads[table], entry=entry)])
                if problem is not None:
                    raise problem
                heads[table] = entry.head
                yield 1

        return rate(entries(), seconds)


async def _grouped(seconds: float) -> float:
    """Entries a second when many writers each append the next entry as soon as the last one is durable."""
    done = 0
    async with _open_log() as log:
        begin = time.perf_counter()

        async def write(table: int) -> None:
            nonlocal done
            head = EMPTY
            while time.perf_counter() - begin < seconds:
                entry = next_entry(table, head)
                await log.append(head, entry)
                head = entry.head
                done += 1

        await asyncio.gather(*(write(table) for table in range(WRITERS)))
        return done / (time.perf_counter() - begin)


async def _latency(seconds: float) -> tuple[list[float], list[float], list[float]]:
    """Seconds until each entry that was due is durable; the event loop's lag during that, and before it."""
    chance, latencies, late, late_idle = Random(1), list[float](), list[float](), list[float]()
    async with _open_log() as log:
        async with _lateness(late_idle):
            await asyncio.sleep(seconds)
        async with _lateness(late), asyncio.TaskGroup() as writers:
            due = begin = time.perf_counter()

            async def write(table: int, due: float) -> None:
                await log.append(EMPTY, next_entry(table, EMPTY))
                latencies.append(time.perf_counter() - due)

            for table in count():
                due += chance.expovariate(RATE)
                if due - begin > seconds:
                    break
                await asyncio.sleep(due - time.perf_counter())
                writers.create_task(write(table, due))
    return latencies, late, late_idle


def next_entry(table: int, head: Head) -> LogEntry:
    """A move behind this head."""
    return LogEntry(table, head.seq + 1, head.seq.to_bytes(8), time.time(), DATA)


@asynccontextmanager
async def _open_log() -> AsyncIterator[SqliteLog]:
    with TemporaryDirectory() as folder:
        async with SqliteLog(Path(folder, FILE_NAME)) as log:
            yield log


@asynccontextmanager
async def _lateness(found: list[float]) -> AsyncIterator[None]:
    """Wake up again and again; collect how late each time was."""

    async def look() -> None:
        while True:
            due = time.perf_counter() + TICK
            await asyncio.sleep(TICK)
            found.append(time.perf_counter() - due)

    looking = asyncio.create_task(look())
    try:
        yield
    finally:
        looking.cancel()


def _spread(seconds: list[float]) -> str:
    """The median and the 99th percentile."""
    half, most = (1000 * percentile(seconds, percent) for percent in (50, 99))
    return f"{half:>12.2f} ms p50 {most:>8.2f} ms p99"
