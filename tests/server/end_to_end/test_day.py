"""A day in the life of a server: 24 hours of its own time, in far less of ours, and nothing of them stays.

The server and its clients are real, and so are their connections. Only waiting is skipped.
"""

import asyncio
from collections.abc import MutableMapping
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
import structlog

from server.features import load
from tests.soak import SOAKING, Figure, long
from tests.support.lasting_server import Held, LastingServer, held
from tests.support.resources import cancelled, settled
from tests.support.virtual_time import SkippingLoop
from tests.support.visitors import GONE, VISITS, Visit, bot_for_hours

HOUR: Final = long(600, 3600)
"""Seconds; the day in the suite has two short hours with a visit of each kind, and a night."""
HOURS: Final = long(3, 24)
VISITS_AN_HOUR: Final = long(4, 18)
"""In the suite all kinds come once but the contest, which is the last and the longest."""
LULL: Final = long(0.3, 0.5)
"""The part of an hour after which nobody new comes, so that all is quiet at its end."""
NIGHT: Final = range(long(1, 16), long(2, 20))
"""Hours without any player, not even a bot."""
KILLS: Final = range(0, 24, 6)
STOPS: Final = range(long(2, 1), 24, 6)
"""Hours in which the server is killed, and in which it is stopped."""
BOTS: Final = long(1, 2)
CACHED: Final = 2000
"""Objects of one class in caches, which may not be full after the first hour: the largest has 1,024 moves."""
BEGAN: Final = 1_750_000_000.0
SETTINGS: Final = {
    "workers": long(0, 1),
    "telnet_port": 0,
    "web_port": 0,
    "backup_every": 6.0,
    "pace": 1.0,
    "grace": 10.0,
    "keep_place": 60.0,
    "keep_table": 120.0,
    "keep_seat": 240.0,
    "keep_games": 0.02,
    "keep_name": 1.0,
}


class Day:
    """A server, its visitors, and what was seen of them."""

    def __init__(self, folder: Path, loop: SkippingLoop) -> None:
        self.server = LastingServer(folder, lambda: BEGAN + loop.time(), load, **SETTINGS)
        self.visits = 0
        self.cut = 0
        """Visits that ended because the server stopped."""
        self.bots_games = 0
        """Games that bots have played to their end."""
        self.failed: list[str] = []
        self._restarts = 0
        self._loop = loop
        self._bots: list[asyncio.Task[None]] = []

    async def run(self) -> list[Held]:
        """Live through the day; what the server held at the end of each hour."""
        await self.server.start()
        seen: list[Held] = []
        for hour in range(HOURS):
            end = self._loop.time() + HOUR
            if hour in NIGHT:
                await self._send_bots_away()
            else:
                self._let_bots_come()
                await self._be_busy(hour)
            await asyncio.sleep(end - self._loop.time())  # visits may have taken longer on a slow machine
            await settled(lambda: len(self.server.running.app.sessions) == len(self._bots))
            seen.append(await held(self.server))
            print(
                f"hour {hour}: {seen[-1]}; {self.visits} visits, {self.cut} cut off, {len(self.failed)} failed",
                flush=True,
            )
        await self._send_bots_away()
        await self.server.stop()
        return seen

    async def _be_busy(self, hour: int) -> None:
        pause = HOUR * LULL / VISITS_AN_HOUR
        async with asyncio.TaskGroup() as visits:
            for number in range(VISITS_AN_HOUR):
                visits.create_task(self._visit(VISITS[self.visits % len(VISITS)]))
                await asyncio.sleep(pause)
                if number == VISITS_AN_HOUR // 2:
                    await self._restart(hour)

    async def _restart(self, hour: int) -> None:
        if hour in {*STOPS, *KILLS}:
            self._restarts += 1
            await (self.server.stop() if hour in STOPS else self.server.kill(lambda: not self._loop.at_work))
            await self.server.start()

    async def _visit(self, visit: Visit) -> None:
        restarts, number = self._restarts, self.visits
        self.visits += 1
        try:
            await visit(self.server.running, Random(f"visit {number}"), number)
        except GONE as error:
            if restarts == self._restarts:
                self.failed.append(f"{visit.__name__} {number}: {error!r}"[:2000])
                print(self.failed[-1], flush=True)
            self.cut += 1

    def _let_bots_come(self) -> None:
        if not self._bots:
            self._bots = [
                asyncio.create_task(
                    bot_for_hours(lambda: self.server.running, number, Random(f"bot {number}"), self._bots_game_over)
                )
                for number in range(BOTS)
            ]

    def _bots_game_over(self) -> None:
        self.bots_games += 1

    async def _send_bots_away(self) -> None:
        """End the bots. Raises what one of them has failed with, if it was no lost connection."""
        for task in self._bots:
            await cancelled(task)
        self._bots = []


@pytest.mark.features("bot_protocol", "cluster", "keeper", "telnet", "tournament", "web")
@pytest.mark.computing_takes_time
@pytest.mark.timeout(long(600, 7200))
def test_a_day_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figure: Figure) -> None:
    """Memory, descriptors, tasks, tables and the file are at its end as after its first hour."""
    problems: list[str] = []

    def only_problems(_: object, level: str, event: MutableMapping[str, Any]) -> str:
        if level in {"error", "critical"}:
            problems.append(str(event))
        raise structlog.DropEvent

    structlog.configure(processors=[only_problems])
    if not SOAKING:
        choice, review = (pytest.importorskip(f"server.{name}") for name in ("daily.choice", "review.review"))
        monkeypatch.setattr(choice, "PAR_LEVEL", "easy")
        monkeypatch.setattr(choice, "FIELD_GAMES", 4)
        monkeypatch.setattr(review, "SIMULATIONS", 12)
    with asyncio.Runner(debug=False, loop_factory=SkippingLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, SkippingLoop)
        monkeypatch.setattr(asyncio, "wrap_future", loop.wrap_future)
        day = Day(tmp_path, loop)
        first, *_, last = runner.run(day.run())
    more = last.objects - first.objects
    visits = f"{day.visits} visits, {day.cut} cut off, {day.bots_games} games of bots"
    figure(f"{HOURS} hours, {visits}; {first}; {last}; {more.most_common(5)}")
    assert not day.failed
    assert not problems
    assert day.cut <= day.visits // 2
    assert day.bots_games >= long(0, 1)  # three hours may be too short for one
    assert last.games
    assert last.sessions <= BOTS
    assert last.descriptors <= first.descriptors + 2
    assert last.tasks <= first.tasks + 4
    assert last.tables <= first.tables + long(1, 0)  # in a short hour a bot may be between two games
    assert last.rss <= first.rss * 1.1 + (16 << 20)
    assert last.file <= first.file * 1.2 + long(2 << 20, 256 << 10)
    assert not {name: count for name, count in more.items() if count > CACHED + first.objects[name] / 10}
