"""`quatch bench cluster`: what it costs that several nodes share a PostgreSQL, beside a bare INSERT into the same one.

It starts a PostgreSQL of its own, which syncs as a real one does. One node appends moves, which are due at random
moments at a given rate; another one hears of them and reads them. The baseline inserts the same rows, each in a
transaction of its own, and nobody reads them. Then come what nodes tell each other of their players (`presence.py`),
and real servers with games going on (`nodes.py`).
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from random import Random
from typing import Final, NamedTuple, TypeAlias

from server.bench.figures import Figure, Line, percentile
from server.bench.log import next_entry
from server.bench.nodes import NodeFailed, bench_processes, bench_restarts
from server.bench.presence import bench_presence
from server.bench.private_postgres import Postgres, running_postgres
from server.database_url import DatabaseUrl
from server.storage.database import postgres_log
from server.storage.table_log import EMPTY, Head, LogEntry, TableLog

RATES: Final = (500, 2000)
"""Moves a second: of a server on a busy evening, and of a large club."""
TABLES: Final = 300
CONNECTIONS: Final = 16
"""Those of the baseline, which needs one for each transaction."""
SHORTEST: Final = 0.2
"""The shortest time that gives a figure, in seconds."""
LAST_SECONDS: Final = 2.0
"""How long the last moves may take to the other node: then it would have read them even if it heard nothing."""
CREATE: Final = """
    CREATE TABLE bare (table_id bigint, seq bigint, hash bytea, at float8, data bytea, PRIMARY KEY (table_id, seq))
"""
INSERT: Final = "INSERT INTO bare (table_id, seq, hash, at, data) VALUES ($1, $2, $3, $4, $5)"

Append: TypeAlias = Callable[[Head, LogEntry], Awaitable[object]]


class Load(NamedTuple):
    """What a load has shown."""

    due: dict[tuple[int, int], float]
    """When each entry was due, by its table and number, in seconds of `time.perf_counter`."""
    saved: list[float]
    """Seconds until each was durable."""
    cpu: float
    """CPU seconds of PostgreSQL for each."""


def bench_cluster(seconds: float) -> Iterator[Line]:
    """Moves on their way to the disk and to another node, at each rate."""
    with running_postgres() as postgres:
        if postgres is None:
            yield "there is no PostgreSQL: apt-get install postgresql, or name the folder of initdb in PG_BIN"
            return
        for rate in RATES:
            bare = asyncio.run(_insert(postgres, max(seconds, SHORTEST), rate))
            load, read = asyncio.run(_share(postgres, max(seconds, SHORTEST), rate))
            yield f"{f'{rate} moves a second':<48}{'Quatch':>12}{'bare INSERT':>16}"
            for label, percent in (("half of all", 50), ("all but 1 in 100", 99)):
                for what, found in (("durable", load.saved), ("read at another node", read)):
                    mine, theirs = (1e3 * percentile(each, percent) for each in (found, bare.saved))
                    until, ratio = f"until a move is {what}, {label}", f"{mine / theirs:>8.2f} x bare"
                    text = f"{until:<48}{mine:>9.2f} ms{theirs:>13.2f} ms{ratio}"
                    yield Figure(f"cluster: {until}, {rate} a second, beside INSERT", mine, theirs, "ms", text)
            mine, theirs = load.cpu * 1e6, bare.cpu * 1e6
            text = f"{'CPU of PostgreSQL for a move':<48}{mine:>9.0f} us{theirs:>13.0f} us"
            yield Figure(
                f"cluster: CPU of PostgreSQL for a move, {rate} a second, beside INSERT", mine, theirs, "us", text
            )
        yield from bench_presence(postgres, max(seconds, SHORTEST))
        try:
            yield from bench_restarts(postgres)
            yield from bench_processes(max(seconds, SHORTEST))
        except (NodeFailed, TimeoutError) as error:
            yield f"no figures of real servers: {error or 'they took too long'}"


async def _insert(postgres: Postgres, seconds: float, rate: int) -> Load:
    """The baseline."""
    import asyncpg  # noqa: PLC0415 - not every server has the driver

    url = DatabaseUrl.read(postgres.new_database())
    async with asyncpg.create_pool(**url.arguments(), min_size=CONNECTIONS, max_size=CONNECTIONS) as pool:
        await pool.execute(CREATE)

        async def insert(_: Head, entry: LogEntry) -> None:
            await pool.execute(INSERT, entry.table, entry.seq, entry.hash, entry.at, entry.data)

        return await _load(postgres, insert, seconds, rate)


async def _share(postgres: Postgres, seconds: float, rate: int) -> tuple[Load, list[float]]:
    """Moves that one node appends, and the seconds until another one has read each."""
    url = DatabaseUrl.read(postgres.new_database())
    one, other, read_at = postgres_log(url), postgres_log(url), dict[tuple[int, int], float]()
    for node in (one, other):
        await node.open()
    try:
        following = asyncio.create_task(_follow(other, read_at))
        load = await _load(postgres, one.append, seconds, rate)
        await asyncio.sleep(LAST_SECONDS)
        following.cancel()
        return load, [read_at[each] - due for each, due in load.due.items()]
    finally:
        for node in (one, other):
            await node.close()


async def _follow(node: TableLog, read_at: dict[tuple[int, int], float]) -> None:
    """Read what others append as soon as it is heard of, as the tables of a lobby do."""
    heard, last, heads = asyncio.Event(), 0, dict[int, int]()
    node.changed = heard.set

    async def read_on(table: int) -> None:
        for entry in await node.read(table, heads.get(table, 0)):
            read_at[table, entry.seq] = time.perf_counter()
            heads[table] = entry.seq

    while True:
        await heard.wait()
        heard.clear()
        began = time.perf_counter()
        changes = await node.changes(last)
        last = max([last, *(change.number for change in changes)])
        await asyncio.gather(*(read_on(change.table) for change in changes))
        await asyncio.sleep(time.perf_counter() - began)


async def _load(postgres: Postgres, append: Append, seconds: float, rate: int) -> Load:
    """Append moves at random moments, each to a table at which no other move is on its way."""
    chance, due, saved = Random(1), dict[tuple[int, int], float](), list[float]()
    free = asyncio.Queue[tuple[int, Head]]()

    async def move(table: int, head: Head, due_at: float) -> None:
        entry = next_entry(table, head)
        due[table, entry.seq] = due_at
        await append(head, entry)
        saved.append(time.perf_counter() - due_at)
        free.put_nowait((table, entry.head))

    for table in range(1, TABLES + 1):  # to open a log is no move
        await move(table, EMPTY, 0.0)
    due.clear()
    saved.clear()
    before, moment = postgres.cpu_seconds(), time.perf_counter()
    end = moment + seconds
    async with asyncio.TaskGroup() as moves:
        while (moment := moment + chance.expovariate(rate)) < end:
            await asyncio.sleep(moment - time.perf_counter())
            moves.create_task(move(*await free.get(), moment))
    return Load(due, saved, (postgres.cpu_seconds() - before) / len(saved))
