"""What a player is told about a choice: why a card can go, an example of a move, and what is awaited."""

import re
from random import Random

import pytest

from engine.ai.explain import glance
from engine.game import deal, play
from engine.moves import READY, Lay, Move, Pick, Swap, parse_move
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import view_of
from engine.wording.phrases import move_words
from server.language.parsing import parse_typed_move
from server.language.position_text import awaited_text, choices_text
from server.render.scene import Scene
from server.table.place import TABLE
from tests.support.asking import Asking, answer
from tests.support.positions import OTHER, at
from tests.support.snapshots import snapshot_of

TO_ARRANGE = [name for name, rules in rulesets().items() if rules.arrange_mode != "none"]


@pytest.mark.parametrize(
    ("state", "card", "why"),
    [
        (at("quatch", "hand 4c 9d", OTHER), "4", "the pile is empty"),
        (at("quatch", "hand 4c 9d", OTHER, pile="2h"), "4", "anything may follow 2"),
        (at("quatch", "hand 2c 9d", OTHER, pile="8h"), "2", "it goes on anything"),
        (at("quatch", "hand 4c 9d", OTHER, pile="8h"), "9", "it is higher than 8"),
        (at("quatch", "hand 4c 8d", OTHER, pile="8h"), "8", "it is as high as the 8 on the pile"),
        (at("life", "hand 9c 4c", OTHER, pile="7h"), "4", "it is lower than 7"),
        (at("life", "hand 3c 9d / up 5c", "hand 4h 6h", stock="9h", must_lead="3"), "3", "it must be the first card"),
    ],
)
def test_why_a_card_can_go(state: State, card: str, why: str) -> None:
    """Not only that it can."""
    scene = Scene("ana", snapshot=snapshot_of(state))
    assert answer(Asking(TABLE, scene), f"why {card}") == [f"You can play {card} now: {why}."]


@pytest.mark.parametrize("name", TO_ARRANGE)
def test_the_example_while_arranging_is_what_hint_says(name: str) -> None:
    """A player who reads both is not told two things."""
    for seed in range(20):
        state, _ = deal(ruleset(name), 3, f"deal {seed}")
        view = view_of(state, 0)
        move = glance(view, Random(0)).move
        (said,) = choices_text(snapshot_of(state))
        example = re.search("like ([^:;]+)", said)
        meant = parse_typed_move(example[1], view) if example else READY
        assert move_words(meant or READY) == move_words(by_rank(move))


def by_rank(move: Move) -> Move:
    """The move without suits, its cards from low to high."""
    match move:
        case Swap(hand, up):
            return Swap(Pick(hand.rank), Pick(up.rank))
        case Lay(picks):
            return Lay(tuple(map(Pick, sorted(pick.rank for pick in picks))))
    return move


def test_enter_alone_says_what_is_awaited() -> None:
    """Of the player, of the others, or of nobody since the game is over."""
    arranging = at("quatch", "hand 4c 9d / up Kc", OTHER, phase="arrange")
    assert awaited_text(snapshot_of(arranging))[0].startswith("You can swap")
    ready, _ = play(arranging, 0, READY)
    assert awaited_text(snapshot_of(ready)) == ["Waiting for bo to arrange."]
    assert awaited_text(snapshot_of(at("quatch", "hand 4c 9d", OTHER, pile="8h"))) == ["You can play 9."]
    assert awaited_text(snapshot_of(at("quatch", "hand 4c", OTHER, to_move=1)))[0].startswith("bo's turn.")
    over, _ = play(at("quatch", "hand 9d", OTHER, pile="8h"), 0, parse_move("play 9"))
    assert awaited_text(snapshot_of(over)) == ["The game is over: type start for another."]
