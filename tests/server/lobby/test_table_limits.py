"""How many tables an address and a player may run and keep, and which table gives way if all are in use."""

import asyncio
from contextlib import AbstractAsyncContextManager, suppress
from ipaddress import ip_address
from typing import Any
from unittest.mock import AsyncMock, patch

import pytest

from engine.errors import InputError
from server.commands.typed_line import execute, parse
from server.config import Config
from server.limits import NEW_TABLES_PER_ADDRESS, TABLES, TABLES_PER_CONNECTION, TABLES_PER_PLAYER
from server.lobby.listed_tables import ListedTables
from server.lobby.lobby import Lobby
from server.lobby.peers import Peers
from server.lobby.table_limits import IDLE_SECONDS, TableLimits
from server.lobby.tables import READ_SECONDS
from server.people.players import Caller, Player
from server.player.player_session import PlayerSession, parting_lines
from server.storage.database import Database, Head, LogEntry, NotSaved
from server.storage.sqlite_database import MemoryDatabase
from server.table.deadlines import WAKING_SECONDS
from server.table.table import Table
from server.table.table_events import LOST, TO_LOBBY
from server.table.unlogged_state import LOADED_SECONDS
from tests.support.emulator import opened
from tests.support.front_end import Remembering, come_in
from tests.support.log_entries import heads
from tests.support.nodes import lobbies, node
from tests.support.occasions import exam_settings
from tests.support.simulated_log import PERFECT, Faults, World
from tests.support.tables import ANA, BO, Watcher, known_seeds, table_settings

pytestmark = pytest.mark.virtual_time
OP = "SHA256:" + 43 * "o"


def a_lobby(
    log: MemoryDatabase | None = None, *, tables: int = TABLES.share, per_player: int = TABLES_PER_PLAYER.share
) -> AbstractAsyncContextManager[Lobby]:
    """A lobby with an op, where so many tables may run. If they are few, one address may run all of them."""
    config = Config(pace=1.0, per_address=2, ops=(OP,))
    lobby = Lobby(config, log or MemoryDatabase(), new_seed=known_seeds(), wall=asyncio.get_running_loop().time)
    limits = lobby.tables.limits
    limits.tables, limits.per_player = tables, per_player
    if tables < TABLES.share:
        limits.part_of_free = 1
    return opened(lobby)


def caller(host: int) -> Caller:
    """A caller from an address of their own."""
    return Caller(address=ip_address(f"192.0.2.{host}"))


async def comes(lobby: Lobby, host: int, *, plays: bool = True, player_id: str = "") -> tuple[Table, Watcher]:
    """A player from this address opens a table, and begins a game if they play."""
    watcher = Watcher()
    table = await lobby.tables.open_table(table_settings(), caller(host), player_id)
    await table.sit(watcher, Player(f"guest:{host}", f"guest{host}"))
    if plays:
        await table.start(watcher)
    await asyncio.sleep(1)
    return table, watcher


def running(lobby: Lobby) -> set[int]:
    """The tables that players are present at, as the lobby lists them."""
    return {listing.number for listing in lobby.tables.listings() if not listing.asleep}


async def is_refused(lobby: Lobby, host: int) -> None:
    """A player from this address gets no table, and no table gives way."""
    before = running(lobby)
    with pytest.raises(InputError, match="too many tables are in use"):
        await comes(lobby, host)
    assert running(lobby) == before


async def test_an_address_does_not_open_tables_all_the_time() -> None:
    """Each leaves a finished game in the log, and a player who leaves at once has a new one in a moment."""
    async with a_lobby() as lobby:
        for _ in range(int(NEW_TABLES_PER_ADDRESS.share.burst)):
            lobby.ledger.charge(NEW_TABLES_PER_ADDRESS, caller(1))
        with pytest.raises(InputError, match="many tables were opened from your address"):
            await comes(lobby, 1)
        with pytest.raises(InputError, match="many tables were opened from your address"):
            await lobby.tables.open_table(exam_settings(ANA, ""), caller(1))
        await comes(lobby, 2)
        await asyncio.sleep(10)
        await comes(lobby, 1)


async def test_a_new_address_gets_a_table_although_all_are_in_use() -> None:
    """A table of the address that runs the most sleeps for it; its players are told, and go on when there is room."""
    async with a_lobby(tables=6) as lobby:
        many = [await comes(lobby, 1) for _ in range(3)]
        for host in (2, 3, 4):
            await comes(lobby, host)
        await is_refused(lobby, 1)
        (table, ana), spectator, number = many[0], Watcher(), many[0][0].number
        await table.come(spectator, BO)
        await comes(lobby, 5)
        assert running(lobby) == {2, 3, 4, 5, 6, 7}
        assert (ana.lines[-1], spectator.lines[-1]) == ("closed", "closed")
        why = f"all tables are in use, so table {number} sleeps now: come back with"
        assert (ana.why_closed, spectator.why_closed) == (f"{why} sit {number}", f"{why} watch {number}")
        await comes(lobby, 6)
        await is_refused(lobby, 7)  # as everybody has one, and plays
        await asyncio.sleep(IDLE_SECONDS)
        await comes(lobby, 7)
        (await lobby.tables.bring_up(str(number), caller(9))).listing()


async def test_a_table_between_games_gives_way_before_one_with_a_running_game() -> None:
    """Though something happened there later: nobody can lose a game by it."""
    async with a_lobby(tables=6) as lobby:
        await comes(lobby, 1)
        idle, _ = await comes(lobby, 1, plays=False)
        for host in (1, 2, 3, 4):
            await comes(lobby, host)
        await comes(lobby, 5)
        assert running(lobby) == {1, 3, 4, 5, 6, 7} == {*range(1, 8)} - {idle.number}


async def test_no_table_gives_way_to_a_caller_who_gets_none() -> None:
    """Since they name no table, or one that cannot go on, or have opened too many."""
    async with a_lobby(tables=6, per_player=2) as lobby:
        for _ in range(2):
            await comes(lobby, 1, player_id=ANA.id)
        for host in (1, 2, 3, 4):
            await comes(lobby, host)
        before = running(lobby)
        lobby.tables.unreadable[77] = "it cannot go on"
        for text, why in (("frob", "no table"), ("999", "no table"), ("77", "it cannot go on")):
            with pytest.raises(InputError, match=why):
                await lobby.tables.bring_up(text, caller(9))
        with pytest.raises(InputError, match="you have opened 2 tables"):
            await lobby.tables.open_table(table_settings(), caller(9), ANA.id)
        assert running(lobby) == before


async def test_an_address_runs_a_table_with_players_in_another_process_too() -> None:
    """So no table gives way to it."""
    async with a_lobby(tables=6) as lobby:
        table, _ = await comes(lobby, 2)
        for host in (1, 1, 1, 3, 4):
            await comes(lobby, host)
        with patch.object(lobby.tables, "elsewhere", return_value=frozenset({"account:elsewhere"})):
            await table.note_elsewhere()
        await is_refused(lobby, 2)


async def test_an_op_frees_a_seat_at_a_sleeping_table_although_all_are_in_use() -> None:
    """A kicked player keeps no seat."""
    async with a_lobby(tables=6) as lobby:
        op, bo = (PlayerSession(lobby, Caller(key[-2:], key), Remembering()) for key in (OP, "SHA256:bo"))
        for session in (op, bo):
            await session.identify()
            await session.begin()
        table = await lobby.tables.open_table(table_settings())
        await bo.enter(table, table.sit)
        await table.start(bo)
        await bo.finish()
        for host in range(1, 7):
            await comes(lobby, host)
        assert [*await lobby.tables.seats_of(bo.player.id)] == [table.number]
        await lobby.expel(bo, "An op has disconnected you.", OP)
        assert not await lobby.tables.seats_of(bo.player.id)


async def test_a_table_that_cannot_go_on_is_not_closed_for_another() -> None:
    """But the one that is due next."""
    log = MemoryDatabase()
    async with a_lobby(log, per_player=2) as lobby:
        for host in (1, 2):
            table, watcher = await comes(lobby, host, player_id=ANA.id)
            await table.leave(watcher, LOST)
            await asyncio.sleep(1)
            await table.unload()
        lobby.tables.unreadable[1] = "it cannot go on"
        await comes(lobby, 3, player_id=ANA.id)
        await asyncio.sleep(WAKING_SECONDS + READ_SECONDS)
        assert {*await heads(log)} == {1, 3}


async def test_a_table_that_has_closed_meanwhile_keeps_nobody_from_opening_another() -> None:
    """And if the log fails, the player is told so."""

    class Closing(MemoryDatabase):
        """A log where a table closes right after it was said who has opened it."""

        async def opened_by(self, opener: str) -> list[tuple[int, float | None]]:
            """See `Database`."""
            found = await super().opened_by(opener)
            if [number for number, _ in found] == [1, 2]:
                await self.delete(1, (await heads(self))[1])
            return found

    log = Closing()
    async with a_lobby(log, per_player=2) as lobby:
        for host in (1, 2):
            table, watcher = await comes(lobby, host, player_id=ANA.id)
            await table.leave(watcher, LOST)
            await table.unload()
        await comes(lobby, 3, player_id=ANA.id)
        assert {*await heads(log)} == {2, 3}
        log.put_to_sleep = AsyncMock(side_effect=NotSaved("the disk is full"))  # type: ignore[method-assign]
        with pytest.raises(InputError, match="nothing can be saved now"):
            await comes(lobby, 4, player_id=ANA.id)


def test_an_address_runs_no_more_tables_than_its_connections_allow() -> None:
    """Also while most of the room is free."""
    config, peers = Config(per_address=2), Peers("")
    limits = TableLimits(config, MemoryDatabase(), {}, ListedTables({}, peers), peers)
    most = TABLES_PER_CONNECTION.share * config.per_address
    for number in range(most):
        limits.must_admit(caller(1), range(number))
        limits.note(number, caller(1))
    with pytest.raises(InputError, match=f"your address has opened {most} tables"):
        limits.must_admit(caller(1), range(most))
    limits.must_admit(caller(2), range(most))


def test_it_takes_66_addresses_to_run_all_tables() -> None:
    """If each runs as many as it may."""
    limits, tables = TableLimits(Config(), MemoryDatabase(), {}, ListedTables({}, Peers("")), Peers("")), set[int]()
    for host in range(66):
        assert len(tables) < TABLES.share
        with suppress(InputError):
            while True:
                limits.must_admit(caller(host), tables)
                limits.note(len(tables), caller(host))
                tables.add(len(tables))
    assert len(tables) == TABLES.share


@pytest.mark.features("cluster")
async def test_tables_of_an_address_count_in_whichever_process_they_run() -> None:
    """Two processes let an address run no more than one would."""
    async with lobbies() as (_, (here, there)):
        await asyncio.sleep(2)
        here.tables.limits.tables = there.tables.limits.tables = 24
        await comes(here, 1)
        await asyncio.sleep(2)
        await comes(there, 1)
        with pytest.raises(InputError, match="too many tables are in use"):
            await comes(there, 1)
        await comes(there, 2)


@pytest.mark.features("cluster")
async def test_the_next_table_of_a_number_does_not_count_for_the_address_of_the_last_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though it was opened for nobody, in another process."""
    monkeypatch.setattr(Database.free_number, "__defaults__", (0,))
    async with lobbies() as (_, (here, there)):
        await asyncio.sleep(2)
        here.tables.limits.tables = there.tables.limits.tables = 24
        before, _ = await comes(here, 1)
        await before.director.abandon()
        await asyncio.sleep(2)
        table = await here.tables.open_table(table_settings())
        assert table.number == before.number
        await table.sit(Watcher(), BO)
        await asyncio.sleep(2)
        await comes(there, 1)
        await comes(there, 1)


@pytest.mark.features("cluster")
async def test_a_process_that_begins_later_knows_whom_tables_count_for() -> None:
    """The others tell it, so that after a renewal nobody may run as many once more."""
    world = World(1, PERFECT)
    here, later = node(world, "0"), node(world, "1")
    here.tables.limits.tables = later.tables.limits.tables = 24
    await here.open()
    await comes(here, 1)
    await comes(here, 1)
    await later.open()
    await asyncio.sleep(2)
    with pytest.raises(InputError, match="too many tables are in use"):
        await comes(later, 1)
    await comes(later, 2)
    for each in (here, later):
        await each.close()


async def test_each_table_of_many_that_are_opened_at_once_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No two of them try the same number, though every answer of the log takes a while."""
    async with lobbies(Faults(latency=0.01), number=1) as (_, (lobby,)):
        append, tries = lobby.store.append, list[int]()

        async def count(head: Head, entry: LogEntry, *rest: Any, **more: Any) -> None:  # noqa: ANN401
            tries.append(entry.table)
            await append(head, entry, *rest, **more)

        monkeypatch.setattr(lobby.store, "append", count)
        await asyncio.gather(*(lobby.tables.open_table(table_settings()) for _ in range(20)))
        assert sorted(tries) == list(range(1, 21))


async def answer(session: PlayerSession, line: str) -> list[str]:
    """The lines of the answer to a command."""
    return [*(await execute(parse(line, session), session)).lines]


async def test_players_find_their_game_again_that_had_to_give_way() -> None:
    """They read where it is when they come in while there is no room, and go on in it as soon as there is."""
    async with a_lobby(tables=6) as lobby:
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        await answer(ana, "play")
        number, game = ana.table.number, ana.snapshot and ana.snapshot.game
        others = [await comes(lobby, host) for host in (1, 1, 2, 3, 4)]
        await comes(lobby, 5)
        assert not ana.at_table
        await ana.finish()
        for _ in range(2):
            await asyncio.sleep(LOADED_SECONDS)
            ana, read = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
            refusal = f"There is no room for table {number} now, but your seat is kept: come back with sit {number}."
            assert (read.lines, ana.reminder) == ([refusal], refusal)
            assert f"Your seat at table {number} is kept: sit {number}" in await answer(ana, "resume")
            await ana.finish()
        for table, watcher in others[:2]:
            await table.leave(watcher, TO_LOBBY)
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        assert (ana.table.number, ana.in_game, ana.snapshot and ana.snapshot.game) == (number, True, game)


async def test_a_guest_whose_game_had_to_give_way_leaves_with_the_resume_code() -> None:
    """As one does whose game runs; and only while the seat is kept."""
    async with a_lobby(tables=6) as lobby:
        ana, _ = await come_in(lobby, "ana", address="192.0.2.1")
        assert not parting_lines(ana)
        await answer(ana, "play")
        for host in (1, 1, 2, 3, 4, 5):
            await comes(lobby, host)
        assert not ana.at_table
        assert parting_lines(ana) == [f"Your seat is kept for a while: come in again and type resume {ana.resume_code}"]
        await asyncio.sleep(lobby.config.keep_table + 60)
        assert not parting_lines(ana)


async def test_a_player_with_a_key_who_hangs_up_during_a_game_leaves_with_its_seat() -> None:
    """Plain lines without a terminal are not asked before, so the last line says it."""
    async with a_lobby() as lobby:
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        assert not parting_lines(ana)
        await answer(ana, "play")
        assert parting_lines(ana) == ["Your seat is kept for a while: come in again."]


async def test_a_player_whom_an_op_sends_away_leaves_with_no_promise() -> None:
    """In the middle of a game, with a key or without one: an AI player has the seat for good."""
    async with a_lobby() as lobby:
        for key in ("SHA256:ana", None):
            ana, _ = await come_in(lobby, "ana", key, "192.0.2.1")
            await answer(ana, "play")
            assert parting_lines(ana)
            shown = ana.location
            await lobby.expel(ana, "An op has disconnected you.", OP)
            ana.location = shown  # the newest picture of the table may still be on its way
            assert not parting_lines(ana)
            await ana.finish()


async def test_a_player_with_seats_at_two_tables_is_told_of_the_other_one() -> None:
    """They come back to the first; it may be the other one that had to give way."""
    async with a_lobby(tables=6) as lobby:
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        await answer(ana, "play")
        await ana.table.give_way()
        await answer(ana, "play")
        await ana.finish()
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        (other,) = (await lobby.tables.seats_of(ANA.id)).keys() - {ana.table.number}
        assert f"Your seat at table {other} is kept, too: sit {other}" in ana.scene.log
