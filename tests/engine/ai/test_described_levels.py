"""The levels play as document 002 describes them (D2-18, D2-46 to D2-50), counted in positions of games.

A level *presses* if it lays a jack or higher though it could lay something lower. Special cards do not count.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import TypeAlias

import pytest
from msgspec import structs

from engine.ai import LEVELS, AIPlayer
from engine.ai.next_seat import LARGE_PILE, SMALL_STOCK, at_stake
from engine.cards import NO_RANK, RANKS, Rank
from engine.game import deal
from engine.legality import legal_moves
from engine.moves import Move, Play
from engine.rulesets import ruleset, rulesets
from engine.view import View, view_of
from server.training.arena import play_game
from tests.soak import long

QUATCH = ruleset("quatch")
JACK, TEN = map(RANKS.index, "JT")
GAMES = long(16, 60)


Chosen: TypeAlias = tuple[View, list[Play], Play]
"""What a level saw, what it could play, and what it did."""


@cache
def positions(seats: int) -> list[tuple[View, list[Play]]]:
    """Positions with a play, from games of these levels among each other, and the plays that are possible."""
    found: list[tuple[View, list[Play]]] = []

    def watched(level: str) -> AIPlayer:
        def choose(view: View, rng: Random) -> Move:
            plays = [each for each in legal_moves(view, view.seat or 0) if isinstance(each, Play)]
            if view.phase == "play" and plays:
                found.append((view, plays))
            return LEVELS[level](view, rng)

        return choose

    for number in range(GAMES):
        play_game(QUATCH, [watched("hard"), watched("medium"), watched("hard")][:seats], f"described/{number}")
    return found


@cache
def plays_of(level: str, seats: int = 2, *, described: bool = True) -> list[Chosen]:
    """What a level plays in these positions; ``described``: whether the document describes levels."""
    rules = QUATCH if described else replace(QUATCH, at_level={})
    choices: list[Chosen] = []
    for number, (view, could) in enumerate(positions(seats)):
        play = LEVELS[level](structs.replace(view, rules=rules), Random(number))
        if isinstance(play, Play):
            choices.append((view, could, play))
    return choices


def rank_of(play: Play) -> Rank:
    """The rank that is laid."""
    return play.picks[0].rank


def large(view: View) -> bool:
    """Whether the pile is large."""
    return len(view.pile) >= LARGE_PILE


def small_stock(view: View) -> bool:
    """Whether few cards are left to draw, and the pile is not large."""
    return view.stock_left <= SMALL_STOCK and not large(view)


def neither(view: View) -> bool:
    """Whether there is no reason to press."""
    return not large(view) and not small_stock(view)


def pressing(level: str, when: Callable[[View], bool], seats: int = 2) -> float:
    """In what share of the plays at which it could the level presses."""
    counted = Counter[bool]()
    for view, could, play in plays_of(level, seats):
        ranks = {rank_of(each) for each in could} - set(QUATCH.special)
        if when(view) and ranks and max(ranks) >= JACK and len(ranks) > 1:
            counted[rank_of(play) in ranks and rank_of(play) >= JACK and rank_of(play) > min(ranks)] += 1
    return counted[True] / counted.total()


def whole_sets(plays: list[Chosen]) -> float:
    """In what share of the plays of a rank of which it could lay several cards, and had none to draw, all are laid."""
    counted = Counter[bool]()
    for view, could, play in plays:
        most = max(len(each.picks) for each in could if rank_of(each) == rank_of(play))
        if most > 1 and not view.stock_left:
            counted[len(play.picks) == most] += 1
    return counted[True] / counted.total()


def tens_laid(level: str, when: Callable[[View], bool]) -> float:
    """In what share of the plays at which it could the level lays the ten."""
    laid = [rank_of(play) == TEN for view, could, play in plays_of(level) if when(view) and TEN in map(rank_of, could)]
    return sum(laid) / len(laid)


@pytest.mark.parametrize("level", ["easy", "medium"])
@pytest.mark.parametrize("seats", [2, 3])
def test_d2_18_easy_and_medium_lay_all_cards_of_a_rank_at_every_table(level: str, seats: int) -> None:
    """Also where the rules of the table let people keep some back."""
    assert not QUATCH.play_whole_sets
    for _, could, play in plays_of(level, seats):
        assert all(len(each.picks) <= len(play.picks) for each in could if rank_of(each) == rank_of(play))


def test_d2_46_easy_plays_its_lowest_card() -> None:
    """But for a slip now and then; and on an empty pile it keeps special cards (D2-47)."""
    lowest = [
        rank_of(play) == min(ranks)
        for view, could, play in plays_of("easy")
        if (ranks := {rank_of(each) for each in could}) and view.top != NO_RANK
    ]
    assert sum(lowest) / len(lowest) > 0.9


def test_d2_47_easy_keeps_special_cards_off_an_empty_pile() -> None:
    """If it has others."""
    special = [
        rank_of(play) in QUATCH.special
        for view, could, play in plays_of("easy")
        if view.top == NO_RANK and {rank_of(each) for each in could} & set(QUATCH.special) and len(could) > 1
    ]
    assert sum(special) / len(special) < 0.1


def test_d2_48_medium_presses_if_the_pile_is_large_or_the_stock_small() -> None:
    """In about a quarter of its plays on large piles; otherwise it plays low, but for slips."""
    assert pressing("medium", large) == pytest.approx(0.25, abs=0.05)
    assert pressing("medium", small_stock) == pytest.approx(0.15, abs=0.05)
    assert pressing("medium", neither) < 0.08
    assert pressing("medium", large, 3) > pressing("medium", neither, 3) + 0.1


def test_d2_49_hard_presses_burns_large_piles_and_saves_its_best_cards() -> None:
    """It makes others take large piles, lays the ten rather on these, and high cards hardly without a reason."""
    assert pressing("hard", large) == pytest.approx(0.3, abs=0.06)
    assert pressing("hard", neither) < 0.04
    assert tens_laid("hard", large) > 1.5 * tens_laid("hard", neither)
    assert tens_laid("hard", neither) < 0.15


def test_d2_50_extreme_presses_more_than_hard_and_hard_more_than_medium() -> None:
    """On large piles; the more it presses, the stronger the level."""
    medium, hard, extreme = (pressing(level, large) for level in ("medium", "hard", "extreme"))
    assert medium < hard < extreme
    assert extreme == pytest.approx(0.4, abs=0.06)


def test_d2_50_extreme_thins_its_hand() -> None:
    """It lays more of its sets whole than where no document says so."""
    assert whole_sets(plays_of("extreme")) > whole_sets(plays_of("extreme", described=False)) + 0.03


@pytest.mark.parametrize("rules", rulesets())
def test_only_document_002_describes_levels(rules: str) -> None:
    """Elsewhere levels do not press: they play what wins most."""
    state, _ = deal(ruleset(rules), 2, "any")
    state.pile = [4 * 3] * LARGE_PILE
    assert bool(at_stake(view_of(state, 0))) == (rules == "quatch")
