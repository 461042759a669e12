"""Medium and Hard make second-best plays, but only at tables of more than two seats."""

from random import Random
from typing import Protocol

import pytest

from engine.ai.easy_medium_hard import HARD_SECOND_BEST, MEDIUM_SECOND_BEST, hard, medium
from engine.game import deal
from engine.moves import Move, play_of
from engine.rulesets import ruleset
from engine.view import View, view_of


class Level(Protocol):
    """Medium or Hard."""

    def __call__(self, view: View, rng: Random, *, second_best: float = ...) -> Move:
        """The move."""


def opening(seats: int) -> View:
    """The view of the seat that leads freely with a five, a seven and a nine."""
    state, _ = deal(ruleset("cathedral"), seats, "any")
    state.phase, state.to_move = "play", 0
    state.hands[0] = 1 << 4 * 3 | 1 << 4 * 5 | 1 << 4 * 7
    return view_of(state, 0)


@pytest.mark.parametrize("level", [medium, hard])
@pytest.mark.parametrize(("seats", "second_best", "played"), [(4, 1.0, 5), (3, 1.0, 5), (2, 1.0, 3), (4, 0.0, 3)])
def test_the_second_best_play(level: Level, seats: int, second_best: float, played: int) -> None:
    """With two seats the level plays its lowest card all the same. Random(1) makes neither level slip."""
    assert level(opening(seats), Random(1), second_best=second_best) == play_of(played, 1)


def test_medium_errs_more_often_than_hard() -> None:
    """And each about as often as it says."""
    view = opening(4)

    def share(level: Level) -> float:
        moves = [level(view, Random(number)) for number in range(400)]
        return moves.count(play_of(5, 1)) / len(moves)

    assert share(hard) == pytest.approx(HARD_SECOND_BEST, abs=0.06)
    assert share(medium) == pytest.approx(MEDIUM_SECOND_BEST, abs=0.08)
