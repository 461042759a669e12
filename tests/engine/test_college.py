"""CardGame (college rules), clause by clause (D3)."""

from collections.abc import Mapping
from functools import partial
from typing import Final

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
    zone_seen,
)

table = partial(at, "college")

THREES_MIRROR: Final[Mapping[str, Json]] = {"special.3.effect": "mirror", "special.3.on": "any"}
SEVENS_LOWER: Final[Mapping[str, Json]] = {
    "special.7.effect": "lower",
    "special.7.on": "rank-or-lower",
    "special.7.blocks": [10],
}
mirror = partial(table, options=THREES_MIRROR)
lower = partial(table, options=SEVENS_LOWER)

LAID = ("hand 3c 8c Kc / up 4c 5c 6c", "hand 3d 8d Kd / up 4d 5d 6d")
"""Two seats that have laid their face-up cards."""


def begun(starters: str, options: Mapping[str, Json] | None = None) -> State:
    """The game after arranging, with these cards on top of the stock."""
    return all_ready(table(*LAID, phase="arrange", stock=starters, options=options or {}))


def test_d3_01_the_aim_is_to_have_no_cards() -> None:
    """A seat with no card in any zone has won, one with a card left has not."""
    assert winner(after(table("hand 9c", OTHER, pile="4h"), "play 9")) == 0
    assert winner(after(table("hand 9c / up Kc", OTHER, pile="4h"), "play 9")) is None
    assert winner(after(table("hand 9c / down Kc", OTHER, pile="4h"), "play 9")) is None


def test_d3_02_three_face_down_cards_that_nobody_may_see() -> None:
    """Each seat has three face-down cards besides the six, hidden from all and from their owner too."""
    state = dealt("college", 3)

    assert len(hand(state).split()) == 6
    for viewer in (0, 1, 2, None):
        assert zone_seen(state, "down", of=0, by=viewer) == "?? ?? ??"


def test_d3_03_six_cards_are_dealt() -> None:
    """Every seat holds six cards to choose from."""
    state = dealt("college", 4)

    assert [len(hand(state, seat).split()) for seat in range(4)] == [6, 6, 6, 6]


def test_d3_04_each_chooses_three_to_lie_face_up() -> None:
    """All seats choose; the choices are hidden until all are ready, and then shown together."""
    state = table("hand 3c 4c 5c 6c 8c Kc", "hand 3d 4d 5d 6d 8d Kd", phase="arrange")
    laid = after(state, "lay 6 8 K", "ready", seat=0)

    assert refused(state, "ready", seat=0) == ("must_lay", "D3-04")
    assert zone_seen(laid, "up", of=0, by=1) == "?? ?? ??"
    laid = after(laid, "lay 3 4 5", "ready", seat=1)
    assert (zone_seen(laid, "up", of=0, by=1), zone_seen(laid, "up", of=1, by=0)) == ("6c 8c Kc", "3d 4d 5d")


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
    assert legal(begun("7h Qd", SEVENS_LOWER)) == ["play 3", "pickup"]
    assert legal(begun("3h Qd", THREES_MIRROR)) == ["play 3", "play 8", "play K", "pickup"]


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


def test_d3_08_a_card_must_equal_or_exceed_the_top() -> None:
    """An equal or higher rank may be laid, a lower one may not."""
    state = table("hand 7c 8c 9c", OTHER, pile="8h")

    assert legal(state) == ["play 8", "play 9", "pickup"]
    assert refused(state, "play 7") == ("too_low", "D3-08")


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


def test_d3_12_without_an_equal_or_higher_card_one_takes_the_pile() -> None:
    """Taking the whole pile is then the one move; a 2 or a 10 counts as playable."""
    state = table("hand 4c 5c", OTHER, pile="6h 8h")

    assert legal(state) == ["pickup"]
    assert (hand(after(state, "pickup")), pile(after(state, "pickup"))) == ("4c 5c 6h 8h", "")
    assert legal(table("hand 2c 4c Tc", OTHER, pile="Kh")) == ["play 2", "play T", "pickup"]


def test_d3_13_the_pile_may_also_be_taken_by_choice() -> None:
    """A seat that can play may take the pile instead; the turn ends, and the next seat leads. Not an empty pile."""
    state = after(table("hand 4c Kc", "hand 3s Ks", pile="8h"), "pickup")

    assert (hand(state), state.to_move) == ("4c 8h Kc", 1)
    assert legal(state) == ["play 3", "play K"]
    assert refused(state, "pickup") == ("pile_empty", "D3-13")


def test_d3_14_any_number_of_one_rank_goes_together() -> None:
    """Some or all copies in hand may be laid at once, on an equal card too; two ranks may not."""
    state = table("hand 8c 8d 9c", OTHER, pile="8h")

    assert legal(state) == ["play 8", "play 8 8", "play 9", "pickup"]
    assert refused(state, "play 8 9") == ("mixed_ranks", "D3-14")


def test_d3_15_hand_and_stock_empty_the_face_up_cards_are_played() -> None:
    """The face-up cards open then, and not before; copies of a rank may go together."""
    state = table("up 8c 8d 9c / down Kc", OTHER, pile="4h")

    assert legal(state) == ["play 8", "play 8 8", "play 9", "pickup"]
    assert refused(table("hand 5c / up 8c", OTHER, pile="4h"), "play 8") == ("zone_closed", "D3-15")


def test_d3_17_then_a_face_down_card_is_turned() -> None:
    """With no hand and no face-up card the seat turns one face-down card a turn."""
    state = table("down 9c Kc -", OTHER, pile="4h")

    assert [move for move in legal(state) if move != "pickup"] == ["flip 1", "flip 2"]
    assert (pile(after(state, "flip 1")), after(state, "flip 1").to_move) == ("4h 9c", 1)
    assert refused(table("up 9c / down Kc", OTHER, pile="4h"), "flip 1")[0] == "zone_closed"


def test_d3_18_blind_means_unseen_by_the_owner_too() -> None:
    """A seat does not know its face-down cards before it turns them over."""
    state = table("down 9c - Kc", OTHER, pile="4h")

    assert zone_seen(state, "down", of=0, by=0) == zone_seen(state, "down", of=0, by=None) == "?? - ??"


def test_d3_19_a_flipped_card_below_the_top_takes_all() -> None:
    """All played cards come to the hand with the flipped one; a flipped 2 or 10 goes on anything."""
    state = after(table("down 5c Kc", OTHER, pile="8h Qh"), "flip 1")

    assert (hand(state), pile(state), state.to_move) == ("5c 8h Qh", "", 1)
    assert pile(after(table("down 2c Kc", OTHER, pile="Qh"), "flip 1")) == "Qh 2c"
    assert binned(after(table("down Tc Kc", OTHER, pile="Qh"), "flip 1")) == "Qh Tc"


def test_d3_20_the_first_with_nothing_left_wins() -> None:
    """No blind cards and no hand: the game is over and won, with a special as the last card too."""
    for last in ("9c", "2c", "Tc"):
        state = after(table(f"down - {last} -", OTHER, "hand Ks", pile="8h"), "flip 2")

        assert (winner(state), state.phase) == (0, "over")


both = partial(table, options={**THREES_MIRROR, **SEVENS_LOWER})


def test_d3_21_four_of_a_rank_in_a_row_are_a_bomb() -> None:
    """Four in a row, by one seat or several, discard the pile at any point of the game."""
    seats = ("hand 9h Kc", "hand 9s Ks")

    assert binned(after(table("hand 9c 9d 9h 9s Kc", OTHER, pile="4h"), "play 9 9 9 9")) == "4h 9c 9d 9h 9s"
    assert binned(after(table(*seats, pile="4h 9c 9d"), "play 9", "play 9")) == "4h 9c 9d 9h 9s"
    assert binned(after(table("down 9s Kc", OTHER, pile="9c 9d 9h"), "flip 1")) == "9c 9d 9h 9s"
    assert binned(after(table(*seats, pile="9c 9d 2h"), "play 9", "play 9")) == ""


def test_d3_22_the_seat_that_completes_four_has_a_free_play() -> None:
    """The seat that completes the four goes again with any card and must."""
    state = after(table("hand 3c 9s Kc", OTHER, pile="9c 9d 9h"), "play 9")

    assert (state.to_move, legal(state)) == (0, ["play 3", "play K"])
    assert refused(state, "pass") == ("cannot_pass", "D3-22")


def test_d3_23_a_ten_goes_on_any_card() -> None:
    """A 10 may be laid on every rank."""
    for rank in "23456789JQKA":
        assert "play T" in legal(table("hand Tc Kc", OTHER, pile=f"{rank}h"))


def test_d3_24_a_ten_is_a_bomb() -> None:
    """A 10 discards the whole pile, itself included."""
    state = after(table("hand Tc Kc", OTHER, pile="4h Ah"), "play T")

    assert (pile(state), binned(state)) == ("", "4h Ah Tc")


def test_d3_25_the_tens_player_has_the_free_play_too() -> None:
    """As after any bomb its player goes again with any card."""
    state = after(table("hand 3c Tc Kc", OTHER, pile="Ah"), "play T")

    assert (state.to_move, legal(state)) == (0, ["play 3", "play K"])


def test_d3_26_a_two_goes_on_any_card() -> None:
    """A 2 may be laid on every rank."""
    for rank in "23456789JQKA":
        assert "play 2" in legal(table("hand 2c Kc", OTHER, pile=f"{rank}h"))


def test_d3_27_a_two_spends_the_turn_and_frees_the_next_player() -> None:
    """The next seat may play anything, and the 2's player loses no later turn."""
    state = after(table("hand 2c 5c Kc", "hand 3s 4s Ks", pile="Ah"), "play 2")

    assert (state.to_move, legal(state)) == (1, ["play 3", "play 4", "play K", "pickup"])
    assert after(state, "play 4").to_move == 0


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
