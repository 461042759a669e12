"""What people at tables cost a server over ssh, and how many of them one core carries, beside bare asyncssh.

Both servers run in their own process and are used by the same people doing the same; the bare one sends as many bytes
as Quatch did. The clients' own CPU time is in no figure, but it is in the latencies. Memory figures mean something from
a few hundred people on: a smaller number fits into what a server has left from its start. If a server cannot keep up,
the first lines say so; nobody moves before all at the table have seen the last move.
"""

import asyncio
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean
from typing import Final

from server.bench.figures import Figure, Line, delays, percentile
from server.bench.people import (
    AT_ONCE,
    SEATS,
    Person,
    Table,
    count_in_time,
    few_at_a_time,
    play_at,
    press_and_see,
    table_of,
)
from server.bench.servers import MOST_CONNECTIONS, Serve, Server, Serving, Visit, beside_bare, server_process
from server.limits import TABLES
from server.process.fd_limit import room_for

KEYS: Final = 20
"""The keys that one person at each table types."""
LOGINS: Final = 100
"""The most people whose login is measured."""
P99_SECONDS: Final = 0.1
"""A server carries people if everybody sees each move before the next one is due, and 99 of 100 within this time."""
FIRST_TABLES: Final = 8
TRIAL_SECONDS: Final = 3.0
CALM_SECONDS: Final = 3.0
"""The pause after a trial with too many people, in which the server shows them the last moves."""
LONGEST_SECONDS: Final = 140.0
"""When the search ends with what it has found; both servers together take less than five minutes."""
NEAR: Final = 16
"""The search ends when it has found the largest number up to one part in so many."""


@dataclass
class Evening(Visit):
    """What people at tables have cost one server."""

    login: float = 0.0
    """CPU seconds for each person from connecting to the first screen and hanging up."""
    view: float = 0.0
    """CPU seconds for each view sent to a person at a table."""
    memory: float = 0.0
    """Bytes of memory for each person at a table."""
    delays: list[float] = field(default_factory=list)
    echoes: list[float] = field(default_factory=list)
    """Seconds from a move to the others, and from a key to its echo."""
    in_time: int = 0
    """How many moves everybody at the table saw before the next one was due."""
    due: int = 0


def bench_table(options: Namespace) -> Iterator[Line]:
    """Measure both servers and compare them."""
    if options.ramp:
        room_for(MOST_CONNECTIONS)
        yield from ramp_lines(*beside_bare(_search))
        return
    people = max(1, options.players // SEATS) * SEATS
    found, floor = beside_bare(partial(_spend, people=people, seconds=options.seconds))
    yield from (line for name, each in (("Quatch", found), ("bare asyncssh", floor)) for line in overloaded(name, each))
    yield f"{people} people at tables of {SEATS}, a view a second, beside bare asyncssh:"
    for label, mine, theirs, unit in (
        ("CPU for a view", found.view * 1e3, floor.view * 1e3, "ms"),
        ("memory for a person at a table", found.memory / 1024, floor.memory / 1024, "KiB"),
        ("CPU for a login, first screen and leaving", found.login * 1e3, floor.login * 1e3, "ms"),
    ):
        yield Figure(f"table: {label}, {people} people", mine, theirs, unit)
    yield from delays(f"table: from a move to the others, {{}}, {people} people", found.delays, floor.delays)
    yield from delays(f"table: from a key to its echo, {{}}, {people} people", found.echoes, floor.echoes)
    yield Figure(f"table: bytes of an update, mean, {people} people", fmean(found.updates), None, "bytes")
    yield Figure(
        f"table: bytes of an update, all but 1 in 100, {people} people", percentile(found.updates, 99), None, "bytes"
    )


def overloaded(name: str, found: Evening) -> list[str]:
    """The line that says that a server could not keep up, if it could not."""
    if found.in_time == found.due:
        return []
    return [f"{name} is overloaded: {found.in_time:,} of {found.due:,} moves in time"]


async def _spend(serve: Serve, people: int, seconds: float) -> Evening:
    """Let people come and go; then, with a new server, let them come, sit down and play."""
    found, logins = Evening(), min(people, LOGINS)
    with server_process(serve) as server:
        await _come_and_go(server, AT_ONCE)
        before = server.ask(Serving.used_resources)
        found.first_screens = await _come_and_go(server, logins)
        found.login = (server.ask(Serving.used_resources).cpu - before.cpu) / logins
    with server_process(serve) as server:
        await _come_and_go(server, AT_ONCE)
        before = server.ask(Serving.used_resources)
        async with AsyncExitStack() as stack:
            numbers = range(people // SEATS)
            tables = [await stack.enter_async_context(table_of(SEATS, server, number)) for number in numbers]
            begun = server.ask(Serving.used_resources)
            await play_at(tables, seconds)
            ended = server.ask(Serving.used_resources)
            found.in_time, found.due = count_in_time(server, tables), sum(table.due for table in tables)
            for _ in range(KEYS):
                found.echoes += await press_and_see([table.people[0] for table in tables])
        found.view = (ended.cpu - begun.cpu) / (SEATS * sum(table.moves for table in tables))
        found.memory = (ended.memory - before.memory) / people
    for table in tables:
        found.delays += table.delays
        found.updates += table.updates
    return found


async def _come_and_go(server: Server, people: int) -> list[int]:
    """Let so many people come, a few at a time, and go again; return the bytes of their first screens."""

    async def come_and_go(name: str) -> int:
        person = await Person.come_in(server.port, name)
        await person.go()
        return person.heard

    return await few_at_a_time(come_and_go(f"p{number}") for number in range(people))


@dataclass
class Ramp(Visit):
    """What the search for the largest number of people has found at one server.

    The number is doubled until a server does not carry them, and then halved between the last two. All people come to
    one server, and those who are too many for a trial sit and wait.
    """

    carried: int = 0
    """The largest number of tables that were carried."""
    too_many: int | None = None
    """The smallest number that were not; None if there was none."""
    clients_busy: float = 0.0
    """The share of their core that the people themselves took in the last trial: they may be full before the server."""

    def next(self, most: int) -> int | None:
        """The number of tables to try next; None if the largest one is found, up to a part in `NEAR`."""
        if self.too_many is None:
            return min(2 * self.carried or FIRST_TABLES, most) if self.carried < most else None
        between = (self.carried + self.too_many) // 2
        return between if between > self.carried * (1 + 1 / NEAR) else None


def ramp_lines(found: Ramp, floor: Ramp) -> Iterator[Line]:
    """What the search with Quatch and with bare asyncssh has found."""
    for name, ramp in (("Quatch", found), ("bare asyncssh", floor)):
        at_least = "at least " if ramp.too_many is None else ""
        busy = f"they took {ramp.clients_busy:.0%} of their own core"
        yield f"{name} carries {at_least}{SEATS * ramp.carried:,} people with a view a second; {busy}"
    if floor.carried:
        name = "table: people that one core carries, beside bare asyncssh"
        yield Figure(name, SEATS * found.carried, SEATS * floor.carried, "people")


async def _search(serve: Serve) -> Ramp:
    """Search with one server, until the time is over."""
    ramp, tables = Ramp(), list[Table]()
    with server_process(serve) as server:
        most = TABLES if server.has_tables else MOST_CONNECTIONS // SEATS
        try:
            async with asyncio.timeout(LONGEST_SECONDS), AsyncExitStack() as people:
                while (wanted := ramp.next(most)) is not None:
                    while len(tables) < wanted:
                        tables.append(await people.enter_async_context(table_of(SEATS, server, len(tables))))
                        ramp.first_screens += tables[-1].first_screens
                    await _try(ramp, server, tables[:wanted])
        except TimeoutError:
            pass  # what it has found by now
    return ramp


async def _try(ramp: Ramp, server: Server, tables: list[Table]) -> None:
    """Have these tables play, and note whether the server has carried them."""
    for table in tables:
        table.forget()
    begun, cpu = time.perf_counter(), time.process_time()
    await play_at(tables, TRIAL_SECONDS)
    ramp.clients_busy = (time.process_time() - cpu) / (time.perf_counter() - begun)
    took = [delay for table in tables for delay in table.delays]
    ramp.updates += [size for table in tables for size in table.updates]
    in_time = count_in_time(server, tables) == sum(table.due for table in tables)
    if in_time and percentile(took, 99) < P99_SECONDS:
        ramp.carried = len(tables)
    else:
        ramp.too_many = len(tables)
        await asyncio.sleep(CALM_SECONDS)
