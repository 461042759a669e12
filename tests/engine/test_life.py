"""Life cards, clause by clause (D4)."""

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
    up,
    winner,
)

table = partial(at, "life")


def begun(*hands: str, **rest: str) -> State:
    """The game after arranging; the seats hold these hands and have laid high cards."""
    rows = ("9c Jc Qc", "9d Jd Qd", "9h Jh Qh", "9s Js Qs")
    seats = [f"hand {cards} / up {row}" for cards, row in zip(hands, rows, strict=False)]
    return all_ready(table(*seats, phase="arrange", **rest))


def test_d4_01_the_deck_is_a_standard_one() -> None:
    """There are 52 different cards."""
    assert len(set(pack(dealt("life")))) == len(pack(dealt("life"))) == 52


def test_d4_03_three_is_the_lowest_card() -> None:
    """Every rank goes on a 3; a 3 goes on no other ordinary rank."""
    assert len(legal(table("hand 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", OTHER, pile="3h"))) == 13 + 1
    for rank in "4689JQKA":
        assert legal(table("hand 3c", OTHER, pile=f"{rank}h")) == ["pickup"]


def test_d4_04_ace_is_the_highest_card() -> None:
    """No ordinary card but another ace goes on an ace."""
    assert legal(table("hand 3c 4c 6c 8c 9c Jc Qc Kc Ac", OTHER, pile="Ah")) == ["play A", "pickup"]


def test_d4_06_a_five_reverses_the_order() -> None:
    """The seat before is next; the 5 is then the card to beat, whatever it was laid on."""
    state = after(table("hand 5c Kc", "hand 6s Ks", "hand 4d 6d Kd", pile="Kh"), "play 5")

    assert (state.to_move, legal(state)) == (2, ["play 6", "play K", "pickup"])
    assert after(state, "play 6").to_move == 1


def test_d4_07_after_a_seven_a_lower_card_or_a_wild_must_follow() -> None:
    """The next seat lays a card below 7 or a wild 2, 5, 7 or 10, in blind flips too."""
    state = table("hand 2c 3c 5c 6c 7c 8c Tc Kc", OTHER, pile="7h")

    assert legal(state) == ["play 2", "play 3", "play 5", "play 6", "play 7", "play T", "pickup"]
    assert after(state, "play 7").to_move == 1
    assert refused(state, "play 8") == ("must_be_lower", "D4-07")
    assert hand(after(table("down 8c Kc", OTHER, pile="7h"), "flip 1")) == "7h 8c"
    assert pile(after(table("down 6c Kc", OTHER, pile="7h"), "flip 1")) == "7h 6c"


def test_d4_08_a_ten_clears_the_pile_and_its_player_may_go_again() -> None:
    """The pile goes to the bin; its player plays on or declines, and then the next seat leads."""
    state = after(table("hand 3c Tc", OTHER, pile="Ah"), "play T")

    assert (pile(state), binned(state), state.to_move) == ("", "Ah Tc", 0)
    assert legal(state) == ["play 3", "pass"]
    assert (after(state, "pass").to_move, legal(after(state, "pass"))) == (1, ["play 3", "play 4", "play 5"])


def test_d4_09_four_of_a_rank_in_one_play_are_a_bomb() -> None:
    """Four laid together clear the pile and may go again; built up they do not, unless the option says so."""
    state = after(table("hand 9c 9d 9h 9s Kc", OTHER, pile="4h"), "play 9 9 9 9")
    fourth = ("hand 9s Kc", OTHER)

    assert (binned(state), legal(state)) == ("4h 9c 9d 9h 9s", ["play K", "pass"])
    assert binned(after(table(*fourth, pile="9c 9d 9h"), "play 9")) == ""
    in_a_row = after(table(*fourth, pile="9c 9d 9h", options={"four.scope": "in-a-row"}), "play 9")
    assert (binned(in_a_row), legal(in_a_row)) == ("9c 9d 9h 9s", ["play K", "pass"])


def test_d4_10_with_two_players_left_a_five_skips_the_next() -> None:
    """The same seat moves again. A seat that has just gone out does not count."""
    assert after(table("hand 5c Kc", OTHER, pile="4h"), "play 5").to_move == 0
    assert after(table("hand 5c Kc", OTHER, "hand Ks", pile="4h", places=[2]), "play 5").to_move == 0
    assert after(table("hand 5c", OTHER, "hand Ks", pile="4h"), "play 5").to_move == 2


def test_d4_11_an_even_number_of_fives_does_nothing() -> None:
    """Two or four 5s in one play neither reverse nor skip, one or three do."""
    five = ("hand 5c 5d 5h Kc", "hand 6s Ks", "hand 6d Kd")

    assert after(table(*five, pile="4h"), "play 5 5").to_move == 1
    assert after(table(*five, pile="4h"), "play 5 5 5").to_move == 2
    assert after(table(*five[:2], pile="4h"), "play 5 5").to_move == 1
    assert after(table(*five[:2], pile="4h"), "play 5 5 5").to_move == 0
    fours = after(table("hand 5c 5d 5h 5s Kc", *five[1:], pile="4h"), "play 5 5 5 5")
    assert after(fours, "pass").to_move == 1


def test_d4_15_a_seat_with_a_three_starts() -> None:
    """A 3 in hand after choosing counts, one among the face-up cards does not; the others follow clockwise."""
    assert begun("4c 6c 8c", "3d Kd Ad").to_move == 1
    assert begun("4c 6c 8c", "3d Kd Ad", "6h Kh Ah").order == (1, 2, 0)
    assert all_ready(table("hand 6c 8c Kc / up 3c 9c Jc", "hand 4d Kd Ad / up 9d Jd Qd", phase="arrange")).to_move == 1


def test_d4_16_otherwise_the_next_rank_up_starts_and_must_be_led() -> None:
    """Ranks are called from 4 to ace, wild cards at their rank, and 2 last; the starter leads one or more of it."""
    state = begun("6c 8c Kc", "4d 4h Ad", stock="Ks")

    assert (pile(state), state.to_move, legal(state)) == ("", 1, ["play 4", "play 4 4"])
    assert refused(state, "play A") == ("must_lead", "D4-16")
    assert legal(after(state, "play 4")) == ["play 6", "play 8", "play K", "pickup"]
    assert begun("6c 8c Kc", "5d Kd Ad").to_move == 1
    assert begun("2c 2d 2h", "Ac Ad Ah").to_move == 1
    assert legal(begun("2c 2d", "2h 2s")) == ["play 2", "play 2 2"]


def test_d4_17_without_a_draw_the_first_seat_round_goes_first() -> None:
    """Without luck in the position, the first holder of the lowest rank in clockwise order starts."""
    assert begun("6c 8c Kc", "4d 8d Kd", "4h 8h Kh").to_move == 1


def test_d4_18_equal_lowest_cards_are_decided_by_a_draw() -> None:
    """The seed draws among the holders of the lowest rank only; their other cards do not count."""
    draws = [luck("life", 3, f"{n}") for n in range(40)]

    assert {begun("6c 8c Kc", "4d 6d 8d", "4h Kh Ah", luck=str(draw)).to_move for draw in draws} == {1, 2}


def test_d4_20_a_card_must_be_as_high_as_the_current_one_or_wild() -> None:
    """Equal, higher and wild cards may be laid."""
    state = table("hand 2c 5c 7c 8c 9c Tc Jc Jd Kc", OTHER, pile="Jh")
    plays = ["play 2", "play 5", "play 7", "play T", "play J", "play J J", "play K"]

    assert legal(state) == [*plays, "pickup"]
    assert refused(state, "play 9") == ("too_low", "D4-20")


def test_d4_22_after_a_ten_one_draws_before_going_again() -> None:
    """The hand is filled before any further play."""
    state = after(table("hand Tc Kc Ac", OTHER, pile="4h", stock="6d 8d"), "play T")

    assert (hand(state), state.to_move) == ("6d Kc Ac", 0)


def test_d4_23_then_up_to_three_face_up_cards_of_a_rank_are_played() -> None:
    """With hand and stock gone one to three face-up cards of one rank may go."""
    state = table("up 8c 8d 8s", OTHER, pile="4h")

    assert legal(state) == ["play 8", "play 8 8", "play 8 8 8", "pickup"]
    assert refused(table("up 8c 8d 8h 8s", OTHER, pile="4h"), "play 8 8 8 8") == ("one_at_a_time", "D4-23")


def test_d4_24_stuck_on_the_face_up_row_one_may_lift_a_rank_with_the_pile() -> None:
    """A seat without a playable face-up card takes the pile and, if it likes, up to three face-up cards of one rank."""
    state = table("up 4c 4d 6c", OTHER, pile="Kh")
    lifted = after(state, "pickup 4 4")

    assert legal(state) == ["pickup", "pickup 4", "pickup 4 4", "pickup 6"]
    assert (hand(lifted), up(lifted), lifted.to_move) == ("4c 4d Kh", "6c", 1)
    assert up(after(state, "pickup")) == "4c 4d 6c"
    assert legal(table("up 4c 4d 4h 4s", "hand 3s", pile="Kh"))[1:] == ["pickup 4", "pickup 4 4", "pickup 4 4 4"]
    assert refused(state, "pickup 4 6")[0] == "mixed_ranks"
    assert refused(table("up 4c Ac", OTHER, pile="Kh"), "pickup 4") == ("cannot_lift", "D4-24")


def test_d4_26_the_blind_card_must_be_as_high_or_wild() -> None:
    """A turned card that is equal, higher or wild is played with its effect."""
    for good in ("Kc", "Ac", "2c", "5c", "7c"):
        assert pile(after(table(f"down {good} 9c", OTHER, pile="Kh"), "flip 1")) == f"Kh {good}"
    assert binned(after(table("down Tc 9c", OTHER, pile="Kh"), "flip 1")) == "Kh Tc"


def test_d4_28_a_player_with_nothing_left_wins() -> None:
    """Seats that go out are placed in that order while the others play on."""
    state = after(table("hand 9c", "hand 9s", "hand Kd Ad", "hand Kh Ah", pile="4h"), "play 9")

    assert (state.places, state.phase, state.to_move) == ((0,), "play", 1)
    assert after(state, "play 9").places == (0, 1)


def test_d4_29_the_last_one_left_loses() -> None:
    """Play goes on until one seat is left, which takes the last place; the first out is the winner."""
    state = after(table("hand 9c", "hand 9s", "hand Kd Ad", pile="4h"), "play 9", "play 9")

    assert (state.places, state.phase, winner(state)) == ((0, 1, 2), "over", 0)
