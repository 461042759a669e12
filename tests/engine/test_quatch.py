"""Quatch, clause by clause (D2)."""

from functools import partial

from engine.rulesets import ruleset
from tests.support.positions import (
    OTHER,
    after,
    all_ready,
    at,
    down,
    hand,
    kinds,
    legal,
    pile,
    refused,
    up,
    winner,
)

table = partial(at, "quatch")
arranging = partial(at, "quatch", phase="arrange")


def test_d2_07_the_two_is_numerically_lowest_but_special() -> None:
    """The 2 is listed before the 3, yet it goes on an ace and is no card to start with."""
    assert legal(table("hand 2c 3c", OTHER)) == ["play 2", "play 3"]
    assert legal(table("hand 2c 3c", OTHER, pile="Ah")) == ["play 2"]
    assert pile(all_ready(arranging("hand 2c 4c 5c", "hand 3d 4d 5d"))) == "3d"


def test_d2_15_the_seat_left_of_the_starter_is_next() -> None:
    """Whoever holds the next lowest card."""
    assert all_ready(arranging("hand 3c 3d 9c", "hand 6d 7d 8d", "hand 4h 5h 6h")).to_move == 1


def test_d2_16_who_can_play_may_not_pass() -> None:
    """A card must be played."""
    assert refused(table("hand 7c 8c 9c", OTHER, pile="8h"), "pass") == ("cannot_pass", "D2-16")


def test_d2_18_at_easy_and_medium_tables_all_copies_must_go() -> None:
    """These levels bind every seat of the table to lay all its copies; by default a part may be kept."""
    whole = {level: options["play.whole_sets"] for level, options in ruleset("quatch").at_level.items()}
    seats = ("hand 8c 8d Kc", OTHER)

    assert whole == {"easy": True, "medium": True}
    assert refused(table(*seats, options={"play.whole_sets": True}), "play 8") == ("must_play_all", "D2-18")
    assert legal(table(*seats, options={"play.whole_sets": True})) == ["play 8 8", "play K"]
    assert legal(table(*seats)) == ["play 8", "play 8 8", "play K"]


def test_d2_30_the_seat_that_lays_the_fourth_goes_again() -> None:
    """The seat that completes the four has another turn, or has won if that was its last card."""
    assert after(table("hand 9h Kc", "hand 9s Ks", pile="4h 9c 9d"), "play 9", "play 9").to_move == 1
    assert winner(after(table("hand 9h", OTHER, pile="9c 9d 9s"), "play 9")) == 0


def test_d2_33_effect_then_draw_then_bonus_turn() -> None:
    """After a 10 the pile is cleared, then the hand is filled, then the bonus turn is taken with the card drawn."""
    state = table("hand Tc 3c 4c", OTHER, pile="Ah", stock="9d")

    assert kinds(state, "play T") == ["played", "burned", "drew"]
    assert legal(after(state, "play T")) == ["play 3", "play 4", "play 9"]


def test_d2_34_hand_and_stock_gone_the_last_chance_is_played() -> None:
    """The face-up cards open when the hand is empty and nothing can be drawn."""
    state = after(table("hand 9c / up 5c Kc", "hand 2s 9s", pile="4h"), "play 9", "play 2")

    assert legal(state) == ["play 5", "play K"]
    assert up(after(state, "play K")) == "5c"


def test_d2_35_one_last_chance_card_a_turn() -> None:
    """Two face-up cards of a rank do not go together, unless the option lets them."""
    seats = ("up 7c 7d 9c", OTHER)

    assert legal(table(*seats, pile="8h")) == ["play 9"]
    assert legal(table(*seats, pile="4h")) == ["play 7", "play 9"]
    assert refused(table(*seats, pile="4h"), "play 7 7") == ("one_at_a_time", "D2-35")
    assert "play 7 7" in legal(table(*seats, pile="4h", options={"play.up_at_once": 4}))


def test_d2_36_no_eating_by_choice_from_the_last_chance() -> None:
    """While a Last Chance card can be played the pile cannot be taken."""
    assert refused(table("up 4c Kc", OTHER, pile="8h"), "pickup")[0] == "must_play"


def test_d2_40_a_valid_last_stand_card_has_its_bonus_turn() -> None:
    """As every other play."""
    assert after(table("down Tc Kc", OTHER, pile="4h"), "flip 1").to_move == 0


def test_d2_43_playing_the_final_last_stand_card_wins() -> None:
    """The last face-down card wins when it can be played; after a bust with it the hand has to be emptied first."""
    bust = after(table("down - - 5c", OTHER, pile="8h"), "flip 3")

    assert winner(after(table("down - - 9c", OTHER, pile="8h"), "flip 3")) == 0
    assert (winner(bust), hand(bust), down(bust)) == (None, "5c 8h", "- - -")
    assert winner(after(bust, "play 3", "play 5", "play 5", "play 8")) == 0


def test_d2_44_a_two_or_a_ten_cannot_be_the_very_last_card() -> None:
    """A last 2 or 10 is not playable from any zone; a last card that completes four wins."""
    assert refused(table("hand 2c", OTHER, pile="4h"), "play 2") == ("last_special", "D2-44")
    assert refused(table("up Tc", OTHER, pile="4h"), "play T") == ("last_special", "D2-44")
    assert winner(after(table("hand 9c 9d 9h 9s", OTHER, pile="4h"), "play 9 9 9 9")) == 0
    assert "play 2" in legal(table("hand 2c", OTHER, pile="4h", stock="Kd"))


def test_d2_45_such_a_last_card_has_to_eat() -> None:
    """Its seat eats the pile, or passes if there is none; turned face-down it is a bust."""
    bust = after(table("down - 2c -", OTHER, pile="4h"), "flip 2")

    assert legal(table("hand 2c", OTHER, pile="4h")) == ["pickup"]
    assert legal(table("hand 2c", OTHER)) == ["pass"]
    assert (winner(bust), hand(bust), pile(bust), bust.to_move) == (None, "2c 4h", "", 1)
