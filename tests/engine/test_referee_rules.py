"""What the keys of a rule set and special ranks do, asked through the referee."""

from typing import Final

import pytest

from tests.support.each import for_each
from tests.support.random_games import MIRROR
from tests.support.referee import FULL_DECK, WHOLE, Answer, after, arranging, code, legal, play, position, seat


def started(*hands: str, rules: str = "quatch", stock: str = "", **keys: object) -> Answer:
    """The position when all of these hands are ready."""
    seats = [seat(hand, ready=n > 0) for n, hand in enumerate(hands)]
    return after(arranging(*seats, rules=rules, stock=stock, **keys), "ready")


@for_each(
    ("hands", "starter"),
    [
        (["5h 9h", "4h 9d"], 1),
        (["4d 9h", "4h 8d"], 1),
        (["4d 8h", "4h 8d 3h"], 1),
        (["4d 9h 2c", "4h 9d Jc"], 1),
        (["4d 9h Tc", "4h 9d"], 0),
        (["5d 9h", "5h 9d", "5c 9c"], 0),
        (["2h", "Th", "Ah 2d"], 2),
    ],
)
def test_lowest_plain_card_starts(hands: list[str], starter: int) -> None:
    """Lowest plain cards are compared one by one, running out counts as higher, ties go to the lowest seat."""
    assert started(*hands, options=FULL_DECK)["order"][0] == starter


def test_luck_decides_ties() -> None:
    """With luck carried in the position, ties fall to the seat that it names first."""
    assert started("5d 9h", "5h 9d", "5c 9c", luck="2,0,1")["order"] == [2, 0, 1]
    assert started("5d 9h", "5h 9d", "4c 9c", luck="0,1,2")["order"] == [2, 0, 1]


def test_automatic_lead_of_the_only_card() -> None:
    """If the automatic lead is a seat's only card, and nothing is drawn, the answer is still a valid position."""
    at = started("4d", "9h 9c", options={"draw.to": 0}, stock="8c")
    assert after(at) == at


def test_no_plain_card_no_automatic_lead() -> None:
    """If no seat holds an ordinary card the first seat leads freely."""
    at = started("2c Td", "2d Tc", options=FULL_DECK, stock="8c")
    assert (at["to_move"], at["pile"], at["must_lead"]) == (0, [], None)
    assert legal(at) == ["play 2", "play T"]


@pytest.mark.parametrize("rules", ["cathedral", "college"])
def test_starter_without_luck_is_seat_0(rules: str) -> None:
    """In a position without luck seat 0 starts if the deal would have decided."""
    assert started("5d", "4h", rules=rules, options={"arrange.mode": "swap"})["order"] == [0, 1]
    assert started("5d", "4h", rules=rules, options={"arrange.mode": "swap"}, luck="1,0")["order"] == [1, 0]


def test_turned_up_card_counts_toward_four_in_a_row() -> None:
    """What else it does D3-06 says."""
    at = started("8d 8c 8h 3d", "4h", rules="college", options={"arrange.mode": "swap"}, stock="8s")
    assert after(at, "play 8 8 8")["bin"] == ["8s", "8c", "8d", "8h"]


def test_unplayable_last_special_is_about_all_cards_of_a_seat() -> None:
    """A reset or burn may not be the last card; with a card elsewhere, or one to draw, it is not the last."""
    assert legal(position(seat("2h", down="4c"), pile="5c")) == ["play 2"]
    assert legal(position(seat("2h"), pile="5c", stock="8c")) == ["play 2"]
    assert legal(position(seat("2h"), pile="5c", stock="8c", options={"draw.to": 0})) == ["pickup"]
    assert legal(position(seat(up="2h"), pile="5c", stock="8c")) == ["pickup"]
    assert legal(position(seat("2h 2d"), pile="5c", options=FULL_DECK)) == ["play 2"]


@for_each(
    ("at", "move"),
    [
        (position(seat(up="6h"), pile="6c 6d 6s"), "play 6"),
        (position(seat(down="2h"), pile="5c"), "flip 1"),
        (position(seat("3h"), pile="5d 2c", options=MIRROR), "play 3"),
    ],
)
def test_eaten_last_special(at: Answer, move: str) -> None:
    """A final play that burns or resets has no effect: the whole pile with it goes to the hand, the turn ends."""
    at = after({**at, "rules": "quatch-original"}, move)
    assert (at["phase"], at["pile"], at["bin"], at["to_move"]) == ("play", [], [], 1)
    assert len(at["seats"][0]["hand"]) > 1


def test_eaten_only_when_final() -> None:
    """With a card left in any zone, or in the stock, the effect happens."""
    for at in (
        position(seat("Th 3c"), pile="5c"),
        position(seat("Th", up="3c"), pile="5c"),
        position(seat("Th", down="3c"), pile="5c"),
        position(seat("Th", reserve="3c"), pile="5c"),
        position(seat("Th"), pile="5c", stock="3c"),
    ):
        assert after({**at, "rules": "quatch-original"}, "play 10")["bin"] == ["5c", "Th"]


def test_odd_positions() -> None:
    """With the hand empty the face-up row opens, stock or no stock; the default order leaves out places."""
    assert legal(position(seat(up="5c", down="6c"), stock="8c", pile="4c")) == ["play 5"]
    assert legal(position(seat(reserve="5c"), pile="4c", rules="cathedral")) == ["pickup"]
    at = after(position(seat(), seat("5c"), seat("6c"), places=[0]))
    assert (at["order"], at["to_move"]) == ([1, 2], 1)


@for_each(
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


def test_four_may_be_completed_by_a_reverse() -> None:
    """A 5 that completes four of a kind burns the pile and still reverses the order."""
    three = [seat("5c 9c"), seat("Kd"), seat("Qd")]
    at = after(position(*three, pile="5d 5h 5s", rules="life", options={"four.scope": "in-a-row"}), "play 5")
    assert at["bin"] == ["5d", "5h", "5s", "5c"]
    assert (at["order"], at["to_move"]) == ([0, 2, 1], 0)


SKIP: Final = {"special.9.effect": "skip"}


@for_each(
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
