"""`quatch bench calls`: how many Python functions a server calls, the same on a busy machine as on a quiet one.

Counted are all frames of the server's main thread (`sys.settrace`), asyncio's and asyncssh's included. What the
server does meanwhile by itself is taken off. The numbers depend on Python's version: compare them within one.
"""

import asyncio
import platform
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from functools import partial
from statistics import median
from typing import Final

from server.bench.figures import Figure, Line
from server.bench.people import HOMES, Person, connect_guest, table_of
from server.bench.servers import Server, Serving, quatch, server_process

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


def bench_calls(options: Namespace) -> Iterator[Line]:
    """Count the calls of a move, a key, a login and a command, and those of a server at which nothing happens."""
    times, all_seats = max(5, round(options.seconds * 30)), (options.seats,) if options.seats else SEATS
    yield f"Python calls, Python {platform.python_version()}:"
    for what, calls in asyncio.run(_count(times, all_seats)).items():
        yield Figure(f"calls: {what}", calls, None, "calls")
    for where, people, clock in (
        ("nobody there", 0, 0),
        (f"{PEOPLE} people in the lobby", PEOPLE, 0),
        (f"{PEOPLE} people in games, nobody moves", PEOPLE, CLOCK),
    ):
        calls = asyncio.run(_idle(people, clock, max(IDLE_SECONDS, options.seconds)))
        yield Figure(f"calls: a second, {where}", calls, None, "calls/s")


async def _count(times: int, all_seats: Sequence[int]) -> dict[str, float]:
    """Let people come one after the other, then sit down, move and type keys. Finds the calls by what causes them."""
    logins = list[float]()
    with server_process(quatch) as server:
        for number in range(times):
            person = Person()
            logins.append(await _calls_of(server, partial(person.come_in, server.port, f"p{number}")))
            await person.go()
            await asyncio.sleep(SETTLING_SECONDS)  # what follows from hanging up is no call that it makes anyway
        # The first people of a server find nothing prepared.
        calls = {"a login to the first screen": median(logins[times // 4 :])}
        for seats in all_seats:
            async with table_of(seats, server, seats) as table:
                moves = [await _calls_of(server, partial(table.make, *await table.next_move())) for _ in range(times)]
                keys = [await _calls_of_keys(server, table.people[0], "a" * KEYS) for _ in range(5)]
                cursor = [await _calls_of_keys(server, table.people[0], CURSOR_KEYS) for _ in range(5)]
            calls |= {f"a typed move, {seats} seats": median(moves), f"a key, {seats} seats": median(keys)}
            calls[f"a key that only moves the cursor, {seats} seats"] = median(cursor)
        async with await connect_guest(server.port, "asks", next(HOMES)) as connection:
            ask = partial(connection.run, "who", check=True)
            calls["ssh HOST who, after the login"] = median([await _calls_of(server, ask) for _ in range(5)])
    return calls


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
            return await _calls_a_second(server, seconds)


async def _calls_of(server: Server, act: Callable[[], Awaitable[object]]) -> float:
    """The calls that follow from an action, without those that the server makes anyway."""
    idle = await _calls_a_second(server, SETTLING_SECONDS)
    began = time.perf_counter()
    await act()
    await asyncio.sleep(SETTLING_SECONDS)
    return server.ask(Serving.count_calls) - idle * (time.perf_counter() - began)


async def _calls_a_second(server: Server, seconds: float) -> float:
    server.ask(Serving.count_calls)
    await asyncio.sleep(seconds)
    return server.ask(Serving.count_calls) / seconds
