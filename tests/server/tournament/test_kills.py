"""A tournament of many bots on a server that is killed again and again ends with the right standings."""

import asyncio
import time
from random import Random
from typing import Final

import pytest

from server.config import Config
from server.lobby.lobby import Lobby
from server.storage.database import Database
from server.tournament import events
from server.tournament.known import TournamentLog
from server.tournament.service import tournaments_of
from tests.server.tournament.evenings import Contestant, opened, pair_at_once, points_by_records
from tests.soak import Figure, long
from tests.support.features import FEATURES
from tests.support.simulated_log import Faults, SimulatedLog, World
from tests.support.tables import known_seeds

pytestmark = pytest.mark.virtual_time
SHAKY: Final = Faults(latency=0.02, not_saved=0.002, unknown_before=0.002, unknown_after=0.002)
BOTS, ROUNDS, KILLS = long(7, 200), long(2, 6), long(3, 20)
SEATED_SECONDS: Final = 2.0
"""How soon after the deal everybody who is here sits at their table."""


class Evening:
    """One server after the other on one log, each of which is cut off, and the bots that come again each time."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._world = World(seed, SHAKY)
        self.log: Database = self._world.log
        self._node: SimulatedLog | None = None
        self.lobby: Lobby | None = None
        self.bots: list[Contestant] = []
        self.kills = 0
        self.latest_seat = 0.0
        """The most seconds after a deal at which somebody was not at their table, whom the log let in."""

    async def start(self) -> Lobby:
        """Start a server, to which all bots come."""
        config = Config(pace=0, workers=0, grace=5.0)
        while True:
            self._node = self._world.node("server")
            lobby = Lobby(
                config, self._node, new_seed=known_seeds(), wall=asyncio.get_running_loop().time, features=FEATURES
            )
            try:
                await lobby.open()
                break
            except Exception:  # noqa: BLE001 - the log is shaky
                del self._world.nodes["server"]
                await lobby.close()
        self.lobby = lobby
        self.bots = [Contestant(lobby, f"bot{number}", kind="bot") for number in range(BOTS)]
        await asyncio.gather(*(self._come(each) for each in self.bots))
        return lobby

    async def _come(self, each: Contestant) -> None:
        while True:
            try:
                await each.come()
            except Exception:  # noqa: BLE001 - the log is shaky
                await asyncio.sleep(0.1)
            else:
                return

    async def kill(self) -> None:
        """Cut the server off: what it was doing is written, or is not."""
        assert self.lobby is not None
        assert self._node is not None
        del self._world.nodes["server"]
        self._node.freeze()
        for each in self.bots:
            each.plays = False
        await self.lobby.close()
        self.kills += 1

    async def until_over(self, its: TournamentLog, seconds: float) -> bool:
        """Let it go on for so long, or until it is over; whether it is."""
        end = asyncio.get_running_loop().time() + seconds
        while its.state.phase != "over" and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.5)
            self._look(its)
        return its.state.phase == "over"

    def _look(self, its: TournamentLog) -> None:
        assert self.lobby is not None
        now = tournaments_of(self.lobby).now()
        tables = {each.session.player.id: each.session.table_number for each in self.bots if not each.refusal}
        came = tournaments_of(self.lobby).present()
        for player, board in its.state.busy.items():
            waited = now - max(board.deals_at, came[player])
            if waited > 0 and tables.get(player, board.table) != board.table:
                self.latest_seat = max(self.latest_seat, waited)


async def written(its: TournamentLog, event: events.Event) -> None:
    """Write an event, however often it takes."""
    while True:
        try:
            await its.write(event)
        except Exception as error:  # noqa: BLE001 - the log is shaky
            if "already" in str(error):
                return
            await asyncio.sleep(0.1)
        else:
            return


@pytest.mark.timeout(long(120, 3600))
async def test_kills_in_any_round_lose_nothing(monkeypatch: pytest.MonkeyPatch, figure: Figure) -> None:
    """All rounds are played once, everybody sits in each, and the points are those of the games in the log."""
    pair_at_once(monkeypatch)
    began, evening, chance = time.perf_counter(), Evening(1), Random(2)
    lobby = await evening.start()
    while True:
        try:
            its = await tournaments_of(lobby).open_tournament(opened(lobby, rounds=ROUNDS))
            break
        except Exception:  # noqa: BLE001 - the log is shaky
            await asyncio.sleep(0.1)
    for each in evening.bots:
        player = each.session.player
        await written(its, events.Entered(at=tournaments_of(lobby).now(), by=player.id, player=player))
    await written(its, events.Called(at=tournaments_of(lobby).now(), round=1))
    is_over = False
    while not is_over:
        assert evening.kills <= KILLS
        is_over = await evening.until_over(its, chance.uniform(1, 30) if evening.kills < KILLS else 3600)
        await evening.kill()
        if not is_over:
            lobby = await evening.start()
            its = TournamentLog(evening.log, its.state.id, its.state.opened)
            while not tournaments_of(lobby).known.running:
                await asyncio.sleep(0.1)
            (its,) = tournaments_of(lobby).known.running.values()
    whole = TournamentLog(evening.log, its.state.id, its.state.opened)
    await whole.read()
    assert [played.number for played in whole.state.rounds] == [*range(1, ROUNDS + 1)]
    seated = [{player for board in played.boards for player in board.people} for played in whole.state.rounds]
    assert [*map(len, seated)] == [BOTS] * ROUNDS
    assert whole.state.points() == await points_by_records(evening.log, whole)
    assert not any(entrant.is_late or entrant.is_excused for entrant in whole.state.entrants.values())
    assert evening.latest_seat <= SEATED_SECONDS
    figure(
        f"{BOTS} bots, {ROUNDS} rounds, {evening.kills} kills: {sum(len(r.boards) for r in whole.state.rounds)} tables,"
        f" seated at most {evening.latest_seat:.1f} s after the deal, {time.perf_counter() - began:.0f} s"
    )
