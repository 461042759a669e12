"""Ways to lay all cards within the turn come before any search, in hints and in reviews."""

from random import Random

import pytest

from engine.ai.explain import explain, glance
from engine.ai.judging import CLOSER, judge
from engine.ai.worlds import Worlds, advance
from engine.cards import RANKS, SUITS
from engine.legality import legal_moves
from engine.moves import parse_move
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import view_of
from engine.way_out import way_out
from tests.support.positions import OTHER, at

BURN_FIRST = at("quatch", "hand Tc 4c 4d", OTHER, pile="Kh")
"""After the 10 the pile is empty, so the 4s go out."""


@pytest.mark.parametrize(
    ("state", "way"),
    [
        (BURN_FIRST, "play T, play 4 4"),
        (at("quatch", "hand 9c 9d", OTHER, pile="8h"), "play 9 9"),
        (at("quatch", "hand Tc 4c / up 5d", OTHER, pile="Kh"), ""),
        (at("quatch", "hand Tc 4c", OTHER, pile="Kh", stock="3h 3d 3c"), ""),
        (at("quatch", "hand Tc 4c / down 5d - -", OTHER, pile="Kh"), ""),
        (at("quatch", "hand 4c 5d", OTHER, pile="3h"), ""),
    ],
    ids=["burn", "at once", "another zone", "stock", "face-down card", "turn ends"],
)
def test_a_way_out_is_certain(state: State, way: str) -> None:
    """No card of it is drawn or turned over, and no other seat moves before its end."""
    assert ", ".join(map(str, way_out(view_of(state, 0)))) == way


@pytest.mark.parametrize("rules", rulesets())
def test_every_way_out_leads_out_in_every_world(rules: str) -> None:
    """With a few cards at random, whatever the hidden ones are."""
    rng, found, deck = Random(rules), 0, ruleset(rules).deck_copies
    cards = [rank + suit for rank, copies in zip(RANKS, deck, strict=True) for suit in SUITS[:copies]]
    for _ in range(400):
        one, two, three, *rest = rng.sample(cards, 9)
        state = at(rules, f"hand {one} {two} {three}", f"hand {' '.join(rest[:4])}", pile=rest[4])
        view = view_of(state, 0)
        way = way_out(view)
        found += len(way) > 1
        for seed in range(2):
            world = Worlds(view).draw(Random(seed))
            for move in way:
                assert world.to_move == 0
                assert move in legal_moves(world, 0)
                advance(world, move)
            assert world.is_out(0) == bool(way)
    assert found or rules == "quatch-original"  # where nobody goes again


def test_a_hint_names_the_way_out() -> None:
    """At once, without a search: no other move can be better."""
    view = view_of(BURN_FIRST, 0)
    assert glance(view, Random(0)).sentence == "Play a 10: you go again and can play two 4s, your last cards."
    assert explain(view, "hint") == glance(view, Random(0))


def test_a_review_blames_a_move_that_missed_a_way_out() -> None:
    """A move that begins another way out, or this one, is right."""
    state = at("quatch", "hand Tc 4c 4d", "hand 9s / down 5s Kd Ks", "hand 8h 8d / down Js Qs Qd", pile="3h")
    missed = judge(view_of(state, 0), parse_move("play 4"), "turn", CLOSER)
    assert (str(missed.better), missed.chance) == ("play T", 1.0)
    assert missed.reason == "you go again and can play two 4s, your last cards"
    right = judge(view_of(state, 0), parse_move("play T"), "turn", CLOSER)
    assert (right.better, right.cost, right.chance) == (None, 0.0, 1.0)
