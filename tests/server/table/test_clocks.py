"""The clock of a decision, and AI players that go on for players who lose the connection or their time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from engine.errors import InputError, Refused
from engine.legality import legal_moves
from engine.moves import PASS, READY, Flip, Move
from server.ai.pool import AIPool, Question, Thought
from server.people.players import Player
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from server.table.entries import Away, Dealt, Moved, Returned
from server.table.journal import Journal
from server.table.table import Table
from server.table.table_events import LOST, TO_LOBBY, CameBack, Disconnected, StoodIn, WentAway
from tests.support.tables import ANA, BO, changes, live, table_settings
from tests.support.tables_in_time import (
    CLOCK,
    CONFIG,
    CY,
    GRACE,
    PACE,
    Patient,
    move_somehow,
    mover,
    play_began,
    table_of,
)
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time


@asynccontextmanager
async def ana_and_bo_play() -> AsyncIterator[tuple[MemoryDatabase, Table, Patient, Patient]]:
    """A log, and a table at which the two have arranged their cards."""
    store, ana, bo = MemoryDatabase(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        yield store, table, ana, bo


async def test_when_the_clock_runs_out_an_ai_player_moves_at_once_and_holds_the_seat() -> None:
    """And it plays on until the player is back."""
    async with ana_and_bo_play() as (store, _, ana, bo):
        slow = mover(ana, bo)
        assert slow.seen.deadline == pytest.approx(now() + CLOCK)
        ply, seat = slow.seen.ply, slow.seen.seat
        await asyncio.sleep(CLOCK - 0.1)
        assert slow.seen.ply == ply
        await asyncio.sleep(0.2)
        assert slow.seen.ply == ply + 1
        assert slow.seen.away
        assert await changes(store, Away) == [Away(seat or 0, "clock")]
        assert WentAway(seat or 0, "clock") in bo.events
        assert StoodIn(seat or 0) in bo.events


class Thinker(AIPool):
    """AI players that find no move, or always the same one, unless they must move at once."""

    def __init__(self, move: Move | None) -> None:
        super().__init__()
        self._move = move

    def think(self, question: Question) -> asyncio.Future[Thought]:  # noqa: ARG002
        """A move that is never found, or found already."""
        found = asyncio.get_running_loop().create_future()
        if self._move is not None:
            found.set_result(Thought(self._move))
        return found


async def test_a_clock_that_runs_out_waits_for_no_thought() -> None:
    """An AI player that would search moves at once, so no request of the table waits for it."""
    store, ana, bo = MemoryDatabase(), Patient(), Patient()
    settings = structs.replace(table_settings(2, clock=CLOCK), level="master")
    journal = await Journal.begin(store, 1, settings, now)
    async with live(journal, CONFIG, Thinker(None)) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK)
        await table.back(slow)
        assert StoodIn(slow.snapshot.seat or 0 if slow.snapshot else 0) in slow.events
        assert now() == CLOCK


async def test_a_refused_move_of_an_ai_player_is_logged_once_and_replaced() -> None:
    """The table plays on with another legal move."""
    store, ana = MemoryDatabase(), Patient()
    journal = await Journal.begin(store, 1, table_settings(2), now)
    with capture_logs() as logs:
        async with live(journal, CONFIG, Thinker(Flip(99))) as table:
            await play_began(table, (ana, ANA))
            await ana.until(lambda snapshot: snapshot.my_turn)
            await move_somehow(table, ana)
            await ana.until(lambda snapshot: snapshot.my_turn)
    refused = [line for line in logs if line["event"] == "AI move refused"]
    made = [change for change in await changes(store, Moved) if change.seat == 1]
    assert len(refused) == len(made) > 0
    assert refused[0]["position"].seat == 1


async def test_the_clock_starts_when_a_second_person_returns() -> None:
    """The time that passed without a clock does not count."""
    async with ana_and_bo_play() as (_, table, ana, bo):
        await table.leave(bo, LOST)
        await ana.until(lambda snapshot: bool(snapshot.sitters[1] and snapshot.sitters[1].away) and snapshot.my_turn)
        await asyncio.sleep(CLOCK * 10)
        await table.come(bo, BO)
        assert ana.seen.deadline == pytest.approx(now() + CLOCK)


async def test_coming_and_going_gives_no_player_more_time() -> None:
    """The clock of a decision runs on while other players drop and return."""
    store, ana, bo, cy = MemoryDatabase(), Patient(), Patient(), Patient()
    async with table_of(store, 3) as table:
        await play_began(table, (ana, ANA), (bo, BO), (cy, CY))
        slow = mover(ana, bo, cy)
        other = bo if slow is not bo else cy
        player = BO if other is bo else CY
        deadline = slow.seen.deadline
        for _ in range(2):
            await table.leave(other, LOST)
            await asyncio.sleep(GRACE + 0.5)
            await table.come(other, player)
        assert slow.seen.deadline == deadline


async def test_a_table_that_wakes_gives_each_player_a_whole_clock() -> None:
    """Also if an entry is written meanwhile that decides nothing."""
    store, ana, bo = MemoryDatabase(), Patient(), Patient()
    async with table_of(store) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.start(ana)
        await table.leave(ana, LOST)
        await table.leave(bo, LOST)
        await asyncio.sleep(300)
        await table.come(ana, ANA)
        await table.come(bo, BO)
        woke = now()
        await asyncio.sleep(1)
        await table.move(ana, 0, READY)
        assert bo.seen.deadline == pytest.approx(woke + CLOCK * 2)
        await asyncio.sleep(CLOCK * 2 - 2)
        assert not await changes(store, Away)
        await asyncio.sleep(2)
        assert await changes(store, Away) == [Away(1, "clock")]


@pytest.mark.parametrize("jump", [3600.0, -3600.0])
async def test_when_the_time_of_day_jumps_no_clock_does(jump: float) -> None:
    """If the server's clock is set, players have neither less nor more time."""
    store, ana, bo, cy, fan = MemoryDatabase(), Patient(), Patient(), Patient(), Patient()
    wrong = 0.0
    journal = await Journal.begin(store, 1, table_settings(3, clock=CLOCK), lambda: 1e9 + now() + wrong)
    async with live(journal, CONFIG) as table:
        await play_began(table, (ana, ANA), (bo, BO), (cy, CY))
        await table.come(fan, Player("guest:fan", "fan"))
        slow = mover(ana, bo, cy)
        other = bo if slow is not bo else cy
        deadline = slow.seen.deadline
        await asyncio.sleep(1)
        wrong = jump
        await table.leave(fan, TO_LOBBY)
        await table.leave(other, TO_LOBBY)
        assert slow.seen.deadline == deadline
        await asyncio.sleep(CLOCK - 2)
        assert not await changes(store, Away)
        await asyncio.sleep(2)
        assert len(await changes(store, Away)) == 1


async def test_a_returning_player_gets_the_seat_back_and_is_told_what_they_missed() -> None:
    """The AI player makes no further move."""
    async with ana_and_bo_play() as (store, table, ana, bo):
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK + 1)
        await table.back(slow)
        assert not slow.seen.away
        assert CameBack(slow.seen.seat or 0, moves=1, own=1) in slow.events
        with pytest.raises(InputError, match="your own cards already"):
            await table.back(slow)
        made = len(await changes(store, Moved))
        await asyncio.sleep(PACE * 3)
        assert len(await changes(store, Moved)) == made


async def test_a_move_that_comes_after_the_clock_is_refused_as_too_late() -> None:
    """The AI player has moved already. The player has the seat back, and is told why their move was not made."""
    async with ana_and_bo_play() as (store, table, ana, bo):
        slow = mover(ana, bo)
        late = legal_moves(slow.view, slow.seen.seat or 0)[0]
        await asyncio.sleep(CLOCK + 0.1)
        with pytest.raises(InputError, match="too late: an AI player has moved for you"):
            await table.move(slow, slow.seen.ply - 1, late)
        assert await changes(store, Returned) == [Returned(slow.seen.seat or 0)]


async def test_a_move_of_another_game_does_not_take_the_seat_back() -> None:
    """Such a line was typed before the player was away: it changes nothing."""
    async with ana_and_bo_play() as (store, table, ana, bo):
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK + 0.1)
        with pytest.raises(InputError, match="moved on since") as refused:
            await table.move(slow, 0, READY, "another game")
        assert refused.value.code == "stale"
        assert not await changes(store, Returned)


async def test_an_absent_player_who_moves_out_of_turn_is_back_and_told_whose_turn_it_is() -> None:
    """Not that an AI player has moved for them: the move was chosen after that."""
    async with ana_and_bo_play() as (store, table, ana, bo):
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK + 0.1)
        while mover(ana, bo) is slow:
            await asyncio.sleep(PACE)
        with pytest.raises(Refused) as refused:
            await table.move(slow, slow.seen.ply, PASS)
        assert refused.value.code == "not_your_turn"
        assert await changes(store, Returned) == [Returned(slow.seen.seat or 0)]


async def test_a_move_takes_the_seat_back_too() -> None:
    """A player who makes a move in time is back."""
    async with ana_and_bo_play() as (store, table, ana, bo):
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK + 0.1)
        while (current := mover(ana, bo)) is not slow:
            await move_somehow(table, current)
        await move_somehow(table, slow)
        assert not slow.seen.away
        seat = slow.seen.seat or 0
        assert await changes(store, Away, Returned) == [Away(seat, "clock"), Returned(seat)]


async def test_a_player_who_loses_the_connection_has_the_grace_to_return() -> None:
    """Nothing is lost if they do, and the others are told what will happen."""
    async with ana_and_bo_play() as (store, table, ana, bo):
        await table.leave(ana, LOST)
        assert Disconnected(0, hung_up=False, seconds=GRACE) in bo.events
        await asyncio.sleep(GRACE - 1)
        await table.come(ana, ANA)
        await asyncio.sleep(GRACE)
        assert not await changes(store, Away)
        await table.leave(ana, LOST)
        await asyncio.sleep(GRACE + 0.1)
        assert await changes(store, Away) == [Away(0, "gone")]


async def test_a_seat_that_cannot_be_given_up_now_is_kept_and_the_others_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its player is gone, and may come back."""
    async with ana_and_bo_play() as (store, table, ana, bo):

        async def fails(*_: object, **__: object) -> None:
            raise NotSaved("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(store, "append", fails)
            with pytest.raises(InputError, match="nothing can be saved now"):
                await table.leave(ana, TO_LOBBY)
        assert Disconnected(0, hung_up=False, seconds=GRACE, goes_to="the lobby") in bo.events
        await asyncio.sleep(GRACE + 0.1)
        assert await changes(store, Away) == [Away(0, "gone")]


async def test_the_second_player_to_return_to_a_sleeping_table_has_the_grace() -> None:
    """They count as missed from the time when another player is present."""
    async with ana_and_bo_play() as (store, table, ana, bo):
        await table.leave(ana, LOST)
        await asyncio.sleep(1)
        await table.leave(bo, LOST)
        await asyncio.sleep(300)
        await table.come(bo, BO)
        await asyncio.sleep(GRACE - 1)
        await table.come(ana, ANA)
        await asyncio.sleep(GRACE)
        assert not await changes(store, Away)


@pytest.mark.parametrize("returns", [True, False])
async def test_a_player_who_is_away_at_the_deal_arranges_their_own_cards_if_they_return_in_time(
    returns: bool,  # noqa: FBT001
) -> None:
    """The AI player that plays for them arranges when nobody else does any more: here when ana's time is up."""
    store, ana, bo = MemoryDatabase(), Patient(), Patient()
    async with table_of(store, seats=3) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.sit(cy := Patient(), CY)
        await table.leave(bo, LOST)
        await asyncio.sleep(GRACE + 1)
        await table.start(ana)
        await table.move(cy, 0, READY)
        await asyncio.sleep(CLOCK)
        assert [change.seat for change in await changes(store, Moved)] == [2]
        if returns:
            await table.come(bo, BO)
            assert bo.seen.my_turn
            assert CameBack(1, moves=1, own=0) in bo.events
            await table.move(bo, 1, READY)
            await table.move(ana, 2, READY)
        else:
            await asyncio.sleep(CLOCK + 1)
        assert not table.journal.state.arranging
        stood_in = {event.seat for event in ana.events if isinstance(event, StoodIn)}
        assert stood_in == (set() if returns else {0, 1})


async def test_a_player_who_is_away_when_a_game_starts_is_dealt_in_and_played_for() -> None:
    """They get the seat back when they return. Between games it is kept for a while."""
    store, ana, bo = MemoryDatabase(), Patient(), Patient()
    async with table_of(store) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.leave(bo, LOST)
        await asyncio.sleep(GRACE * 2)
        with pytest.raises(InputError, match="no free seat"):
            await table.sit(Patient(), CY)
        await table.start(ana)
        away, dealt = await changes(store, Away, Dealt)
        assert away == Away(1, "gone")
        assert isinstance(dealt, Dealt)
        await asyncio.sleep(1)
        await table.come(bo, BO)
        assert bo.seen.seat == 1
        assert not bo.seen.away
        await table.leave(bo, LOST)
        await asyncio.sleep(GRACE + 1)
        await table.move(ana, 0, READY)
        while ana.seen.view and ana.seen.view.phase != "over":
            if ana.seen.my_turn:
                await table.move(ana, ana.seen.ply, legal_moves(ana.seen.view, 0)[0])
            await asyncio.sleep(PACE / 2)
        await asyncio.sleep(CONFIG.keep_place - PACE * 2)
        assert table.names()[BO.id] == "bo"
        await asyncio.sleep(PACE * 3)
        assert BO.id not in table.names()
