"""Quatch, clause by clause (D2-31 to D2-45): the order of the zones, drawing, the last card."""

from functools import partial

from tests.support.positions import (
    OTHER,
    after,
    at,
    binned,
    down,
    hand,
    kinds,
    legal,
    pile,
    refused,
    up,
    winner,
    zone_seen,
)

table = partial(at, "quatch")


def test_d2_31_the_hand_is_played_before_the_other_zones() -> None:
    """While the hand holds a card neither Last Chance nor Last Stand is open."""
    assert refused(table("hand 7c / up Kc", OTHER, pile="4h"), "play K") == ("zone_closed", "D2-31")
    assert refused(table("hand 7c / down Kc", OTHER, pile="4h"), "flip 1") == ("zone_closed", "D2-31")


def test_d2_32_after_playing_from_the_hand_one_draws_up_to_three() -> None:
    """A hand of fewer than three is filled while the stock lasts; a larger one draws nothing."""
    assert hand(after(table("hand 7c 7d Kc", OTHER, pile="4h", stock="5d 6d 9d"), "play 7 7")) == "5d 6d Kc"
    assert hand(after(table("hand 7c 7d Kc", OTHER, pile="4h", stock="5d"), "play 7 7")) == "5d Kc"
    assert hand(after(table("hand 7c 8c 9c Kc", OTHER, pile="4h", stock="5d"), "play 7")) == "8c 9c Kc"


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


def test_d2_37_without_a_valid_last_chance_card_one_must_eat() -> None:
    """The pile comes to the hand without any Last Chance card, and the hand is played first again."""
    state = table("up 4c 5c", OTHER, pile="Kh")
    eaten = after(state, "pickup", "play 3")

    assert legal(state) == ["pickup"]
    assert (hand(eaten), up(eaten), legal(eaten)) == ("Kh", "4c 5c", ["play K"])


def test_d2_38_last_chance_gone_the_last_stand_is_played() -> None:
    """The face-down cards open when hand and Last Chance are empty."""
    assert legal(table("down 9c Kc -", OTHER, pile="4h")) == ["flip 1", "flip 2"]
    assert refused(table("up 9c / down Kc", OTHER, pile="4h"), "flip 1") == ("zone_closed", "D2-31")


def test_d2_39_one_last_stand_card_is_chosen_blind() -> None:
    """The owner picks any slot without knowing its card."""
    state = table("down 9c Kc 3c", OTHER, pile="4h")

    assert legal(state) == ["flip 1", "flip 2", "flip 3"]
    assert zone_seen(state, "down", of=0, by=0) == "?? ?? ??"
    assert down(after(state, "flip 2")) == "9c - 3c"


def test_d2_40_a_valid_last_stand_card_is_a_normal_play() -> None:
    """It lies on the pile with all its effects, the bonus turn included."""
    plain = after(table("down 9c Kc", OTHER, pile="4h"), "flip 1")
    ten = after(table("down Tc Kc", OTHER, pile="4h"), "flip 1")

    assert (pile(plain), plain.to_move) == ("4h 9c", 1)
    assert (binned(ten), ten.to_move) == ("4h Tc", 0)


def test_d2_41_a_bust_eats_the_pile_and_the_card() -> None:
    """A turned card that is too low comes to the hand with the whole pile; on an empty pile none is too low."""
    assert hand(after(table("down 5c Kc", OTHER, pile="8h Qh"), "flip 1")) == "5c 8h Qh"
    assert pile(after(table("down 3c Kc", OTHER), "flip 1")) == "3c"


def test_d2_42_a_bust_ends_the_turn() -> None:
    """The next seat leads an empty pile."""
    state = after(table("down 5c Kc", "hand 3s 4s", pile="8h"), "flip 1")

    assert (pile(state), state.to_move, legal(state)) == ("", 1, ["play 3", "play 4"])


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
