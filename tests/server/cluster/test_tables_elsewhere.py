"""A table runs where somebody is. Others list it by its row in the log, and go on with it if its process dies."""

import asyncio
from collections.abc import Iterable

import pytest

from engine.errors import InputError
from engine.legality import legal_moves
from engine.moves import READY
from server.cluster.several import BEAT_SECONDS, SILENT_SECONDS, TICK_SECONDS
from server.lobby.listed_tables import FORLORN_SECONDS
from server.lobby.lobby import Lobby
from server.lobby.tables import AWAITED_SECONDS
from server.storage.database import LogEntry, TableChange
from server.storage.sqlite_database import MemoryDatabase
from server.table.deadlines import DROWSY_SECONDS, PASSING_SECONDS
from server.table.entries import Moved
from server.table.journal import Journal
from server.table.state import ARRANGING_CLOCKS
from server.table.table import Table
from server.table.table_events import LOST
from tests.support.emulator import opened
from tests.support.front_end import come_in
from tests.support.nodes import CONFIG, DEAF, lobbies, meet
from tests.support.simulated_log import SimulatedLog
from tests.support.tables import ANA, BO, Watcher, changes, known_seeds, table_settings
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time
SOON = TICK_SECONDS * 2
"""Seconds after which every server knows which players are where."""
FOUND_SECONDS = 15.0
"""Seconds after the death of a process within which its tables run elsewhere."""


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the tables whose logs are read, at any server."""
    found = list[int]()
    read = SimulatedLog.read

    async def counted(store: SimulatedLog, table: int, after: int = 0) -> list[LogEntry]:
        found.append(table)
        return await read(store, table, after)

    monkeypatch.setattr(SimulatedLog, "read", counted)
    return found


async def play(table: Table, ana: Watcher, moves: int, seconds: float) -> None:
    """Ana plays against an AI player, so many moves of her own, and always waits for so long."""
    for _ in range(moves):
        snapshot = await ana.until(lambda snapshot: snapshot.my_turn or not snapshot.playing)
        if snapshot.view is None or not snapshot.playing:
            await table.start(ana)
            continue
        await table.move(ana, snapshot.ply, next(iter(legal_moves(snapshot.view, 0))))
        await asyncio.sleep(seconds)


async def playing(here: Lobby, ana: Watcher) -> Table:
    """Ana plays at table 1 against a quick AI player."""
    table = await here.tables.open_table(table_settings())
    await table.sit(ana, ANA)
    await table.set_pace(ana, 0.0)
    await table.start(ana)
    await table.move(ana, 0, READY)
    return table


async def test_a_table_at_which_nobody_is_here_is_listed_without_its_log_being_read(reads: list[int]) -> None:
    """Move by move, with its players and spectators; a player who comes sees the game."""
    async with lobbies() as (log, (here, there)):
        ana, bo = Watcher(), Watcher()
        table = await playing(here, ana)
        await asyncio.sleep(SOON)
        reads.clear()
        await play(table, ana, moves=40, seconds=0.1)
        assert len(await changes(log, Moved)) > 40
        assert not reads
        assert not there.tables.here
        await there.read_on()
        assert there.tables.listings() == here.tables.listings()
        assert there.tables.listings()[0].ply > 0
        await (await there.tables.bring_up("1")).come(bo, BO)
        await asyncio.sleep(SOON)
        assert [each.watching for each in here.tables.listings()] == [1]
        await play(table, ana, moves=2, seconds=0.5)
        assert (bo.seen.game, bo.seen.ply) == (ana.seen.game, ana.seen.ply)


async def test_the_log_of_a_table_is_read_once_when_somebody_comes_and_not_to_learn_that_there_is_none(
    reads: list[int],
) -> None:
    """A table that sleeps is loaded; how it stands tells whether it exists."""
    async with lobbies(number=1) as (_, (here,)):
        table = await here.tables.open_table(table_settings())
        await table.unload()
        await asyncio.sleep(SOON)
        assert not here.tables.here
        reads.clear()
        with pytest.raises(InputError, match="no table"):
            await here.tables.bring_up("7")
        await here.tables.bring_up(str(table.number))
        assert reads == [table.number]


class SetBack(MemoryDatabase):
    """A log of which the end may be lost, as when a database fails and another one takes over."""

    async def changes(self, place: str, known: Iterable[int] = ()) -> tuple[list[TableChange], str]:
        """All tables may have changed."""
        return await self.states([(number,) for number in [*await self.awake(), *known]]), place


async def test_a_table_that_was_opened_in_the_lost_end_of_the_log_is_listed_no_more() -> None:
    """Whether it runs elsewhere or here: then its player is in the lobby again."""
    log, ana = SetBack(), Watcher()
    async with opened(Lobby(CONFIG, log, new_seed=known_seeds(), wall=now)) as lobby:
        await Journal.begin(log, 1, table_settings(), now)
        await (await lobby.tables.open_table(table_settings())).sit(ana, ANA)
        await lobby.read_on()
        assert [each.number for each in lobby.tables.listings()] == [1, 2]
        await log.execute("DELETE FROM entry")
        await log.execute("DELETE FROM game_table")
        await lobby.read_on()
        await asyncio.sleep(0)
        assert (lobby.tables.listings(), [*lobby.tables.listed], ana.lines) == ((), [], ["closed"])


async def test_a_player_who_comes_in_elsewhere_right_after_sitting_down_has_the_seat() -> None:
    """Also if that server has not heard of it yet, and if the table does not run there."""
    async with lobbies(DEAF) as (_, (here, there)):
        bo = Watcher()
        table = await here.tables.open_table(table_settings(seats=3))
        await table.sit(bo, BO)
        await asyncio.sleep(CONFIG.grace)
        ana, _ = await come_in(here, "ana", "SHA256:ana")
        await ana.enter(table, table.sit)
        again, _ = await come_in(there, "ana", "SHA256:ana")
        assert again.snapshot
        assert again.snapshot.seat == 1


async def test_a_table_runs_no_more_where_its_players_have_left_it() -> None:
    """As long as others are there at another server; for a console it runs all the same."""
    async with lobbies() as (_, (here, there)):
        table, _, other, bo = await meet(here, there)
        await other.leave(bo, LOST)
        await asyncio.sleep(PASSING_SECONDS + SOON)
        assert not there.tables.here
        assert [each.number for each in there.tables.listings()] == [1]
        there.tables.begin_viewing(bo)
        await asyncio.sleep(PASSING_SECONDS + SOON)
        assert there.tables.here[1].journal.head == table.journal.head
        there.tables.end_viewing(bo)
        await asyncio.sleep(SOON)
        assert not there.tables.here


async def test_a_table_waits_for_its_people_whose_process_was_killed() -> None:
    """As after a start: no AI player plays for them, and no clock runs out, until they had time to come back."""
    async with lobbies() as (_, (here, there)):
        await asyncio.sleep(AWAITED_SECONDS)
        table, ana, other, _ = await meet(here, there)
        await table.start(ana)
        await asyncio.sleep(SOON)
        assert isinstance(here.store, SimulatedLog)
        here.store.freeze()
        await asyncio.sleep(AWAITED_SECONDS)
        assert [seat and seat.away for seat in other.journal.state.seats] == [None, None]
        await asyncio.sleep(SILENT_SECONDS + CONFIG.grace + SOON)
        assert [seat and seat.away for seat in other.journal.state.seats] == ["gone", None]


async def test_no_clock_begins_anew_when_the_process_of_a_spectator_dies() -> None:
    """A table waits for those who play at it."""
    async with lobbies() as (_, (here, there)):
        await asyncio.sleep(AWAITED_SECONDS)
        ana, clock = Watcher(), SILENT_SECONDS + BEAT_SECONDS
        table = await here.tables.open_table(table_settings(clock=clock / ARRANGING_CLOCKS))
        await table.sit(ana, ANA)
        await table.sit(Watcher(), BO)
        await table.start(ana)
        eve, _ = await come_in(there, "eve")
        await eve.enter(at := await there.tables.bring_up("1"), at.come)
        await asyncio.sleep(SOON)
        assert table.runtime.elsewhere
        assert isinstance(there.store, SimulatedLog)
        there.store.freeze()
        await asyncio.sleep(clock)
        assert not table.runtime.elsewhere
        assert [seat and seat.away for seat in table.journal.state.seats] == ["clock", "clock"]


async def test_a_table_of_a_process_that_has_died_runs_again_and_falls_asleep() -> None:
    """Soon, in one of the others. A table that is left falls asleep before another process runs it."""
    async with lobbies(number=3) as (log, (here, there, third)):
        ana = Watcher()
        table = await playing(here, ana)
        await asyncio.sleep(SOON)
        assert isinstance(here.store, SimulatedLog)
        here.store.freeze()
        await asyncio.sleep(FOUND_SECONDS)
        assert len([*there.tables.here, *third.tables.here]) == 1
        await asyncio.sleep(DROWSY_SECONDS + SOON)
        assert not await log.awake()
        here.store.thaw()
        await asyncio.sleep(SILENT_SECONDS)
        assert [*await log.awake()] == [1]  # she has been there all the time
        for each in (there, third):
            await asyncio.sleep(FORLORN_SECONDS)
            assert not each.tables.here or each.tables.here[1].runtime.elsewhere == {ANA.id}
        await table.leave(ana, LOST)
        await asyncio.sleep(DROWSY_SECONDS + SOON)
        assert not await log.awake()
