"""The sentences of errors and refusals, and numbers in sentences."""

import pytest

from engine.errors import BadRules, InputError, Refused
from engine.rules import Json
from engine.wording.phrases import number_range, quantity
from tests.support.each import for_each
from tests.support.positions import OTHER, after, at


@for_each(
    ("message", "sentence"),
    [
        ("no game is going on", "No game is going on."),
        ("kick whom? Type kick NAME", "Kick whom? Type kick NAME."),
        ("Jack is lower than a queen. You can play a 10.", "Jack is lower than a queen. You can play a 10."),
        ("'foo' is no word", "'foo' is no word."),
        ("20 games are being looked back on", "20 games are being looked back on."),
        ("deal.hand: must be 1 to 9", "deal.hand: must be 1 to 9."),
        ("seats: 2 to 4, not 9", "seats: 2 to 4, not 9."),
        ("nan.toml, line 3: no such key", "nan.toml, line 3: no such key."),
        ("hints=maybe is neither on nor off", "hints=maybe is neither on nor off."),
        ("whose turns?", "Whose turns?"),
    ],
)
def test_a_message_that_stands_alone_is_a_sentence(message: str, sentence: str) -> None:
    """With a large letter and a full stop; what is typed just so keeps its small one."""
    errors = (InputError("bad_request", message), Refused("too_low", None, message), BadRules([message]))
    for error in errors:
        assert error.sentence == sentence
        assert error.message == str(error) == message


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


@for_each(
    ("count", "text"), [(0, "0 minutes"), (1, "1 minute"), (1.0, "1 minute"), (2, "2 minutes"), (2.5, "2.5 minutes")]
)
def test_one_is_singular(count: float, text: str) -> None:
    """And everything else is not."""
    assert quantity(count, "minute") == text


@pytest.mark.parametrize(("least", "most", "text"), [(2, 4, "2 to 4 seats"), (2, 2, "2 seats"), (1, 1, "1 seat")])
def test_a_range_of_one_number_is_that_number(least: int, most: int, text: str) -> None:
    """As for rules that are for exactly two."""
    assert number_range(least, most, "seat") == text
