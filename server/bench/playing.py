"""What people at tables cost a server over ssh, beside bare asyncssh.

Both servers run in their own process and are used by the same people doing the same; the bare one sends as many bytes
as Quatch did. The clients' own CPU time is in no figure, but it is in the latencies. Memory figures mean something from
a few hundred people on: a smaller number fits into what a server has left from its start. Nobody moves before all at
the table have seen the last move.
"""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from server.bench.figures import Figure, Line, delays
from server.bench.people import (
    AT_ONCE,
    BEAT,
    SEATS,
    Person,
    few_at_a_time,
    play_at,
    table_of,
)
from server.bench.servers import Serve, Server, Serving, Visit, beside_bare, server_process

LOGINS: Final = 100
"""The most people whose login is measured."""


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
    found, floor = beside_bare(partial(_spend, people=people, seconds=options.seconds, beat_seconds=beat_seconds))
    yield f"{people} people at tables of {SEATS}, a view a second, beside bare asyncssh:"
    for label, mine, theirs, unit in (
        ("CPU for a view", found.view * 1e3, floor.view * 1e3, "ms"),
        ("memory for a person at a table", found.memory / 1024, floor.memory / 1024, "KiB"),
        ("CPU for a login, first screen and leaving", found.login * 1e3, floor.login * 1e3, "ms"),
    ):
        yield Figure(f"table: {label}, {people} people", mine, theirs, unit)
    yield from delays(f"table: from a move to the others, {{}}, {people} people", found.delays, floor.delays)


async def _spend(serve: Serve, people: int, seconds: float, beat_seconds: float) -> Evening:
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
            await few_at_a_time(table.begin_play() for table in tables)
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
    """Let so many people come, a few at a time, and go again; return the bytes of their first screens."""

    async def come_and_go(name: str) -> int:
        person = await Person.come_in(server.port, name)
        await person.go()
        return person.heard

    return await few_at_a_time(come_and_go(f"p{number}") for number in range(people))
