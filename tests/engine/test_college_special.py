"""CardGame (college rules), clause by clause (D3-21 to D3-36): four of a rank and special cards."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from engine.rules import Json
from tests.support.positions import OTHER, after, at, binned, legal, pile, refused

table = partial(at, "college")

THREES_MIRROR: Final[Mapping[str, Json]] = {"special.3.effect": "mirror", "special.3.on": "any"}
SEVENS_LOWER: Final[Mapping[str, Json]] = {
    "special.7.effect": "lower",
    "special.7.on": "rank-or-lower",
    "special.7.blocks": [10],
}
mirror = partial(table, options=THREES_MIRROR)
lower = partial(table, options=SEVENS_LOWER)
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
