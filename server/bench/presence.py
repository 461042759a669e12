"""What it costs nodes that their players know of each other: messages and CPU time of a node, with few and many nodes.

All nodes are in one process, without connections of players: each has a lobby on the same PostgreSQL. Its players talk,
and one goes and another comes, as often at each node whatever the number of nodes.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, NamedTuple

from server.bench.figures import Figure, Line, until
from server.bench.private_postgres import Postgres
from server.config import Config
from server.database_url import DatabaseUrl
from server.lobby.lobby import Lobby
from server.peers.several import Several
from server.people.players import Caller
from server.player.player_session import PlayerSession
from server.storage.database import postgres_log
from server.table.recent_talk import Said

FEW: Final = 2
MANY: Final = 8
PEOPLE: Final = 25
"""Players at each node."""
PAUSE: Final = 0.5
"""Seconds between what happens at a node: a line of talk, a player who goes and one who comes."""
KNOWN_SECONDS: Final = 60.0
"""How long it may take until every node knows of all players."""


class Work(NamedTuple):
    """The work of one node a second."""

    sent: float
    heard: float
    cpu: float


class _Silent:
    """The front end of a player who sees nothing."""

    is_drawn = has_signs = can_answer = is_reading = False
    said_before = screen_notes = ()

    def ignore(self, *_: object, **__: object) -> None:
        """Show nothing."""

    updated = told = called = answered = progressed = table_closed = ended = ignore


def bench_presence(postgres: Postgres, seconds: float) -> Iterator[Line]:
    """The work of a node among many, beside that of one among few."""
    few, many = (asyncio.run(_work(postgres, nodes, seconds)) for nodes in (FEW, MANY))
    yield f"{f'{PEOPLE} players at each node; a node':<48}{f'of {MANY}':>15}{f'of {FEW}':>16}"
    for what, mine, theirs, unit in (
        ("sends", many.sent, few.sent, "messages a second"),
        ("hears", many.heard, few.heard, "messages a second"),
        ("takes", many.cpu * 1e3, few.cpu * 1e3, "ms of CPU a second"),
    ):
        text = f"{what:<48}{mine:>15.1f}{theirs:>16.1f} {unit}"
        yield Figure(f"cluster: a node of {MANY} {what}, beside one of {FEW}", mine, theirs, unit, text)


async def _work(postgres: Postgres, nodes: int, seconds: float) -> Work:
    url = DatabaseUrl.read(postgres.new_database())
    async with AsyncExitStack() as running:
        lobbies = [await running.enter_async_context(_lobby(url)) for _ in range(nodes)]
        sessions = [[await _come_in(each, f"p{n}x{m}") for m in range(PEOPLE)] for n, each in enumerate(lobbies)]
        await until(lambda: all(len(each.visitors.came) == nodes * PEOPLE for each in lobbies), KNOWN_SECONDS)
        before, moment = _counted(lobbies), time.perf_counter()
        end = moment + seconds
        while (moment := moment + PAUSE) <= end:
            for lobby, its_sessions in zip(lobbies, sessions, strict=True):
                await _happen(lobby, its_sessions)
            await asyncio.sleep(moment - time.perf_counter())
        found = [(now - then) / (nodes * seconds) for now, then in zip(_counted(lobbies), before, strict=True)]
        for its_sessions in sessions:
            for session in its_sessions:
                await session.finish()
        return Work(*found)


def _counted(lobbies: list[Lobby]) -> tuple[float, float, float]:
    """The messages that all have sent and heard so far, and the CPU time of this process."""
    counted = [lobby.peers.counted for lobby in lobbies]
    return sum(each.sent for each in counted), sum(each.heard for each in counted), time.process_time()


async def _happen(lobby: Lobby, sessions: list[PlayerSession]) -> None:
    """One player says something and goes, and comes again."""
    first = sessions.pop(0)
    lobby.visitors.say(Said(first.player.name, "hello"))
    await first.finish()
    sessions.append(await _come_in(lobby, first.player.name))


async def _come_in(lobby: Lobby, name: str) -> PlayerSession:
    session = PlayerSession(lobby, Caller(name), _Silent())
    await session.identify()
    await session.begin()
    return session


@asynccontextmanager
async def _lobby(url: DatabaseUrl) -> AsyncIterator[Lobby]:
    """A node."""
    store = postgres_log(url)
    peers = Several(store, "bench")
    lobby = Lobby(Config(), store, peers=peers)
    peers.join(lobby)
    await lobby.open()
    try:
        yield lobby
    finally:
        await lobby.close()
