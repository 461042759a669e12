"""What the arrow keys and Tab write into the line: always something that can be typed, and that does what it says."""

import random
import re
from dataclasses import dataclass
from typing import cast

import pytest
from msgspec.structs import replace

from engine.ai import LEVELS
from engine.cards import RANK_CARDS
from engine.game import deal, play
from engine.legality import legal_moves
from engine.moves import READY, Lay, Swap, pick
from engine.rulesets import rulesets
from engine.state import State
from engine.view import view_of
from server.commands.completion import add_copy, completions, example_to_type, moves_to_type, walk
from server.language.parsing import parse_typed_move
from server.language.position_text import choices_text
from server.lobby.visitor import Visitor
from server.people.players import Player
from server.render.scene import Scene
from server.render.table_frame import hints_row
from server.table.place import TABLE
from server.table.snapshot import Sitter, Snapshot
from tests.support.asking import Asking
from tests.support.each import for_each
from tests.support.positions import OTHER, at


@dataclass(frozen=True)
class StandIn:
    """A visitor with a name."""

    player: Player


@for_each("rules", rulesets())
def test_every_offer_is_a_legal_move_and_every_legal_move_is_offered(rules: str) -> None:
    """As typed: through whole games of every rule set."""
    chance = random.Random(rules)
    state, _ = deal(rulesets()[rules], 3, "offers")
    sitters = tuple(Sitter(name) for name in ("ana", "bo", "cy"))
    while state.phase != "over":
        seat = state.to_move if state.phase == "play" else state.ready.index(False)
        view = view_of(state, seat)
        offers = moves_to_type(Snapshot(1, state.rules, seat, sitters, view, 1))
        legal = legal_moves(view, seat or 0)
        meant = [parse_typed_move(offer, view) for offer in offers]
        arranging = {move for move in meant if isinstance(move, Swap | Lay)}
        assert {str(move) for move in meant if move not in arranging} == {str(move) for move in legal}
        for arranged in arranging:
            play(state, seat or 0, arranged)
        assert offers == list(dict.fromkeys(offers))
        move = chance.choice(legal) if legal else LEVELS["hard"](view, chance)
        state, _ = play(state, seat or 0, move)


@for_each("rules", rulesets())
def test_every_example_in_the_row_of_hints_is_right_in_its_position(rules: str) -> None:
    """What it says to type is a legal move, and the card to ask about is one's own: through whole games."""
    chance = random.Random(f"{rules} hints")
    state, _ = deal(rulesets()[rules], 3, "hints")
    sitters = tuple(Sitter(name) for name in ("ana", "bo", "cy"))
    seen = set()
    while state.phase != "over":
        seat = state.to_move if state.phase == "play" else state.ready.index(False)
        assert seat is not None
        view = view_of(state, seat)
        snapshot = Snapshot(1, state.rules, seat, sitters, view, 1)
        row = hints_row(Scene("ana"), snapshot, 200)
        if example := example_to_type(snapshot):
            play(state, seat, parse_typed_move(example, view) or READY)
        for how, named, _, swap in re.findall(r"(like):? (\w+(?: \w+)*)|()(s \w+ \w+) swaps", row):
            seen.add(how)
            move = parse_typed_move((named or swap).split(" or ")[0], view)
            assert move is not None
            play(state, seat, move)
        for card in re.findall(r"why (\w+)", row):
            seen.add("why")
            assert (view.hands[seat] or view.ups[seat]) & RANK_CARDS[pick(card).rank]
        legal = legal_moves(view, seat)
        state, _ = play(state, seat, chance.choice(legal) if legal else LEVELS["hard"](view, chance))
    assert "why" in seen


@for_each(
    ("state", "first"),
    [
        (at("quatch", "hand Ac Ad Ah 2s", OTHER, pile="9s"), "2"),
        (at("quatch", "hand Ac Ad Ah 2s", OTHER, pile="9s", stock="4c 5c"), "a a a"),
        (at("quatch", "hand Ac Ad Ah Kc 2s", OTHER, pile="9s"), "k"),
        (at("quatch", "up Ac 2s", OTHER, pile="9s"), "2"),
        (at("quatch", "hand Qc Th", OTHER, pile="9s"), "10"),
        (at("quatch-original", "hand Ac Ad 2s", OTHER, pile="9s"), "2"),
        (at("quatch-original", "hand Ac Ad Th", OTHER, pile="Qs"), "a a"),
        (at("cathedral", "hand 7c 2h 2s", OTHER, pile="6h"), "2 2"),
        (at("cathedral", "hand 2c 2h 2s 7d 6d", OTHER, pile="Kh"), "2"),
        (at("life", "hand Ac Ad 2h", OTHER, pile="9s"), "a a"),
    ],
)
def test_the_first_move_of_the_arrow_keys_leaves_no_card_that_cannot_be_the_last(state: State, first: str) -> None:
    """It is a low one otherwise, but for the first of a way out; a card with a power alone may go where it counts."""
    assert example_to_type(Snapshot(1, state.rules, 0, (Sitter("ana"), Sitter("bo")), view_of(state, 0), 1)) == first


@for_each(
    ("state", "hints"),
    [
        (at("quatch", "hand 2s 7c 7h Kd", OTHER, pile="6s"), "h hint"),
        (at("quatch", "hand 2s 4c Kd", OTHER, pile="9s"), "h hint   why 4"),
        (at("quatch", "hand 2s Th", OTHER, pile="9s"), "h hint"),
        (at("quatch", "down 4c - 5d", OTHER, pile="9s"), "h hint"),
        (at("quatch", "hand 7s Qd / up 6c 9h Kh", OTHER, phase="arrange"), "s q 6 swaps your Q for face-up 6"),
        (at("quatch", "hand 3c / up Kh", OTHER, phase="arrange"), "ready begins"),
        (at("life", "hand 3c 8d 4c Kc", OTHER, phase="arrange"), "type 3 cards to lay, like 4 8 K"),
    ],
)
def test_hints_are_made_of_ones_own_cards(state: State, hints: str) -> None:
    """Plain cards before those with a power; only a card that cannot go as the one to ask about."""
    snapshot = Snapshot(1, state.rules, 0, (Sitter("ana"), Sitter("bo")), view_of(state, 0), 1)
    row = hints_row(Scene("ana"), snapshot, 99)
    assert row.startswith(f" {hints}   ")


@pytest.mark.parametrize(
    ("state", "offers"),
    [
        (at("quatch", "hand 7s Qd / up 6c 9h Kh", OTHER, phase="arrange"), ["s q 6", "s q 9", "s 7 6", "ready"]),
        (at("quatch", "hand 3c / up Kh", OTHER, phase="arrange"), ["ready"]),
        (at("life", "hand 3c 3d 4c Kc", OTHER, phase="arrange"), ["3 4 k", "3 3 k", "3 3 4"]),
    ],
)
def test_while_arranging_better_ways_are_offered_the_best_first(state: State, offers: list[str]) -> None:
    """Swaps that gain, then ready; cards to lay, until they are laid. Arrows walk through each of them."""
    sitters = (Sitter("ana"), Sitter("bo"))
    found = moves_to_type(Snapshot(1, state.rules, 0, sitters, view_of(state, 0), 1))
    assert found == offers
    line, seen = "", []
    for _ in offers:
        line = walk(found, line, 1)
        seen.append(line)
    assert seen == offers


@pytest.mark.parametrize(
    ("state", "offers"),
    [
        (at("quatch", "hand 7s Qd / up 6c 9h", OTHER, phase="arrange"), ["s 7 6", "s 7 9", "s q 6", "s q 9", "ready"]),
        (at("life", "hand 3c 3d 4c Kc", OTHER, phase="arrange"), ["3 3 4", "3 3 k", "3 4 k"]),
        (at("quatch", "hand Kc Ad 4d", OTHER, pile="3h"), ["4", "k", "a"]),
    ],
)
def test_without_hints_moves_are_offered_in_their_plain_order(state: State, offers: list[str]) -> None:
    """None of them first because it is a good one."""
    snapshot = Snapshot(1, state.rules, 0, (Sitter("ana"), Sitter("bo")), view_of(state, 0), 1)
    assert moves_to_type(replace(snapshot, hints=False)) == offers
    assert example_to_type(replace(snapshot, hints=False)) == ""
    if state.phase == "arrange":
        how = [
            *choices_text(replace(snapshot, hints=False)),
            hints_row(Scene("ana"), replace(snapshot, hints=False), 99),
        ]
        cards = offers[0].removeprefix("s ").upper()
        assert [cards in each.upper() for each in how] == [False, False], "an example would be taken for advice"


def test_walking_goes_round_and_space_adds_copies() -> None:
    """From an empty line to the first, from the last to the first again; each rank once."""
    offers = ["3", "3 3", "7", "K", "K K", "K K K", "p"]
    line, seen = "", []
    for _ in range(5):
        line = walk(offers, line, 1)
        seen.append(line)
    assert seen == ["3", "7", "K", "p", "3"]
    assert walk(offers, "", -1) == "p"
    assert walk(offers, "K K", 1) == "p"
    assert walk([], "x", 1) == ""
    assert walk(["a a", "k k k"], "a a", 1) == "k k k", "where whole sets go together"
    assert [add_copy(offers, each) for each in ("K", "K K", "K K K", "7", "p", "zzz")] == [
        *("K K", "K K K", "K", "7", "p", "")
    ]


@for_each(
    ("line", "words"),
    [
        ("wat", ["watch"]),
        ("play cath", ["cathedral"]),
        ("play c", [name for name in rulesets() if name.startswith("c")]),
        ("play life c", ["clock="]),
        ("set co", ["colour"]),
        ("set colour f", ["four"]),
        ("tell a", ["ana"]),
        ("tell b", ["Bo"]),
        ("tell B", ["Bo"]),
        ("new life se", ["seats="]),
        ("new life seats=2 l", ["level="]),
        ("help wa", ["watch"]),
        ("zzz", []),
        ("zzz a", []),
        ("say he", []),
    ],
)
def test_a_line_goes_on_with_words_that_its_command_takes(line: str, words: list[str]) -> None:
    """Commands, rule sets, people, settings; text is left alone."""
    context = Asking()
    for number, name in enumerate(("ana", "Bo")):
        context.lobby.visitors.came[cast("Visitor", StandIn(Player(name, name)))] = number
    assert completions(line, context) == words


def test_ready_is_completed_while_a_seat_arranges() -> None:
    """It is a word as commands are, but no command."""
    for phase, words in (("arrange", ["ready"]), ("play", [])):
        state = at("quatch", "hand 3c / up Kh", OTHER, phase=phase)
        snapshot = Snapshot(1, state.rules, 0, (Sitter("ana"), Sitter("bo")), view_of(state, 0), 1)
        assert completions("rea", Asking(TABLE, Scene("ana", snapshot=snapshot))) == words


def test_a_player_who_cannot_move_is_offered_nothing() -> None:
    """Spectators, and players who have to wait."""
    state, _ = deal(rulesets()["quatch"], 2, "offers")
    sitters = (Sitter("ana"), Sitter("bo"))
    assert moves_to_type(Snapshot(1, state.rules, None, sitters, view_of(state, None), 0)) == []
    assert moves_to_type(Snapshot(1, state.rules, None, sitters, None, 0)) == []
