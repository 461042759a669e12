"""`quatch bench log`: how many entries a second become durable, and how soon one does, in a file and elsewhere.

The baseline is one writer that waits for each of its entries.
"""

import asyncio
import time
from argparse import Namespace
from collections import deque
from collections.abc import Iterator
from itertools import count
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from engine.errors import InputError
from server.bench.figures import Figure, Line, delays
from server.storage.database import EMPTY, Database, Head, LogEntry
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


def bench_log(options: Namespace) -> Iterator[Line]:
    """Throughput with many writers, and latency at a steady rate.

    Raises InputError if the other database is not empty.
    """
    seconds = max(options.seconds, SHORTEST)
    yield f"The log with {WRITERS} writers, then with {RATE} entries a second, beside one writer:"
    with TemporaryDirectory() as folder:
        for where, database in {"in a file": "", "elsewhere": options.database}.items():
            if database or where == "in a file":
                lone, many, latencies = asyncio.run(_measure(database_at(database, folder), seconds))
                yield Figure(f"log: entries {where} with group commit, beside one commit each", many, lone, "entries/s")
                yield from delays(f"log: until an entry is durable {where}, {{}}", latencies, [1 / lone])


async def _measure(database: Database, seconds: float) -> tuple[float, float, list[float]]:
    """Entries a second of one writer and of many, and seconds until an entry is durable at a steady rate."""
    async with database as log:
        if await log.awake() or await log.latest(1):
            raise InputError("bad_request", "bench log: the database must be empty, for rows are left in it")
        lone, many = [await _entries_a_second(log, seconds, writers) for writers in (1, WRITERS)]
        return lone, many, await _at_rate(log, seconds)


async def _entries_a_second(log: Database, seconds: float, writers: int) -> float:
    """How many become durable when so many writers each append the next entry as soon as the last one is."""
    done, begin = 0, time.perf_counter()

    async def write(table: int) -> None:
        nonlocal done
        head = EMPTY
        while not done or time.perf_counter() - begin < seconds:  # on a slow machine one at least
            head = await _append(log, table, head)
            done += 1

    await asyncio.gather(*(write(next(TABLES)) for _ in range(writers)))
    return done / (time.perf_counter() - begin)


async def _at_rate(log: Database, seconds: float) -> list[float]:
    """How long each entry takes to be durable while moves of open tables are due at random moments."""
    chance, found, free = Random(1), list[float](), deque[tuple[int, Head]]()

    async def write(table: int, head: Head, due: float) -> None:
        free.append((table, await _append(log, table, head)))
        found.append(time.perf_counter() - due)

    await asyncio.gather(*(write(next(TABLES), EMPTY, 0.0) for _ in range(WRITERS)))
    found.clear()
    async with asyncio.TaskGroup() as writers:
        due = time.perf_counter()
        end = due + seconds
        while (due := due + chance.expovariate(RATE)) < end:
            await asyncio.sleep(due - time.perf_counter())
            writers.create_task(write(*(free.popleft() if free else (next(TABLES), EMPTY)), due))
    return found


async def _append(log: Database, table: int, head: Head) -> Head:
    """Append a move behind this head. Returns the new head."""
    entry = LogEntry(table, head.seq + 1, head.seq.to_bytes(8), time.time(), DATA)
    await log.append(head, entry)
    return entry.head
