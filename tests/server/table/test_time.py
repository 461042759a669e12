"""What tables do in the course of time: no table stalls, no seat is lost, no clock runs while all players are away."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Unpack

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from engine.errors import InputError, Refused
from engine.legality import legal_moves
from engine.moves import PASS, READY, Flip, Move
from server.ai.pool import AIPool, Question
from server.config import Config
from server.people.players import Player
from server.storage.memory_log import MemoryLog
from server.storage.table_log import FinishedGame, Head, LogEntry, NotSaved, TableLog
from server.table.entries import Away, Dealt, Moved, Returned, Sat, read_change
from server.table.journal import Journal
from server.table.table import Table
from server.table.table_events import CameBack, Disconnected, StoodIn, WentAway
from tests.support.log_entries import Along, heads
from tests.support.tables import ANA, BO, Watcher, live, table_settings
from tests.support.virtual_time import in_virtual_time

CLOCK, GRACE, PACE = 30.0, 10.0, 2.0
CY = Player("guest:cy", "cy")
CONFIG = Config(pace=PACE, grace=GRACE, keep_table=900.0, keep_seat=86400.0)


class Patient(Watcher):
    """A watcher that waits in virtual time."""

    patience = 1e6


def now() -> float:
    """The virtual time, which is also the time of day here."""
    return asyncio.get_running_loop().time()


@asynccontextmanager
async def table_of(store: TableLog, seats: int = 2) -> AsyncIterator[Table]:
    """A table with a clock of its own."""
    journal = await Journal.begin(store, 1, table_settings(seats, clock=CLOCK), now)
    async with live(journal, CONFIG) as table:
        yield table


async def play_began(table: Table, *people: tuple[Watcher, Player]) -> None:
    """These players sit down, start, and are ready at once."""
    for watcher, player in people:
        await table.sit(watcher, player)
    await table.start(people[0][0])
    for watcher, _ in people:
        await table.move(watcher, 0, READY)


async def entries(store: TableLog, *kinds: type) -> list[object]:
    """The changes of these kinds in the log."""
    return [change for entry in await store.read(1) if isinstance(change := read_change(entry.data), kinds)]


def mover(*watchers: Watcher) -> Watcher:
    """The watcher whose turn it is."""
    return next(watcher for watcher in watchers if watcher.snapshot and watcher.snapshot.my_turn)


async def move_somehow(table: Table, watcher: Watcher) -> None:
    """Make a legal move."""
    assert watcher.snapshot is not None
    assert watcher.snapshot.view is not None
    move = legal_moves(watcher.snapshot.view, watcher.snapshot.seat or 0)[0]
    await table.move(watcher, watcher.snapshot.ply, move)


@in_virtual_time
async def test_when_the_clock_runs_out_an_ai_player_moves_at_once_and_holds_the_seat() -> None:
    """And it plays on until the player is back."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        slow = mover(ana, bo)
        assert slow.snapshot is not None
        assert slow.snapshot.deadline == pytest.approx(now() + CLOCK)
        ply, seat = slow.snapshot.ply, slow.snapshot.seat
        await asyncio.sleep(CLOCK - 0.1)
        assert slow.snapshot.ply == ply
        await asyncio.sleep(0.2)
        assert slow.snapshot.ply == ply + 1
        assert slow.snapshot.away
        assert await entries(store, Away) == [Away(seat or 0, "clock")]
        assert WentAway(seat or 0, "clock") in bo.events
        assert StoodIn(seat or 0) in bo.events


class Thinker(AIPool):
    """AI players that find no move, or always the same one, unless they must move at once."""

    def __init__(self, move: Move | None) -> None:
        super().__init__()
        self._move = move

    def think(self, question: Question) -> asyncio.Future[Move]:  # noqa: ARG002
        """A move that is never found, or found already."""
        found = asyncio.get_running_loop().create_future()
        if self._move is not None:
            found.set_result(self._move)
        return found


@in_virtual_time
async def test_a_clock_that_runs_out_waits_for_no_thought() -> None:
    """An AI player that would search moves at once, so no request of the table waits for it."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    settings = structs.replace(table_settings(2, clock=CLOCK), level="master")
    journal = await Journal.begin(store, 1, settings, now)
    async with live(journal, CONFIG, Thinker(None)) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        slow = mover(ana, bo)
        await asyncio.sleep(CLOCK)
        await table.back(slow)
        assert StoodIn(slow.snapshot.seat or 0 if slow.snapshot else 0) in slow.events
        assert now() == CLOCK


@in_virtual_time
async def test_a_refused_move_of_an_ai_player_is_logged_once_and_replaced() -> None:
    """The table plays on with another legal move."""
    store, ana = MemoryLog(), Patient()
    journal = await Journal.begin(store, 1, table_settings(2), now)
    with capture_logs() as logs:
        async with live(journal, CONFIG, Thinker(Flip(99))) as table:
            await play_began(table, (ana, ANA))
            await ana.until(lambda snapshot: snapshot.my_turn)
            await move_somehow(table, ana)
            await ana.until(lambda snapshot: snapshot.my_turn)
    refused = [line for line in logs if line["event"] == "AI move refused"]
    made = [change for change in await entries(store, Moved) if isinstance(change, Moved) and change.seat == 1]
    assert len(refused) == len(made) > 0
    assert refused[0]["position"].seat == 1


@in_virtual_time
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


@in_virtual_time
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


@in_virtual_time
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


@in_virtual_time
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


@in_virtual_time
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


@in_virtual_time
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


@in_virtual_time
async def test_one_person_against_ai_players_has_no_clock() -> None:
    """They may think for any time."""
    store, ana = MemoryLog(), Patient()
    async with table_of(store, 3) as table:
        await play_began(table, (ana, ANA))
        await ana.until(lambda snapshot: snapshot.my_turn)
        assert ana.snapshot is not None
        assert ana.snapshot.deadline is None
        await asyncio.sleep(100_000)
        assert not await entries(store, Away)
        assert ana.snapshot.my_turn


@in_virtual_time
async def test_the_clock_starts_when_a_second_person_returns() -> None:
    """The time that passed without a clock does not count."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        await table.leave(bo, for_good=False)
        await ana.until(lambda snapshot: bool(snapshot.sitters[1] and snapshot.sitters[1].away) and snapshot.my_turn)
        await asyncio.sleep(CLOCK * 10)
        await table.join(bo, BO)
        assert ana.snapshot is not None
        assert ana.snapshot.deadline == pytest.approx(now() + CLOCK)


@in_virtual_time
async def test_coming_and_going_gives_no_player_more_time() -> None:
    """The clock of a decision runs on while other players drop and return."""
    store, ana, bo, cy = MemoryLog(), Patient(), Patient(), Patient()
    async with table_of(store, 3) as table:
        await play_began(table, (ana, ANA), (bo, BO), (cy, CY))
        slow = mover(ana, bo, cy)
        other = bo if slow is not bo else cy
        player = BO if other is bo else CY
        assert slow.snapshot is not None
        deadline = slow.snapshot.deadline
        for _ in range(2):
            await table.leave(other, for_good=False)
            await asyncio.sleep(GRACE + 0.5)
            await table.join(other, player)
        assert slow.snapshot.deadline == deadline


@in_virtual_time
async def test_arranging_has_a_clock_too() -> None:
    """When it runs out an AI player takes the seat, and the game begins."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.start(ana)
        await table.move(ana, 0, READY)
        await asyncio.sleep(CLOCK * 2 + 0.1)
        assert ana.snapshot is not None
        assert ana.snapshot.view is not None
        assert ana.snapshot.view.phase == "play"
        assert await entries(store, Away) == [Away(1, "clock")]


@in_virtual_time
async def test_while_all_players_are_away_the_table_sleeps_without_a_clock() -> None:
    """Nothing happens for any time. The first player to return has a whole clock."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA), (bo, BO))
        await table.leave(ana, for_good=False)
        await table.leave(bo, for_good=False)
        before = len(await store.read(1))
        await asyncio.sleep(3600)
        assert len(await store.read(1)) == before
        back = Patient()
        await table.join(back, ANA)
        assert back.snapshot is not None
        assert back.snapshot.deadline == pytest.approx(now() + CLOCK)


@in_virtual_time
async def test_a_table_that_wakes_gives_each_player_a_whole_clock() -> None:
    """Also if an entry is written meanwhile that decides nothing."""
    store, ana, bo = MemoryLog(), Patient(), Patient()
    async with table_of(store) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.start(ana)
        await table.leave(ana, for_good=False)
        await table.leave(bo, for_good=False)
        await asyncio.sleep(300)
        await table.join(ana, ANA)
        await table.join(bo, BO)
        woke = now()
        await asyncio.sleep(1)
        await table.move(ana, 0, READY)
        assert bo.snapshot is not None
        assert bo.snapshot.deadline == pytest.approx(woke + CLOCK * 2)
        await asyncio.sleep(CLOCK * 2 - 2)
        assert not await entries(store, Away)
        await asyncio.sleep(2)
        assert await entries(store, Away) == [Away(1, "clock")]


@in_virtual_time
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


@pytest.mark.parametrize("jump", [3600.0, -3600.0])
@in_virtual_time
async def test_when_the_time_of_day_jumps_no_clock_does(jump: float) -> None:
    """If the server's clock is set, players have neither less nor more time."""
    store, ana, bo, cy, fan = MemoryLog(), Patient(), Patient(), Patient(), Patient()
    wrong = 0.0
    journal = await Journal.begin(store, 1, table_settings(3, clock=CLOCK), lambda: 1e9 + now() + wrong)
    async with live(journal, CONFIG) as table:
        await play_began(table, (ana, ANA), (bo, BO), (cy, CY))
        await table.join(fan, Player("guest:fan", "fan"))
        slow = mover(ana, bo, cy)
        other = bo if slow is not bo else cy
        assert slow.snapshot is not None
        deadline = slow.snapshot.deadline
        await asyncio.sleep(1)
        wrong = jump
        await table.leave(fan, for_good=True)
        await table.leave(other, for_good=True)
        assert slow.snapshot.deadline == deadline
        await asyncio.sleep(CLOCK - 2)
        assert not await entries(store, Away)
        await asyncio.sleep(2)
        assert len(await entries(store, Away)) == 1


@pytest.mark.parametrize("jump", [86400.0, -86400.0])
@in_virtual_time
async def test_a_sleeping_table_closes_though_the_time_of_day_jumps(jump: float) -> None:
    """It closes after at most twice its time: if the clock was set back, the log says that it is not due yet."""
    store, ana, wrong = MemoryLog(), Patient(), 0.0
    journal = await Journal.begin(store, 1, table_settings(2), lambda: 1e9 + now() + wrong)
    async with live(journal, CONFIG) as table:
        await table.sit(ana, ANA)
        await table.leave(ana, for_good=True)
        await asyncio.sleep(CONFIG.keep_table / 2)
        wrong = jump
        await asyncio.sleep(2 * CONFIG.keep_table)
        assert await store.read(1) == []


@in_virtual_time
async def test_an_empty_table_closes_in_time_and_its_game_is_kept() -> None:
    """After the time for which its seats are kept; the game is kept as abandoned."""
    store, ana = MemoryLog(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA))
        await table.leave(ana, for_good=False)
        await asyncio.sleep(CONFIG.keep_seat - 1)
        assert await heads(store)
        await asyncio.sleep(2)
        assert not await heads(store)
        assert len(await store.latest(5)) == 1
        with pytest.raises(InputError, match="has closed"):
            await table.join(ana, ANA)


@in_virtual_time
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


@in_virtual_time
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


@in_virtual_time
async def test_a_table_is_kept_its_whole_time_after_a_restart() -> None:
    """However old its last entry is, since people may have been there until the server stopped."""
    store = MemoryLog()
    await (await Journal.begin(store, 1, table_settings(), now)).add(Sat(0, BO))
    async with live(await Journal.load(store, 1, lambda: now() + 1000), CONFIG):
        await asyncio.sleep(CONFIG.keep_table - 1)
        assert await heads(store)
        await asyncio.sleep(2)
        assert not await heads(store)


class StubbornLog(MemoryLog):
    """A log that cannot be written for a while."""

    broken = False

    async def append(
        self, head: Head, entry: LogEntry, game: FinishedGame | None = None, **along: Unpack[Along]
    ) -> None:
        """See `TableLog`."""
        if self.broken:
            raise NotSaved("the disk is full")
        await super().append(head, entry, game, **along)


@in_virtual_time
async def test_what_cannot_be_saved_is_tried_again_until_it_can() -> None:
    """A full disk stops the AI players. When there is room again they go on within two seconds."""
    store, ana, fan = StubbornLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA))
        await table.join(fan, BO)
        await table.leave(ana, for_good=True)
        await fan.until("play")
        store.broken = True
        assert fan.snapshot is not None
        ply = fan.snapshot.ply
        await asyncio.sleep(60)
        assert fan.snapshot.ply == ply
        store.broken = False
        await asyncio.sleep(2)
        assert fan.snapshot.ply > ply


@pytest.mark.parametrize("seed", range(10))
@in_virtual_time
async def test_whatever_people_do_the_game_goes_on(seed: int) -> None:
    """Two people move, dawdle, drop and return at random. No decision waits much longer than its clock."""
    chance = random.Random(seed)
    store, people = MemoryLog(), {ANA: Patient(), BO: Patient()}
    here = set(people)
    async with table_of(store, 3) as table:
        await play_began(table, *((watcher, player) for player, watcher in people.items()))
        head, changed_at = table.head, now()
        for _ in range(300):
            await asyncio.sleep(chance.choice((0.5, 3, CLOCK)))
            if table.head != head or not here:
                head, changed_at = table.head, now()
            assert now() - changed_at <= 2 * CLOCK + 5
            player = chance.choice((ANA, BO))
            watcher = people[player]
            snapshot = watcher.snapshot
            if player in here and chance.random() < 0.2:
                await table.leave(watcher, for_good=False)
                here.discard(player)
            elif player not in here:
                await table.join(watcher, player)
                here.add(player)
            elif snapshot and snapshot.view and snapshot.my_turn and snapshot.seat is not None:
                with suppress(InputError):  # an AI player may have been a little faster
                    await table.move(watcher, snapshot.ply, legal_moves(snapshot.view, snapshot.seat)[0])
            if snapshot and snapshot.view and snapshot.view.phase == "over":
                return
        assert len(await entries(store, Moved)) > 20
