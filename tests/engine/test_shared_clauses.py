"""What the texts of several rule sets say alike: each test tries the rule sets of the clauses in front of it."""

from collections import Counter
from itertools import pairwise
from typing import Final

import pytest

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
    luck,
    pack,
    pile,
    refused,
    stock,
    up,
    winner,
    zone_seen,
)

RULES: Final = {"D0": "quatch-original", "D1": "cathedral", "D2": "quatch", "D3": "college", "D4": "life"}
ORDINARY: Final = "3456789JQKA"
"""The ranks that are no 2 and no 10, the lowest first."""


def clauses(*said: str) -> pytest.MarkDecorator:
    """Try a test with these clauses; several of one rule set stand in one text."""
    return pytest.mark.parametrize("clause", said)


def rules_of(clause: str) -> str:
    """The rule set of a clause."""
    return RULES[clause[:2]]


def table(clause: str, *seats: str, **rest: Json) -> State:
    """A position in the rules of this clause."""
    return at(rules_of(clause), *seats, **rest)


def plays(state: State) -> list[str]:
    """What may be played; where the pile may be taken by choice, that is left out."""
    return [move for move in legal(state) if move != "pickup"]


@clauses("D0-03", "D2-02 D2-03 D2-04")
def test_the_pack_has_one_two_and_one_ten(clause: str) -> None:
    """The pack is 46 cards: a single 2, a single 10, four of every other rank, of all suits."""
    cards = pack(dealt(rules_of(clause)))

    assert Counter(card[0] for card in cards) == {"2": 1, "T": 1} | dict.fromkeys(ORDINARY, 4)
    assert len(set(cards)) == 46
    assert {card[1] for card in cards} == set("cdhs")


@clauses("D0-04", "D2-05")
def test_the_suits_of_the_two_and_the_ten_are_drawn_for_each_game(clause: str) -> None:
    """Over many seeds every suit comes up, that of the 2 apart from that of the 10; the same seed gives the same."""
    rules = rules_of(clause)
    games = [sorted(card for card in pack(dealt(rules, seed=f"{n}")) if card[0] in "2T") for n in range(99)]

    assert {two[1] for two, _ in games} == {ten[1] for _, ten in games} == set("cdhs")
    assert any(two[1] != ten[1] for two, ten in games)
    assert dealt(rules, seed="7") == dealt(rules, seed="7")


@clauses("D1-27", "D2-06")
def test_three_is_low_and_ace_is_high(clause: str) -> None:
    """The ranks rise from 3 to ace, 2 and 10 outside the order."""
    for lower, higher in pairwise(ORDINARY):
        assert plays(table(clause, f"hand {higher}c", OTHER, pile=f"{lower}h")) == [f"play {higher}"]
        assert legal(table(clause, f"hand {lower}c", OTHER, pile=f"{higher}h")) == ["pickup"]


@clauses("D0-43", "D2-08", "D3-02", "D4-12")
def test_three_cards_lie_face_down_that_nobody_knows(clause: str) -> None:
    """Each seat has three of them, hidden from all and from their owner too."""
    state = dealt(rules_of(clause), 3)

    for viewer in (0, 1, 2, None):
        assert zone_seen(state, "down", of=0, by=viewer) == "?? ?? ??"


@clauses("D0-44", "D2-09")
def test_three_cards_lie_face_up(clause: str) -> None:
    """Each seat has three face-up cards that all seats see."""
    state = dealt(rules_of(clause), 3)

    assert len(up(state).split()) == 3
    for viewer in (0, 1, 2, None):
        assert zone_seen(state, "up", of=0, by=viewer) == up(state)


@clauses("D1-01", "D2-10", "D3-03", "D4-13")
def test_the_hand_is_dealt_privately(clause: str) -> None:
    """Three cards or six for each of two to four seats, seen by their owner alone."""
    size, deck = (3, 46) if clause == "D2-10" else (6, 52)
    for seats in (2, 3, 4):
        state = dealt(rules_of(clause), seats)
        assert [len(hand(state, seat).split()) for seat in range(seats)] == [size] * seats
        for viewer in (1, None):
            assert zone_seen(state, "hand", of=0, by=viewer) == " ".join(["??"] * size)
        assert len(set(pack(state))) == len(pack(state)) == deck
        assert bool(up(state)) == (clause == "D2-10"), "elsewhere nothing lies face up yet"


@clauses("D0-46", "D2-11")
def test_hand_and_face_up_cards_may_be_exchanged_freely(clause: str) -> None:
    """Everyone may, none must, swap any cards as often as they like until all are ready; both zones keep their size."""
    seats = ("hand 4c 5c 6c / up Jc Qc Kc", "hand 4d 5d 6d / up Jd Qd Kd")
    state = table(clause, *seats, phase="arrange")
    swapped = after(after(state, "swap 4 J", "swap 5 Q", seat=0), "swap 6d Qd", seat=1)
    swapped = after(swapped, "swap J K", seat=0)

    assert (hand(swapped), up(swapped)) == ("6c Qc Kc", "4c 5c Jc")
    assert (hand(swapped, 1), up(swapped, 1)) == ("4d 5d Qd", "6d Jd Kd")
    too_late = ("wrong_phase", "D0-46" if clause == "D0-46" else "D2-12")
    assert refused(after(swapped, "ready", seat=0), "swap 6 4", seat=0) == too_late
    assert (all_ready(state).phase, up(all_ready(state))) == ("play", "Jc Qc Kc")


@clauses("D3-04", "D4-14")
def test_each_chooses_three_to_lie_face_up(clause: str) -> None:
    """All seats choose; the choices are hidden until all are ready, and then shown together."""
    state = table(clause, "hand 3c 4c 6c 8c 9c Kc", "hand 3d 4d 6d 8d 9d Kd", phase="arrange")
    laid = after(state, "lay 8 9 K", "ready", seat=0)

    assert refused(state, "ready", seat=0) == ("must_lay", clause)
    assert zone_seen(laid, "up", of=0, by=1) == "?? ?? ??"
    laid = after(laid, "lay 3 4 6", "ready", seat=1)
    assert (zone_seen(laid, "up", of=0, by=1), zone_seen(laid, "up", of=1, by=0)) == ("8c 9c Kc", "3d 4d 6d")
    assert hand(laid) == "3c 4c 6c"


@clauses("D0-06", "D2-14")
def test_the_lowest_ordinary_hand_card_starts(clause: str) -> None:
    """2, 10 and face-up cards do not count; the next lowest cards break a tie, then a draw does."""

    def opened(*seats: str, **rest: Json) -> str:
        return pile(all_ready(table(clause, *seats, phase="arrange", **rest)))

    assert opened("hand 2c Tc 6c / up 3c", "hand 5d 9d Kd", "hand 7h 8h 9h") == "5d"
    assert opened("hand 4c 9c Kc", "hand 4d 8d Kd") == "4d"
    assert opened("hand 2c Tc", "hand Ad") == "Ad"
    draws = [luck(rules_of(clause), 2, f"{n}") for n in range(20)]
    assert {opened("hand 4c 9c Kc", "hand 4d 9d Kd", luck=draw) for draw in draws} == {"4c", "4d"}


@clauses("D0-07", "D2-15")
def test_the_lowest_card_opens_the_pile(clause: str) -> None:
    """One copy of it is laid for the starter, who draws; the others keep theirs."""
    state = all_ready(table(clause, "hand 3c 3d 9c", "hand 6d 7d 8d", phase="arrange", stock="Kh Qh"))

    assert (pile(state), hand(state), stock(state)) == ("3c", "3d 9c Kh", "Qh")
    assert (hand(state, 1), state.to_move) == ("6d 7d 8d", 1)


@clauses("D0-11", "D2-16", "D3-08")
def test_a_card_must_be_equal_or_higher(clause: str) -> None:
    """An equal or higher rank beats the top of the pile, a lower one does not."""
    state = table(clause, "hand 7c 8c 9c", OTHER, pile="8h")

    assert plays(state) == ["play 8", "play 9"]
    assert refused(state, "play 7") == ("too_low", clause)


@clauses("D0-10", "D2-20")
def test_on_an_empty_pile_anything_leads(clause: str) -> None:
    """Every card can begin a new pile, 2 and 10 included."""
    assert legal(table(clause, "hand 2c 3c Tc Ac", OTHER)) == ["play 2", "play 3", "play T", "play A"]


@clauses("D0-12", "D1-07", "D2-16 D2-17", "D3-14", "D4-20")
def test_cards_of_one_rank_go_together(clause: str) -> None:
    """One to four of a rank, whatever number lies on the pile; two ranks may not."""
    state = table(clause, "hand 9c 9d 9h 9s Jc", OTHER, pile="4h 4d")

    assert plays(state) == ["play 9", "play 9 9", "play 9 9 9", "play 9 9 9 9", "play J"]
    assert pile(after(state, "play 9 9 9")) == "4h 4d 9c 9d 9h"
    assert refused(state, "play 9 J") == ("mixed_ranks", clause[:5])


@clauses("D0-05 D0-20 D0-21 D0-48", "D1-09", "D2-32", "D4-22")
def test_after_a_play_from_the_hand_one_draws_up_to_three(clause: str) -> None:
    """As many cards as make three, while the stock lasts. A hand of three or more draws nothing."""
    seats = ("hand 9c 9d Kc", OTHER)

    assert hand(after(table(clause, *seats, pile="4h", stock="6d 8d Jd"), "play 9 9")) == "6d 8d Kc"
    assert hand(after(table(clause, *seats, pile="4h", stock="6d"), "play 9 9")) == "6d Kc"
    assert hand(after(table(clause, "hand 9c 9d", OTHER, pile="4h", stock="6d"), "play 9 9")) == "6d"
    assert hand(after(table(clause, *seats, pile="4h"), "play 9")) == "9d Kc"
    assert hand(after(table(clause, "hand 8c 9c Jc Qc Kc", OTHER, pile="4h", stock="6d"), "play 8")) == "9c Jc Qc Kc"
    assert hand(after(table(clause, "hand 8c 9c Jc Kc", OTHER, pile="4h", stock="6d"), "play 8")) == "9c Jc Kc"


@clauses("D0-24 D0-25", "D1-13 D1-14", "D2-21 D2-22", "D3-12", "D4-21")
def test_without_a_valid_play_one_takes_the_whole_pile(clause: str) -> None:
    """That is then the one move. It ends the turn, and the next seat leads an empty pile with anything."""
    state = table(clause, "hand 4c 6c", "hand 3s Ks", pile="8h Kh")
    taken = after(state, "pickup")

    assert legal(state) == ["pickup"]
    assert (hand(taken), pile(taken)) == ("4c 6c 8h Kh", "")
    assert (taken.to_move, legal(taken)) == (1, ["play 3", "play K"])


@clauses("D0-23", "D2-23")
def test_nobody_takes_the_pile_who_can_play(clause: str) -> None:
    """Not even when a special is all that can be played."""
    for held in ("4c 9c", "2c 4c"):
        assert refused(table(clause, f"hand {held}", OTHER, pile="8h"), "pickup") == ("must_play", clause)


@clauses("D1-15", "D3-13", "D4-19")
def test_the_pile_may_be_taken_by_choice(clause: str) -> None:
    """A seat that can play may take it, which ends the turn; the next seat leads, and cannot take an empty pile."""
    state = after(table(clause, "hand 4c Kc", "hand 3s Ks", pile="8h"), "pickup")

    assert (hand(state), state.to_move) == ("4c 8h Kc", 1)
    assert legal(state) == ["play 3", "play K"]
    assert refused(state, "pickup") == ("pile_empty", clause)


@clauses("D0-18", "D1-16", "D2-24", "D3-26")
def test_a_two_goes_on_any_card(clause: str) -> None:
    """On every rank that may lie beneath it."""
    for rank in ORDINARY if clause[:2] in {"D0", "D2"} else f"2{ORDINARY}":
        assert "play 2" in legal(table(clause, "hand 2c Kc", OTHER, pile=f"{rank}h"))


@clauses("D0-28", "D2-25", "D3-27", "D4-05")
def test_after_a_two_the_next_player_plays_anything(clause: str) -> None:
    """The 2 stays on top and the turn passes; what is laid on it is to be beaten again."""
    state = after(table(clause, "hand 2c 4c", "hand 3s 3d Ks", pile="Ah"), "play 2")

    assert (pile(state), state.to_move) == ("Ah 2c", 1)
    assert plays(state) == ["play 3", "play 3 3", "play K"]
    state = after(state, "play K")
    assert (state.to_move, legal(state)) == (0, ["pickup"])


@clauses("D1-21", "D2-26", "D3-23")
def test_a_ten_goes_on_any_card(clause: str) -> None:
    """A 10 may be laid on every rank."""
    for rank in f"2{ORDINARY}":
        assert "play T" in legal(table(clause, "hand Tc Kc", OTHER, pile=f"{rank}h"))


@clauses("D0-27", "D1-22", "D2-27", "D3-24")
def test_a_ten_sends_the_whole_pile_to_the_bin(clause: str) -> None:
    """With the 10, after what is there already."""
    state = after(table(clause, "hand Tc Kc", OTHER, pile="4h 6h 8h", bin="9d"), "play T")

    assert (pile(state), binned(state)) == ("", "9d 4h 6h 8h Tc")


@clauses("D0-42", "D1-23")
def test_the_bin_keeps_its_cards(clause: str) -> None:
    """Nothing is drawn from it when the stock has run out."""
    state = after(table(clause, "hand 9c Kc", OTHER, pile="4h", bin="Tc 7d"), "play 9", "pickup", "play K")

    assert (binned(state), state.phase) == ("Tc 7d", "over")


@clauses("D2-28", "D3-25")
def test_the_tens_player_goes_again_at_once(clause: str) -> None:
    """The seat that laid the 10 has another turn, with any card, and must take it."""
    state = after(table(clause, "hand 3c Tc Kc", OTHER, pile="Ah"), "play T")

    assert (state.to_move, legal(state)) == (0, ["play 3", "play K"])
    assert refused(state, "pass")[0] == "cannot_pass"


@clauses("D0-13 D0-14", "D2-29", "D3-21")
def test_four_of_a_rank_in_a_row_clear_the_pile(clause: str) -> None:
    """Laid together or one after the other, by any seats and from any zone; a card between them breaks the row."""
    seats = ("hand 9h Kc", "hand 9s Ks")

    assert binned(after(table(clause, "hand 9c 9d 9h 9s Kc", OTHER, pile="4h"), "play 9 9 9 9")) == "4h 9c 9d 9h 9s"
    assert binned(after(table(clause, *seats, pile="4h 9c 9d"), "play 9", "play 9")) == "4h 9c 9d 9h 9s"
    assert binned(after(table(clause, "down 9s Kc", OTHER, pile="9c 9d 9h"), "flip 1")) == "9c 9d 9h 9s"
    assert binned(after(table(clause, *seats, pile="9c 9d 2h"), "play 9", "play 9")) == ""


@clauses("D0-30", "D2-31", "D3-15", "D4-23")
def test_each_zone_is_closed_until_those_before_it_are_empty(clause: str) -> None:
    """First the hand, then the face-up cards, then those face down."""
    for seat, move in (
        ("hand 9c / up Kc", "play K"),
        ("hand 9c / down Kc", "flip 1"),
        ("up 9c / down Kc", "flip 1"),
    ):
        assert refused(table(clause, seat, OTHER, pile="4h"), move) == ("zone_closed", clause)


@clauses("D0-49", "D3-15")
def test_hand_and_stock_gone_the_own_face_up_cards_are_played(clause: str) -> None:
    """Several of a rank together if one likes."""
    state = table(clause, "up 8c 8d 9c / down Ac", "hand 3s / up Ks", pile="4h")

    assert plays(state) == ["play 8", "play 8 8", "play 9"]
    assert refused(state, "play K")[0] == "not_held"


@clauses("D0-29 D0-31", "D2-37")
def test_stuck_on_the_face_up_cards_one_takes_the_pile_without_them(clause: str) -> None:
    """The hand is played first again, and the face-up cards when it is empty."""
    state = table(clause, "up 4c 5c", "hand 2s 3s 4s", pile="Jh")
    taken = after(state, "pickup", "play 3")

    assert legal(state) == ["pickup"]
    assert (hand(taken), up(taken), legal(taken)) == ("Jh", "4c 5c", ["play J"])
    assert legal(after(taken, "play J", "play 2")) == ["play 4", "play 5"]


@clauses("D0-50", "D2-38 D2-39", "D3-17 D3-18", "D4-25")
def test_then_one_face_down_card_a_turn_is_chosen_blind(clause: str) -> None:
    """With no hand and no face-up card. The owner picks any slot without knowing its card."""
    state = table(clause, "down 9c - Kc", OTHER, pile="4h")
    turned = after(state, "flip 3")

    assert plays(state) == ["flip 1", "flip 3"]
    assert zone_seen(state, "down", of=0, by=0) == zone_seen(state, "down", of=0, by=None) == "?? - ??"
    assert (pile(turned), down(turned), turned.to_move) == ("4h Kc", "9c - -", 1)


@clauses("D0-51", "D2-40", "D3-19")
def test_a_face_down_card_that_can_be_played_is_a_normal_play(clause: str) -> None:
    """With all its effects; on an empty pile none is too low."""
    assert pile(after(table(clause, "down 3c Kc", OTHER), "flip 1")) == "3c"
    assert pile(after(table(clause, "down 9c Kc", OTHER, pile="8h"), "flip 1")) == "8h 9c"
    assert pile(after(table(clause, "down 2c Kc", OTHER, pile="Qh"), "flip 1")) == "Qh 2c"
    assert binned(after(table(clause, "down Tc Kc", OTHER, pile="4h"), "flip 1")) == "4h Tc"


@clauses("D0-32 D0-33", "D2-41 D2-42", "D3-19", "D4-27")
def test_a_face_down_card_that_is_too_low_is_taken_with_the_pile(clause: str) -> None:
    """Its slot is empty, the turn ends, and the next seat leads an empty pile."""
    state = after(table(clause, "down 4c Kc", "hand 3s 4s", pile="8h Qh"), "flip 1")

    assert (hand(state), down(state), pile(state)) == ("4c 8h Qh", "- Kc", "")
    assert (state.to_move, legal(state)) == (1, ["play 3", "play 4"])


@clauses("D0-02 D0-34", "D1-12", "D2-01", "D3-01")
def test_the_aim_is_to_hold_no_card_in_any_zone(clause: str) -> None:
    """The first seat that does so has won, whatever zone its last card came from, and the game is over."""
    for last, move in (("hand 9c / down - - -", "play 9"), ("up 9c", "play 9"), ("down - 9c -", "flip 2")):
        state = after(table(clause, last, OTHER, "hand Ks", pile="4h"), move)
        assert (winner(state), state.phase) == (0, "over")
    for more in ("up Kc", "down - Kc -"):
        assert winner(after(table(clause, f"hand 9c / {more}", OTHER, pile="4h"), "play 9")) is None
    assert winner(after(table(clause, "down 4c", OTHER, pile="Kh"), "flip 1")) is None
