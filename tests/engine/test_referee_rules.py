"""What the keys of a rule set do, asked through the referee: the start, the last card, the end."""

import pytest

from tests.support.random_games import MIRROR, SEVENS
from tests.support.referee import FULL_DECK, LAYING, Answer, after, arranging, legal, play, position, seat


def test_laying_can_be_said_again() -> None:
    """What was laid may be laid anew, from all cards held so far, until ready."""
    at = after(LAYING, "lay 3 4 5", "lay 6 3 4")
    assert at["seats"][0] == seat("5c", up="3c 4c 6c")


def started(*hands: str, rules: str = "quatch", stock: str = "", **keys: object) -> Answer:
    """The position when all of these hands are ready."""
    seats = [seat(hand, ready=n > 0) for n, hand in enumerate(hands)]
    return after(arranging(*seats, rules=rules, stock=stock, **keys), "ready")


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("hands", "order"),
    [
        (["4h", "5h", "6h", "7h"], [0, 1, 2, 3]),
        (["4h", "6h", "7h", "5h"], [0, 3, 2, 1]),
        (["5h", "7h", "4h", "6h"], [2, 0, 1, 3]),
        (["4h", "6h", "5h"], [0, 2, 1]),
        (["4h", "5h"], [0, 1]),
    ],
)
def test_second_lowest_sets_the_direction(hands: list[str], order: list[int]) -> None:
    """With start.second the next lowest seat goes second, and the table goes round from the starter to it."""
    at = started(*hands, rules="quatch-original", stock="8c 8d 8h")
    assert at["order"] == order
    assert at["to_move"] == order[1]


def test_automatic_lead() -> None:
    """The lowest plain card opens the pile, one card; its seat draws, the turn passes, and no ply is counted."""
    at = started("4d 4h 2c", "9h Jc Qc", stock="8c 8d")
    assert at["pile"] == ["4d"]
    assert at["seats"][0]["hand"] == ["2c", "4h", "8c"]
    assert (at["to_move"], at["quiet"], at["phase"]) == (1, 0, "play")
    assert started("4d 4h 2c", "9h Jc Qc")["quiet"] == 0


def test_automatic_lead_of_the_only_card() -> None:
    """If the automatic lead is a seat's only card, and nothing is drawn, the answer is still a valid position."""
    at = started("4d", "9h 9c", options={"draw.to": 0}, stock="8c")
    assert after(at) == at


def test_no_plain_card_no_automatic_lead() -> None:
    """If no seat holds an ordinary card the first seat leads freely."""
    at = started("2c Td", "2d Tc", options=FULL_DECK, stock="8c")
    assert (at["to_move"], at["pile"], at["must_lead"]) == (0, [], None)
    assert legal(at) == ["play 2", "play T"]


def test_declared_start_must_lead_its_rank() -> None:
    """Ranks are called from the 3 up, the 2 last; the seat with the called rank must lead it."""
    at = started("2c 5d 5h", "4h 9d", rules="life", options={"arrange.mode": "swap"})
    assert (at["to_move"], at["must_lead"]) == (1, "4")
    assert legal(at) == ["play 4"]
    at = after(at, "play 4", by=1)
    assert at["must_lead"] is None
    assert started("2c", "2d", rules="life", options={"arrange.mode": "swap"})["must_lead"] == "2"


@pytest.mark.parametrize("rules", ["cathedral", "college"])
def test_starter_without_luck_is_seat_0(rules: str) -> None:
    """In a position without luck seat 0 starts if the deal would have decided."""
    assert started("5d", "4h", rules=rules, options={"arrange.mode": "swap"})["order"] == [0, 1]
    assert started("5d", "4h", rules=rules, options={"arrange.mode": "swap"}, luck="1,0")["order"] == [1, 0]


def test_starter_card_is_turned_up() -> None:
    """A card is turned up as play begins; a burning one goes to the bin and another is turned."""
    at = started("5d", "4h", rules="college", options={"arrange.mode": "swap"}, stock="Tc Th 9c 3c")
    assert (at["pile"], at["bin"], at["stock"]) == (["9c"], ["Tc", "Th"], ["3c"])


def test_turned_up_card_counts() -> None:
    """A turned-up 7 binds the first player if sevens go lower, a 2 lets anything follow, and four in a row count it."""
    swap = {"arrange.mode": "swap"}
    assert "play 8" not in legal(started("8d 3d", "4h", rules="college", options={**swap, **SEVENS}, stock="7c"))
    assert "play 3" in legal(started("8d 3d", "4h", rules="college", options=swap, stock="2c"))
    at = started("8d 8c 8h 3d", "4h", rules="college", options=swap, stock="8s")
    assert after(at, "play 8 8 8")["bin"] == ["8s", "8c", "8d", "8h"]


def test_unplayable_last_special_is_about_all_cards_of_a_seat() -> None:
    """A reset or burn may not be the last card; with a card elsewhere, or one to draw, it is not the last."""
    assert legal(position(seat("2h"), pile="5c")) == ["pickup"]
    assert legal(position(seat("2h"))) == ["pass"]
    assert legal(position(seat("2h", down="4c"), pile="5c")) == ["play 2"]
    assert legal(position(seat("2h"), pile="5c", stock="8c")) == ["play 2"]
    assert legal(position(seat("2h"), pile="5c", stock="8c", options={"draw.to": 0})) == ["pickup"]
    assert legal(position(seat(up="2h"), pile="5c", stock="8c")) == ["pickup"]
    assert legal(position(seat("2h 2d"), pile="5c", options=FULL_DECK)) == ["play 2"]


def test_unplayable_last_special_turned_blind_fails() -> None:
    """Turned blind it is a failed flip: card and pile go to the hand, everyone sees the card."""
    answer = play(position(seat(down="- 2h"), pile="5c"), "flip 2")
    assert answer["position"]["seats"][0] == seat("2h 5c", down="- -")
    assert answer["events"][0] == {"kind": "flipped", "seat": 0, "slot": 2, "card": "2h", "good": False}
    assert answer["events"][1]["cards"] == ["5c", "2h"]
    assert answer["position"]["to_move"] == 1


@pytest.mark.parametrize(
    ("at", "move"),
    [
        (position(seat("2h"), pile="5c"), "play 2"),
        (position(seat("Th"), pile="5c"), "play 10"),
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


def test_reserve_is_taken_when_hand_and_stock_are_gone() -> None:
    """With hand and stock gone the whole reserve goes to the hand; while stock is left it stays."""
    for stock, hand, reserve in (("", "8c 9c", ""), ("Kh", "", "8c 9c")):
        at = position(seat("6c", reserve="8c 9c"), pile="5c", stock=stock, rules="cathedral", options={"draw.to": 0})
        assert after(at, "play 6")["seats"][0] == seat(hand, reserve=reserve)


def test_first_out_ends_the_game() -> None:
    """Under `first` the game is over when a seat goes out; places hold it alone and the outcome names it."""
    at = after(position(seat("5c"), seat("Kd"), seat("Qd"), pile="4c"), "play 5")
    assert (at["phase"], at["to_move"], at["places"]) == ("over", None, [0])
    assert at["outcome"] == {"kind": "won", "winner": 0}


def test_last_loser_plays_on() -> None:
    """Under `last-loser` the others play on until one is left, who takes the last place; the first out has won."""
    at = after(position(seat("8c"), seat("9d"), seat("Qd 3d"), pile="4c", rules="life"), "play 8")
    assert (at["phase"], at["places"], at["order"], at["to_move"]) == ("play", [0], [1, 2], 1)
    at = after(at, "play 9", by=1)
    assert (at["phase"], at["places"]) == ("over", [0, 1, 2])
    assert at["outcome"] == {"kind": "won", "winner": 0}


def test_stalemate_is_a_draw() -> None:
    """The ply that makes quiet reach its limit ends the game, drawn among those still in; places stay as they are."""
    three = [seat("3c"), seat("Kd"), seat()]
    at = position(*three, pile="9c", rules="life", quiet=198, places=[2])
    at = after(at, "pickup")
    assert (at["phase"], at["quiet"]) == ("play", 199)
    at = after({**at, "pile": ["4c"]}, "pickup", by=1)
    assert (at["phase"], at["quiet"], at["places"]) == ("over", 200, [2])
    assert at["outcome"] == {"kind": "drawn", "seats": [0, 1]}


def test_odd_positions() -> None:
    """With the hand empty the face-up row opens, stock or no stock; the default order leaves out places."""
    assert legal(position(seat(up="5c", down="6c"), stock="8c", pile="4c")) == ["play 5"]
    assert legal(position(seat(reserve="5c"), pile="4c", rules="cathedral")) == ["pickup"]
    at = after(position(seat(), seat("5c"), seat("6c"), places=[0]))
    assert (at["order"], at["to_move"]) == ([1, 2], 1)
