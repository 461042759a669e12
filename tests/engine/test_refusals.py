"""What a player reads when a move is refused."""

import pytest

from engine.errors import Refused
from engine.rules import Json
from tests.support.positions import OTHER, after, at


@pytest.mark.parametrize(
    ("rules", "hand", "play"), [("cathedral", "hand 2c 5d Kc", "play 2"), ("quatch", "hand Tc 5d Kc", "play 10")]
)
def test_a_bonus_turn_that_must_be_played_is_not_called_one_that_may_be_passed(
    rules: str, hand: str, play: str
) -> None:
    """A player who reads in a bonus turn that such turns may be passed tries again."""
    bonus = after(at(rules, hand, OTHER, pile="4h", stock="3d 5h 6d"), play)
    with pytest.raises(Refused, match=r"^You may pass only if you can do nothing else\. You can play "):
        after(bonus, "pass", seat=0)


@pytest.mark.parametrize("options", [{}, {"special.10.again": "must"}])
def test_where_bonus_turns_may_be_passed_it_is_said(options: dict[str, Json]) -> None:
    """In Life cards a 10 and four of a rank give turns that may be passed."""
    state = at("life", "hand 4c 5d Kc", OTHER, pile="4h", options=options)
    with pytest.raises(Refused, match=r"^You may pass only in a bonus turn, or if you can do nothing else\."):
        after(state, "pass", seat=0)


def test_a_card_of_the_reserve_is_said_to_be_there() -> None:
    """A player who lays it aside sees it all the time."""
    state = at("cathedral", "hand 4c 5d Kc / reserve 2c 9d Kd", OTHER, pile="3h")
    with pytest.raises(Refused, match=r"^Your 2 is in your reserve: that comes when your hand"):
        after(state, "play 2", seat=0)
    with pytest.raises(Refused, match=r"^Only one king in your hand\."):
        after(state, "play K K", seat=0)
    with pytest.raises(Refused, match=r"^No queen in your hand\."):
        after(state, "play Q", seat=0)
