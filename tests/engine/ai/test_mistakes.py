"""The kinds of mistakes."""

import pytest

from engine.ai.mistakes import MISTAKES, Mistake, mistake_of, opposite
from engine.moves import PASS, PICK_UP, Move, play_of
from engine.view import view_of
from tests.support.positions import OTHER, at

TWO, FIVE, NINE, TEN = 0, 3, 7, 8


@pytest.mark.parametrize(
    ("made", "better", "mistake"),
    [
        (PICK_UP, play_of(FIVE, 1), "takes"),
        (play_of(TWO, 1), play_of(FIVE, 1), "powers early"),
        (play_of(NINE, 1), play_of(FIVE, 2), "high"),
        (play_of(FIVE, 2), play_of(FIVE, 1), "many"),
        (PASS, play_of(FIVE, 1), None),
        (play_of(TEN, 1), play_of(TWO, 1), None),
    ],
)
def test_a_mistake_has_a_name_and_the_contrary_its_opposite(made: Move, better: Move, mistake: Mistake | None) -> None:
    """The 2 and the 10 are special cards in Quatch, and neither is the higher one."""
    view = view_of(at("quatch", "hand 2c 5c 5d 9c Tc", OTHER), 0)

    assert mistake_of(view, made, better) == mistake
    assert mistake is None or mistake_of(view, better, made) == opposite(mistake)


def test_opposites_come_in_pairs() -> None:
    """Each mistake is the opposite of its opposite."""
    assert all(opposite(opposite(mistake)) == mistake != opposite(mistake) for mistake in MISTAKES)
