"""The Game of Quatch, clause by clause (D0)."""

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
    pile,
    refused,
    stock,
    up,
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


def test_d0_08_the_next_lowest_card_goes_second_and_sets_the_direction() -> None:
    """Play goes round in the direction that leads from the starter to the next lowest, clockwise when opposite."""
    first, second, third, fourth = "hand 3c Kc Ac", "hand 4d Kd Ad", "hand 5h Kh Ah", "hand 6s Ks As"

    assert rotation(all_ready(arranging(first, second, third, fourth))) == [1, 2, 3, 0]
    assert rotation(all_ready(arranging(first, third, fourth, second))) == [3, 2, 1, 0]
    assert rotation(all_ready(arranging(first, third, second, fourth))) == [2, 3, 1, 0]
    assert rotation(all_ready(arranging(third, first, fourth, second))) == [3, 0, 2, 1]
    assert rotation(all_ready(arranging(first, third, second))) == [2, 1, 0]


def test_d0_10_the_top_of_the_pile_is_the_card_to_beat() -> None:
    """Only the top counts, not what lies beneath; a 2 on top sets no target."""
    seats = ("hand 4c 6c", OTHER)

    assert legal(table(*seats, pile="Kh 5h")) == ["play 6"]
    assert legal(table(*seats, pile="Kh 2h")) == ["play 4", "play 6"]


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


def test_d0_19_a_play_moves_the_chosen_cards_to_the_pile() -> None:
    """The cards chosen leave the hand and lie on top of the Pile."""
    state = after(table("hand 7c 7d Kc", OTHER, pile="4h"), "play 7d 7c")

    assert (hand(state), pile(state)) == ("Kc", "4h 7d 7c")


def test_d0_20_a_play_from_the_table_draws_nothing() -> None:
    """Only one from the hand does."""
    state = after(table("up 7c 7d Kc", OTHER, pile="4h", stock="5d 6d 9d"), "play 7 7")

    assert (hand(state), stock(state)) == ("", "5d 6d 9d")


def test_d0_22_the_turn_ends_with_the_play_even_after_a_discard() -> None:
    """There is no bonus turn: after a Discard the next seat leads an empty Pile. Options give the bonus turn."""
    seats = ("hand 9h Tc Kc", OTHER)
    ten = after(table(*seats, pile="4h"), "play T")

    assert after(table(*seats, pile="4h"), "play 9").to_move == 1
    assert (ten.to_move, pile(ten), legal(ten)) == (1, "", ["play 3", "play 4", "play 5"])
    assert after(table(*seats, pile="9c 9d 9s"), "play 9").to_move == 1
    assert after(table(*seats, pile="4h", options={"special.10.again": "must"}), "play T").to_move == 0


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


def test_d0_45_last_stand_then_last_chance_then_hand_are_dealt() -> None:
    """Each seat is dealt Last Stand, Last Chance and hand in this order: a later zone changes no earlier one."""
    state = dealt("quatch-original", 4)
    no_hand = dealt("quatch-original", 4, deal_hand=0)
    no_last_chance = dealt("quatch-original", 4, deal_hand=0, deal_up=0)

    for seat in range(4):
        assert [len(zone(state, seat).split()) for zone in (down, up, hand)] == [3, 3, 3]
        assert up(no_hand, seat) == up(state, seat)
        assert down(no_last_chance, seat) == down(no_hand, seat) == down(state, seat)
