"""`quatch bench table`: what people at tables cost a server, over real ssh, beside the least asyncssh itself can do.

Both servers run in a process of their own and are visited by the same people doing the same; the bare one sends as
many bytes as Quatch did. What people's own process takes is in neither figure but in the times. Memory means something
from a few hundred people on: before that, what a server has left from its start is enough for them.
"""

import asyncio
import gc
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from statistics import fmean
from typing import Final, NamedTuple

from server.bench.people import SEATS, Person, Table, percentile
from server.bench.servers import Bare, Serve, Server, quatch, server_process

LOGINS: Final = 100
"""People whose coming and going is measured, as far as so many were asked for."""
AT_ONCE: Final = 8
"""People who log in at the same time."""
BEAT: Final = 1.0
"""Seconds from one move at a table to the next."""
POLL_SECONDS: Final = 0.02

SitDown = Callable[[Server, Table], Awaitable[None]]


class Figures(NamedTuple):
    """What a server was measured to take."""

    login: float
    """Seconds of CPU for each person from the connection to the first screen, and to hang up."""
    view: float
    """Seconds of CPU for each view pushed to somebody at a table."""
    memory: float
    """Bytes for each person at a table."""
    delays: list[float]
    sizes: list[int]
    first_screen: float
    """Bytes of a first screen."""


def bench_table(seconds: float, players: int) -> Iterator[str]:
    """Measure both servers and compare them."""
    people = max(1, players // SEATS) * SEATS
    found = asyncio.run(_visit(quatch, people, seconds, _sit_down))
    bare = asyncio.run(_visit(Bare(round(found.first_screen), round(fmean(found.sizes))), people, seconds, _wait))
    yield f"{f'{people} people, tables of {SEATS}, a view a second':<44}{'Quatch':>12}{'bare asyncssh':>16}"
    yield _compared("CPU for a view", found.view * 1e3, bare.view * 1e3, "ms", 14)
    yield _compared("memory for a person at a table", found.memory / 1024, bare.memory / 1024, "KiB", 6)
    yield _compared("CPU for a login, first screen and leaving", found.login * 1e3, bare.login * 1e3, "ms", 4)
    for label, percent in (("half of all", 50), ("all but 1 in 100", 99)):
        mine, theirs = (1e3 * percentile(figures.delays, percent) for figures in (found, bare))
        yield f"{f'from a move to the others, {label}':<44}{mine:>9.2f} ms{theirs:>13.2f} ms"
    yield f"{'bytes of an update, mean':<44}{fmean(found.sizes):>9.0f}"
    yield f"{'bytes of an update, all but 1 in 100':<44}{percentile(found.sizes, 99):>9.0f}"


def _compared(label: str, mine: float, theirs: float, unit: str, most: int) -> str:
    ratio = mine / theirs if theirs else math.nan
    return f"{label:<44}{mine:>8.3f} {unit:<3}{theirs:>12.3f} {unit:<3}{ratio:>7.2f} x bare (at most {most})"


async def _visit(serve: Serve, people: int, seconds: float, sit_down: SitDown) -> Figures:
    """Have people come and go, and in a new process come, sit down and play, and look at what it takes."""
    with server_process(serve) as server:
        login, first_screen = await _cost_of_login(server, min(people, LOGINS))
    with server_process(serve) as server:
        await _come_and_go(server, AT_ONCE)
        before = server.usage()
        async with _tables(server, people, sit_down) as tables:
            begun = server.usage()
            await _play(tables, seconds)
            ended = server.usage()
            _must_agree(server, tables)
        return Figures(
            login,
            (ended.cpu - begun.cpu) / (SEATS * sum(table.moves for table in tables)),
            (ended.memory - before.memory) / people,
            [delay for table in tables for delay in table.delays],
            [size for table in tables for size in table.sizes],
            first_screen,
        )


async def _cost_of_login(server: Server, logins: int) -> tuple[float, float]:
    """Seconds of CPU for a person to come in and go, and bytes of the first screen."""
    await _come_and_go(server, AT_ONCE)
    before = server.usage()
    heard = await _come_and_go(server, logins)
    return (server.usage().cpu - before.cpu) / logins, fmean(heard)


async def _come_and_go(server: Server, people: int) -> list[int]:
    """So many people come in, a few at a time, and go again; the bytes of their first screens."""
    connection_limits = asyncio.Semaphore(AT_ONCE)

    async def come_and_go(name: str) -> int:
        async with connection_limits:
            person = await Person.come_in(server.port, name)
            await person.go()
            return person.heard

    return await asyncio.gather(*(come_and_go(f"p{number}") for number in range(people)))


@asynccontextmanager
async def _tables(server: Server, people: int, sit_down: SitDown) -> AsyncIterator[list[Table]]:
    """So many people, four by four, who have come in and sat down."""
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
    """There is nowhere to sit down at the bare server."""


async def _sit_down(server: Server, table: Table) -> None:
    """Open a table; the others sit down in their order, and the game begins."""
    host, *others = table.people
    host.type("new seats=4")
    for taken, person in enumerate(others, 1):
        person.type(f"sit {await _number_of(server, table.name, taken)}")
    number = await _number_of(server, table.name, SEATS)
    host.type("start")
    while not any(listing.playing for listing in server.tables() if listing.number == number):  # noqa: ASYNC110 - it is another process
        await asyncio.sleep(POLL_SECONDS)


async def _number_of(server: Server, name: str, taken: int) -> int:
    """The number of the table where so many of these people sit, as soon as they do."""
    while True:
        for listing in server.tables():
            if sum(sitter is not None and sitter.name.startswith(f"{name}-") for sitter in listing.sitters) == taken:
                return listing.number
        await asyncio.sleep(POLL_SECONDS)


async def _play(tables: list[Table], seconds: float) -> None:
    """A move at each table once a beat, the tables one after the other."""
    loop = asyncio.get_running_loop()
    gc.collect()
    # A pause here would be taken for one of the server's.
    gc.disable()
    begin = loop.time()
    for beat in range(max(2, round(seconds / BEAT))):
        for number, table in enumerate(tables):
            await asyncio.sleep(begin + (beat + number / len(tables)) * BEAT - loop.time())
            if beat:
                table.look()
            table.move()
    await asyncio.sleep(BEAT)
    for table in tables:
        table.look()
    gc.enable()


def _must_agree(server: Server, tables: list[Table]) -> None:
    """Nothing was measured if the moves were none."""
    for listing in server.tables():
        name = next(sitter.name for sitter in listing.sitters if sitter).partition("-")[0]
        expected = next(table.ply for table in tables if table.name == name)
        if listing.ply != expected:
            raise AssertionError(f"table {listing.number} is at move {listing.ply} and not at {expected}")
