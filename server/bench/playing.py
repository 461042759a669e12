"""What people at tables cost a server over ssh, and with --ramp how many of them it carries, beside bare asyncssh.

Both servers run in their own process and are used by the same people doing the same; the bare one sends as many bytes
as Quatch did. The clients' own CPU time is in no figure, but it is in the latencies. Memory figures mean something from
a few hundred people on: a smaller number fits into what a server has left from its start. Nobody moves before all at
the table have seen the last move.
"""

from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from server.app.app import room_for
from server.bench.figures import Figure, Line, delays, percentile
from server.bench.people import BEAT, SEATS, Person, Table, play_at, table_of
from server.bench.servers import Serve, Server, Serving, Visit, beside_bare, server_process
from server.limits import TABLES

LOGINS: Final = 100
"""The most people whose login is measured."""
FIRST: Final = 8
"""How many come and go before anything is measured: they find nothing prepared."""
P99_SECONDS: Final = 0.05
"""A server carries people if 99 of 100 see a move of others within this time."""
NEAR: Final = 0.1
"""The search ends when the largest number is known up to this part of it."""


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
    """Seconds from a move to the others."""


def bench_table(options: Namespace, beat_seconds: float = BEAT) -> Iterator[Line]:
    """Measure both servers and compare them. A move is due at each table every ``beat_seconds``."""
    people = max(1, options.players // SEATS) * SEATS
    if options.ramp:
        yield from bench_ramp(people // SEATS, options.seconds, beat_seconds)
        return
    found, floor = beside_bare(partial(_spend, people=people, seconds=options.seconds, beat_seconds=beat_seconds))
    yield f"{people} people at tables of {SEATS}, a view a second, beside bare asyncssh:"
    for label, mine, theirs, unit in (
        ("CPU for a view", found.view * 1e3, floor.view * 1e3, "ms"),
        ("memory for a person at a table", found.memory / 1024, floor.memory / 1024, "KiB"),
        ("CPU for a login, first screen and leaving", found.login * 1e3, floor.login * 1e3, "ms"),
    ):
        yield Figure(f"table: {label}, {people} people", mine, theirs, unit)
    yield from delays(f"table: from a move to the others, {{}}, {people} people", found.delays, floor.delays)


@dataclass
class Ramp(Visit):
    """How many tables one server has carried."""

    carried: int = 0


def bench_ramp(
    tables: int, seconds: float, beat_seconds: float = BEAT, p99_seconds: float = P99_SECONDS, most: int = TABLES.share
) -> Iterator[Line]:
    """Find the most people that one core carries, from so many tables up to ``most``; then the same with bare asyncssh.

    Each trial takes so many seconds. The people need a core of their own: if it is full, that is the limit. The log is
    in memory: a move waits for the disk, a bare server has none, and a disk that others use would be the limit.
    """
    room_for(SEATS * most)
    play = partial(play_at, seconds=seconds, beat_seconds=beat_seconds)
    found, floor = beside_bare(partial(_ramp, first=tables, most=most, play=play, within=p99_seconds))
    yield f"People that one core carries, a view a second, 99 of 100 within {1000 * p99_seconds:.0f} ms:"
    yield Figure("table: people that one core carries", SEATS * found.carried, SEATS * floor.carried, "people")


async def _ramp(
    serve: Serve, first: int, most: int, play: Callable[[Sequence[Table]], Awaitable[None]], within: float
) -> Ramp:
    """Double the number of tables until people wait longer than ``within``, then try numbers between."""
    ramp, tables, wanted, too_many = Ramp(), list[Table](), min(first, most), most + 1
    with server_process(serve, in_memory=True) as server:
        async with AsyncExitStack() as stack:
            while wanted > (1 + NEAR) * ramp.carried:
                numbers = range(len(tables), wanted)
                tables += [await stack.enter_async_context(table_of(SEATS, server, number)) for number in numbers]
                playing = tables[:wanted]
                for table in playing:
                    await table.begin_play()
                await play(playing)
                if percentile([each for table in playing for each in table.delays], 99) > within:
                    too_many = wanted
                else:
                    ramp.carried = wanted
                wanted = min(2 * ramp.carried or most, (ramp.carried + too_many) // 2)
    for table in tables:
        ramp.first_screens += table.first_screens
        ramp.updates += table.updates
    return ramp


async def _spend(serve: Serve, people: int, seconds: float, beat_seconds: float) -> Evening:
    """Let people come and go; then, with a new server, let them come, sit down and play."""
    found, logins = Evening(), min(people, LOGINS)
    with server_process(serve) as server:
        await _come_and_go(server, FIRST)
        before = server.ask(Serving.used_resources)
        found.first_screens = await _come_and_go(server, logins)
        found.login = (server.ask(Serving.used_resources).cpu - before.cpu) / logins
    with server_process(serve) as server:
        await _come_and_go(server, FIRST)
        before = server.ask(Serving.used_resources)
        async with AsyncExitStack() as stack:
            numbers = range(people // SEATS)
            tables = [await stack.enter_async_context(table_of(SEATS, server, number)) for number in numbers]
            for table in tables:
                await table.begin_play()
            begun = server.ask(Serving.used_resources)
            await play_at(tables, seconds, beat_seconds)
            ended = server.ask(Serving.used_resources)
        found.view = (ended.cpu - begun.cpu) / (SEATS * sum(table.moves for table in tables))
        found.memory = (ended.memory - before.memory) / people
    for table in tables:
        found.delays += table.delays
        found.updates += table.updates
    return found


async def _come_and_go(server: Server, people: int) -> list[int]:
    """Let so many people come and go again, one after the other; return the bytes of their first screens."""
    heard = list[int]()
    for number in range(people):
        person = await Person.come_in(server.port, f"p{number}")
        await person.go()
        heard.append(person.heard)
    return heard
