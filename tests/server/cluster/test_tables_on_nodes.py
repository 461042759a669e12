"""Several servers on one log: what one of them does not know costs no player at another a seat, a turn or a table."""

import asyncio

import pytest

from engine.errors import InputError
from engine.moves import READY
from server.cluster.several import SILENT_SECONDS, TICK_SECONDS
from server.lobby.lobby import Lobby
from server.lobby.tables import READ_SECONDS
from server.people.players import Caller
from server.table.entries import Abandoned, Away, Moved, Sat
from server.table.journal import Journal
from server.table.table_events import LOST, TO_LOBBY
from server.table.unlogged_state import READING_SECONDS
from tests.soak import long
from tests.support.emulator import TerminalPlayer, opened
from tests.support.faulty_log import FaultyLog
from tests.support.goldens import play_to_the_end
from tests.support.log_entries import heads
from tests.support.nodes import CLOCK, CONFIG, DEAF, lobbies, meet
from tests.support.simulated_log import Faults, SimulatedLog, World
from tests.support.tables import ANA, BO, Watcher, add, changes, known_seeds, live, read_on, table_settings
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time


async def test_a_server_reads_the_log_even_if_it_hears_of_no_change() -> None:
    """Within seconds it has what was written elsewhere."""
    async with lobbies(DEAF) as (_, (here, there)):
        table, ana, other, _ = await meet(here, there)
        await table.start(ana)
        await asyncio.sleep(READ_SECONDS * 1.1)
        assert other.journal.head == table.journal.head


async def test_a_server_that_took_itself_to_be_alone_reads_the_log_when_it_hears_of_another() -> None:
    """The other may have written before, and a server that is alone reads the log seldom."""
    async with lobbies(DEAF) as (_, (here, there)):
        log, ana = there.store, Watcher()
        assert isinstance(log, SimulatedLog)
        table = await there.tables.open_table(table_settings())
        await table.sit(ana, ANA)
        log.freeze()
        starting = table.start(ana)
        await asyncio.sleep(SILENT_SECONDS + 1)
        assert not here.peers.others
        log.thaw()
        while not here.peers.others:
            await asyncio.sleep(TICK_SECONDS)
        await asyncio.sleep(TICK_SECONDS)
        await starting
        row = here.tables.listed.row(table.number)
        assert row
        assert row.head == table.journal.head


async def test_a_new_table_has_one_task() -> None:
    """Although the lobby may find it in the log before its opener is told. A second task would close it."""
    slow = FaultyLog()
    slow.answers_after = READ_SECONDS * 0.7
    async with opened(Lobby(CONFIG, slow, new_seed=known_seeds(), wall=now)) as lobby:
        await asyncio.sleep(READ_SECONDS * 0.7)
        table = await lobby.tables.open_table(table_settings())
        assert await lobby.tables.bring_up("1") is table
        ana = Watcher()
        await table.sit(ana, ANA)
        await asyncio.sleep(CONFIG.keep_table * 3)
        assert "closed" not in ana.lines


async def test_players_at_another_server_are_present() -> None:
    """A server without players at the table does not close it, and no server takes their seats."""
    async with lobbies(number=3) as (log, (here, there, nobody)):
        table, ana, other, bo = await meet(here, there)
        await other.leave(bo, TO_LOBBY)
        await other.come(bo, BO)
        await asyncio.sleep(READ_SECONDS)
        await table.start(ana)
        await table.move(ana, 0, READY)
        await ana.until(lambda snapshot: snapshot.my_turn)
        await asyncio.sleep(CONFIG.keep_seat * 4)
        assert not await changes(log, Away, Abandoned)
        assert not nobody.tables.listings()[0].asleep
        await other.leave(bo, TO_LOBBY)
        await asyncio.sleep(CONFIG.keep_seat * 4)
        assert "closed" not in ana.lines
        await table.leave(ana, LOST)
        await asyncio.sleep(SILENT_SECONDS + CONFIG.keep_seat)
        assert not await heads(log)


async def test_a_server_that_was_stopped_while_it_read_does_not_take_others_for_dead() -> None:
    """What it reads then is news, however long ago it asked. The table of a spectator at another server stays."""
    async with lobbies() as (_, (here, there)):
        table, ana, other, bo = await meet(here, there)
        await other.leave(bo, TO_LOBBY)
        await other.come(bo, BO)
        await asyncio.sleep(READ_SECONDS * 2.1)
        await table.leave(ana, TO_LOBBY)
        assert isinstance(here.store, SimulatedLog)
        for _ in range(4):
            await asyncio.sleep(READ_SECONDS * 1.1)
            here.store.freeze()
            await asyncio.sleep(SILENT_SECONDS * 2)
            here.store.thaw()
            await asyncio.sleep(READ_SECONDS * 2)
            assert table.runtime.elsewhere == {BO.id}
        assert "closed" not in bo.lines


@pytest.mark.parametrize("before", long([0.0, 1.5], [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]))
@pytest.mark.parametrize("stopped", [0.0, CONFIG.keep_table * 2])
async def test_a_table_stays_if_somebody_comes_elsewhere_as_its_last_player_leaves(
    before: float, stopped: float
) -> None:
    """No player has a seat any more, the other server has not said yet who is there, and this one writes late."""
    async with lobbies() as (_, (here, there)):
        ana, bo = Watcher(), Watcher()
        table = await here.tables.open_table(table_settings())
        await table.sit(ana, ANA)
        await asyncio.sleep(2 * READ_SECONDS + before)
        await (await there.tables.bring_up("1")).come(bo, BO)
        await table.leave(ana, TO_LOBBY)
        assert isinstance(here.store, SimulatedLog)
        if stopped:
            here.store.freeze()
            await asyncio.sleep(stopped)
            here.store.thaw()
        await asyncio.sleep(CONFIG.keep_table)
        assert "closed" not in bo.lines


@pytest.mark.parametrize("left", ["just now", "a while ago", "long ago"])
@pytest.mark.parametrize("comes", ["before", "at once", "after"])
async def test_a_table_that_is_to_make_room_stays_if_somebody_comes_elsewhere(left: str, comes: str) -> None:
    """Its opener opens too many tables. It was left just now, or sleeps, or sleeps and is loaded nowhere."""
    async with lobbies() as (log, (here, there)):
        here.tables.limits.per_player = there.tables.limits.per_player = 1
        ana, bo, cy = Watcher(), Watcher(), Watcher()
        table = await here.tables.open_table(table_settings(), player_id=ANA.id)
        await table.sit(ana, ANA)
        await asyncio.sleep(READ_SECONDS * 2)
        await table.leave(ana, LOST)
        await asyncio.sleep(0 if left == "just now" else 10)
        if left == "long ago":
            await table.unload()

        async def bo_comes() -> None:
            await (await there.tables.bring_up("1")).come(bo, BO)

        if comes == "before":
            await bo_comes()
        opening = here.tables.open_table(table_settings(), player_id=ANA.id)
        if comes == "at once":
            second, _ = await asyncio.gather(opening, bo_comes())
        else:
            second = await opening
        if comes == "after":
            await asyncio.sleep(1)
            await bo_comes()
        await second.come(cy, ANA)
        await asyncio.sleep(CONFIG.keep_table * 3)
        assert "closed" not in bo.lines
        assert {*await heads(log)} == {1, 2}


async def test_a_player_whose_server_has_died_is_played_for() -> None:
    """Even if there is no clock."""
    async with lobbies() as (log, (here, there)):
        table, ana, other, bo = await meet(here, there)
        await table.leave(ana, TO_LOBBY)
        await table.come(ana, ANA)
        await asyncio.sleep(READ_SECONDS)
        await other.start(bo)
        await asyncio.sleep(TICK_SECONDS)
        await there.close()
        await asyncio.sleep(SILENT_SECONDS + READ_SECONDS + CONFIG.grace)
        assert Away(1, "gone") in await changes(log, Away)


async def test_a_player_who_could_not_come_in_is_not_present() -> None:
    """A subscriber without a player would keep the table open and the seat taken."""
    log = World(1)
    journal = await Journal.begin(log.node("here"), 1, table_settings(clock=CLOCK), now)
    ana, bo, again = Watcher(), Watcher(), Watcher()
    async with live(journal, CONFIG) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.start(ana)
        await table.leave(bo, LOST)
        await asyncio.sleep(CONFIG.grace + 1)
        log.faults = Faults(not_saved=1)
        with pytest.raises(InputError, match="nothing can be saved"):
            await table.come(again, BO)
        assert BO.id not in table.runtime.here


async def test_a_move_of_one_game_is_never_made_in_the_next() -> None:
    """However long it waits in the inbox, since plies begin anew with each game."""
    log, ana = World(1), Watcher()
    here = log.node("here")
    journal = await Journal.begin(here, 1, table_settings(), now)
    async with live(journal, CONFIG) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        await asyncio.sleep(1)
        here.freeze()
        stuck = asyncio.create_task(read_on(table))
        late = table.move(ana, 0, READY)
        await asyncio.sleep(1)
        elsewhere = await Journal.load(log.node("there"), 1, now)
        await add(elsewhere, Abandoned())
        async with live(elsewhere, CONFIG) as other:
            again = Watcher()
            await other.come(again, ANA)
            await other.start(again)
        here.thaw()
        await stuck
        with pytest.raises(InputError, match="moved on"):
            await late
        assert Moved(0, "ready") not in await changes(log.log, Moved, Sat)


async def test_a_process_that_shows_all_tables_waits_for_the_readers_of_another() -> None:
    """So the console of a server that stops closes when the last of them have had their time, not a minute before."""
    async with lobbies() as (_, (here, there)):
        there.tables.begin_viewing(ana := TerminalPlayer(here, "ana", caller=Caller("ana")))
        await play_to_the_end(ana)
        await asyncio.sleep(2 * READ_SECONDS)
        assert here.tables.in_use()
        assert there.tables.in_use()
        await asyncio.sleep(READING_SECONDS)
        assert not there.tables.in_use()
        await ana.go()
