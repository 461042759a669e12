"""An unwatched table is not followed move by move; a player who comes to it finds it as it is."""

import asyncio

import pytest

from engine.legality import legal_moves
from engine.moves import READY
from server.peers.people_here import TICK_SECONDS
from server.storage.table_log import LogEntry
from server.table.entries import Committed, Moved
from server.table.table import Table
from tests.support.nodes import CONFIG, DEAF, changes, coming, lobbies
from tests.support.simulated_log import SimulatedLog
from tests.support.tables import ANA, BO, Watcher, table_settings
from tests.support.virtual_time import in_virtual_time

SOON = TICK_SECONDS * 2
"""Seconds after which every server knows which players are where."""


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


@in_virtual_time
async def test_moves_at_an_unseen_table_are_not_read_one_by_one(reads: list[int]) -> None:
    """It is read once a second at most; the list has the number of the move, and a player who comes sees the game."""
    async with lobbies() as (log, (here, there)):
        ana, bo = Watcher(), Watcher()
        table = await here.tables.open_table(table_settings())
        await table.sit(ana, ANA)
        await table.set_pace(ana, 0.0)
        await table.start(ana)
        await asyncio.sleep(SOON)
        await table.move(ana, 0, READY)
        other = there.tables.here[1]
        head = other.head
        reads.clear()
        await play(table, ana, moves=40, seconds=0.1)
        assert len(await changes(log, Moved)) > 40
        assert len(reads) < 10
        assert await changes(log, Committed) or other.head == head
        await there.read_on()
        assert [each.ply for each in there.tables.listings()] == [each.ply for each in here.tables.listings()]
        await (await there.tables.find_table("1")).join(bo, BO)
        assert other.head == table.head
        await play(table, ana, moves=2, seconds=0.5)
        assert bo.snapshot is not None
        assert ana.snapshot is not None
        assert (bo.snapshot.game, bo.snapshot.ply) == (ana.snapshot.game, ana.snapshot.ply)


@in_virtual_time
async def test_a_player_who_comes_in_elsewhere_right_after_sitting_down_has_the_seat() -> None:
    """Also if that server has not heard of it yet, and if the table is unwatched there."""
    async with lobbies(DEAF) as (_, (here, there)):
        bo = Watcher()
        table = await here.tables.open_table(table_settings(seats=3))
        await table.sit(bo, BO)
        await asyncio.sleep(CONFIG.grace)
        ana, _ = await coming(here, "ana", "SHA256:ana")
        await ana.enter(table, table.sit)
        again, _ = await coming(there, "ana", "SHA256:ana")
        assert again.snapshot is not None
        assert again.snapshot.seat == 1


@in_virtual_time
async def test_a_table_that_its_players_have_left_is_read_on_to_the_last_entry() -> None:
    """As it may fall asleep by this server then."""
    async with lobbies() as (_, (here, there)):
        ana = Watcher()
        table = await here.tables.open_table(table_settings())
        await table.sit(ana, ANA)
        await table.set_pace(ana, 0.0)
        await table.start(ana)
        await asyncio.sleep(SOON)
        await table.move(ana, 0, READY)
        await play(table, ana, moves=5, seconds=0.1)
        other = there.tables.here[1]
        assert other.head != table.head
        await table.leave(ana, for_good=False)
        await asyncio.sleep(SOON)
        assert other.head == table.head
        assert other.listing().asleep
