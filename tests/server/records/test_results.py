"""What became of a game: ranks, points, and the text that it is kept as."""

import json
import re
from itertools import permutations, product
from random import Random

import pytest
from msgspec.structs import replace

from engine.ai import LEVELS
from engine.events import PickedUp
from server.config import Config
from server.records.results import (
    AVERAGE,
    COUNTS,
    GUEST,
    Finish,
    OccasionResult,
    Result,
    ai_key,
    ai_level,
    counts_as,
    ranks,
    ranks_at_cap,
    read_result,
    result_text,
    table_scores,
)
from server.storage.sqlite_database import MemoryDatabase
from server.table.finished_game import game_stats
from server.table.journal import Journal
from server.table.snapshot import Snapshot
from server.table.table import Table
from server.typed_json import write_versioned
from tests.support.each import for_each
from tests.support.tables import ANA, Watcher, live, table_settings

RESULT = Result(
    (Finish("account:a", "ana", 2), Finish(ai_key("hard"), "Fox", 1), Finish(GUEST, "Zo\u00eb", 2)),
    drawn=False,
    plies=71,
)


@for_each(
    ("places", "lost", "drawn", "expected"),
    [
        ((2, 0, 3, 1), set(), (), (2, 4, 1, 3)),
        ((2,), set(), (), (2, 2, 1, 2)),
        ((), set(), (0, 1, 2, 3), (1, 1, 1, 1)),
        ((2,), set(), (0, 1, 3), (2, 2, 1, 2)),
        ((2, 3), set(), (0, 1), (3, 3, 1, 2)),
        ((2, 0, 3, 1), {2}, (), (1, 3, 4, 2)),
        ((2, 0, 3, 1), {2, 0}, (), (3, 2, 3, 1)),
        ((2,), {2}, (), (1, 1, 4, 1)),
        ((), {1}, (0, 1, 2, 3), (1, 4, 1, 1)),
        ((), {0, 1, 3}, (0, 1, 2, 3), (2, 2, 1, 2)),
        ((2, 0, 3, 1), {0, 1, 2, 3}, (), (1, 1, 1, 1)),
        ((2, 0, 1, 3), set(), (1, 3), (2, 3, 1, 3)),
    ],
)
def test_places_become_ranks_and_losers_tie_last(
    places: tuple[int, ...], lost: set[int], drawn: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """In the order of going out. Players who tie share the best of their ranks. Those who lost are last."""
    assert ranks(places, 4, frozenset(lost), drawn) == expected


def test_every_rank_is_one_more_than_those_who_did_better() -> None:
    """For every order of any four seats, and any set of those who lost."""
    for length in range(5):
        for places in permutations(range(4), length):
            for mask in range(16):
                lost = frozenset(seat for seat in range(4) if mask >> seat & 1)
                found = ranks(places, 4, lost, ())
                assert all(rank == 1 + sum(other < rank for other in found) for rank in found)
                assert all(found[one] < found[other] for one in range(4) for other in lost if one not in lost)


def test_a_result_is_read_as_it_was_written() -> None:
    """The text says its version, and loses nothing."""
    assert read_result(write_versioned(RESULT)) == RESULT
    assert json.loads(write_versioned(RESULT))["v"] == 1


def test_a_rank_by_the_cards_is_kept_only_if_it_is_not_the_one_that_counts() -> None:
    """Most results need no second one."""
    finishes = (Finish("", "ana", 2, by_cards=1), Finish("", "bo", 1, by_cards=2), Finish("", "cy", 3))
    text = write_versioned(Result(finishes, drawn=False, plies=1))
    assert [each.get("by_cards") for each in json.loads(text)["finishes"]] == [1, 2, None]
    assert [each.rank_by_cards for each in read_result(text).finishes] == [1, 2, 3]


def test_where_the_rules_know_only_a_winner_the_others_come_by_the_cards_they_have_left() -> None:
    """Without numbers, also if somebody has left; where all have places these are told."""
    bo, cy = Finish("", "bo", 2, left=9), Finish("", "cy", 2, left=1)
    assert result_text(Result((bo, Finish("", "ana", 1), cy), drawn=False, plies=1)) == "ana won against cy and bo"
    left = Finish("", "ana", 3, by_cards=1, successor="Fox", why="left")
    bo, cy = Finish("", "bo", 1, by_cards=2, left=9), Finish("", "cy", 1, by_cards=2, left=1)
    told = "lost by ana (left); by the cards Fox (played for ana) won against cy and bo"
    assert result_text(Result((bo, left, cy), drawn=False, plies=1)) == told
    bo = Finish("", "bo", 1, by_cards=2, successor="Owl", why="absent")
    told = f"{COUNTS}won by Owl (played for bo): ana left; the game is not rated: bo was not there for the whole game"
    assert counts_as(Result((bo, left, replace(cy, rank=2)), drawn=False, plies=1)) == told
    gone = (Finish("", "di", 2, successor="Fox", why="removed"), Finish("", "bo", 2, left=3, why="away"))
    away = "(was away at the end, which counts as leaving)"
    told = f"ana won against Fox (played for di), cy and bo {away}; the game is not rated: di was removed"
    assert result_text(Result((*gone, Finish("", "ana", 1), Finish("", "cy", 2, left=1)), drawn=False, plies=1)) == told
    late = (Finish("", "ana", 1), Finish("", "bo", 2, left=3, why="absent"))
    told = "ana won against bo; the game is not rated: bo was not there for the whole game"
    assert result_text(Result(late, drawn=False, plies=1)) == told, "also who came after the deal, and played on"
    late = (Finish("account:ana", "ana", 2), Finish("", "bo", 1, why="absent"))
    told = "bo won against ana; the game is not rated: bo was not there for the whole game"
    assert result_text(Result(late, drawn=False, plies=1)) == told, "also if it is they who have won"
    others = (*late, Finish("account:cy", "cy", 2))
    told = "bo won against ana and cy; the game is rated for the others: bo was not there for the whole game"
    assert result_text(Result(others, drawn=False, plies=1)) == told
    both = (Finish("", "ana", 1, successor="Fox", why="left"), Finish("", "bo", 1, by_cards=2, why="left"))
    told = "lost by ana (left) and bo (left); by the cards Fox (played for ana) won against bo"
    assert result_text(Result(both, drawn=False, plies=1)) == told
    placed = (Finish("", "bo", 3, left=9), Finish("", "ana", 1), Finish("", "cy", 2))
    assert result_text(Result(placed, drawn=False, plies=1)) == "ana, then cy, then bo"


@pytest.mark.parametrize(
    ("ranks", "told"),
    [((3, 1, 2), "ana won against cy and bo"), ((2, 1, 3), "ana won against cy and bo; in the cup: ana, bo, cy")],
)
def test_what_counts_elsewhere_is_told_only_if_the_order_is_another(ranks: tuple[int, ...], told: str) -> None:
    """Some occasions count by the cards left, which the order of the others is already."""
    seats = (Finish("", "bo", 2, left=9), Finish("", "ana", 1), Finish("", "cy", 2, left=1))
    occasion = OccasionResult(kind="cup", data={}, title="Cup", ranks=ranks, counts_in="in the cup")
    assert result_text(Result(seats, drawn=False, plies=1, occasion=occasion)) == told


@for_each(
    ("sound", "broken", "told"),
    [
        ('"v":1', '"v":2', "written by a newer version of this program"),
        ('"v":1', '"v":"1"', "v: expected a whole number"),
        ('"v":1,', "", "v: is missing"),
        ('"plies":71', '"plies":null', "plies: expected a whole number"),
        ('"rank":1', '"rank":0', "finishes[1].rank: expected a whole number >= 1"),
        ('"rank":1', '"rank":4', "finishes: a rank is greater than 3"),
        ('"name":"ana",', "", "finishes[0].name: is missing"),
        ("}", "", "JSON is malformed"),
    ],
)
def test_what_is_no_result_is_refused_by_the_name_of_the_key(sound: str, broken: str, told: str) -> None:
    """In one line, which a newer version gets, too."""
    text = write_versioned(RESULT)
    assert sound in text
    with pytest.raises(ValueError, match=re.escape(told)):
        read_result(text.replace(sound, broken))


def test_the_level_of_an_ai_player() -> None:
    """The level is read back from the key. No other key has one."""
    assert ai_level(ai_key("hard")) == "hard"
    assert ai_level("account:a") is None
    assert ai_level(GUEST) is None


def patterns(seats: int) -> set[tuple[int, ...]]:
    """All ways to order so many seats, ties allowed: equal ranks are a tie, and the next rank leaves a gap."""
    orders = product(range(seats), repeat=seats)
    return {tuple(1 + sum(other < mine for other in order) for mine in order) for order in orders}


@pytest.mark.parametrize(("seats", "many"), [(2, 3), (3, 13), (4, 75)])
def test_every_tie_pattern_shares_the_same_sum(seats: int, many: int) -> None:
    """A table gives six points a seat, whoever ties; a better rank gives more, an equal one the same."""
    assert len(patterns(seats)) == many
    for places in patterns(seats):
        scores = table_scores(places)
        assert sum(scores) == AVERAGE * seats
        for one, other in product(range(seats), repeat=2):
            assert (places[one] < places[other]) == (scores[one] > scores[other])


def test_points_by_place() -> None:
    """The points of four, three and two seats, of ties, and of a player alone."""
    assert table_scores((4, 1, 3, 2)) == (0, 12, 4, 8)
    assert table_scores((2, 3, 1)) == (6, 0, 12)
    assert table_scores((1, 2)) == (10, 2)
    assert table_scores((1, 2, 2, 4)) == (12, 6, 6, 0)
    assert table_scores((1, 1, 1, 4)) == (8, 8, 8, 0)
    assert table_scores((1,)) == (AVERAGE,)


def test_a_game_ended_by_the_clock_ranks_by_cards() -> None:
    """Those who are out keep their order; of the others fewer cards are better, and equal ones tie."""
    assert ranks_at_cap(out=[2], cards_left={0: 9, 1: 4, 3: 4}) == (4, 2, 1, 2)
    assert ranks_at_cap(out=[], cards_left={0: 3, 1: 3}) == (1, 1)
    assert ranks_at_cap(out=[1, 0], cards_left={2: 1}) == (2, 1, 3)


async def test_a_game_that_is_over_comes_with_its_figures() -> None:
    """And the same come from the log, read back; a new game begins without."""
    store = MemoryDatabase()
    journal = await Journal.begin(store, 1, table_settings(), lambda: 0.0)
    async with live(journal, Config(pace=0, grace=0)) as table:
        ana = Watcher()
        await table.sit(ana, ANA)
        await table.start(ana)
        assert ana.snapshot is not None
        assert ana.snapshot.stats is None
        stats = (await played(table, ana)).stats
        taken = [event for event in ana.events if isinstance(event, PickedUp)]
        assert stats is not None
        assert stats.names == ("ana", "Fox")
        assert taken
        assert stats.picked_up == tuple(sum(len(each.cards) for each in taken if each.seat == seat) for seat in (0, 1))
        journal = await Journal.load(store, 1, lambda: 0.0)
        assert game_stats(journal.state, journal.events) == stats
        await table.start(ana)
        assert ana.snapshot.stats is None


async def played(table: Table, ana: Watcher) -> Snapshot:
    """A game to its end, as an AI player would play it."""
    chance = Random(1)
    while True:
        snapshot = await ana.until(lambda snapshot: snapshot.my_turn or not snapshot.playing)
        if snapshot.view is None or not snapshot.playing:
            return snapshot
        await table.move(ana, snapshot.ply, LEVELS["hard"](snapshot.view, chance))
