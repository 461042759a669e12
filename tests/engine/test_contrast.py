"""One situation, five answers: how the five rule sets differ."""

from collections.abc import Callable
from typing import Final, TypeAlias

import pytest

from engine.rulesets import ruleset
from engine.state import State
from tests.support.positions import OTHER, after, at, binned, hand, legal, stock, up

Situation: TypeAlias = Callable[[str], str]

RULES: Final = ("quatch-original", "cathedral", "quatch", "college", "life")


def eight_on_eight(rules: str) -> str:
    """May a card go on its equal?"""
    return "ok" if "play 8" in legal(at(rules, "hand 8c Kc", OTHER, pile="8h")) else "illegal"


def ten_on_a_king(rules: str) -> str:
    """May a 10 go on a higher card?"""
    return "ok" if "play T" in legal(at(rules, "hand Tc Ac", OTHER, pile="Kh")) else "illegal"


def after_a_ten(rules: str) -> str:
    """Which seat moves after a 10 has burned the pile?"""
    return _mover(after(at(rules, "hand 8c Tc", OTHER, pile="4h"), "play T"))


def after_a_two(rules: str) -> str:
    """Which seat moves after a 2, and with what?"""
    state = after(at(rules, "hand 2c 3c", "hand 3d 4d", pile="Kh"), "play 2")
    return f"{_mover(state)}, {'anything' if 'play 3' in legal(state) else 'not anything'}"


def could_play_but_wants_the_pile(rules: str) -> str:
    """May the pile be taken by choice?"""
    return "yes" if "pickup" in legal(at(rules, "hand Kc", OTHER, pile="8h")) else "no"


def a_pair_of_a_hand_of_three(rules: str) -> str:
    """How many cards are drawn when one is left in hand and the stock is full?"""
    state = after(at(rules, "hand 8c 8d Kc", OTHER, pile="4h", stock="6d 6h 6s Js"), "play 8 8")
    return f"draws {4 - len(stock(state).split())}"


def a_fourth_nine_on_three_nines(rules: str) -> str:
    """Do four of a rank built up over several plays burn?"""
    state = at(rules, "hand 9s Kc", OTHER, pile="9c 9d 9h")
    if "play 9" not in legal(state):
        return "illegal"
    state = after(state, "play 9")
    burned = "burns" if binned(state) else "no burn"
    return f"{burned}, {_mover(state)}"


def stuck_on_the_face_up_row(rules: str) -> str:
    """What can be done when no face-up card goes on the pile?"""
    if ruleset(rules).arrange_mode == "lay-reserve":
        return "no such row"
    state = at(rules, "up 4c 4d 6c", OTHER, pile="Kh")
    lifts = [move for move in legal(state) if move.startswith("pickup ")]
    assert up(after(state, "pickup")) == "4c 4d 6c"
    return "take the pile, may lift a rank" if lifts else "take the pile"


def the_last_card_is_a_two(rules: str) -> str:
    """Is a 2 good to go out with?"""
    return _last_play(at(rules, "hand 2c", OTHER, "hand Ks", pile="4h"), "play 2")


def the_last_play_completes_four(rules: str) -> str:
    """Are four of a rank good to go out with?"""
    return _last_play(at(rules, "hand 9c 9d 9h 9s", OTHER, "hand Ks", pile="4h"), "play 9 9 9 9")


def one_out_and_three_left(rules: str) -> str:
    """Is the game over when the first seat goes out?"""
    state = after(at(rules, "hand 9c", OTHER, "hand Ks", "hand Kd", pile="4h"), "play 9")
    return "play on" if state.phase == "play" else "over"


def _mover(state: State) -> str:
    if state.to_move != 0:
        return "next player"
    return "same player or pass" if "pass" in legal(state) else "same player"


def _last_play(state: State, move: str) -> str:
    if move not in legal(state):
        return "not playable"
    state = after(state, move)
    if state.places[:1] == (0,):
        return "wins"
    return "eats it back" if hand(state) else "nothing"


TABLE: Final[dict[Situation, tuple[str, str, str, str, str]]] = {
    eight_on_eight: ("ok", "illegal", "ok", "ok", "ok"),
    ten_on_a_king: ("illegal", "ok", "ok", "ok", "ok"),
    after_a_ten: ("next player", "same player", "same player", "same player", "same player or pass"),
    after_a_two: (
        "next player, anything",
        "same player, anything",
        "next player, anything",
        "next player, anything",
        "next player, anything",
    ),
    could_play_but_wants_the_pile: ("no", "yes", "no", "yes", "yes"),
    a_pair_of_a_hand_of_three: ("draws 2", "draws 2", "draws 2", "draws 1", "draws 2"),
    a_fourth_nine_on_three_nines: (
        "burns, next player",
        "illegal",
        "burns, same player",
        "burns, same player",
        "no burn, next player",
    ),
    stuck_on_the_face_up_row: (
        "take the pile",
        "no such row",
        "take the pile",
        "take the pile",
        "take the pile, may lift a rank",
    ),
    the_last_card_is_a_two: ("eats it back", "wins", "not playable", "wins", "wins"),
    the_last_play_completes_four: ("eats it back", "wins", "wins", "wins", "wins"),
    one_out_and_three_left: ("over", "over", "over", "over", "play on"),
}
"""For each situation the answers of the rule sets, in the order of `RULES`."""

CASES: Final = [
    pytest.param(situation, rules, answer, id=f"{situation.__name__}-{rules}")
    for situation, answers in TABLE.items()
    for rules, answer in zip(RULES, answers, strict=True)
]


@pytest.mark.parametrize(("situation", "rules", "answer"), CASES)
def test_each_rule_set_gives_its_own_answer(situation: Situation, rules: str, answer: str) -> None:
    """Each rule set gives the answer of its own clauses."""
    assert situation(rules) == answer
