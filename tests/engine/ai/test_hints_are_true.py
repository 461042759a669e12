"""The reasons in hints are true; in each example a player once found a false one."""

from random import Random

import pytest

from engine.ai.explain import explain, glance
from engine.state import State
from engine.view import view_of
from tests.support.positions import at, large_pile

OTHER = "hand 3h 4h 7h"
LONG_PILE = "3c 3d 5c 6c 6d 7c 8c 8d 9c Jc"


def hint(state: State) -> str:
    """The hint for the seat to move."""
    return glance(view_of(state, 0), Random(0)).sentence


@pytest.mark.parametrize("rules", ["life", "college"])
def test_a_face_down_card_is_something_to_do(rules: str) -> None:
    """If the pile may be taken by choice, "you have no other move" would be false."""
    told = hint(at(rules, "down - 4d Kh", OTHER, pile="Kc Kd"))
    assert told in {f"Turn over face-down card {slot}: any of them is as good as another." for slot in (2, 3)}


@pytest.mark.parametrize("rules", ["quatch", "life", "college", "cathedral"])
def test_a_burn_leaves_no_pile_alone(rules: str) -> None:
    """A 10 on ten cards burns them; the reason does not say that the pile is left alone."""
    told = hint(at(rules, "hand Tc 4d / up 9h" if rules != "cathedral" else "hand Tc 4d", OTHER, pile=LONG_PILE))
    assert told.startswith("Play a 10: ")
    assert "alone" not in told


def test_three_of_a_rank_are_no_step_to_four_in_one_play() -> None:
    """In Life only four laid together burn."""
    told = hint(at("life", "hand 6c 6d 6h 9c Kh", OTHER, pile="4c", stock="3s 3d"))
    assert told.startswith("Play three 6s: ")
    assert "four" not in told


@pytest.mark.parametrize("rules", ["quatch", "life", "college"])
@pytest.mark.parametrize("up", ["9c Kd", "9c 9d Kd", "9c"])
def test_an_empty_hand_is_not_emptied(rules: str, up: str) -> None:
    """A play from the face-up row does not empty the hand."""
    assert "empties your hand" not in hint(at(rules, f"up {up} / down 3c 3d", OTHER, pile="8c"))


@pytest.mark.parametrize("rules", ["quatch", "life", "college", "cathedral"])
def test_a_reason_is_more_than_that_it_is_better(rules: str) -> None:
    """A reason says more than that a move is a little better."""
    told = hint(at(rules, "hand 7c 7d 9c", OTHER.replace("7", "8"), pile="4c", stock="3s 3d 9s"))
    assert "better" not in told


CATHEDRAL = at(
    "cathedral",
    "hand 2d 6c Jh / reserve Tc Ks Ah",
    "hand 4c 4d 4h 4s 5c 5s 7d 7h 8s Jc Qd Ad / reserve 9h Qc Ac",
    pile="5d 6d 6h 6s 8d 8h 9s As 2h 2s 3c 3d 3h",
    stock="Js 8c Td 9d 7s Kh 2c Qh 3s",
    bin="9c Qs Ts 5h 7c Jd Kc Kd Th",
)
"""Taking the pile wins 87 of 100 games that Master plays on, a play 67."""


def test_a_large_pile_is_taken_by_choice_only_if_it_helps() -> None:
    """The search alone, which stops after some plies, said the contrary in both positions."""
    assert explain(view_of(CATHEDRAL, 0), "hint").sentence.startswith("Take the pile: ")
    told = explain(view_of(large_pile(), 0), "hint").sentence
    assert told == "Play a 2: taking the pile would do about as well." or told.startswith("Play a 2: you need not")


def test_a_hint_says_so_if_the_game_is_all_but_lost() -> None:
    """The next player goes out with the ace; a reason for one of the moves would be of no use."""
    told = explain(view_of(at("quatch", "hand 3c 3d 4h 5h", "up Ah", pile="3h"), 0), "hint").sentence
    assert told.endswith(": you can hardly win any more.")
    won = explain(view_of(at("quatch", "hand 3c 3d", "hand Ah Kh Qh", pile="3h"), 0), "hint").sentence
    assert "hardly" not in won
