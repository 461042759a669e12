"""What special ranks do, asked through the referee."""

from typing import Final

import pytest

from tests.support.random_games import MIRROR, SEVENS
from tests.support.referee import FULL_DECK, WHOLE, after, code, legal, play, position, seat


@pytest.mark.parametrize(
    ("ten", "four", "may_pass", "to_move"),
    [
        ("no", "no", False, 1),
        ("may", "no", True, 0),
        ("no", "may", True, 0),
        ("may", "must", False, 0),
        ("must", "may", False, 0),
    ],
)
def test_stronger_bonus_turn_counts(ten: str, four: str, *, may_pass: bool, to_move: int) -> None:
    """If two bonus turns apply (four 10s), must is stronger than may, and may is stronger than no."""
    options = {**FULL_DECK, "special.10.again": ten, "four.again": four}
    at = after(position(seat("Tc Td Th Ts 5c"), pile="4c", options=options), "play 10 10 10 10")
    assert (at["may_pass"], at["to_move"]) == (may_pass, to_move)


def test_optional_bonus_turn_can_be_passed() -> None:
    """In an optional bonus turn its player may play or pass; passing ends the turn and the permission."""
    at = after(position(seat("Tc 5c"), seat("Kd", down="3c"), pile="4c", rules="life"), "play 10")
    assert legal(at) == ["play 5", "pass"]
    at = after(at, "pass")
    assert (at["to_move"], at["may_pass"]) == (1, False)


def test_four_may_be_completed_by_a_reverse() -> None:
    """A 5 that completes four of a kind burns the pile and still reverses the order."""
    three = [seat("5c 9c"), seat("Kd"), seat("Qd")]
    at = after(position(*three, pile="5d 5h 5s", rules="life", options={"four.scope": "in-a-row"}), "play 5")
    assert at["bin"] == ["5d", "5h", "5s", "5c"]
    assert (at["order"], at["to_move"]) == ([0, 2, 1], 0)


@pytest.mark.parametrize(("move", "following"), [("play 5", 2), ("play 5 5", 1), ("play 5 5 5", 2)])
def test_odd_reverses_turn_the_order(move: str, following: int) -> None:
    """An odd number of reverses turns the order, an even number leaves it."""
    at = position(seat("5c 5d 5h 9c"), seat("Kd"), seat("Qd"), pile="4c", rules="life")
    assert after(at, move)["to_move"] == following


def test_reverse_with_two_left_skips() -> None:
    """With two seats left, not counting one that has just gone out, an odd number skips the next seat."""
    assert after(position(seat("5c 9c"), pile="4c", rules="life"), "play 5")["to_move"] == 0
    assert after(position(seat("5c 5d 9c"), pile="4c", rules="life"), "play 5 5")["to_move"] == 1
    assert after(position(seat("5c"), seat("Kd"), seat("Qd"), pile="4c", rules="life"), "play 5")["to_move"] == 2
    four = [seat("5c"), seat("Kd"), seat("Qd"), seat("Jd")]
    assert after(position(*four, pile="4c", rules="life"), "play 5")["order"] == [3, 2, 1]


SKIP: Final = {"special.9.effect": "skip"}


@pytest.mark.parametrize(
    ("seats", "move", "following"), [(4, "play 9", 2), (4, "play 9 9", 3), (3, "play 9 9 9", 1), (2, "play 9", 0)]
)
def test_each_skip_skips_one_more_seat(seats: int, move: str, following: int) -> None:
    """Each card of a skip passes over one more seat, its own player included when it comes round."""
    others = [seat(card) for card in ("Kd", "Qd", "Jd")[: seats - 1]]
    assert after(position(seat("9c 9d 9h 3c"), *others, pile="4c", options=SKIP), move)["to_move"] == following


def test_skipped_seats_are_told() -> None:
    """There is an event for each seat that is passed over, in their order."""
    at = position(seat("9c 9d 3c"), seat("Kd"), seat("Qd"), seat("Jd"), pile="4c", options=SKIP)
    events = play(at, "play 9 9")["events"]
    assert [event["seat"] for event in events if event["kind"] == "skipped"] == [1, 2]


def test_skip_is_lost_in_a_bonus_turn() -> None:
    """A skip is lost when its player gets a bonus turn."""
    at = position(seat("9c 9d 3c"), seat("Kd"), seat("Qd"), pile="4c", options={**SKIP, "special.9.again": "may"})
    at = after(at, "play 9")
    assert (at["to_move"], at["may_pass"]) == (0, True)
    assert after(at, "pass")["to_move"] == 1


def test_whole_sets_of_a_limited_row() -> None:
    """Whole sets from a limited face-up row are as many copies as may leave it at once."""
    at = position(seat(up="9c 9d 9h 3c"), pile="4c", options={**WHOLE, "play.up_at_once": 2})
    assert legal(at) == ["play 9 9"]
    assert after(at, "play 9 9")["seats"][0]["up"] == ["3c", "9h"]
    assert code(play(at, "play 9")) == "must_play_all"
    assert code(play(at, "play 9 9 9")) == "one_at_a_time"


@pytest.mark.parametrize(
    ("pile", "moves"),
    [
        ("3c", ["play 3", "play 8", "play J"]),
        ("9c 3c", ["play 3", "play J"]),
        ("9c 3c 3d", ["play 3", "play J"]),
        ("2c 3c", ["play 3", "play 8", "play J"]),
        ("7c 3c", ["play 3"]),
    ],
)
def test_mirror_counts_as_the_card_beneath(pile: str, moves: list[str]) -> None:
    """A mirror has the rank and effect of what is beneath it, through a chain; on an empty pile its own rank."""
    at = position(seat("3h 8h Jh"), pile=pile, rules="college", options={**MIRROR, **SEVENS})
    assert [move for move in legal(at) if move != "pickup"] == moves


def test_mirror_completes_four_of_a_kind() -> None:
    """A mirror counts as its effective rank for four of a kind."""
    at = position(seat("3h 8h Jh"), pile="4d 9c 3c 9d", rules="college", options=MIRROR)
    assert after(at, "play 3")["bin"] == ["4d", "9c", "3c", "9d", "3h"]


def test_bonus_turn_of_a_mirror() -> None:
    """A mirror is the card beneath, its bonus turn included; only on an empty pile is it itself."""
    options = {**MIRROR, "special.3.again": "must", "special.2.again": "no"}
    hands = seat("3h 8h"), seat("9h")
    assert after(position(*hands, pile="9c", rules="college", options=options), "play 3")["to_move"] == 1
    assert after(position(*hands, pile="2c", rules="college", options=options), "play 3")["to_move"] == 1
    assert after(position(*hands, rules="college", options=options), "play 3")["to_move"] == 0
    wild = {**MIRROR, "special.2.again": "must"}
    assert after(position(*hands, pile="2c", rules="college", options=wild), "play 3")["to_move"] == 0


@pytest.mark.parametrize(
    ("on", "beat", "code_of_seven"),
    [("rank", "higher", "must_be_lower"), ("rank", "equal-or-higher", None), ("rank-or-lower", "higher", None)],
)
def test_seven_on_a_seven(on: str, beat: str, code_of_seven: str | None) -> None:
    """A card that asks for less may follow its own rank if that rank may follow itself."""
    options = {"special.7.effect": "lower", "special.7.on": on, "beat": beat}
    assert code(play(position(seat("7h 8h"), pile="7c", options=options), "play 7")) == code_of_seven


def test_lower_binds_the_next_card_alone() -> None:
    """After a 7 only lower cards, another 7 and specials that go anywhere follow; then play is as before."""
    at = position(seat("6h 7h 8h Th 2h"), seat("8d Kd"), pile="7c", rules="life")
    assert legal(at) == ["play 2", "play 6", "play 7", "play T", "pickup"]
    assert "play 8" in legal(after(at, "play 6"))
    blind = after(position(seat(down="8h 6h"), pile="7c", rules="life"), "flip 1")
    assert blind["seats"][0] == seat("7c 8h", down="- 6h")
