"""What a tournament does by itself, and when: a pure function of its events, the time, and the players here."""

import time
from math import inf

import pytest
from msgspec.structs import replace

from engine.errors import InputError
from server.config import Config
from server.people.players import Player
from server.rulebook import Rulebook
from server.tournament import events
from server.tournament.commands import read_time, read_tournament
from server.tournament.due import Publish, due, next_round, waiting
from server.tournament.events import Event
from server.tournament.service import first_notice
from server.tournament.standings import Board
from server.tournament.state import Opened, Tournament
from tests.server.tournament.chance import TABLE, entered, finished, fold, published

SWISS = Opened(name="friday", format="swiss", host="h", host_name="hal", at=0.0, seed="s", table=TABLE, rounds=2)
NIGHT = replace(SWISS, format="open", rounds=0, start="now")
IDS = [f"p{number}" for number in range(14)]


def at(opened: Opened, people: int, *more: Event) -> Tournament:
    """A tournament that so many have entered, after these events."""
    return fold("t", opened, [*entered(*(Player(each, each) for each in IDS[:people])), *more])


def here(people: int, since: float = 1.0) -> dict[str, float]:
    """So many are on the server."""
    return dict.fromkeys(IDS[:people], since)


STARTED = events.Called(at=10.0, by="h", round=1)
FIRST = published(1, ("p0", "p1", "p2"), at=20.0)


def test_a_swiss_begins_as_it_was_opened_to() -> None:
    """By its host, when it is full, or at a time; and with those who are in, if one of them is there."""
    assert due(at(SWISS, 3), 50, 50, here(3)) is None
    begins = Publish(1, ("p0", "p1", "p2"))
    assert due(at(SWISS, 3, STARTED), 50, 50, here(1)) == begins
    assert due(at(SWISS, 3, STARTED), 50, 50, {}) is None
    full = replace(SWISS, start="full", places=3)
    assert due(at(full, 2), 50, 50, here(3)) is None
    assert due(at(full, 3), 50, 50, here(3)) == begins
    timed = replace(SWISS, start="time", starts_at=40.0)
    assert due(at(timed, 3), 50, 39, here(3)) is None
    assert due(at(timed, 3), 50, 40, here(3)) == begins


def test_a_round_is_dealt_ended_by_the_clock_and_followed_by_the_next() -> None:
    """The host may hold it, publish it at once, and give more time. A claim keeps other processes away for a while."""
    state = at(SWISS, 3, STARTED, FIRST)
    assert due(state, 30, 30, here(3)) is None
    longer = at(SWISS, 3, STARTED, FIRST, events.Extended(at=30.0, round=1, seconds=60.0))
    for each, ends_at in ((state, 635), (longer, 695)):
        (board,) = each.rounds[0].boards
        assert (board.deals_at, board.ends_at) == (35, ends_at)
    over = (STARTED, FIRST, finished(1, 0, 1, 2, 3, at=100.0))
    second = Publish(2, ("p0", "p1", "p2"))
    assert due(at(SWISS, 3, *over), 119, 119, here(3)) is None
    assert due(at(SWISS, 3, *over), 120, 120, here(3)) == second
    held = (*over, events.Held(at=101.0, by="h"))
    assert due(at(SWISS, 3, *held), 500, 500, here(3)) is None
    assert due(at(SWISS, 3, *held), 1001, 1001, here(3)) == second
    assert due(at(SWISS, 3, *held, events.Called(at=110.0, by="h", round=2)), 110, 110, here(3)) == second
    early = (STARTED, FIRST, events.Held(at=21.0, by="h"), finished(1, 0, 1, 2, 3, at=600.0))
    assert due(at(SWISS, 3, *early), 1499, 1499, here(3)) is None
    assert due(at(SWISS, 3, *early), 1500, 1500, here(3)) == second
    claimed = (*over, events.Claimed(at=120.0, round=2))
    assert due(at(SWISS, 3, *claimed), 134, 134, here(3)) is None
    assert due(at(SWISS, 3, *claimed), 135, 135, here(3)) == second


def test_the_last_round_ends_a_swiss_or_leads_to_the_final_table() -> None:
    """Of the best four; it decides their places alone."""
    rounds: list[Event] = [
        STARTED,
        published(1, ("p0", "p1", "p2", "p3"), at=20.0),
        finished(1, 0, 1, 2, 3, 4, at=30.0),
    ]
    rounds += [published(2, ("p3", "p2", "p1", "p0"), at=60.0), finished(2, 0, 1, 2, 3, 4, at=70.0)]
    assert at(SWISS, 5, *rounds).phase == "over"
    with_final = at(replace(SWISS, final=True), 5, *rounds)
    action = due(with_final, 100, 100, here(5))
    assert isinstance(action, Publish)
    assert action.final
    assert len(action.players) == 4
    boards = (Board(action.players, 1, "F"),)
    end = events.Finished(at=120.0, round=3, board=0, game="F", ranks=(4, 3, 2, 1))
    done = at(replace(SWISS, final=True), 5, *rounds, replace(published(3, at=100.0), boards=boards, final=True), end)
    assert done.phase == "over"
    assert [row.player for row in done.standings][:4] == list(reversed(action.players))
    assert done.points() == with_final.points()


def test_a_pause_ends_by_itself_and_gives_the_time_back() -> None:
    """A host who has gone holds nothing up for ever."""
    paused = (STARTED, FIRST, events.Paused(at=100.0, by="h"))
    assert due(at(SWISS, 3, *paused), 700, 700, here(3)) is None
    assert due(at(SWISS, 3, *paused), 3700, 3700, here(3)) == events.Resumed(at=3700)
    state = at(SWISS, 3, *paused, events.Resumed(at=200.0, by="h"))
    assert state.rounds[0].boards[0].ends_at == 20 + 15 + 600 + 100


def test_players_whose_game_is_played_again_are_called_again() -> None:
    """Nobody else is; those whose cards are dealt already play on."""
    two = published(1, ("p0", "p1", "p2"), ("p3", "p4", "p5"), at=20.0)
    again = events.Reopened(at=100.0, by="h", round=1, board=0, table=9, game="X")
    state = at(SWISS, 6, STARTED, two, again)
    told = [first_notice([(state, inf)], player, at, 1) for player, at in (("p0", 101), ("p3", 101), ("p0", 115))]
    assert [each.call for each in told if each] == ["table 9 in 0:14"]
    assert told[0]


@pytest.mark.parametrize(("again_at", "dealt"), [(95.0, 210.0), (150.0, 215.0)])
def test_a_game_that_is_played_again_has_its_time_after_a_pause(again_at: float, dealt: float) -> None:
    """Whether its players were called again before the pause, with ten seconds left, or in it."""
    again = events.Reopened(at=again_at, by="h", round=1, board=0, table=9, game="X")
    paused, resumed = events.Paused(at=100.0, by="h"), events.Resumed(at=200.0, by="h")
    said = (again, paused) if again_at < paused.at else (paused, again)
    two = published(1, ("p0", "p1", "p2"), ("p3", "p4", "p5"), at=20.0)
    (played,) = at(SWISS, 6, STARTED, two, *said, resumed).rounds
    assert [board.deals_at for board in played.boards] == [dealt, 20.0 + 100 + 15]


def test_a_swiss_whose_players_were_all_absent_waits_for_them() -> None:
    """Each may enter again for a quarter of an hour."""
    absent = [finished(number, 0, 1, 2, 3, at=40.0 * number, absent=(0, 1, 2)) for number in (1, 2)]
    rounds: list[Event] = [STARTED, FIRST, absent[0], published(2, ("p0", "p1", "p2"), at=60.0), absent[1]]
    three_rounds = replace(SWISS, rounds=3)
    state = at(three_rounds, 3, *rounds)
    assert state.playing == []
    assert due(state, 900, 900, here(3)) is None
    assert due(state, 980, 980, here(3)) == events.Closed(at=980)
    back = at(three_rounds, 3, *rounds, events.Entered(at=500.0, by="p1", player=Player("p1", "p1")))
    assert due(back, 900, 900, here(3)) == Publish(3, ("p1",))


def test_departures_of_an_open_night() -> None:
    """Four leave at once if nobody plays; three wait a minute, twelve two; one or two wait longer, or say go."""
    assert next_round(at(NIGHT, 4), 0, here(4))[0] == 0.0
    assert next_round(at(NIGHT, 3), 0, here(3))[0] == 61.0
    assert next_round(at(NIGHT, 2), 0, here(2))[0] == 181.0
    assert next_round(at(NIGHT, 2, events.Called(at=5.0, by="p0", round=1)), 0, here(2))[0] == 0.0
    playing = at(NIGHT, 14, published(1, ("p0", "p1", "p2"), at=50.0))
    assert next_round(playing, 0, here(14))[0] == 170.0
    assert list(waiting(playing, here(5))) == ["p3", "p4"]
    ends = at(NIGHT, 14, published(1, ("p0", "p1", "p2"), at=50.0), events.Closed(at=60.0))
    assert next_round(ends, 0, here(14)) == (inf, None)
    assert next_round(at(NIGHT, 3), 0, {})[0] == inf
    back = at(NIGHT, 3, published(1, ("p0", "p1", "p2"), at=50.0), finished(1, 0, 1, 2, 3, at=90.0))
    assert next_round(back, 0, here(3))[0] == 150.0
    assert next_round(back, 0, here(3, since=120.0))[0] == 180.0
    assert next_round(at(replace(NIGHT, fill="none"), 1), 0, here(1)) == (inf, None)
    assert due(at(replace(NIGHT, ends_at=500.0), 1), 10, 500, here(1)) == events.Closed(at=10)
    assert due(at(NIGHT, 0), 12 * 3600.0, 0, {}) == events.Closed(at=12 * 3600.0)


def test_times_of_day() -> None:
    """The next one within twelve hours."""
    evening = time.mktime((2026, 11, 22, 23, 30, 0, 0, 0, -1))
    assert read_time("00:15", evening) == evening + 45 * 60
    with pytest.raises(InputError, match="is past"):
        read_time("23:00", evening)
    read = read_tournament("Night start=23:45 places=9", Rulebook(), Config(), evening)
    assert (read["start"], read["starts_at"], read["places"]) == ("time", evening + 900, 9)
