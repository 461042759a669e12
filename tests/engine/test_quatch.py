"""Quatch, clause by clause (D2)."""

from collections import Counter
from functools import partial
from itertools import pairwise

import pytest

from engine.errors import InputError
from engine.rulesets import ruleset
from tests.support.positions import (
    OTHER,
    after,
    all_ready,
    at,
    binned,
    dealt,
    down,
    hand,
    kinds,
    legal,
    luck,
    pack,
    pile,
    refused,
    stock,
    up,
    winner,
    zone_seen,
)

table = partial(at, "quatch")
arranging = partial(at, "quatch", phase="arrange")


def test_d2_01_the_first_to_empty_all_three_zones_wins() -> None:
    """A seat has won when hand, Last Chance and Last Stand are empty, and the game is over."""
    state = after(table("hand 7c", OTHER, "hand Ks", pile="4h"), "play 7")

    assert (winner(state), state.phase) == (0, "over")
    assert winner(after(table("hand 7c / up Kc", OTHER, pile="4h"), "play 7")) is None
    assert winner(after(table("hand 7c / down - 9c -", OTHER, pile="4h"), "play 7")) is None


def test_d2_02_the_deck_has_all_four_suits() -> None:
    """Clubs, diamonds, hearts and spades are there."""
    assert {card[1] for card in pack(dealt("quatch"))} == set("cdhs")


def test_d2_03_the_ranks_from_three_to_ace_are_complete() -> None:
    """Every rank from 3 to ace has its four cards, but for the 10, of which D2-04 speaks."""
    counts = Counter(card[0] for card in pack(dealt("quatch")))

    assert all(counts[rank] == 4 for rank in "3456789JQKA")


def test_d2_04_there_is_exactly_one_two_and_one_ten() -> None:
    """The deck is 46 cards with a single 2 and a single 10."""
    cards = pack(dealt("quatch"))

    assert (len(cards), len(set(cards))) == (46, 46)
    assert Counter(card[0] for card in cards) & Counter("2T" * 4) == Counter("2T")


def test_d2_05_the_suits_of_the_two_and_the_ten_are_random() -> None:
    """Over many seeds every suit comes up; the same seed gives the same cards."""
    games = [sorted(card for card in pack(dealt("quatch", seed=f"{n}")) if card[0] in "2T") for n in range(99)]

    assert {two[1] for two, _ in games} == {ten[1] for _, ten in games} == set("cdhs")
    assert dealt("quatch", seed="7") == dealt("quatch", seed="7")


def test_d2_06_three_is_low_and_ace_is_high() -> None:
    """The ranks rise from 3 to ace."""
    ranks = "3456789JQKA"
    for lower, higher in pairwise(ranks):
        assert legal(table(f"hand {higher}c", OTHER, pile=f"{lower}h")) == [f"play {higher}"]
        assert legal(table(f"hand {lower}c", OTHER, pile=f"{higher}h")) == ["pickup"]


def test_d2_07_the_two_is_numerically_lowest_but_special() -> None:
    """The 2 is listed before the 3, yet it goes on an ace and is no card to start with."""
    assert legal(table("hand 2c 3c", OTHER)) == ["play 2", "play 3"]
    assert legal(table("hand 2c 3c", OTHER, pile="Ah")) == ["play 2"]
    assert pile(all_ready(arranging("hand 2c 4c 5c", "hand 3d 4d 5d"))) == "3d"


def test_d2_08_three_cards_face_down_are_the_last_stand() -> None:
    """Each seat is dealt three face-down cards that no seat sees."""
    state = dealt("quatch", 3)

    for viewer in (0, 1, 2, None):
        assert zone_seen(state, "down", of=0, by=viewer) == "?? ?? ??"


def test_d2_09_three_cards_face_up_are_the_last_chance() -> None:
    """Each seat is dealt three face-up cards that all seats see."""
    state = dealt("quatch", 3)

    assert len(up(state).split()) == 3
    for viewer in (0, 1, 2, None):
        assert zone_seen(state, "up", of=0, by=viewer) == up(state)


def test_d2_10_the_hand_is_three_cards() -> None:
    """Each of two to four seats is dealt a hand of three for its own eyes; there are no other tables."""
    for seats in (2, 3, 4):
        state = dealt("quatch", seats)

        assert [len(hand(state, seat).split()) for seat in range(seats)] == [3] * seats
        assert zone_seen(state, "hand", of=0, by=1) == "?? ?? ??"
    for seats in (1, 5):
        with pytest.raises(InputError):
            dealt("quatch", seats)


def test_d2_11_any_hand_card_may_be_swapped_with_any_last_chance_card() -> None:
    """Swaps are free, as many as one likes, in any order of the seats."""
    state = arranging("hand 4c 5c 6c / up Jc Qc Kc", "hand 4d 5d 6d / up Jd Qd Kd")
    state = after(state, "swap 4 J", "swap 5 K", seat=0)
    state = after(after(state, "swap 6d Qd", seat=1), "swap J 5", seat=0)

    assert (hand(state), up(state)) == ("5c 6c Kc", "4c Jc Qc")
    assert (hand(state, 1), up(state, 1)) == ("4d 5d Qd", "6d Jd Kd")


def test_d2_14_the_lowest_ordinary_hand_card_starts() -> None:
    """Each seat's lowest card but 2 and 10 counts, then the next lowest, then a draw; only specials cannot start."""
    assert pile(all_ready(arranging("hand 2c Tc 6c / up 3c", "hand 5d 9d Kd"))) == "5d"
    assert pile(all_ready(arranging("hand 4c 9c Kc", "hand 4d 8d Kd"))) == "4d"
    assert pile(all_ready(arranging("hand 2c Tc", "hand Ad"))) == "Ad"
    draws = [luck("quatch", 2, f"{n}") for n in range(20)]
    assert {pile(all_ready(arranging("hand 4c 9c Kc", "hand 4d 9d Kd", luck=draw))) for draw in draws} == {"4c", "4d"}


def test_d2_15_the_lower_card_opens_the_pile() -> None:
    """One card of the starter opens the pile and the starter draws; the others keep theirs and the turn goes round."""
    state = all_ready(arranging("hand 3c 3d 9c", "hand 6d 7d 8d", "hand 4h 5h 6h", stock="Kh Qh"))

    assert (pile(state), hand(state), stock(state)) == ("3c", "3d 9c Kh", "Qh")
    assert (hand(state, 1), state.to_move) == ("6d 7d 8d", 1)


def test_d2_16_a_card_must_be_as_high_as_the_top_or_higher() -> None:
    """Cards of one rank, equal to the top or higher, must be played: there is no passing."""
    state = table("hand 7c 8c 9c", OTHER, pile="8h")

    assert legal(state) == ["play 8", "play 9"]
    assert refused(state, "play 7") == ("too_low", "D2-16")
    assert refused(state, "play 8 9") == ("mixed_ranks", "D2-16")
    assert refused(state, "pass") == ("cannot_pass", "D2-16")


def test_d2_17_several_cards_of_a_rank_may_go_together() -> None:
    """All copies of a rank can be laid in one turn."""
    assert pile(after(table("hand 8c 8d 8s Kc", OTHER, pile="4h"), "play 8 8 8")) == "4h 8c 8d 8s"


def test_d2_18_at_easy_and_medium_tables_all_copies_must_go() -> None:
    """These levels bind every seat of the table to lay all its copies; by default a part may be kept."""
    whole = {level: options["play.whole_sets"] for level, options in ruleset("quatch").at_level.items()}
    seats = ("hand 8c 8d Kc", OTHER)

    assert whole == {"easy": True, "medium": True}
    assert refused(table(*seats, options={"play.whole_sets": True}), "play 8") == ("must_play_all", "D2-18")
    assert legal(table(*seats, options={"play.whole_sets": True})) == ["play 8 8", "play K"]
    assert legal(table(*seats)) == ["play 8", "play 8 8", "play K"]


def test_d2_20_on_an_empty_pile_anything_leads() -> None:
    """Every card can begin a new pile, 2 and 10 included."""
    assert legal(table("hand 2c 3c Tc Ac", OTHER)) == ["play 2", "play 3", "play T", "play A"]


def test_d2_21_without_a_valid_play_one_eats_the_pile() -> None:
    """Eating is then the one move and brings every card of the pile to the hand."""
    state = table("hand 4c 5c", OTHER, pile="6h 8h")

    assert legal(state) == ["pickup"]
    assert (hand(after(state, "pickup")), pile(after(state, "pickup"))) == ("4c 5c 6h 8h", "")


def test_d2_22_eating_ends_the_turn() -> None:
    """The next seat leads an empty pile."""
    state = after(table("hand 4c 5c", "hand 3s Ks", pile="8h"), "pickup")

    assert (state.to_move, legal(state)) == (1, ["play 3", "play K"])


def test_d2_23_there_is_no_eating_while_a_valid_play_exists() -> None:
    """The pile cannot be taken by choice, not even when a special is all that can be played."""
    assert refused(table("hand 4c 9c", OTHER, pile="8h"), "pickup") == ("must_play", "D2-23")
    assert refused(table("hand 2c 4c", OTHER, pile="8h"), "pickup") == ("must_play", "D2-23")


def test_d2_24_a_two_goes_on_any_card() -> None:
    """A 2 may be laid on every rank."""
    for rank in "3456789JQKA":
        assert "play 2" in legal(table("hand 2c Kc", OTHER, pile=f"{rank}h"))


def test_d2_25_a_two_lets_the_next_player_play_anything() -> None:
    """The 2 stays on top, the turn passes and any card follows."""
    state = after(table("hand 2c Kc", "hand 3s Ks", pile="Ah"), "play 2")

    assert (pile(state), state.to_move) == ("Ah 2c", 1)
    assert legal(state) == ["play 3", "play K"]


def test_d2_26_a_ten_goes_on_any_card() -> None:
    """A 10 may be laid on every rank."""
    for rank in "23456789JQKA":
        assert "play T" in legal(table("hand Tc Kc", OTHER, pile=f"{rank}h"))


def test_d2_27_a_ten_clears_the_pile() -> None:
    """The whole pile goes to the bin, with the 10."""
    state = after(table("hand Tc Kc", OTHER, pile="4h Ah"), "play T")

    assert (pile(state), binned(state)) == ("", "4h Ah Tc")


def test_d2_28_the_tens_player_goes_again_at_once() -> None:
    """The seat that laid the 10 has another turn and must take it."""
    state = after(table("hand 3c Tc Kc", OTHER, pile="Ah"), "play T")

    assert (state.to_move, legal(state)) == (0, ["play 3", "play K"])
    assert refused(state, "pass")[0] == "cannot_pass"


def test_d2_29_four_of_a_rank_in_succession_clear_the_pile() -> None:
    """Four in a row, by one seat or several, send the pile to the bin; a card between breaks the row."""
    seats = ("hand 9h Kc", "hand 9s Ks")

    assert binned(after(table("hand 9c 9d 9h 9s Kc", OTHER, pile="4h"), "play 9 9 9 9")) == "4h 9c 9d 9h 9s"
    assert binned(after(table(*seats, pile="4h 9c 9d"), "play 9", "play 9")) == "4h 9c 9d 9h 9s"
    assert binned(after(table(*seats, pile="9c 9d 2h"), "play 9", "play 9")) == ""


def test_d2_30_the_seat_that_lays_the_fourth_goes_again() -> None:
    """The seat that completes the four has another turn, or has won if that was its last card."""
    assert after(table("hand 9h Kc", "hand 9s Ks", pile="4h 9c 9d"), "play 9", "play 9").to_move == 1
    assert winner(after(table("hand 9h", OTHER, pile="9c 9d 9s"), "play 9")) == 0


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
