"""What is due at a table: values in the order of time, and something for every pending decision."""

import copy
import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from engine.errors import InputError
from engine.legality import legal_moves
from engine.moves import READY, Move
from engine.view import view_of
from server.ai.pool import Thought
from server.config import Config
from server.people.players import Player
from server.table.deadlines import (
    DROWSY_SECONDS,
    LINGER_SECONDS,
    PASSING_SECONDS,
    WAKING_SECONDS,
    Deadline,
    Duty,
    Think,
    TimeOut,
    deadlines,
    kept_seconds,
)
from server.table.entries import Away, Change, Committed, Cut, Dealt, Left, Moved, Reason, Returned, Sat
from server.table.state import TableState
from server.table.unlogged_state import LOADED_SECONDS, UnloggedState
from tests.support.each import for_each
from tests.support.positions import OTHER, at
from tests.support.tables import ANA, BO, FOX, after, table_settings

CONFIG = Config(pace=1.0, grace=10.0, keep_place=120.0, keep_table=900.0, keep_seat=86400.0)
ROBOT = Player("account:robot", "robot", "bot")
PLAYERS = (ANA, BO, FOX, ROBOT, Player("ai:Owl", "Owl", "ai", "hard"))
SEATS = 3


def dealt(*players: Player) -> TableState:
    """A game in which these players arrange their cards."""
    state = after(
        TableState.of(table_settings(len(players))), *(Sat(seat, player) for seat, player in enumerate(players))
    )
    return after(state, Committed("GAME", "seed"), Dealt(0))


def in_play(*players: Player) -> TableState:
    """A game in which a seat is to move."""
    return after(dealt(*players), *(Moved(seat, str(READY)) for seat in range(len(players))))


def runtime(*here: Player, **fields: object) -> UnloggedState:
    """A table that last changed at 100, with these players present."""
    times = {"pace": 1.0, "changed_at": 100.0, "decision_began": 95.0, "empty_since": 90.0}
    return UnloggedState(here=frozenset(player.id for player in here), **{**times, **fields})  # type: ignore[arg-type]


def random_change(chance: random.Random, state: TableState) -> Change:
    """A change that a table might try; not all of them are possible."""
    seat = chance.randrange(SEATS)
    move: Move = READY
    if state.game is not None and state.deciding:
        seat = chance.choice(state.deciding)
        move = chance.choice(legal_moves(view_of(state.game, seat), seat))
    reasons: tuple[Reason, ...] = ("gone", "clock")
    changes: list[Change] = [Sat(seat, chance.choice(PLAYERS)), Away(seat, chance.choice(reasons)), Returned(seat)]
    if state.playing:
        changes += [Moved(seat, str(move))] * 6
    else:
        changes += [Left(seat), Committed("GAME", "seed"), Cut("ana", "x"), Dealt(None), Dealt(None)]
    return chance.choice(changes)


def states(seed: int, changes: int = 150) -> Iterator[tuple[TableState, UnloggedState]]:
    """Tables as random changes leave them, with and without players present."""
    chance = random.Random(seed)
    empty = TableState.of(table_settings(SEATS))
    state = (empty, dealt(ANA, BO, ROBOT), in_play(ANA, BO, FOX), in_play(BO, FOX, PLAYERS[-1]))[seed % 4]
    for _ in range(changes):
        try:
            change = random_change(chance, state)
            taken = {seat.player.id for seat in state.seats if seat}
            if not isinstance(change, Sat) or change.player.id not in taken:
                state = after(state, change)
        except InputError:
            continue
        yield state, random_runtime(chance, state)


def random_runtime(chance: random.Random, state: TableState) -> UnloggedState:
    """Some players present here, some elsewhere; perhaps a thought about the pending decision."""
    now = 1000.0
    ids = [player.id for player in PLAYERS if player.kind != "ai"]
    thinking = next((seat for seat in state.deciding if state.sitting(seat).played_by_ai), None)
    thinking = chance.choice((None, thinking))
    found = chance.choice((None, Thought(READY))) if thinking is not None else None
    result = UnloggedState(
        pace=chance.choice((0.0, 1.0)),
        changed_at=now - chance.random() * 100,
        decision_began=now - chance.random() * 100,
        empty_since=now - chance.random() * 100,
        here=frozenset(player_id for player_id in (*ids, "guest:fan") if chance.random() < 0.5),
        elsewhere=frozenset(player_id for player_id in ids if chance.random() < 0.2),
        retry_at=chance.choice((0.0, now + 1)),
        thinking=thinking,
        found=found,
    )
    result.note_missed(state, now - chance.random() * 100)
    return result


@for_each("seed", range(8))
def test_asking_what_is_due_changes_nothing_and_gives_the_same_answer(seed: int) -> None:
    """A pure function of the table and what runs at it; sorted by time, nothing before a retry."""
    for state, there in states(seed):
        before = state.digest(), copy.deepcopy(there)
        due = deadlines(state, there, CONFIG)
        assert deadlines(state, there, CONFIG) == due
        assert (state.digest(), there) == before
        assert [when for when, _ in due] == sorted(when for when, _ in due)
        assert all(when >= there.retry_at for when, _ in due)


@for_each("seed", [seed for seed in range(40) if seed % 4])
def test_every_pending_decision_has_a_deadline_or_a_running_thought(seed: int) -> None:
    """While a player is present. A present player has no clock only if no other player waits for them."""
    decisions = 0
    for state, there in states(seed):
        if not (there.here and state.deciding):
            continue
        decisions += 1
        due = [what for _, what in deadlines(state, there, CONFIG)]
        by_players = tuple(seat for seat in state.deciding if not state.sitting(seat).played_by_ai)
        waits = state.arranging and by_players
        by_ai = [seat for seat in state.deciding if seat not in by_players and not (waits and state.sitting(seat).away)]
        if by_ai:
            thinks = there.thinking == by_ai[0] and there.found is None
            assert thinks or Think(by_ai[0]) in due or Moved(by_ai[0], str(READY)) in due
        timed_out = TimeOut(by_players) in due
        for seat in by_players:
            present = state.sitting(seat).player.id in there.here | there.elsewhere
            assert timed_out or Away(seat, "gone") in due or (present and there.decision_deadline(state) is None)
    assert decisions > 5


@for_each("seed", range(20))
def test_an_attended_table_that_plays_no_game_commits_to_the_next_deal(seed: int) -> None:
    """At an empty table only its sleep is due, and at one that is attended elsewhere that it is forgotten here."""
    for state, there in states(seed):
        due = [what for _, what in deadlines(state, there, CONFIG)]
        if there.deserted:
            assert due == [Duty.FALL_ASLEEP]
        elif not there.here:
            assert due == [Duty.UNLOAD]
        else:
            assert (Duty.COMMIT_DEAL in due) == (not state.playing and state.next_deal is None)


def test_a_clock_runs_from_when_the_decision_began() -> None:
    """Arranging has twice the clock. A player against AI players alone has none."""
    clock = table_settings().clock
    assert deadlines(dealt(ANA, BO), runtime(ANA, BO), CONFIG) == [Deadline(95 + 2 * clock, TimeOut((0, 1)))]
    state = in_play(ANA, BO)
    assert deadlines(state, runtime(ANA, BO), CONFIG) == [Deadline(95 + clock, TimeOut(tuple(state.deciding)))]
    alone = after(dealt(ANA, FOX), Moved(1, str(READY)))
    assert deadlines(alone, runtime(ANA), CONFIG) == []


def test_an_ai_player_thinks_at_once_and_moves_after_the_pace() -> None:
    """While it thinks nothing is due; arranging takes no pace, a hard decision the whole, an easy one a part of it."""
    arranging = dealt(ANA, FOX)
    assert deadlines(arranging, runtime(ANA), CONFIG) == [Deadline(100, Think(1))]
    assert deadlines(arranging, runtime(ANA, thinking=1), CONFIG) == []
    ready = Deadline(100, Moved(1, "ready"))
    assert deadlines(arranging, runtime(ANA, thinking=1, found=Thought(READY)), CONFIG) == [ready]
    playing = in_play(FOX, PLAYERS[-1])
    (seat,) = playing.deciding
    for hesitation, when in ((0.0, 100.5), (0.5, 100.75), (1.0, 101)):
        found = deadlines(playing, runtime(ANA, thinking=seat, found=Thought(READY), hesitation=hesitation), CONFIG)
        assert found == [Deadline(when, Moved(seat, "ready"))]


def test_a_missed_player_is_played_for_in_a_game_and_loses_the_seat_between_games() -> None:
    """After the grace, or the longer time for which a place is kept; a player who is elsewhere is not missed."""
    missed = runtime(ANA, missed_since={BO.id: 50.0})
    assert Deadline(60, Away(1, "gone")) in deadlines(in_play(ANA, BO), missed, CONFIG)
    seated = after(TableState.of(table_settings()), Sat(0, ANA), Sat(1, BO), Committed("GAME", "seed"))
    assert deadlines(seated, missed, CONFIG) == [Deadline(170, Left(1))]
    missed.note_players(seated, missed.here, frozenset({BO.id}), 60.0)
    missed.note_missed(seated, 60.0)
    assert deadlines(seated, missed, CONFIG) == []


def test_a_present_player_whom_another_process_took_for_gone_gets_the_seat_back() -> None:
    """A player whose clock ran out has to say that they are back."""
    state = in_play(ANA, BO, FOX)
    there = runtime(ANA, BO, thinking=2)
    assert Deadline(100, Returned(1)) in deadlines(after(state, Away(1, "gone")), there, CONFIG)
    assert Returned(1) not in [what for _, what in deadlines(after(state, Away(1, "clock")), there, CONFIG)]


@pytest.mark.parametrize(
    ("players", "kept"),
    [((), LINGER_SECONDS), ((BO,), CONFIG.keep_table), ((ANA,), CONFIG.keep_table)],
    ids=["nobody", "guest", "key"],
)
def test_an_empty_table_is_kept_for_those_who_have_a_seat(players: tuple[Player, ...], kept: float) -> None:
    """Between games; AI players keep no table open."""
    state = after(TableState.of(table_settings()), *(Sat(seat, player) for seat, player in enumerate(players)))
    assert kept_seconds(state, CONFIG) == kept


def test_an_empty_table_falls_asleep_then_is_unloaded_or_closes() -> None:
    """As soon as the log says that it sleeps, and until when; one that is attended elsewhere is only forgotten here."""
    state = dealt(ANA, FOX)
    assert deadlines(state, runtime(), CONFIG) == [Deadline(90 + DROWSY_SECONDS, Duty.FALL_ASLEEP)]
    unload, close = Deadline(90 + LOADED_SECONDS, Duty.UNLOAD), Deadline(300, Duty.CLOSE)
    assert deadlines(state, runtime(closes_at=300), CONFIG) == [unload, close]
    assert deadlines(state, runtime(closes_at=120), CONFIG) == [Deadline(120, Duty.CLOSE), unload]
    there = runtime(closes_at=120, elsewhere=frozenset({ANA.id}), needless_since=92.0)
    assert deadlines(state, there, CONFIG) == [Deadline(92 + PASSING_SECONDS, Duty.UNLOAD)]
    there.is_looked_at = True
    assert deadlines(state, there, CONFIG) == []


def test_an_empty_table_sleeps_before_it_closes() -> None:
    """Also if no player has a seat, so that it is not kept for long: others may be at it in another process."""
    state, there = TableState.of(table_settings()), runtime()
    assert deadlines(state, there, CONFIG) == [Deadline(90 + LINGER_SECONDS - WAKING_SECONDS, Duty.FALL_ASLEEP)]


def test_an_empty_table_is_kept_longer_for_a_key_in_a_running_game() -> None:
    """For a guest no longer than between games."""
    assert kept_seconds(dealt(ANA, FOX), CONFIG) == CONFIG.keep_seat
    assert kept_seconds(dealt(BO, FOX), CONFIG) == CONFIG.keep_table


def test_after_a_failure_nothing_is_due_before_the_retry() -> None:
    """Everything due before comes then."""
    there = runtime(ANA, BO, retry_at=500.0)
    assert deadlines(in_play(ANA, BO), there, CONFIG) == [Deadline(500, TimeOut(tuple(in_play(ANA, BO).deciding)))]


@pytest.mark.parametrize(("ana", "pace"), [("hand", 0.0), ("hand 9c", 1.0)])
def test_ai_players_play_on_at_once_if_no_person_holds_cards(ana: str, pace: float) -> None:
    """People watch no game in which they have nothing more to do; as long as one holds cards, they can follow it."""
    game = at("life", ana, OTHER, "hand 3h 4h 5h", to_move=1, places=[] if pace else [0])
    state = replace(in_play(ANA, FOX, PLAYERS[-1]), game=game)
    move = legal_moves(view_of(game, 1), 1)[0]
    due = deadlines(state, runtime(ANA, thinking=1, found=Thought(move), hesitation=1.0), CONFIG)
    assert due[0] == Deadline(100.0 + pace, Moved(1, str(move)))
