"""`quatch bench table`: what people at tables cost a server over ssh, beside the least that asyncssh itself costs.

Both servers run in their own process and are used by the same people doing the same; the bare one sends as many bytes
as Quatch did. The clients' own CPU time is in no figure, but it is in the latencies. Memory figures mean something from
a few hundred people on: a smaller number fits into what a server has left from its start. If a server cannot keep up,
the first lines say so; nobody moves before all at the table have seen the last move.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from statistics import fmean
from typing import Final, NamedTuple

from server.bench.figures import Figure, Line, no_garbage_collection, percentile
from server.bench.people import AT_ONCE, SEATS, Person, Table, few_at_a_time
from server.bench.servers import Serve, Server, bare, quatch, server_process
from server.limits import CLOCK_SECONDS

LOGINS: Final = 100
"""The most people whose login is measured."""
BEAT: Final = 1.0
"""Seconds from one move at a table to the next."""

SitDown = Callable[[Server, Table], Awaitable[None]]


class TableFigures(NamedTuple):
    """The figures of one server."""

    login: float
    """CPU seconds for each person from connecting to the first screen and hanging up."""
    view: float
    """CPU seconds for each view sent to a person at a table."""
    memory: float
    """Bytes of memory for each person at a table."""
    delays: list[float]
    sizes: list[int]
    first_screen: float
    in_time: int
    """How many moves everybody at the table saw before the next one was due."""
    due: int


def bench_table(seconds: float, players: int) -> Iterator[Line]:
    """Measure both servers and compare them."""
    people = max(1, players // SEATS) * SEATS
    found = asyncio.run(_visit(quatch, people, seconds, sit_down_at_a_table))
    like_it = partial(bare, round(found.first_screen), round(fmean(found.sizes)))
    floor = asyncio.run(_visit(like_it, people, seconds, wait_for_nothing))
    yield from (line for name, each in (("Quatch", found), ("bare asyncssh", floor)) for line in overloaded(name, each))
    yield f"{f'{people} people, tables of {SEATS}, a view a second':<44}{'Quatch':>12}{'bare asyncssh':>16}"
    for label, mine, theirs, unit, most in (
        ("CPU for a view", found.view * 1e3, floor.view * 1e3, "ms", 5),
        ("memory for a person at a table", found.memory / 1024, floor.memory / 1024, "KiB", 2),
        ("CPU for a login, first screen and leaving", found.login * 1e3, floor.login * 1e3, "ms", 1.3),
    ):
        ratio = mine / theirs if theirs else math.nan
        text = f"{label:<44}{mine:>8.3f} {unit:<3}{theirs:>12.3f} {unit:<3}{ratio:>7.2f} x bare (at most {most})"
        yield Figure(f"table: {label}, {people} people", mine, theirs, unit, text)
    for label, percent in (("half of all", 50), ("all but 1 in 100", 99)):
        mine, theirs = (1e3 * percentile(figures.delays, percent) for figures in (found, floor))
        text = f"{f'from a move to the others, {label}':<44}{mine:>9.2f} ms{theirs:>13.2f} ms"
        yield Figure(f"table: from a move to the others, {label}, {people} people", mine, theirs, "ms", text)
    yield f"{'bytes of an update, mean':<44}{fmean(found.sizes):>9.0f}"
    yield f"{'bytes of an update, all but 1 in 100':<44}{percentile(found.sizes, 99):>9.0f}"


def overloaded(name: str, found: TableFigures) -> list[str]:
    """The line that says that a server could not keep up, if it could not."""
    if found.in_time == found.due:
        return []
    return [f"{name} is overloaded: {found.in_time:,} of {found.due:,} moves in time"]


async def _visit(serve: Serve, people: int, seconds: float, sit_down: SitDown) -> TableFigures:
    """Let people come and go; then, with a new server, let them come, sit down and play."""
    with server_process(serve) as server:
        await _come_and_go(server, AT_ONCE)
        before, logins = server.used_resources(), min(people, LOGINS)
        first_screens = await _come_and_go(server, logins)
        login = (server.used_resources().cpu - before.cpu) / logins
    with server_process(serve) as server:
        await _come_and_go(server, AT_ONCE)
        before = server.used_resources()
        async with AsyncExitStack() as stack:
            tables = [
                await stack.enter_async_context(table_of(SEATS, server, n, sit_down)) for n in range(people // SEATS)
            ]
            begun = server.used_resources()
            await play(tables, seconds)
            ended = server.used_resources()
            in_time = count_in_time(server, tables)
        return TableFigures(
            login,
            (ended.cpu - begun.cpu) / (SEATS * sum(table.moves for table in tables)),
            (ended.memory - before.memory) / people,
            [delay for table in tables for delay in table.delays],
            [size for table in tables for size in table.sizes],
            fmean(first_screens),
            in_time,
            sum(table.due for table in tables),
        )


async def _come_and_go(server: Server, people: int) -> list[int]:
    """Let so many people come, a few at a time, and go again; return the bytes of their first screens."""

    async def come_and_go(name: str) -> int:
        person = await Person.come_in(server.port, name)
        await person.go()
        return person.heard

    return await few_at_a_time(come_and_go(f"p{number}") for number in range(people))


@asynccontextmanager
async def table_of(seats: int, server: Server, number: int, sit_down: SitDown) -> AsyncIterator[Table]:
    """Let so many people come and sit down; they go at the end."""
    name = f"t{number}"
    coming = (Person.come_in(server.port, f"{name}-{seat}") for seat in range(seats))
    table = Table(name, list(await asyncio.gather(*coming)))
    try:
        await sit_down(server, table)
        yield table
    finally:
        await asyncio.gather(*(person.go() for person in table.people))


async def wait_for_nothing(server: Server, table: Table) -> None:
    """Do nothing: the bare server has no tables."""


async def sit_down_at_a_table(server: Server, table: Table, clock: int = CLOCK_SECONDS[-1]) -> None:
    """Open a table; the others sit down in order, and the game begins. Its clock moves for nobody, unless it is set."""
    seats = len(table.people)

    async def number(taken: int) -> int:
        """The number of the table, once so many of these people sit there."""
        names = {f"{table.name}-{seat}" for seat in range(seats)}
        listing = await server.table(lambda each: sum(s is not None and s.name in names for s in each.sitters) == taken)
        return listing.number

    host, *others = table.people
    host.type(f"new seats={seats} clock={clock}")
    for taken, person in enumerate(others, 1):
        person.type(f"sit {await number(taken)}")
    wanted = await number(seats)
    host.type("start")
    await server.table(lambda each: each.number == wanted and each.playing)


async def play(tables: Sequence[Table], seconds: float) -> None:
    """Have a move be due at each table once a beat, the tables one after the other."""
    loop = asyncio.get_running_loop()
    with no_garbage_collection():
        begin = loop.time()
        for beat in range(max(2, round(seconds / BEAT))):
            for number, table in enumerate(tables):
                await asyncio.sleep(begin + (beat + number / len(tables)) * BEAT - loop.time())
                table.beat()
        await asyncio.sleep(BEAT)
        for table in tables:
            table.end()


def count_in_time(server: Server, tables: Sequence[Table]) -> int:
    """How many moves came in time; none of a table that is not at the expected move, as after a lost one."""
    plies = {sitter.name: listing.ply for listing in server.tables() for sitter in listing.sitters if sitter}
    return sum(table.in_time for table in tables if plies.get(f"{table.name}-0", table.ply) == table.ply)
