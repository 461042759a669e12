"""A rolling restart of several nodes on one PostgreSQL: what becomes of the games that go on, and of their players.

Each node is renewed while games go on at all of them. A game ends at the old processes, and then the session of its
player does. The players are bots with keys, which come in again at once and begin the next game at their seats.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from server.bench.figures import Figure, Line, percentile, until
from server.bench.nodes import Player, node, players
from server.bench.private_postgres import Postgres

RENEW_SECONDS: Final = 600.0
"""How long the games may take to end at a node that is restarted."""


class Evening(NamedTuple):
    """How much is measured."""

    nodes: int
    games: int
    """Those that go on at all nodes together."""
    restarts: int
    """How often each node is restarted."""


SHORT: Final = Evening(nodes=2, games=20, restarts=3)
FULL: Final = Evening(nodes=2, games=100, restarts=10)


def bench_restarts(postgres: Postgres, evening: Evening) -> Iterator[Line]:
    """How many games are interrupted, and when their players are back at their seats."""
    went_on, bots = asyncio.run(_restart(postgres, evening))
    interrupted, untold, lost = (
        sum(each) for each in zip(*((bot.interrupted, bot.untold, bot.lost_seats) for bot in bots), strict=True)
    )
    first = [bot.came_in[0] for bot in bots]
    again = [seconds for bot in bots for seconds in bot.came_in[1:]]
    yield f"{evening.games} games at {evening.nodes} nodes, each restarted {evening.restarts} times"
    text = f"{'games interrupted by restarts':<48}{interrupted:>15}{went_on:>16} went on"
    yield Figure("cluster: games interrupted by restarts, beside those going on", interrupted, went_on, "games", text)
    text = f"{'players who had no word or no seat after it':<48}{untold + lost:>15}{len(again):>16} came again"
    name = "cluster: players without a word or a seat after restarts, beside those who came again"
    yield Figure(name, untold + lost, len(again), "players", text)
    for label, percent in (("half of all", 50), ("all but 1 in 100", 99)):
        mine, theirs = percentile(again, percent), percentile(first, percent)
        until_seated = f"until players are back at their seats, {label}"
        text = f"{until_seated:<48}{mine:>13.2f} s{theirs:>14.2f} s to come in at first"
        yield Figure(f"cluster: {until_seated}, beside coming in at first", mine, theirs, "s", text)


async def _restart(postgres: Postgres, evening: Evening) -> tuple[int, list[Player]]:
    """How many games were going on when their node was restarted, and the players after all restarts."""
    database, went_on = postgres.new_database(), 0
    async with AsyncExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="quatch-bench-")))
        settings = {"DATABASE": database, "HOSTKEYS": str(folder / "keys")}
        nodes = [
            await running.enter_async_context(node(folder, NODE=f"n{n}", **settings)) for n in range(evening.nodes)
        ]
        number = evening.games // evening.nodes
        bots = [[Player(each, f"n{n}bot{m}", has_key=True) for m in range(number)] for n, each in enumerate(nodes)]
        for its_bots in bots:
            await running.enter_async_context(players(its_bots))
        for _ in range(evening.restarts):
            for each, its_bots in zip(nodes, bots, strict=True):
                went_on += sum(bot.is_playing for bot in its_bots)
                each.renew()
                # The old generation ends the session of each bot when its game is over.
                await until(partial(_all_came_again, its_bots, [len(bot.came_in) for bot in its_bots]), RENEW_SECONDS)
        return went_on, [*chain(*bots)]


def _all_came_again(bots: list[Player], before: list[int]) -> bool:
    """Whether each of these bots has a seat once more than so many times."""
    return all(len(bot.came_in) > times for bot, times in zip(bots, before, strict=True))
