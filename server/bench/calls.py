"""`quatch bench calls`: how many Python functions a server calls, the same on a busy machine as on a quiet one.

Counted are all frames of the server's main thread (`sys.settrace`), asyncio's and asyncssh's included. What the
server does meanwhile by itself is taken off. The numbers depend on Python's version: compare them within one.
The baseline is the simplest asyncssh server that sends as many bytes.
"""

import asyncio
import platform
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Final

from server.bench.figures import Figure, Line
from server.bench.people import HOMES, Person, Table, connect_guest, table_of
from server.bench.servers import Serve, Server, Serving, Visit, beside_bare, quatch, server_process

SETTLING_SECONDS: Final = 0.15
"""By then a server has done all that follows from a move or a login whose bytes have come."""
SEATS: Final = (2, 4)
KEYS: Final = 20
KEY_SECONDS: Final = 0.01
CURSOR_KEYS: Final = "\x01\x05" * (KEYS // 2)
"""To the start of the line, and to its end."""
PEOPLE: Final = 40
"""How many people are in the lobby, or at tables of four, when that is measured."""
IDLE_SECONDS: Final = 5.0
"""After so long every clock on a screen has changed once."""
CLOCK: Final = 60
"""Seconds for a move at those tables, which are counted down on the screens."""


@dataclass
class Calls(Visit):
    """The calls of one server, by what caused them."""

    of: dict[str, float] = field(default_factory=dict)


def bench_calls(options: Namespace) -> Iterator[Line]:
    """Count the calls of a move, a key, a login and a command, and those of a server at which nothing happens."""
    times, all_seats = max(5, round(options.seconds * 30)), (options.seats,) if options.seats else SEATS
    found, floor = beside_bare(partial(_count, times=times, all_seats=all_seats))
    yield f"Python calls, Python {platform.python_version()}, beside bare asyncssh:"
    for what, calls in found.of.items():
        yield Figure(f"calls: {what}", calls, floor.of.get(what), "calls")
    for where, people, clock in (
        ("nobody there", 0, 0),
        (f"{PEOPLE} people in the lobby", PEOPLE, 0),
        (f"{PEOPLE} people in games, nobody moves", PEOPLE, CLOCK),
    ):
        calls = asyncio.run(_idle(people, clock, max(IDLE_SECONDS, options.seconds)))
        yield Figure(f"calls: a second, {where}", calls, None, "calls/s")


async def _count(serve: Serve, times: int, all_seats: Sequence[int]) -> Calls:
    """Let people come one after the other, then sit down, move and type keys."""
    calls, logins = Calls(), list[float]()
    with server_process(serve) as server:
        for number in range(times):
            person = Person()
            logins.append(await _calls_of(server, partial(person.log_in, server.port, f"p{number}")))
            calls.first_screens.append(person.heard)
            await person.go()
        # The first people of a server find nothing prepared.
        calls.of["a login to the first screen"] = median(logins[times // 4 :])
        for seats in all_seats:
            async with table_of(seats, server, seats) as table:
                moves = [await _calls_of_move(server, table) for _ in range(times)]
                keys = [await _calls_of_keys(server, table.people[0], "a" * KEYS) for _ in range(5)]
                cursor = [await _calls_of_keys(server, table.people[0], CURSOR_KEYS) for _ in range(5)]
            calls.of |= {f"a typed move, {seats} seats": median(moves), f"a key, {seats} seats": median(keys)}
            calls.of[f"a key that only moves the cursor, {seats} seats"] = median(cursor)
            calls.updates += table.updates
        async with await connect_guest(server.port, "asks", next(HOMES)) as connection:
            ask, what = partial(connection.run, "who", check=True), "ssh HOST who, after the login"
            calls.of[what] = median([await _calls_of(server, ask) for _ in range(5)])
            if server.has_tables:
                own = [await _calls_of(server, ask, Serving.count_own_calls) for _ in range(5)]
                calls.of[f"{what}, our own functions alone"] = median(own)
    return calls


async def _calls_of_move(server: Server, table: Table) -> float:
    """The calls of the next move; a new game begins first if the last one is over."""
    seat, line = await table.next_move()
    return await _calls_of(server, partial(table.make, seat, line))


async def _calls_of_keys(server: Server, person: Person, keys: str) -> float:
    """The calls of one of many keys that are typed behind a letter; the line is erased again."""

    async def press() -> None:
        for key in keys:
            person.press(key)
            await asyncio.sleep(KEY_SECONDS)

    person.press("a")
    await asyncio.sleep(SETTLING_SECONDS)
    calls = await _calls_of(server, press)
    person.press("\x15")
    return calls / len(keys)


async def _idle(people: int, clock: int, seconds: float) -> float:
    """The calls a second of a server at which so many people do nothing, at tables with this clock or in the lobby."""
    with server_process(quatch) as server:
        async with AsyncExitStack() as stack:
            for number in range(people // 4):
                await stack.enter_async_context(table_of(4, server, number, clock))
            await asyncio.sleep(1)
            calls = await _calls_a_second(server, seconds)
    return calls


async def _calls_of(
    server: Server, act: Callable[[], Awaitable[object]], count: Callable[[Serving], int] = Serving.count_calls
) -> float:
    """The calls that follow from an action, without those that the server makes anyway."""
    idle = await _calls_a_second(server, SETTLING_SECONDS, count)
    began = time.perf_counter()
    await act()
    await asyncio.sleep(SETTLING_SECONDS)
    return server.ask(count) - idle * (time.perf_counter() - began)


async def _calls_a_second(
    server: Server, seconds: float, count: Callable[[Serving], int] = Serving.count_calls
) -> float:
    server.ask(count)
    await asyncio.sleep(seconds)
    return server.ask(count) / seconds
