"""CardGame (college rules), clause by clause (D3)."""

from collections.abc import Mapping
from functools import partial

from engine.rules import Json
from engine.state import State
from tests.support.positions import (
    OTHER,
    after,
    all_ready,
    at,
    binned,
    dealt,
    down,
    hand,
    legal,
    pile,
    refused,
    stock,
    up,
    winner,
)
from tests.support.random_games import MIRROR, SEVENS

table = partial(at, "college")

mirror = partial(table, options=MIRROR)
lower = partial(table, options=SEVENS)

LAID = ("hand 3c 8c Kc / up 4c 5c 6c", "hand 3d 8d Kd / up 4d 5d 6d")
"""Two seats that have laid their face-up cards."""


def begun(starters: str, options: Mapping[str, Json] | None = None) -> State:
    """The game after arranging, with these cards on top of the stock."""
    return all_ready(table(*LAID, phase="arrange", stock=starters, options=options or {}))


def test_d3_05_a_hand_of_three_is_left() -> None:
    """After choosing each seat has three cards in hand, three face up and three face down."""
    state = dealt("college", 2)
    for seat in (0, 1):
        state = after(state, "lay " + " ".join(hand(state, seat).split()[:3]), seat=seat)
    state = all_ready(state)

    for seat in (0, 1):
        assert [len(zone(state, seat).split()) for zone in (hand, up, down)] == [3, 3, 3]


def test_d3_06_a_stock_card_is_turned_to_begin() -> None:
    """The turned card is the pile; a 10 is binned and another turned, a 2 frees the first play, a 7 binds it."""
    assert (pile(begun("9h Qd")), stock(begun("9h Qd"))) == ("9h", "Qd")
    assert (pile(begun("Th 9h Qd")), binned(begun("Th 9h Qd"))) == ("9h", "Th")
    assert legal(begun("2h Qd")) == ["play 3", "play 8", "play K", "pickup"]
    assert legal(begun("7h Qd", SEVENS)) == ["play 3", "pickup"]
    assert legal(begun("3h Qd", MIRROR)) == ["play 3", "play 8", "play K", "pickup"]


def test_d3_07_the_seat_left_of_the_dealer_begins_on_that_card() -> None:
    """The dealer's left neighbour is first to move and has to beat the turned card; the first dealer is drawn."""
    assert [_starter("a seed", dealer) for dealer in range(3)] == [1, 2, 0]
    assert {_starter(f"{n}", None) for n in range(40)} == {0, 1, 2}
    assert legal(begun("9h Qd")) == ["play K", "pickup"]


def _starter(seed: str, dealer: int | None) -> int | None:
    state = dealt("college", 3, seed, dealer)
    for seat in range(3):
        state = after(state, "lay " + " ".join(hand(state, seat).split()[:3]), seat=seat)
    return all_ready(state).to_move


def test_d3_09_after_a_play_one_card_is_drawn() -> None:
    """A play from the hand draws exactly one card, however many were laid and however many are held."""
    assert hand(after(table("hand 8c 8d Kc", OTHER, pile="4h", stock="5d 6d 9d"), "play 8 8")) == "5d Kc"
    assert hand(after(table("hand 8c 9c Jc Qc Kc", OTHER, pile="4h", stock="5d"), "play 8")) == "5d 9c Jc Qc Kc"
    assert stock(after(table("up 8c", "hand 3s", "hand 4s", pile="4h", stock="5d"), "play 8")) == "5d"


def test_d3_10_only_while_stock_remains() -> None:
    """Nothing is drawn when the stock has run out."""
    assert hand(after(table("hand 8c Jc Kc", OTHER, pile="4h", bin="9d"), "play 8")) == "Jc Kc"


def test_d3_11_play_moves_to_the_next_player() -> None:
    """The turn goes round to the left."""
    state = table("hand 4c Kc", "hand 5c Kd", "hand 6c Kh", pile="3h")

    assert after(state, "play 4").to_move == 1
    assert after(state, "play 4", "play 5").to_move == 2
    assert after(state, "play 4", "play 5", "play 6").to_move == 0


def test_d3_20_the_first_with_nothing_left_wins() -> None:
    """No blind cards and no hand: the game is over and won, with a special as the last card too."""
    for last in ("9c", "2c", "Tc"):
        state = after(table(f"down - {last} -", OTHER, "hand Ks", pile="8h"), "flip 2")

        assert (winner(state), state.phase) == (0, "over")


both = partial(table, options={**MIRROR, **SEVENS})


def test_d3_22_the_seat_that_completes_four_has_a_free_play() -> None:
    """The seat that completes the four goes again with any card and must."""
    state = after(table("hand 3c 9s Kc", OTHER, pile="9c 9d 9h"), "play 9")

    assert (state.to_move, legal(state)) == (0, ["play 3", "play K"])
    assert refused(state, "pass") == ("cannot_pass", "D3-22")


def test_d3_29_a_mirroring_three_goes_on_any_card() -> None:
    """With the option on a 3 may be laid on every rank; with it off it is the lowest card."""
    for rank in "23456789JQKA":
        assert "play 3" in legal(mirror("hand 3c Kc", OTHER, pile=f"{rank}h"))
    assert "play 3" not in legal(table("hand 3c Kc", OTHER, pile="4h"))


def test_d3_30_a_three_copies_the_card_before_it() -> None:
    """A 3 counts as the card beneath, through a chain of 3s; as a 2 on a 2, as a 3 on an empty pile."""
    seats = ("hand 3c 9c", "hand 4s 7s 8s")

    assert legal(after(mirror(*seats, pile="8h"), "play 3")) == ["play 8", "pickup"]
    assert legal(after(mirror(*seats, pile="8h 3d"), "play 3")) == ["play 8", "pickup"]
    assert legal(after(mirror(*seats, pile="Ah 2h"), "play 3")) == ["play 4", "play 7", "play 8", "pickup"]
    assert legal(after(mirror(*seats), "play 3")) == ["play 4", "play 7", "play 8", "pickup"]


def test_d3_31_the_next_player_must_beat_the_copied_rank() -> None:
    """Equal to the copied card or higher is good, lower is refused."""
    state = mirror("hand 7c 8c 9c", OTHER, pile="8h 3h")

    assert legal(state) == ["play 8", "play 9", "pickup"]
    assert refused(state, "play 7") == ("too_low", "D3-08")


def test_d3_32_a_copying_three_counts_toward_four_of_a_kind() -> None:
    """A 3 on three 8s is a bomb, and so is an 8 on two 8s and a 3."""
    for three_or_eight, pile_before in (("3", "8d 8h 8s"), ("8", "8d 8h 3h")):
        state = after(mirror("hand 3c 8c Kc", OTHER, pile=pile_before), f"play {three_or_eight}")

        assert (binned(state), state.to_move) == (f"{pile_before} {three_or_eight}c", 0)


def test_d3_33_a_lowering_seven_goes_only_on_seven_or_lower() -> None:
    """With the option on a 7 goes on 7, on lower cards, on a 2 and on an empty pile, not on higher cards."""
    for rank in "234567":
        assert "play 7" in legal(lower("hand 7c Kc", OTHER, pile=f"{rank}h"))
    for rank in "89JQKA":
        assert refused(lower("hand 7c Kc", OTHER, pile=f"{rank}h"), "play 7")[0] == "too_low"
    assert "play 7" in legal(lower("hand 7c Kc", OTHER))


def test_d3_34_after_a_seven_the_next_card_must_be_lower() -> None:
    """Lower cards, another 7, a 2 and a mirroring 3 may follow a 7; higher cards may not."""
    state = both("hand 2c 3c 5c 6c 7c 8c Kc", OTHER, pile="4h 7h")

    assert legal(state) == ["play 2", "play 3", "play 5", "play 6", "play 7", "pickup"]
    assert refused(state, "play 8") == ("must_be_lower", "D3-34")


def test_d3_35_a_ten_may_not_follow_a_seven_directly() -> None:
    """The 10 is refused on a 7 and good again one card later."""
    assert refused(lower("hand Tc Kc", OTHER, pile="7h"), "play T")[0] == "must_be_lower"
    assert "play T" in legal(lower("hand Tc Kc", OTHER, pile="7h 5h"))


def test_d3_36_after_the_next_card_the_order_is_normal_again() -> None:
    """The restriction ends with the card laid on the 7, unless that is a 7 or a 3 that mirrors one."""
    seats = ("hand 6c 8c", OTHER)

    assert legal(both(*seats, pile="7h 5h")) == ["play 6", "play 8", "pickup"]
    assert legal(both(*seats, pile="7h 7d")) == ["play 6", "pickup"]
    assert legal(both(*seats, pile="7h 3h")) == ["play 6", "pickup"]
