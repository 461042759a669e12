"""The Game of Quatch, clause by clause (D0)."""

from collections import Counter
from functools import partial

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
    luck,
    pack,
    pile,
    refused,
    stock,
    up,
    winner,
    zone_seen,
)

table = partial(at, "quatch-original")
arranging = partial(at, "quatch-original", phase="arrange")


def rotation(state: State) -> list[int | None]:
    """The seats that move next, once around the table."""
    seats = []
    for _ in state.order:
        seats.append(state.to_move)
        state = after(state, legal(state)[0])
    return seats


def test_d0_02_the_aim_is_to_hold_no_card_in_any_zone() -> None:
    """A seat has won when hand, Last Chance and Last Stand are all empty, not before."""
    assert winner(after(table("hand 7c / up Kc", OTHER, pile="4h"), "play 7")) is None
    assert winner(after(table("hand 7c / down - 9c -", OTHER, pile="4h"), "play 7")) is None
    assert winner(after(table("hand 7c / down - - -", OTHER, pile="4h"), "play 7")) == 0


def test_d0_03_the_pack_has_one_two_and_one_ten() -> None:
    """The pack is 46 cards: a single 2, a single 10, four of every other rank."""
    cards = pack(dealt("quatch-original"))

    assert Counter(card[0] for card in cards) == {"2": 1, "T": 1} | dict.fromkeys("3456789JQKA", 4)
    assert len(set(cards)) == 46


def test_d0_04_the_suits_of_the_two_and_the_ten_are_drawn_for_each_game() -> None:
    """Over many seeds every suit of the 2 and of the 10 comes up, the one apart from the other."""
    games = [sorted(card for card in pack(dealt("quatch-original", seed=f"{n}")) if card[0] in "2T") for n in range(99)]

    assert {two[1] for two, _ in games} == {ten[1] for _, ten in games} == set("cdhs")
    assert any(two[1] != ten[1] for two, ten in games)


def test_d0_05_a_hand_is_kept_at_three_or_more_while_stock_remains() -> None:
    """Three cards are a floor, not a ceiling, and only as long as there is something to draw."""
    assert hand(after(table("hand 7c 8c 9c", OTHER, pile="4h", stock="Kd Qd"), "play 7")) == "8c 9c Kd"
    assert hand(after(table("hand 7c 8c 9c Jc Qc", OTHER, pile="4h", stock="Kd Qd"), "play 7")) == "8c 9c Jc Qc"
    assert hand(after(table("hand 7c 7d 7h", OTHER, pile="4h", stock="Kd"), "play 7 7 7")) == "Kd"


def test_d0_06_the_lowest_hand_card_starts() -> None:
    """The lowest hand card starts; 2, 10 and face-up cards do not count; the next-lowest cards break a tie."""
    assert pile(all_ready(arranging("hand 2c Tc 6c / up 3c", "hand 5d 9d Kd", "hand 7h 8h 9h"))) == "5d"
    assert pile(all_ready(arranging("hand 4c 9c Kc", "hand 4d 8d Kd"))) == "4d"
    draws = [luck("quatch-original", 2, f"{n}") for n in range(20)]
    assert {pile(all_ready(arranging("hand 4c 9c Kc", "hand 4d 9d Kd", luck=draw))) for draw in draws} == {"4c", "4d"}


def test_d0_07_the_lowest_card_is_laid_for_its_holder() -> None:
    """Exactly one copy of the lowest card opens the Pile by itself; the starter draws and the turn passes."""
    state = all_ready(arranging("hand 3c 3d 9c", "hand 5d 6d 7d", stock="Kh Qh"))

    assert pile(state) == "3c"
    assert hand(state) == "3d 9c Kh"
    assert state.to_move == 1


def test_d0_08_the_next_lowest_card_goes_second_and_sets_the_direction() -> None:
    """Play goes round in the direction that leads from the starter to the next lowest, clockwise when opposite."""
    first, second, third, fourth = "hand 3c Kc Ac", "hand 4d Kd Ad", "hand 5h Kh Ah", "hand 6s Ks As"

    assert rotation(all_ready(arranging(first, second, third, fourth))) == [1, 2, 3, 0]
    assert rotation(all_ready(arranging(first, third, fourth, second))) == [3, 2, 1, 0]
    assert rotation(all_ready(arranging(first, third, second, fourth))) == [2, 3, 1, 0]
    assert rotation(all_ready(arranging(third, first, fourth, second))) == [3, 0, 2, 1]
    assert rotation(all_ready(arranging(first, third, second))) == [2, 1, 0]


def test_d0_10_the_top_of_the_pile_is_the_card_to_beat() -> None:
    """Only the top counts, not what lies beneath; an empty Pile and a 2 on top set no target."""
    seats = ("hand 4c 6c", OTHER)

    assert legal(table(*seats, pile="Kh 5h")) == ["play 6"]
    assert legal(table(*seats)) == ["play 4", "play 6"]
    assert legal(table(*seats, pile="Kh 2h")) == ["play 4", "play 6"]


def test_d0_11_a_card_must_be_equal_or_higher() -> None:
    """An equal or higher rank beats the target whatever its suit, a lower one does not."""
    state = table("hand 7c 8c 9c", OTHER, pile="8h")

    assert legal(state) == ["play 8", "play 9"]
    assert refused(state, "play 7") == ("too_low", "D0-11")


def test_d0_12_several_cards_go_together_only_if_of_the_same_value() -> None:
    """Any number of the copies of one rank may be laid together, two ranks may not."""
    state = table("hand 7c 7d 7h 8c", OTHER, pile="4h")

    assert legal(state) == ["play 7", "play 7 7", "play 7 7 7", "play 8"]
    assert refused(state, "play 7 8") == ("mixed_ranks", "D0-12")


def test_d0_13_four_alike_laid_together_are_discarded() -> None:
    """Four of a rank in one play send the Pile to the Bin."""
    state = after(table("hand 7c 7d 7h 7s Kc", OTHER, pile="4h"), "play 7 7 7 7")

    assert (pile(state), binned(state)) == ("", "4h 7c 7d 7h 7s")


def test_d0_14_four_alike_in_a_row_are_discarded() -> None:
    """Four of a rank on top of the Pile trigger Discard, from any seats; a card between them breaks the row."""
    seats = ("hand 9h Kc", "hand 9s Ks")

    assert binned(after(table(*seats, pile="4h 9c 9d"), "play 9", "play 9")) == "4h 9c 9d 9h 9s"
    assert binned(after(table(*seats, pile="9c 9d 2h"), "play 9", "play 9")) == ""


def test_d0_15_any_ten_triggers_discard() -> None:
    """A 10 sends the Pile to the Bin from whichever zone it comes."""
    for seat, move in (("hand Tc Kc", "play T"), ("up Tc Kc", "play T"), ("down Tc Kc", "flip 1")):
        assert binned(after(table(seat, OTHER, pile="4h"), move)) == "4h Tc"


def test_d0_16_a_ten_must_beat_the_target_too() -> None:
    """The 10 has no freedom to go on a higher card, unless the option gives it."""
    seats = ("hand Tc Jc", OTHER)

    assert refused(table(*seats, pile="Jh"), "play T")[0] == "too_low"
    assert "play T" in legal(table(*seats, pile="9h"))
    assert "play T" in legal(table(*seats, pile="Jh", options={"special.10.on": "any"}))


def test_d0_17_any_two_triggers_reset() -> None:
    """A 2 stays on the Pile and the next seat may lay anything on it, from whichever zone it came."""
    for seat, move in (("hand 2c Kc", "play 2"), ("up 2c Kc", "play 2"), ("down 2c Kc", "flip 1")):
        state = after(table(seat, "hand 3s 4s", pile="Ah"), move)

        assert pile(state) == "Ah 2c"
        assert legal(state) == ["play 3", "play 4"]


def test_d0_18_a_two_goes_on_anything() -> None:
    """A 2 may be laid on every rank."""
    for rank in "3456789JQKA":
        assert "play 2" in legal(table("hand 2c Kc", OTHER, pile=f"{rank}h"))


def test_d0_19_a_play_moves_the_chosen_cards_to_the_pile() -> None:
    """The cards chosen leave the hand and lie on top of the Pile."""
    state = after(table("hand 7c 7d Kc", OTHER, pile="4h"), "play 7d 7c")

    assert (hand(state), pile(state)) == ("Kc", "4h 7d 7c")


def test_d0_20_after_a_play_from_the_hand_one_draws_up_to_three() -> None:
    """As many cards are drawn as make three; a play from the table draws nothing."""
    state = after(table("hand 7c 7d Kc", OTHER, pile="4h", stock="5d 6d 9d"), "play 7 7")
    from_table = after(table("up 7c 7d Kc", OTHER, pile="4h", stock="5d 6d 9d"), "play 7 7")

    assert (hand(state), stock(state)) == ("5d 6d Kc", "9d")
    assert (hand(from_table), stock(from_table)) == ("", "5d 6d 9d")


def test_d0_21_at_three_or_more_nothing_is_drawn() -> None:
    """A hand that still has three cards after the play draws none."""
    assert stock(after(table("hand 7c 8c 9c Kc", OTHER, pile="4h", stock="5d"), "play 7")) == "5d"


def test_d0_22_the_turn_ends_with_the_play_even_after_a_discard() -> None:
    """There is no bonus turn: after a Discard the next seat leads an empty Pile. Options give the bonus turn."""
    seats = ("hand 9h Tc Kc", OTHER)
    ten = after(table(*seats, pile="4h"), "play T")

    assert after(table(*seats, pile="4h"), "play 9").to_move == 1
    assert (ten.to_move, pile(ten), legal(ten)) == (1, "", ["play 3", "play 4", "play 5"])
    assert after(table(*seats, pile="9c 9d 9s"), "play 9").to_move == 1
    assert after(table(*seats, pile="4h", options={"special.10.again": "must"}), "play T").to_move == 0


def test_d0_23_one_eats_only_when_nothing_can_be_played() -> None:
    """Eating is the one move when nothing is equal or higher, and no move at all otherwise; a held 2 can be played."""
    assert legal(table("hand 4c 5c", OTHER, pile="8h")) == ["pickup"]
    assert refused(table("hand 4c 9c", OTHER, pile="8h"), "pickup") == ("must_play", "D0-23")
    assert legal(table("hand 2c 4c", OTHER, pile="8h")) == ["play 2"]


def test_d0_24_eating_takes_the_whole_pile_into_the_hand() -> None:
    """Every card of the Pile goes to the hand."""
    state = after(table("hand 4c 5c", OTHER, pile="6h 7h 8h"), "pickup")

    assert (hand(state), pile(state)) == ("4c 5c 6h 7h 8h", "")


def test_d0_25_after_an_eat_the_next_seat_lays_anything() -> None:
    """The eater's turn ends and the next seat has a free choice."""
    state = after(table("hand 4c 5c", "hand 3s Ks", pile="8h"), "pickup")

    assert (state.to_move, legal(state)) == (1, ["play 3", "play K"])


def test_d0_27_a_discard_sends_the_whole_pile_to_the_bin() -> None:
    """All cards of the Pile go to the Bin, with those that triggered it, after what is there already."""
    state = after(table("hand Tc Kc", OTHER, pile="4h 6h 8h", bin="9d"), "play T")

    assert (pile(state), binned(state)) == ("", "9d 4h 6h 8h Tc")


def test_d0_28_after_a_reset_any_card_or_set_may_follow() -> None:
    """Any card or set of one rank goes on a 2; the card that is laid is the target again."""
    state = after(table("hand 2c 4c", "hand 3s 3d Ks", pile="Ah"), "play 2")

    assert legal(state) == ["play 3", "play 3 3", "play K"]
    assert legal(after(state, "play K")) == ["pickup"]


def test_d0_29_stuck_on_the_last_chance_one_eats_the_pile() -> None:
    """When no Last Chance card beats the target the Pile is eaten, and no Last Chance card with it."""
    state = table("up 4c 5c", OTHER, pile="Kh")

    assert legal(state) == ["pickup"]
    assert (hand(after(state, "pickup")), up(after(state, "pickup"))) == ("Kh", "4c 5c")


def test_d0_30_while_cards_are_in_hand_the_last_chance_is_closed() -> None:
    """A Last Chance card cannot be played as long as the hand holds a card."""
    assert refused(table("hand 7c / up Kc", OTHER, pile="4h"), "play K") == ("zone_closed", "D0-30")


def test_d0_31_the_last_chance_opens_again_when_the_hand_is_empty() -> None:
    """Once the eaten cards are played the Last Chance may be used."""
    state = after(table("up 5c 6c", "hand 2s 3s 4s", pile="Jh"), "pickup", "play 3")

    assert legal(state) == ["play J"]
    assert legal(after(state, "play J", "play 2")) == ["play 5", "play 6"]


def test_d0_32_a_last_stand_card_that_does_not_beat_is_an_eat() -> None:
    """Any slot may be turned; a card that turns out too low means eating the Pile, and the turn ends."""
    state = table("down 4c 9c", OTHER, pile="8h Kh")
    after_flip = after(state, "flip 1")

    assert legal(state) == ["flip 1", "flip 2"]
    assert (pile(after_flip), after_flip.to_move) == ("", 1)


def test_d0_33_a_failed_card_comes_to_the_hand_and_closes_the_last_stand() -> None:
    """The failed card goes to the hand with the Pile, and no other is turned until the hand is empty."""
    state = after(table("down 4c 9c", OTHER, pile="8h Kh"), "flip 1", "play 3")

    assert (hand(state), down(state)) == ("4c 8h Kh", "- 9c")
    assert refused(state, "flip 2") == ("zone_closed", "D0-30")


def test_d0_34_the_win_comes_when_every_zone_is_empty() -> None:
    """Whichever zone the last card comes from, the seat wins with it and not with a card still in hand."""
    for seat, move in (("hand 9c", "play 9"), ("up 9c", "play 9"), ("down - 9c -", "flip 2")):
        assert winner(after(table(seat, OTHER, pile="4h"), move)) == 0
    assert winner(after(table("down 4c", OTHER, pile="Kh"), "flip 1")) is None


def test_d0_35_the_final_card_must_beat_the_target() -> None:
    """A final card below the target cannot win; on an empty Pile every ordinary card does."""
    assert legal(table("hand 9c", OTHER, pile="Kh")) == ["pickup"]
    assert winner(after(table("hand 3c", OTHER), "play 3")) == 0
    assert winner(after(table("hand Kc", OTHER, pile="Kh"), "play K")) == 0


def test_d0_36_the_final_play_may_neither_discard_nor_reset() -> None:
    """A final 2, 10 or completed four is no win, whichever zone it comes from."""
    assert winner(after(table("hand 2c", OTHER, pile="4h"), "play 2")) is None
    assert winner(after(table("up Tc", OTHER, pile="4h"), "play T")) is None
    assert winner(after(table("down Tc", OTHER, pile="4h"), "flip 1")) is None
    assert winner(after(table("hand 9s", OTHER, pile="9c 9d 9h"), "play 9")) is None
    assert winner(after(table("hand 9c 9d 9h 9s", OTHER, pile="4h"), "play 9 9 9 9")) is None


def test_d0_37_such_a_final_play_is_eaten_instead() -> None:
    """The play is made, but its effect is replaced by eating the Pile with those cards, and the turn ends."""
    for seat, move, eaten in (("hand 2c", "play 2", "2c 4h"), ("hand Tc", "play T", "4h Tc")):
        state = after(table(seat, OTHER, pile="4h"), move)

        assert (hand(state), pile(state), binned(state), state.to_move) == (eaten, "", "", 1)


def test_d0_38_play_goes_on_until_the_hand_empties_without_such_an_event() -> None:
    """After the forced Eat the seat can still win with an ordinary final card."""
    state = after(table("hand Tc", OTHER, pile="4h"), "play T", "play 3", "play T", "play 4")

    assert winner(state) is None
    assert winner(after(state, "play 4")) == 0


def test_d0_39_the_first_to_do_so_is_the_winner() -> None:
    """The game ends with the first win; an option lets the others play on for places."""
    seats = ("hand 9c", OTHER, "hand Ks")
    state = after(table(*seats, pile="4h"), "play 9")
    playing_on = after(table(*seats, pile="4h", options={"out.ends": "last-loser"}), "play 9")

    assert (winner(state), state.phase, state.places) == (0, "over", (0,))
    assert refused(state, "play K", seat=2)[0] == "game_over"
    assert (playing_on.phase, playing_on.to_move) == ("play", 1)


def test_d0_42_the_bin_keeps_its_cards_to_the_end() -> None:
    """Nothing is drawn from the Bin when the stock has run out."""
    state = after(table("hand 9c Kc", OTHER, pile="4h", bin="Tc 7d"), "play 9", "pickup", "play K")

    assert (binned(state), state.phase) == ("Tc 7d", "over")


def test_d0_43_the_last_stand_is_three_cards_that_nobody_knows() -> None:
    """Each seat has three face-down cards, hidden from all and from their owner too."""
    state = dealt("quatch-original", 3)

    for viewer in (0, 1, 2, None):
        assert zone_seen(state, "down", of=0, by=viewer) == "?? ?? ??"


def test_d0_44_the_last_chance_is_three_cards_face_up() -> None:
    """Each seat has three face-up cards that all seats see."""
    state = dealt("quatch-original", 3)

    assert len(up(state).split()) == 3
    for viewer in (0, 1, 2, None):
        assert zone_seen(state, "up", of=0, by=viewer) == up(state)


def test_d0_45_last_stand_then_last_chance_then_hand_are_dealt() -> None:
    """Each seat is dealt Last Stand, Last Chance and hand in this order: a later zone changes no earlier one."""
    state = dealt("quatch-original", 4)
    no_hand = dealt("quatch-original", 4, deal_hand=0)
    no_last_chance = dealt("quatch-original", 4, deal_hand=0, deal_up=0)

    for seat in range(4):
        assert [len(zone(state, seat).split()) for zone in (down, up, hand)] == [3, 3, 3]
        assert up(no_hand, seat) == up(state, seat)
        assert down(no_last_chance, seat) == down(no_hand, seat) == down(state, seat)


def test_d0_46_hand_and_last_chance_may_be_exchanged_freely() -> None:
    """Everyone may, none must, swap any cards as often as they like until all are ready; both zones keep their size."""
    state = arranging("hand 4c 5c 6c / up Jc Qc Kc", "hand 4d 5d 6d / up Jd Qd Kd")
    swapped = after(state, "swap 4 J", "swap 5 Q", "swap J K", seat=0)

    assert (hand(swapped), up(swapped)) == ("6c Qc Kc", "4c 5c Jc")
    assert refused(after(swapped, "ready", seat=0), "swap 6 4", seat=0) == ("wrong_phase", "D0-46")
    assert hand(after(swapped, "swap 6 K", seat=1), 1) == "4d 5d Kd"
    assert (all_ready(state).phase, up(all_ready(state))) == ("play", "Jc Qc Kc")


def test_d0_48_once_the_stock_is_gone_the_floor_of_three_ends() -> None:
    """Without a stock no seat draws."""
    state = after(table("hand 7c 8c 9c", "hand Jd Qd Kd", pile="4h"), "play 7", "play J")

    assert (hand(state), hand(state, 1)) == ("8c 9c", "Qd Kd")


def test_d0_49_the_last_chance_is_played_from_ones_own_row() -> None:
    """With hand and stock gone only the seat's own Last Chance may be used, several of a rank together."""
    state = table("up 7c 7d 9c / down Ac", "hand 3s / up Ks", pile="4h")

    assert legal(state) == ["play 7", "play 7 7", "play 9"]
    assert refused(state, "play K")[0] == "not_held"


def test_d0_50_the_last_stand_is_played_one_card_a_turn() -> None:
    """Only the seat's own Last Stand may be used, and one card ends the turn."""
    state = table("down 9c - Kc", "hand 3s / down Qs Js", pile="4h")

    assert legal(state) == ["flip 1", "flip 3"]
    assert (down(after(state, "flip 3")), after(state, "flip 3").to_move) == ("9c - -", 1)


def test_d0_51_a_last_stand_card_that_can_be_played_is_played() -> None:
    """A turned card that beats the target lies on the Pile, another is eaten with it."""
    state = table("down 9c 3c", OTHER, pile="8h")

    assert pile(after(state, "flip 1")) == "8h 9c"
    assert hand(after(state, "flip 2")) == "3c 8h"
