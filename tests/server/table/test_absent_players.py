"""Players who lose the connection or their time: an AI player plays for them, and how they get the seat back."""

import asyncio

import pytest

from engine.errors import InputError, Refused
from engine.legality import legal_moves
from engine.moves import PASS, READY
from server.storage.memory_log import MemoryLog
from server.storage.table_log import NotSaved
from server.table.entries import Away, Dealt, Moved, Returned
from server.table.table_events import CameBack, Disconnected
from tests.support.tables import ANA, BO
from tests.support.tables_in_time import (
    CLOCK,
    CONFIG,
    CY,
    GRACE,
    PACE,
    Patient,
    entries,
    move_somehow,
    mover,
    play_began,
    table_of,
)

pytestmark = pytest.mark.virtual_time


async def test_a_returning_player_gets_the_seat_back_and_is_told_what_they_missed() -> None:
    """The AI player makes no further move."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK + 1)
        await table.back(slow)
        assert slow.snapshot is not None
        assert not slow.snapshot.away
        assert CameBack(slow.snapshot.seat or 0, moves=1, own=1) in slow.events
        with pytest.raises(InputError, match="yours already"):
            await table.back(slow)
        made = len(await entries(store, Moved))
        await asyncio.sleep(PACE * 3)
        assert len(await entries(store, Moved)) == made


async def test_a_move_that_comes_after_the_clock_is_refused_as_too_late() -> None:
    """The AI player has moved already. The player has the seat back, and is told why their move was not made."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        slow = mover(ana, bo)
        assert slow.snapshot is not None
        assert slow.snapshot.view is not None
        late = legal_moves(slow.snapshot.view, slow.snapshot.seat or 0)[0]
        await asyncio.sleep(CLOCK + 0.1)
        with pytest.raises(InputError, match="too late: an AI player has moved for you"):
            await table.move(slow, slow.snapshot.ply - 1, late)
        assert await entries(store, Returned) == [Returned(slow.snapshot.seat or 0)]


async def test_a_move_of_another_game_does_not_take_the_seat_back() -> None:
    """Such a line was typed before the player was away: it changes nothing."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK + 0.1)
        with pytest.raises(InputError, match="moved on since") as refused:
            await table.move(slow, 0, READY, "another game")
        assert refused.value.code == "stale"
        assert not await entries(store, Returned)


async def test_an_absent_player_who_moves_out_of_turn_is_back_and_told_whose_turn_it_is() -> None:
    """Not that an AI player has moved for them: the move was chosen after that."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK + 0.1)
        while mover(ana, bo) is slow:
            await asyncio.sleep(PACE)
        assert slow.snapshot is not None
        with pytest.raises(Refused) as refused:
            await table.move(slow, slow.snapshot.ply, PASS)
        assert refused.value.code == "not_your_turn"
        assert await entries(store, Returned) == [Returned(slow.snapshot.seat or 0)]


async def test_a_move_takes_the_seat_back_too() -> None:
    """A player who makes a move in time is back."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK + 0.1)
        while (current := mover(ana, bo)) is not slow:
            await move_somehow(table, current)
        await move_somehow(table, slow)
        assert slow.snapshot is not None
        assert not slow.snapshot.away
        seat = slow.snapshot.seat or 0
        assert await entries(store, Away, Returned) == [Away(seat, "clock"), Returned(seat)]


async def test_a_player_who_loses_the_connection_has_the_grace_to_return() -> None:
    """Nothing is lost if they do, and the others are told what will happen."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        await table.leave(ana, for_good=False)
        assert Disconnected(0, hung_up=False, seconds=GRACE) in bo.events
        await asyncio.sleep(GRACE - 1)
        await table.join(ana, ANA)
        await asyncio.sleep(GRACE)
        assert not await entries(store, Away)
        await table.leave(ana, for_good=False)
        await asyncio.sleep(GRACE + 0.1)
        assert await entries(store, Away) == [Away(0, "gone")]


async def test_a_seat_that_cannot_be_given_up_now_is_kept_and_the_others_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if its player had lost the connection: they are gone."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))

        async def fails(*_: object, **__: object) -> None:
            raise NotSaved("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(store, "append", fails)
            with pytest.raises(InputError, match="nothing can be saved now"):
                await table.leave(ana, for_good=True)
        assert Disconnected(0, hung_up=False, seconds=GRACE) in bo.events
        await asyncio.sleep(GRACE + 0.1)
        assert await entries(store, Away) == [Away(0, "gone")]


async def test_the_second_player_to_return_to_a_sleeping_table_has_the_grace() -> None:
    """They count as missed from the time when another player is present."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        await table.leave(ana, for_good=False)
        await asyncio.sleep(1)
        await table.leave(bo, for_good=False)
        await asyncio.sleep(300)
        await table.join(bo, BO)
        await asyncio.sleep(GRACE - 1)
        await table.join(ana, ANA)
        await asyncio.sleep(GRACE)
        assert not await entries(store, Away)


async def test_between_games_the_seat_of_a_player_who_stays_away_becomes_free() -> None:
    """Not after a short loss of the connection."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.leave(bo, for_good=False)
        await asyncio.sleep(CONFIG.keep_place - 1)
        assert table.names()[BO.id] == "bo"
        await asyncio.sleep(2)
        assert BO.id not in table.names()


async def test_a_player_who_is_away_when_a_game_starts_is_dealt_in_and_played_for() -> None:
    """They get the seat back when they return. Between games it is kept for a while."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.leave(bo, for_good=False)
        await asyncio.sleep(GRACE * 2)
        assert ana.snapshot is not None
        with pytest.raises(InputError, match="no free seat"):
            await table.sit(Patient(), CY)
        await table.start(ana)
        away, dealt = await entries(store, Away, Dealt)
        assert away == Away(1, "gone")
        assert isinstance(dealt, Dealt)
        await asyncio.sleep(1)
        await table.join(bo, BO)
        assert bo.snapshot is not None
        assert bo.snapshot.seat == 1
        assert not bo.snapshot.away
        assert any(isinstance(event, CameBack) and event.own for event in bo.events)
        await table.leave(bo, for_good=False)
        await asyncio.sleep(GRACE + 1)
        await table.move(ana, 0, READY)
        while ana.snapshot.view and ana.snapshot.view.phase != "over":
            if ana.snapshot.my_turn:
                await table.move(ana, ana.snapshot.ply, legal_moves(ana.snapshot.view, 0)[0])
            await asyncio.sleep(PACE / 2)
        await asyncio.sleep(CONFIG.keep_place - PACE * 2)
        assert table.names()[BO.id] == "bo"
        await asyncio.sleep(PACE * 3)
        assert BO.id not in table.names()
