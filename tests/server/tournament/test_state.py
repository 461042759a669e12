"""What events make of a tournament: the first of two that contradict each other counts, and nothing is ever lost."""

from random import Random

import pytest

from engine.errors import InputError
from server.people.players import Player
from server.tournament import events
from server.tournament.events import DECODER, Event, after
from server.tournament.state import ENTRIES, Opened, Tournament
from server.typed_json import read_versioned, write_versioned
from tests.server.tournament.chance import TABLE, entered, finished, fold, published
from tests.support.each import for_each

OPENED = Opened(
    name="friday", format="swiss", host="h", host_name="hal", at=0.0, seed="s", table=TABLE, rounds=4, people_only=True
)
PEOPLE = [Player(f"p{number}", f"name{number}") for number in range(7)]


def a_round() -> Tournament:
    """Four play the first round, and a fifth one enters after it."""
    seats = published(1, ("p0", "p1", "p2", "p3"))
    return fold("t", OPENED, [*entered(*PEOPLE[:4]), seats, finished(1, 0, 1, 2, 3, 4), *entered(PEOPLE[4])])


def test_points_come_from_results_and_a_late_comer_gets_one_credit() -> None:
    """A player who leaves and comes back gets no second one."""
    state = a_round()
    assert state.points() == {"p0": 12, "p1": 8, "p2": 4, "p3": 0, "p4": 4}
    back: list[Event] = [events.Left(at=21.0, by="p4", player="p4"), *entered(PEOPLE[4])]
    for event in back:
        state = event.apply(state)
    assert state.points()["p4"] == 4


def test_the_first_of_two_equal_events_counts() -> None:
    """Two processes publish a round, or note a result; two commands of hosts cross."""
    state, error = after(a_round(), published(1, ("p3", "p2", "p1", "p0")))
    assert error is not None
    assert state.rounds == a_round().rounds
    state, error = after(state, finished(1, 0, 4, 3, 2, 1))
    assert error is not None
    assert state.points()["p0"] == 12


def test_a_correction_changes_the_points_and_not_what_was_published() -> None:
    """Also after the next round has begun, and a void game gives everybody the average."""
    state = published(2, ("p4", "p0", "p1"), ("p2", "p3", "")).apply(a_round())
    fixed = events.Fixed(at=30.0, by="h", round=1, board=0, ranks=(4, 3, 2, 1)).apply(state)
    assert fixed.rounds[1] == state.rounds[1]
    assert fixed.points()["p3"] == 12
    void = events.Voided(at=31.0, by="h", round=1, board=0).apply(fixed)
    assert {void.points()[player] for player in ("p0", "p1", "p2", "p3")} == {6}
    with pytest.raises(InputError, match="this round is over"):
        events.Reopened(at=32.0, by="h", round=1, board=0, table=9, game="X").apply(void)


def test_a_player_sits_out_once_with_credit() -> None:
    """The second time it gives no points."""
    state = a_round()
    for number, points in ((2, 4), (3, 4)):
        state = events.SatOut(at=25.0, by="p3", player="p3").apply(state)
        state = published(number, ("p0", "p1", "p2")).apply(state)
        assert state.points()["p3"] == points
        state = finished(number, 0, 1, 2, 3).apply(state)


@for_each(
    ("event", "said"),
    [
        (entered(PEOPLE[0])[0], "you are in friday already"),
        *(
            (events.Entered(at=1, player=Player("b", "bot", kind)), "friday is for people only")
            for kind in ("ai", "bot")
        ),
        (events.Left(at=1, player="nobody"), "you are not in friday"),
        (published(3), "round 3 of friday is published already"),
        (published(2, ("stranger",)), "round 2 of friday has a seat for a player who is not in it"),
        (events.Resumed(at=1), "friday is not paused"),
        (events.Fixed(at=1, round=1, board=3, ranks=(1,)), "round 1 of friday has no game 4"),
        (events.Fixed(at=1, round=1, board=0, ranks=(1, 2)), "a result has a rank from 1 to 4 for each seat"),
    ],
)
def test_what_is_not_possible_is_refused_in_one_line(event: Event, said: str) -> None:
    """And ignored by everybody who reads it."""
    state = a_round()
    with pytest.raises(InputError, match=said):
        event.apply(state)
    assert after(state, event)[0].rounds == state.rounds


def test_entering_ends_in_the_middle_of_a_swiss() -> None:
    """It is told as the number of a round."""
    state = a_round()
    for number in (2, 3):
        state = published(number, ("p0", "p1", "p2", "p3")).apply(state)
        state = finished(number, 0, 1, 2, 3, 4).apply(state)
    with pytest.raises(InputError, match="open until round 3 was called; a guest who was in it comes back"):
        entered(PEOPLE[6])[0].apply(state)


def test_events_are_read_as_they_were_written() -> None:
    """All of them, and what a tournament is opened for."""
    log = [*entered(*PEOPLE[:2]), published(1, ("p0", "p1")), finished(1, 0, 1, 2), events.Closed(at=3.0)]
    assert [read_versioned(write_versioned(event), DECODER) for event in log] == log
    assert read_versioned(write_versioned(OPENED), Opened) == OPENED


def test_one_process_at_a_time_prepares_a_round() -> None:
    """Another one takes over after fifteen seconds."""
    state = events.Claimed(at=50.0, round=2).apply(a_round())
    with pytest.raises(InputError, match="another process"):
        events.Claimed(at=51.0, round=2).apply(state)
    assert events.Claimed(at=65.0, round=2).apply(state).is_claimed(2, 66.0)


def test_events_of_any_kind_may_come_in_any_order() -> None:
    """Whatever was written, it has standings."""
    chance = Random(1)
    possible: list[Event] = [
        *entered(*PEOPLE),
        *(events.Left(at=2.0, by=each.id, player=each.id) for each in PEOPLE),
        *(published(number, ("p0", "p1", "p2"), ("p3", "p4")) for number in (1, 2, 3)),
        *(finished(number, board, *range(1, 4 - board)) for number in (1, 2, 3) for board in (0, 1)),
        *(events.Voided(at=5.0, round=number, board=0) for number in (1, 2)),
        *(events.Paused(at=6.0), events.Resumed(at=7.0), events.Held(at=8.0), events.Called(at=9.0, round=2)),
    ]
    for _ in range(100):
        state = fold("t", OPENED, chance.choices(possible, k=40))
        assert {row.player for row in state.standings} == {*state.entrants}
        assert all(sum(board.ranks) for played in state.rounds for board in played.boards if board.ranks)


def test_players_of_one_name_have_numbers() -> None:
    """In the order of entering; others have none, and one who enters later may change that."""
    ana, other, bo = Player("x", "Ana"), Player("y", "ana"), Player("z", "Bo")
    state = fold("t", OPENED, entered(ana, bo))
    assert state.name_numbers == {"x": 0, "z": 0}
    assert entered(other)[0].apply(state).name_numbers == {"x": 1, "y": 2, "z": 0}


def test_a_player_enters_so_often_and_no_more() -> None:
    """Or one player alone could fill the log; somebody else can still let them in."""
    state, player = fold("t", OPENED, entered(*PEOPLE[:2])), PEOPLE[0]
    for _ in range(ENTRIES.share - 1):
        state = events.Left(at=2.0, by=player.id, player=player.id).apply(state)
        state = entered(player)[0].apply(state)
    state = events.Left(at=2.0, by=player.id, player=player.id).apply(state)
    with pytest.raises(InputError, match="you have entered friday 3 times"):
        entered(player)[0].apply(state)
    assert events.Entered(at=3.0, by="h", player=player).apply(state).playing == ["p0", "p1"]
