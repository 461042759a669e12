"""The Game of Quatch, clause by clause (D0-02 to D0-25): the deck, the start, plays, taking the pile."""

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
    hand,
    legal,
    luck,
    pack,
    pile,
    refused,
    stock,
    winner,
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
