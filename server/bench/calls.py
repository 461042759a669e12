"""`quatch bench calls`: how many Python functions a server calls, the same on a busy machine as on a quiet one.

Counted are all frames of the server's main thread (`sys.setprofile`), asyncio's and asyncssh's included. What the
server does meanwhile by itself is taken off. The numbers depend on Python's version: compare them within one.
The baseline is the simplest asyncssh server that sends as many bytes.
"""

import asyncio
import platform
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from statistics import fmean, median
from typing import Final, NamedTuple

from engine.moves import READY
from server.bench.figures import Figure, Line, until
from server.bench.people import HOMES, Person, Table, connect_guest, few_at_a_time
from server.bench.servers import PATIENCE_SECONDS, Serve, Server, bare, quatch, server_process
from server.bench.table import SitDown, sit_down_at_a_table, table_of, wait_for_nothing

SETTLING_SECONDS: Final = 0.15
"""By then a server has done all that follows from a move or a login whose bytes have come."""
SEATS: Final = (2, 4)
PEOPLE: Final = 40
"""So many are there, in the lobby or at tables of four, when the idle server is measured."""


class Calls(NamedTuple):
    """The calls of one server, and the bytes that it sent."""

    a_login: float
    a_move: dict[int, float]
    """By the number of seats."""
    first_screen: float
    update: float


def bench_calls(seconds: float) -> Iterator[Line]:
    """Count the calls of a move, a login and a command, and those of a server at which nothing happens."""
    times = max(5, round(seconds * 30))
    found = asyncio.run(_visit(quatch, times, sit_down_at_a_table))
    like_it = partial(bare, round(found.first_screen), round(found.update))
    floor = asyncio.run(_visit(like_it, times, wait_for_nothing))
    yield f"{'Python calls, Python ' + platform.python_version():<44}{'Quatch':>12}{'bare asyncssh':>16}"
    for seats in SEATS:
        yield _figure(f"a typed move, {seats} seats", found.a_move[seats], floor.a_move[seats])
    yield _figure("a login to the first screen", found.a_login, floor.a_login)
    yield f"{'ssh HOST who, after the login':<44}{asyncio.run(_who()):>12,.0f}"
    for where, people, sit_down in (
        ("nobody there", 0, wait_for_nothing),
        (f"{PEOPLE} people in the lobby", PEOPLE, wait_for_nothing),
        (f"{PEOPLE} people in games, nobody moves", PEOPLE, partial(sit_down_at_a_table, clock=60)),
    ):
        calls = asyncio.run(_idle(people, max(2.0, seconds), sit_down))
        yield f"{f'a second, {where}':<44}{calls:>12,.0f}"


def _figure(label: str, mine: float, theirs: float) -> Figure:
    text = f"{label:<44}{mine:>12,.0f}{theirs:>16,.0f}{mine / theirs:>8.2f} x bare"
    return Figure(f"calls: {label}", mine, theirs, "calls", text)


async def _visit(serve: Serve, times: int, sit_down: SitDown) -> Calls:
    """Let people come one after the other, then sit down and move."""
    with server_process(serve) as server:
        logins, first_screens = [], []
        for number in range(times):
            person = Person()
            logins.append(await _calls_of(server, partial(person.log_in, server.port, f"p{number}")))
            first_screens.append(person.heard)
            await person.go()
        a_move, sizes = {}, list[int]()
        for seats in SEATS:
            async with table_of(seats, server, seats, sit_down) as table:
                a_move[seats] = median([await _calls_of_move(server, table) for _ in range(times)])
                sizes += table.sizes
    # The first people of a server find nothing prepared.
    return Calls(median(logins[times // 4 :]), a_move, fmean(first_screens), fmean(sizes))


async def _calls_of_move(server: Server, table: Table) -> float:
    """The calls of the next move; a new game begins first if the last one is over."""
    seat, line = table.next_line()
    while line in {"start", str(READY)}:
        await _make(table, seat, line)
        seat, line = table.next_line()
    return await _calls_of(server, partial(_make, table, seat, line))


async def _make(table: Table, seat: int, line: str) -> None:
    """Type a move, and wait until everybody else has seen it."""
    table.enter(seat, line)
    await until(table.collect, PATIENCE_SECONDS)


async def _who() -> float:
    """The calls of `ssh HOST who` on a connection that is logged in."""
    with server_process(quatch) as server:
        async with await connect_guest(server.port, "asks", next(HOMES)) as connection:
            await asyncio.sleep(SETTLING_SECONDS)
            counts = [await _calls_of(server, lambda: connection.run("who", check=True)) for _ in range(5)]
    return median(counts)


async def _idle(people: int, seconds: float, sit_down: SitDown) -> float:
    """The calls a second of a server at which so many people do nothing."""
    with server_process(quatch) as server:
        async with AsyncExitStack() as stack:
            tables = (stack.enter_async_context(table_of(4, server, n, sit_down)) for n in range(people // 4))
            await few_at_a_time(tables)
            await asyncio.sleep(1)
            return await _calls_a_second(server, seconds)


async def _calls_of(server: Server, act: Callable[[], Awaitable[object]]) -> float:
    """The calls that follow from an action, without those that the server makes anyway."""
    idle = await _calls_a_second(server, SETTLING_SECONDS)
    began = time.perf_counter()
    await act()
    await asyncio.sleep(SETTLING_SECONDS)
    return server.calls() - idle * (time.perf_counter() - began)


async def _calls_a_second(server: Server, seconds: float) -> float:
    server.calls()
    await asyncio.sleep(seconds)
    return server.calls() / seconds
