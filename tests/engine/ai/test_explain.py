"""Hints and reviews: the move, its reason in a sentence, and what a game's turns were worth."""

from random import Random

import pytest

from engine.ai import LEVELS
from engine.ai.explain import explain
from engine.ai.review import review
from engine.game import deal, play
from engine.legality import refusal
from engine.moves import Move, play_of
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import View, view_of
from tests.engine.positions import OTHER, at

LOOKS = 40


def game(rules: str, seats: int) -> list[tuple[State, int, Move]]:
    """A game that Hard plays: each position, the seat that moved, its move."""
    rng, steps = Random(rules), list[tuple[State, int, Move]]()
    state, _ = deal(ruleset(rules), seats, "a seed")
    while state.phase != "over":
        seat = state.to_move if state.to_move is not None else state.ready.index(False)
        move = LEVELS["hard"](view_of(state, seat), rng)
        steps.append((state, seat, move))
        state, _ = play(state, seat, move)
    return steps


@pytest.mark.parametrize("rules", rulesets())
def test_every_hint_is_a_legal_move_and_one_line(rules: str) -> None:
    """Extreme's and Master's hint alike, in arranging and in play."""
    for state, seat, _ in game(rules, 3):
        for looks in (0, 8):
            move, reason = explain(view_of(state, seat), Random(1), looks)
            assert refusal(state, seat, move) is None
            assert reason.endswith(".")
            assert "\n" not in reason
            assert ": " in reason


def test_a_hint_says_what_decided() -> None:
    """Going out, and the only thing that can be done, are said as they are."""
    assert explain(view_of(at("quatch", "hand 9c", OTHER, pile="Kh"), 0), Random(1), LOOKS)[1] == (
        "Take the pile: there is nothing else that you can do."
    )
    move, reason = explain(view_of(at("college", "hand 8c 8d", "hand 3c 4c", pile="6h"), 0), Random(1), LOOKS)
    assert str(move) == "play 8 8"
    assert "out of cards" in reason


def test_a_review_finds_the_blunder() -> None:
    """Who could have gone out and did not is told so, with the chances of every turn."""
    state = at("college", "hand 8c 8d", "hand Kc Ac", pile="6h")
    turns: list[tuple[View, Move]] = [(view_of(state, 0), play_of(6, 1))]
    found = review(turns, Random(1), LOOKS)

    assert found.chances[0] > 0.9
    assert (found.costliest[0].turn, str(found.costliest[0].better)) == (0, "play 8 8")
    assert found.costliest[0].cost > 0.2


def test_a_review_of_a_whole_game() -> None:
    """A chance for every turn of play, and no more than three moves that cost something."""
    steps = [(view_of(state, seat), move) for state, seat, move in game("life", 3) if seat == 1]
    found = review(steps, Random(1), looks=10)

    assert len(found.chances) == sum(view.phase == "play" for view, _ in steps)
    assert all(0 <= chance <= 1 for chance in found.chances)
    assert len(found.costliest) <= 3
    assert all(each.cost > 0 for each in found.costliest)
    assert found == review(steps, Random(1), looks=10)
