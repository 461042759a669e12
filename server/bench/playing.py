"""What people at tables cost a server over ssh, and with --ramp how many of them it carries, beside bare asyncssh.

Both servers run in their own process and are used by the same people doing the same; the bare one sends as many bytes
as Quatch did. The clients' own CPU time is in no figure, but it is in the latencies. Memory figures mean something from
a few hundred people on: a smaller number fits into what a server has left from its start. Nobody moves before all at
the table have seen the last move.
"""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from typing import Final, NamedTuple

from server.app.app import room_for
from server.bench.figures import Figure, Line, delays, percentile
from server.bench.people import SEATS, Person, Table, play_at, table_of
from server.bench.servers import Serve, Server, Serving, Visit, beside_bare, server_process
from server.limits import TABLES

LOGINS: Final = 100
"""The most people whose login is measured."""
FIRST: Final = 8
"""How many come and go before anything is measured: they find nothing prepared."""
MOST_TABLES: Final = TABLES.share
"""More are not tried, for a server has no more."""
P99_SECONDS: Final = 0.05
"""A server carries people if 99 of 100 see a move of others within this time."""
NEAR: Final = 0.1
"""The search ends when the largest number is known up to this part of it."""


class Evening(NamedTuple):
    """What people at tables have cost one server."""

    login: float
    """CPU seconds for each person from connecting to the first screen and hanging up."""
    view: float
    """CPU seconds for each view sent to a person at a table."""
    memory: float
    """Bytes of memory for each person at a table."""
    delays: list[float]
    """Seconds from a move to the others."""


def bench_table(options: Namespace) -> Iterator[Line]:
    """Measure both servers and compare them."""
    people = max(1, options.players // SEATS) * SEATS
    if options.ramp:
        yield from bench_ramp(people // SEATS, options.seconds)
        return
    found, floor = beside_bare(partial(_spend, people, options.seconds))
    yield f"{people} people at tables of {SEATS}, a view a second, beside bare asyncssh:"
    for label, mine, theirs, unit in (
        ("CPU for a view", found.view * 1e3, floor.view * 1e3, "ms"),
        ("memory for a person at a table", found.memory / 1024, floor.memory / 1024, "KiB"),
        ("CPU for a login, first screen and leaving", found.login * 1e3, floor.login * 1e3, "ms"),
    ):
        yield Figure(f"table: {label}, {people} people", mine, theirs, unit)
    yield from delays(f"table: from a move to the others, {{}}, {people} people", found.delays, floor.delays)


def bench_ramp(tables: int, seconds: float) -> Iterator[Line]:
    """Find the most people that one core carries, beginning with so many tables; then the same with bare asyncssh.

    Each trial takes so many seconds. The people need a core of their own: if it is full, that is the limit. The log is
    in memory: a move waits for the disk, a bare server has none, and a disk that others use would be the limit.
    """
    room_for(SEATS * MOST_TABLES)
    found, floor = beside_bare(partial(_ramp, tables, seconds))
    yield f"People that one core carries, a view a second, 99 of 100 within {1000 * P99_SECONDS:.0f} ms:"
    yield Figure("table: people that one core carries", SEATS * found, SEATS * floor, "people")


async def _ramp(first: int, seconds: float, serve: Serve) -> Visit[int]:
    """Double the number of tables until people wait too long, then try numbers between."""
    carried, tables, wanted, too_many = 0, list[Table](), min(first, MOST_TABLES), MOST_TABLES + 1
    with server_process(serve, in_memory=True) as server:
        async with AsyncExitStack() as stack:
            while wanted > (1 + NEAR) * carried:
                numbers = range(len(tables), wanted)
                tables += [await stack.enter_async_context(table_of(SEATS, server, number)) for number in numbers]
                playing = tables[:wanted]
                for table in playing:
                    await table.begin_play()
                await play_at(playing, seconds)
                if percentile([each for table in playing for each in table.delays], 99) > P99_SECONDS:
                    too_many = wanted
                else:
                    carried = wanted
                wanted = min(2 * carried or MOST_TABLES, (carried + too_many) // 2)
    first_screens = [size for table in tables for size in table.first_screens]
    return Visit(carried, first_screens, [size for table in tables for size in table.updates])


async def _spend(people: int, seconds: float, serve: Serve) -> Visit[Evening]:
    """Let people come and go; then, with a new server, let them come, sit down and play."""
    logins = min(people, LOGINS)
    with server_process(serve) as server:
        await _come_and_go(server, FIRST)
        before = server.ask(Serving.used_resources)
        first_screens = await _come_and_go(server, logins)
        login = (server.ask(Serving.used_resources).cpu - before.cpu) / logins
    with server_process(serve) as server:
        await _come_and_go(server, FIRST)
        before = server.ask(Serving.used_resources)
        async with AsyncExitStack() as stack:
            numbers = range(people // SEATS)
            tables = [await stack.enter_async_context(table_of(SEATS, server, number)) for number in numbers]
            for table in tables:
                await table.begin_play()
            begun = server.ask(Serving.used_resources)
            await play_at(tables, seconds)
            ended = server.ask(Serving.used_resources)
    view = (ended.cpu - begun.cpu) / (SEATS * sum(table.moves for table in tables))
    delays = [delay for table in tables for delay in table.delays]
    evening = Evening(login, view, (ended.memory - before.memory) / people, delays)
    return Visit(evening, first_screens, [size for table in tables for size in table.updates])


async def _come_and_go(server: Server, people: int) -> list[int]:
    """Let so many people come and go again, one after the other; return the bytes of their first screens."""
    heard = list[int]()
    for number in range(people):
        person = await Person().come_in(server.port, f"p{number}")
        await person.go()
        heard.append(person.heard)
    return heard
