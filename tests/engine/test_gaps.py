"""What no rule text says and the engine decides: the gaps G-01 to G-16."""

from functools import partial
from random import Random

import pytest

from engine.ai import LEVELS
from engine.game import play
from engine.moves import parse_move
from engine.rulesets import rulesets
from engine.state import Outcome
from engine.view import view_of
from tests.support.positions import (
    OTHER,
    after,
    all_ready,
    at,
    binned,
    down,
    hand,
    kinds,
    legal,
    luck,
    pile,
    refused,
    reserve,
    up,
    winner,
    zone_seen,
)

life = partial(at, "life")
quatch = partial(at, "quatch")
every_rule_set = pytest.mark.parametrize("rules", rulesets())


def test_g_01_a_seat_that_can_neither_play_nor_take_gives_up_its_turn() -> None:
    """With a final special and an empty pile the one move is to pass, and the next seat leads."""
    state = quatch("hand 2c", OTHER)

    assert legal(state) == ["pass"]
    assert (after(state, "pass").to_move, hand(after(state, "pass"))) == (1, "2c")


@every_rule_set
def test_g_02_an_empty_pile_cannot_be_taken(rules: str) -> None:
    """An empty pile cannot be taken, by choice or otherwise."""
    state = at(rules, "hand Kc Ac", OTHER)

    assert "pickup" not in legal(state)
    assert refused(state, "pickup")[0] in {"pile_empty", "must_play"}


@every_rule_set
def test_g_03_two_hundred_plies_without_progress_are_a_draw(rules: str) -> None:
    """The game is then drawn among the seats still in it, and not a ply sooner."""
    seats = ("hand 8c Kc", OTHER)

    assert after(at(rules, *seats, pile="6h", quiet=198), "play 8").phase == "play"
    state = after(at(rules, *seats, pile="6h", quiet=199), "play 8")
    assert (state.phase, state.outcome) == ("over", Outcome(None, (0, 1)))
    state = after(at(rules, *seats, "hand 9s", pile="6h", quiet=199, places=[2]), "play 8")
    assert state.outcome == Outcome(None, (0, 1))


def test_g_03_progress_is_a_card_leaving_stock_game_or_row() -> None:
    """A draw, a burn, a card leaving the table and a reserve taken begin the count anew, going out does too."""
    progress = {
        "play 8": [
            quatch("hand 8c Kc", OTHER, pile="6h", stock="9d", quiet=199),
            quatch("hand 8c Kc", OTHER, pile="8d 8h 8s", quiet=199),
            quatch("up 8c Kc", OTHER, pile="6h", quiet=199),
            at("cathedral", "hand 8c / reserve Kc", OTHER, pile="6h", quiet=199),
            life("hand 8c", OTHER, "hand Ks", pile="6h", quiet=199),
        ],
        "flip 1": [quatch("down 8c Kc", OTHER, pile="6h", quiet=199), quatch("down 8c", OTHER, pile="9h", quiet=199)],
        "pickup 8": [life("up 8c", OTHER, pile="Kh", quiet=199)],
    }
    for move, states in progress.items():
        assert [after(state, move).quiet for state in states] == [0] * len(states)
    assert after(quatch("hand 8c", OTHER, pile="9h", quiet=7), "pickup").quiet == 8


def test_g_06_everybody_sees_a_failed_blind_card() -> None:
    """Other seats and spectators see the card that failed."""
    state, flip = quatch("down 5c Kc", OTHER, pile="8h"), parse_move("flip 1")
    flipped = next(event for event in play(state, 0, flip)[1] if event.kind == "flipped")

    for viewer in (0, 1, None):
        told = flipped.seen_by(viewer).to_json()
        assert (told["card"], told["good"]) == ("5c", False)


def test_g_08_ties_are_drawn_from_the_seed_of_the_game() -> None:
    """The same seed draws the same, and other seeds draw otherwise."""
    for rules in rulesets():
        assert luck(rules, 4, "a seed") == luck(rules, 4, "a seed")
        assert len({str(luck(rules, 4, f"{n}")) for n in range(20)}) > 1


def test_g_09_after_going_out_with_a_burn_or_a_two_the_next_seat_leads() -> None:
    """The bonus turn of a seat that is out is lost: the next seat leads, and must move."""
    for last, move in (("Tc", "play T"), ("2c", "play 2"), ("9c 9d 9h 9s", "play 9 9 9 9")):
        state = after(life(f"hand {last}", OTHER, "hand Ks", pile="4h"), move)

        assert (state.places, state.to_move, state.may_pass) == ((0,), 1, False)
        assert "play 3" in legal(state)


def test_g_10_after_going_out_with_a_seven_or_a_five_the_next_seat_has_its_effect() -> None:
    """The next seat must go below the 7; the order is reversed by the 5."""
    seven = after(life("hand 7c", "hand 6s 8s", "hand Ks", pile="4h"), "play 7")
    five = after(life("hand 5c", OTHER, "hand Ks", "hand Kd 6d", pile="4h"), "play 5")

    assert (seven.to_move, legal(seven)) == (1, ["play 6", "pickup"])
    assert (five.to_move, after(five, "play K").to_move) == (3, 2)


def test_g_11_ready_keeps_the_last_layout() -> None:
    """What was swapped or laid last stands when all are ready, and a seat that did nothing keeps its deal."""
    swapping = quatch("hand 4c 5c 6c / up Jc Qc Kc", "hand 3d 5d 6d / up Jd Qd Kd", phase="arrange")
    laying = at("cathedral", "hand 3c 4c 5c 6c", "hand 3d / reserve 4d 5d 6d", phase="arrange")

    assert up(all_ready(after(swapping, "swap 4 J", "swap 5 4", seat=0))) == "5c Qc Kc"
    assert up(all_ready(swapping), 1) == "Jd Qd Kd"
    assert reserve(all_ready(after(laying, "lay 3 4 5", "lay 4 5 6", seat=0))) == "4c 5c 6c"


def test_g_12_arranging_tells_the_others_nothing_in_time() -> None:
    """Cards being laid are hidden from the others, and no AI player heeds the live swaps of another seat."""
    laying = life("hand 3c 4c 6c 8c 9c Kc", "hand 3d 4d 6d 8d 9d Kd", phase="arrange")
    swapping = quatch("hand 3c 5c 6c / up Jc Qc Kc", "hand 4d 5d 6d / up Jd Qd Kd", phase="arrange")
    swapped = after(swapping, "swap 5d Jd", "swap 6d Kd", seat=1)

    assert zone_seen(after(laying, "lay 8 9 K", "ready", seat=0), "up", of=0, by=1) == "?? ?? ??"
    for choose in LEVELS.values():
        assert choose(view_of(swapping, 0), Random(1)) == choose(view_of(swapped, 0), Random(1))


def test_g_13_spectators_see_only_public_cards() -> None:
    """A spectator's view does not change with the hands, the face-down cards, the reserves and the stock."""
    state = quatch("hand 3c / up 9c / down 4c", "hand 5c / down 6c", pile="Kh", stock="8c Qc")
    dealt_anew = quatch("hand 8c / up 9c / down 5c", "hand 4c / down Qc", pile="Kh", stock="6c 3c")
    reserves = at("cathedral", "hand 3c / reserve 4c", OTHER), at("cathedral", "hand 3c / reserve 9c", OTHER)

    assert view_of(state, None) == view_of(dealt_anew, None)
    assert view_of(reserves[0], None) == view_of(reserves[1], None)
    assert zone_seen(state, "up", of=0, by=None) == "9c"


def test_g_15_face_down_slots_are_stable() -> None:
    """A slot keeps its number when another is emptied, and an empty slot cannot be turned."""
    state = after(quatch("down 9c 4c Kc", "hand 3s 2s", pile="8h"), "flip 1", "play 2")

    assert (down(state), legal(state)) == ("- 4c Kc", ["flip 2", "flip 3"])
    assert refused(state, "flip 1")[0] == "not_held"
    assert down(after(state, "flip 3")) == "- 4c -"


def test_g_16_the_steps_of_a_play_come_in_one_order() -> None:
    """Legality, effect, draw, reserve, win, in this order; what is eaten back has no effect."""
    four_saved = at("cathedral", "hand 9c 9d 9h 9s / reserve Kc", OTHER, pile="4h")

    assert kinds(quatch("hand Tc 3c", OTHER, pile="4h", stock="9d"), "play T") == ["played", "burned", "drew"]
    assert kinds(four_saved, "play 9 9 9 9") == ["played", "burned", "took-reserve"]
    assert winner(after(four_saved, "play 9 9 9 9")) is None
    assert kinds(at("quatch-original", "hand Tc", OTHER, pile="4h"), "play T") == ["played", "picked-up"]
    assert binned(after(at("quatch-original", "hand Tc", OTHER, pile="4h"), "play T")) == ""
    assert kinds(life("hand 5c", OTHER, "hand Ks", "hand Kd", pile="4h"), "play 5") == ["played", "reversed", "out"]
    assert kinds(life("hand Tc", OTHER, pile="4h"), "play T") == ["played", "burned", "out", "over"]
    last = quatch("hand 2c", OTHER, pile="4h")
    assert refused(last, "play 2")[0] == "last_special"
    assert (hand(last), pile(last)) == ("2c", "4h")
