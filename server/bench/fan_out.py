"""How long a move takes until it is durable, and until another node has read it, in seconds and in work of PostgreSQL.

Moves are due at random moments at a given rate. There are three ways, in turns, so that all meet the same machine:

- Quatch: one node appends the moves, another one hears of them and reads them.
- Bare INSERT: each move in a transaction of its own, and nobody reads it. That is the least that a move costs.
- Bare NOTIFY: each INSERT is followed by a NOTIFY, and the listener SELECTs what it has heard of, all that waits at
  once. No way through PostgreSQL to another process is much shorter.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Final, TypeAlias

from server.bench.figures import Figure, Line, percentile, until
from server.bench.log import next_entry
from server.bench.private_postgres import Postgres
from server.database_url import DatabaseUrl
from server.lobby.log_follower import LONGEST_PAUSE
from server.storage.database import postgres_log
from server.storage.table_log import EMPTY, Head, LogEntry, TableLog

if TYPE_CHECKING:
    from asyncpg import Connection

RATES: Final = (500, 2000)
"""Moves a second: of a server on a busy evening, and of a large club."""
TURNS: Final = 4
"""How often each way is measured."""
TABLES: Final = 300
CONNECTIONS: Final = 16
"""Those of a bare writer, which needs one for each transaction."""
LAST_SECONDS: Final = 10.0
"""How long the last moves may take to the other node."""
CREATE: Final = """
    CREATE TABLE bare (table_id bigint, seq bigint, hash bytea, at float8, data bytea, PRIMARY KEY (table_id, seq))
"""
INSERT: Final = "INSERT INTO bare (table_id, seq, hash, at, data) VALUES ($1, $2, $3, $4, $5)"
SELECT: Final = """
    SELECT table_id, seq, hash, at, data FROM unnest($1::bigint[], $2::bigint[]) AS heard (table_id, seq)
    JOIN bare USING (table_id, seq)
"""

Append: TypeAlias = Callable[[Head, LogEntry], Awaitable[object]]
ReadAt: TypeAlias = dict[tuple[int, int], float]
"""When the other node has read each entry, by its table and number, in seconds of `time.perf_counter`."""


class Way:
    """One way to save moves, and what it has shown."""

    def __init__(self, postgres: Postgres, append: Append, read_at: ReadAt | None) -> None:
        """``read_at`` is filled by a reader; None if there is none."""
        self.saved: list[float] = []
        """Seconds until each move was durable."""
        self.cpu = 0.0
        """CPU seconds of PostgreSQL."""
        self._postgres, self._append, self._read_at = postgres, append, read_at
        self._due: ReadAt = {}
        """When each move was due."""
        self._free = asyncio.Queue[tuple[int, Head]]()
        """The tables at which no move is on its way."""
        self._chance = Random(1)

    async def open_tables(self) -> None:
        """Open the tables, which is no move. Raises TimeoutError."""
        await asyncio.gather(*(self._move(table, EMPTY, 0.0) for table in range(1, TABLES + 1)))
        await self._until_read()
        self._due.clear()
        self.saved.clear()

    async def move(self, seconds: float, rate: int) -> None:
        """Save moves at random moments. Raises TimeoutError if they do not come to the other node."""
        before, moment = self._postgres.cpu_seconds(), time.perf_counter()
        end, moves = moment + seconds, list[asyncio.Task[None]]()
        while (moment := moment + self._chance.expovariate(rate)) < end:
            await asyncio.sleep(moment - time.perf_counter())
            moves.append(asyncio.create_task(self._move(*await self._free.get(), moment)))
        await asyncio.gather(*moves)
        await self._until_read()
        self.cpu += self._postgres.cpu_seconds() - before

    def read(self) -> list[float]:
        """Seconds until the other node had read each move."""
        return [] if self._read_at is None else [self._read_at[each] - due for each, due in self._due.items()]

    async def _until_read(self) -> None:
        """Wait until the other node has read all moves. Raises TimeoutError."""
        read_at = self._read_at
        if read_at is not None:
            await until(lambda: self._due.keys() <= read_at.keys(), LAST_SECONDS)

    async def _move(self, table: int, head: Head, due_at: float) -> None:
        entry = next_entry(table, head)
        self._due[table, entry.seq] = due_at
        await self._append(head, entry)
        self.saved.append(time.perf_counter() - due_at)
        self._free.put_nowait((table, entry.head))


def bench_fan_out(postgres: Postgres, seconds: float) -> Iterator[Line]:
    """Each time and PostgreSQL's work for it, at each rate, beside the bare ways."""
    for rate in RATES:
        ours, insert, notify = asyncio.run(_measure(postgres, seconds, rate))
        yield f"{f'{rate} moves a second':<48}{'Quatch':>12}{'bare':>16}"
        for label, percent in (("half of all", 50), ("all but 1 in 100", 99)):
            for what, mine, theirs, beside in (
                ("durable", ours.saved, insert.saved, "INSERT"),
                ("read at another node", ours.read(), insert.saved, "INSERT"),
                ("read at another node", ours.read(), notify.read(), "INSERT, NOTIFY and SELECT"),
            ):
                value, base = (1e3 * percentile(each, percent) for each in (mine, theirs))
                until_so = f"until a move is {what}, {label}"
                text = f"{until_so:<48}{value:>9.2f} ms{base:>13.2f} ms{value / base:>8.2f} x {beside}"
                yield Figure(f"cluster: {until_so}, {rate} a second, beside {beside}", value, base, "ms", text)
        for bare, beside in ((insert, "INSERT"), (notify, "INSERT, NOTIFY and SELECT")):
            value, base = (1e6 * each.cpu / len(each.saved) for each in (ours, bare))
            text = f"{'CPU of PostgreSQL for a move':<48}{value:>9.0f} us{base:>13.0f} us to {beside}"
            name = f"cluster: CPU of PostgreSQL for a move, {rate} a second, beside {beside}"
            yield Figure(name, value, base, "us", text)


async def _measure(postgres: Postgres, seconds: float, rate: int) -> tuple[Way, Way, Way]:
    """Quatch, the bare INSERT and the bare NOTIFY, in turns."""
    async with _quatch(postgres) as ours, _bare(postgres) as insert, _bare(postgres, is_heard=True) as notify:
        ways = (ours, insert, notify)
        for way in ways:
            await way.open_tables()
        for _ in range(TURNS):
            for way in ways:
                await way.move(seconds / TURNS, rate)
        return ways


@asynccontextmanager
async def _quatch(postgres: Postgres) -> AsyncIterator[Way]:
    """Two nodes: one appends the moves, and the other one reads them."""
    url, read_at = DatabaseUrl.read(postgres.new_database()), ReadAt()
    async with AsyncExitStack() as running:
        one, other = postgres_log(url), postgres_log(url)
        for node in (one, other):
            await node.open()
            running.push_async_callback(node.close)
        running.callback(asyncio.create_task(_follow(other, read_at)).cancel)
        yield Way(postgres, one.append, read_at)


async def _follow(node: TableLog, read_at: ReadAt) -> None:
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
        await asyncio.sleep(min(time.perf_counter() - began, LONGEST_PAUSE))


@asynccontextmanager
async def _bare(postgres: Postgres, *, is_heard: bool = False) -> AsyncIterator[Way]:
    """Rows that are inserted into one table; a listener reads them if ``is_heard``."""
    import asyncpg  # noqa: PLC0415 - not every server has the driver

    arguments, read_at = DatabaseUrl.read(postgres.new_database()).arguments(), ReadAt()
    async with AsyncExitStack() as running:
        pool = await asyncpg.create_pool(**arguments, max_size=CONNECTIONS)
        running.callback(pool.terminate)
        await pool.execute(CREATE)
        if is_heard:
            listener, reader = await asyncpg.connect(**arguments), await asyncpg.connect(**arguments)
            running.callback(listener.terminate)
            running.callback(reader.terminate)
            heard = asyncio.Queue[str]()
            await listener.add_listener("bare", lambda *notification: heard.put_nowait(str(notification[-1])))
            running.callback(asyncio.create_task(_select(heard, reader, read_at)).cancel)

        async def insert(_: Head, entry: LogEntry) -> None:
            async with pool.acquire() as db:
                await db.execute(INSERT, entry.table, entry.seq, entry.hash, entry.at, entry.data)
                if is_heard:
                    await db.execute("SELECT pg_notify('bare', $1)", f"{entry.table} {entry.seq}")

        yield Way(postgres, insert, read_at if is_heard else None)


async def _select(heard: "asyncio.Queue[str]", reader: "Connection", read_at: ReadAt) -> None:
    """Select the rows that notifications name; those that wait together at once."""
    while True:
        named = [await heard.get()]
        while not heard.empty():
            named.append(heard.get_nowait())
        rows = await reader.fetch(SELECT, *zip(*(map(int, each.split()) for each in named), strict=True))
        for row in rows:
            read_at[row["table_id"], row["seq"]] = time.perf_counter()
