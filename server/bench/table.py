"""`quatch bench table`: what people at tables cost a server over ssh, beside the least that asyncssh itself costs.

Both servers run in their own process and are used by the same people doing the same; the bare one sends as many bytes
as Quatch did. The clients' own CPU time is in no figure, but it is in the latencies. Memory figures mean something from
a few hundred people on: a smaller number fits into what a server has left from its start.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from statistics import fmean
from typing import Final, NamedTuple

from server.bench.figures import no_garbage_collection, percentile
from server.bench.people import AT_ONCE, SEATS, Person, Table, few_at_a_time
from server.bench.servers import Serve, Server, bare, quatch, server_process

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


def bench_table(seconds: float, players: int) -> Iterator[str]:
    """Measure both servers and compare them."""
    people = max(1, players // SEATS) * SEATS
    found = asyncio.run(_visit(quatch, people, seconds, _sit_down))
    like_it = partial(bare, round(found.first_screen), round(fmean(found.sizes)))
    floor = asyncio.run(_visit(like_it, people, seconds, _wait))
    yield f"{f'{people} people, tables of {SEATS}, a view a second':<44}{'Quatch':>12}{'bare asyncssh':>16}"
    yield _compared("CPU for a view", found.view * 1e3, floor.view * 1e3, "ms", 14)
    yield _compared("memory for a person at a table", found.memory / 1024, floor.memory / 1024, "KiB", 6)
    yield _compared("CPU for a login, first screen and leaving", found.login * 1e3, floor.login * 1e3, "ms", 4)
    for label, percent in (("half of all", 50), ("all but 1 in 100", 99)):
        mine, theirs = (1e3 * percentile(figures.delays, percent) for figures in (found, floor))
        yield f"{f'from a move to the others, {label}':<44}{mine:>9.2f} ms{theirs:>13.2f} ms"
    yield f"{'bytes of an update, mean':<44}{fmean(found.sizes):>9.0f}"
    yield f"{'bytes of an update, all but 1 in 100':<44}{percentile(found.sizes, 99):>9.0f}"


def _compared(label: str, mine: float, theirs: float, unit: str, most: int) -> str:
    ratio = mine / theirs if theirs else math.nan
    return f"{label:<44}{mine:>8.3f} {unit:<3}{theirs:>12.3f} {unit:<3}{ratio:>7.2f} x bare (at most {most})"


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
        async with _tables(server, people, sit_down) as tables:
            begun = server.used_resources()
            await _play(tables, seconds)
            ended = server.used_resources()
            _must_agree(server, tables)
        return TableFigures(
            login,
            (ended.cpu - begun.cpu) / (SEATS * sum(table.moves for table in tables)),
            (ended.memory - before.memory) / people,
            [delay for table in tables for delay in table.delays],
            [size for table in tables for size in table.sizes],
            fmean(first_screens),
        )


async def _come_and_go(server: Server, people: int) -> list[int]:
    """Let so many people come, a few at a time, and go again; return the bytes of their first screens."""

    async def come_and_go(name: str) -> int:
        person = await Person.come_in(server.port, name)
        await person.go()
        return person.heard

    return await few_at_a_time(come_and_go(f"p{number}") for number in range(people))


@asynccontextmanager
async def _tables(server: Server, people: int, sit_down: SitDown) -> AsyncIterator[list[Table]]:
    """Let so many people come and sit down, four at a table."""
    tables = list[Table]()
    try:
        for number in range(people // SEATS):
            name = f"t{number}"
            four = (Person.come_in(server.port, f"{name}-{seat}") for seat in range(SEATS))
            tables.append(Table(name, list(await asyncio.gather(*four))))
            await sit_down(server, tables[-1])
        yield tables
    finally:
        await asyncio.gather(*(person.go() for table in tables for person in table.people))


async def _wait(server: Server, table: Table) -> None:
    """Do nothing: the bare server has no tables."""


async def _sit_down(server: Server, table: Table) -> None:
    """Open a table; the others sit down in order, and the game begins."""

    async def number(taken: int) -> int:
        """The number of the table, once so many of these people sit there."""
        names = {f"{table.name}-{seat}" for seat in range(SEATS)}
        listing = await server.table(lambda each: sum(s is not None and s.name in names for s in each.sitters) == taken)
        return listing.number

    host, *others = table.people
    host.type("new seats=4")
    for taken, person in enumerate(others, 1):
        person.type(f"sit {await number(taken)}")
    wanted = await number(SEATS)
    host.type("start")
    await server.table(lambda each: each.number == wanted and each.playing)


async def _play(tables: list[Table], seconds: float) -> None:
    """Make a move at each table once a beat, the tables one after the other."""
    loop = asyncio.get_running_loop()
    with no_garbage_collection():
        begin = loop.time()
        for beat in range(max(2, round(seconds / BEAT))):
            for number, table in enumerate(tables):
                await asyncio.sleep(begin + (beat + number / len(tables)) * BEAT - loop.time())
                if beat:
                    table.collect()
                table.move()
        await asyncio.sleep(BEAT)
        for table in tables:
            table.collect()


def _must_agree(server: Server, tables: list[Table]) -> None:
    """Raise an error if a table is not at the expected move: then the figures would measure nothing."""
    for listing in server.tables():
        name = next(sitter.name for sitter in listing.sitters if sitter).partition("-")[0]
        expected = next(table.ply for table in tables if table.name == name)
        if listing.ply != expected:
            raise AssertionError(f"table {listing.number} is at move {listing.ply} and not at {expected}")
