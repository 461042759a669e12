"""Cathedral, clause by clause (D1)."""

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
    pile,
    refused,
    reserve,
    stock,
    winner,
    zone_seen,
)

table = partial(at, "cathedral")

SIX_EACH = partial(table, "hand 3c 4c 5c 6c 7c 8c", "hand 3d 4d 5d 6d 7d 8d", phase="arrange")


def started(seed: str, dealer: int | None = None) -> State:
    """A game of four in which each seat has put its three lowest cards aside."""
    state = dealt("cathedral", 4, seed, dealer)
    for seat in range(4):
        state = after(state, "lay " + " ".join(hand(state, seat).split()[:3]), seat=seat)
    return all_ready(state)


def test_d1_02_each_chooses_three_to_save() -> None:
    """All seats choose three cards, at once and unseen, before play begins."""
    state = after(SIX_EACH(), "lay 3 4 5", "ready", seat=0)

    assert refused(SIX_EACH(), "ready", seat=0) == ("must_lay", "D1-02")
    assert state.phase == "arrange"
    assert zone_seen(state, "reserve", of=0, by=1) == "?? ?? ??"
    assert after(state, "lay 6 7 8", "ready", seat=1).phase == "play"


def test_d1_03_saved_cards_lie_face_down_and_only_their_owner_may_look() -> None:
    """The owner may view the own reserve at any time, others never."""
    state = table("hand 9c / reserve 2c Kc Kd", OTHER)

    assert zone_seen(state, "reserve", of=0, by=0) == "2c Kc Kd"
    assert zone_seen(state, "reserve", of=0, by=1) == zone_seen(state, "reserve", of=0, by=None) == "?? ?? ??"


def test_d1_04_the_other_three_are_the_hand() -> None:
    """What is not saved is the hand to begin with; the choice can be changed until ready."""
    state = after(SIX_EACH(), "lay 3 4 5", "lay 4 6 8", seat=0)

    assert (reserve(state), hand(state)) == ("4c 6c 8c", "3c 5c 7c")


def test_d1_05_a_card_must_be_higher_than_the_top() -> None:
    """Only a strictly higher card beats the top; an equal one does not."""
    state = table("hand 7c 8c 9c", OTHER, pile="8h")

    assert legal(state) == ["play 9", "pickup"]
    assert refused(state, "play 8") == ("too_low", "D1-05")


def test_d1_06_the_first_player_leads_freely() -> None:
    """A drawn seat, later the one left of the last winner, leads anything; nothing is turned from the stock."""
    state = started("a seed")
    starter = state.to_move or 0

    assert (pile(state), len(stock(state).split())) == ("", 28)
    assert {move.split()[1] for move in legal(state)} == {card[0] for card in hand(state, starter).split()}
    assert {started(f"{n}").to_move for n in range(40)} == {0, 1, 2, 3}
    assert [started("a seed", dealer=last_winner).to_move for last_winner in range(4)] == [1, 2, 3, 0]


def test_d1_08_copies_may_be_held_back() -> None:
    """Of a pair one card may be laid and the other kept."""
    assert hand(after(table("hand Kc Kd", OTHER, pile="4h"), "play K")) == "Kd"


def test_d1_10_hand_and_stock_gone_the_saved_cards_are_taken() -> None:
    """A seat that plays its last hand card when the stock is gone takes the reserve at once, before any bonus turn."""
    state = after(table("hand 9c / reserve 3c 4c 5c", OTHER, pile="4h"), "play 9")
    bonus = after(table("hand 2c / reserve 3c 4c 5c", OTHER, pile="4h"), "play 2")
    with_stock = after(table("hand 9c / reserve 3c 4c 5c", OTHER, pile="4h", stock="Kd"), "play 9")

    assert (hand(state), reserve(state), state.to_move) == ("3c 4c 5c", "", 1)
    assert (hand(bonus), bonus.to_move) == ("3c 4c 5c", 0)
    assert (hand(with_stock), reserve(with_stock)) == ("Kd", "3c 4c 5c")


def test_d1_10_a_house_rule_without_draws_leaves_the_saved_cards_until_the_stock_is_gone() -> None:
    """An empty hand alone does not bring the reserve: the stock has to be gone, too."""
    state = table("hand 9c / reserve 3c 4c 5c", OTHER, pile="4h", stock="Kd", options={"draw.to": 0})

    assert (hand(after(state, "play 9")), reserve(after(state, "play 9"))) == ("", "3c 4c 5c")


def test_d1_11_the_saved_cards_come_all_together_and_never_while_holding_others() -> None:
    """A seat with cards in hand leaves its reserve where it is and cannot play from it."""
    state = table("hand 9c Jc / reserve Kc Qc 2c", OTHER, pile="4h")

    assert legal(state) == ["play 9", "play J", "pickup"]
    assert refused(state, "play K")[0] == "not_held"
    assert reserve(after(state, "play 9")) == "2c Qc Kc"
    assert reserve(after(table("hand 3c / reserve Kc Qc 2c", OTHER, pile="4h"), "pickup")) == "2c Qc Kc"


def test_d1_15_the_pile_may_be_taken_in_a_bonus_turn_too() -> None:
    """By choice, after a 2."""
    assert "pickup" in legal(after(table("hand 2c Kc", OTHER, pile="8h"), "play 2"))


def test_d1_17_after_a_two_the_count_restarts_at_the_bottom() -> None:
    """Any card may follow a 2."""
    state = after(table("hand 2c 3c Kc", OTHER, pile="Ah"), "play 2")

    assert (pile(state), legal(state)) == ("Ah 2c", ["play 3", "play K", "pickup"])


def test_d1_18_a_two_lets_its_player_go_again() -> None:
    """The 2's player is to move again and must act; then it is the next seat's turn."""
    state = after(table("hand 2c 3c Kc", OTHER, "hand Ks", pile="Ah"), "play 2")

    assert state.to_move == 0
    assert refused(state, "pass") == ("cannot_pass", "D1-18")
    assert after(state, "play 3").to_move == 1


def test_d1_19_one_draws_to_three_before_going_again() -> None:
    """The card drawn after a 2 can be played in the bonus turn."""
    state = after(table("hand 2c 3c 4c", OTHER, pile="Ah", stock="9d"), "play 2")

    assert (hand(state), state.to_move) == ("3c 4c 9d", 0)
    assert "play 9" in legal(state)


def test_d1_20_several_twos_may_go_together() -> None:
    """Two 2s in one play are legal and give one bonus turn."""
    state = after(table("hand 2c 2d 3c Kc", OTHER, pile="Ah"), "play 2 2")

    assert state.to_move == 0
    assert after(state, "play 3").to_move == 1


def test_d1_21_a_ten_does_all_that_a_two_does() -> None:
    """Its player draws and must go again with any card."""
    state = after(table("hand Tc 3c Kc", OTHER, pile="Ah", stock="9d"), "play T")

    assert (hand(state), state.to_move, legal(state)) == ("3c 9d Kc", 0, ["play 3", "play 9", "play K"])


def test_d1_24_four_of_a_rank_clears_the_pile_and_goes_again() -> None:
    """Four in one play send the pile to the bin; their player draws and must go again."""
    state = after(table("hand 9c 9d 9h 9s Kc", OTHER, pile="4h", stock="3d 5d 6d"), "play 9 9 9 9")

    assert (pile(state), binned(state)) == ("", "4h 9c 9d 9h 9s")
    assert (hand(state), state.to_move) == ("3d 5d Kc", 0)
    assert refused(state, "pass")[0] == "cannot_pass"


def test_d1_25_four_of_a_rank_must_be_higher_than_the_top() -> None:
    """Four are no special play and cannot be built up over turns; four 2s go on anything, and clear in one play."""
    assert refused(table("hand 9c 9d 9h 9s Kc", OTHER, pile="Jh"), "play 9 9 9 9") == ("too_low", "D1-05")
    assert refused(table("hand 9s Kc", OTHER, pile="9c 9d 9h"), "play 9") == ("too_low", "D1-05")
    state = after(table("hand 2c 2d 2h 2s Kc", OTHER, pile="Ah"), "play 2 2 2 2")
    assert (pile(state), binned(state), state.to_move) == ("", "Ah 2c 2d 2h 2s", 0)
    assert binned(after(table("hand 2s Kc", OTHER, pile="2c 2d 2h"), "play 2")) == ""


def test_d1_26_on_a_jack_four_nines_need_the_ten_first() -> None:
    """On a jack with four 9s and a 10: clear with the 10 and then play some 9s, or take the pile."""
    state = table("hand 9c 9d 9h 9s Tc", OTHER, pile="Jh")

    assert legal(state) == ["play T", "pickup"]
    assert legal(after(state, "play T")) == ["play 9", "play 9 9", "play 9 9 9", "play 9 9 9 9"]
    assert hand(after(state, "pickup")) == "9c 9d 9h 9s Tc Jh"


def test_d1_28_a_saved_two_and_a_pair_go_out_in_one_turn() -> None:
    """The bonus turn goes on from the reserve to the win; a 2 or a 10 may also be the very last card."""
    state = after(table("hand Kc / reserve 2c 9c 9d", OTHER, pile="Qh"), "play K", "pickup")

    assert winner(after(state, "play 2", "play 9 9")) == 0
    assert winner(after(table("hand 2c", OTHER, pile="Ah"), "play 2")) == 0
    assert winner(after(table("hand Tc", OTHER, pile="Ah"), "play T")) == 0
