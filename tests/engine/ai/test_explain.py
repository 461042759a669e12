"""Hints and reviews: the move, its reason in a sentence, and the chances at each turn."""

from random import Random

import pytest

from engine.ai import LEVELS
from engine.ai.easy_medium_hard import ANTI_LOOP_PLIES
from engine.ai.explain import explain, glance
from engine.ai.judging import CLOSER, Judgement, confirmed, costliest, doubtful, judge
from engine.ai.verdict import Depth
from engine.game import deal, play
from engine.legality import refusal
from engine.moves import PICK_UP, Move, play_of
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import view_of
from tests.soak import long
from tests.support.positions import OTHER, at, large_pile

QUICK = Depth(simulations=40, proposed=3, playouts=100)
A_LOOK = Depth(simulations=60, proposed=3)


def game(rules: str, seats: int) -> list[tuple[State, int, Move]]:
    """A game that Hard plays: each position, the seat that moved, its move."""
    rng, steps = Random(rules), list[tuple[State, int, Move]]()
    state, _ = deal(ruleset(rules), seats, "a seed")
    while state.phase != "over":
        seat = state.to_move if state.to_move is not None else state.ready.index(False)
        move = LEVELS["hard"](view_of(state, seat), rng)
        steps.append((state, seat, move))
        state, _ = play(state, seat, move)
    return steps


@pytest.mark.parametrize("rules", rulesets())
def test_every_hint_is_a_legal_move_and_one_line(rules: str) -> None:
    """With and without search, while arranging and in play."""
    for state, seat, _ in game(rules, 3)[:: long(4, 1)]:
        view = view_of(state, seat)
        for found in (glance(view, Random(1)), explain(view, "a seed", Depth(8, proposed=2, playouts=40))):
            assert refusal(state, seat, found.move) is None
            assert found.sentence.endswith(".")
            assert "\n" not in found.sentence
            assert ": " in found.sentence


def test_a_hint_says_what_decided() -> None:
    """That a move is the only one, and that a move goes out, are given as reasons."""
    assert explain(view_of(at("quatch", "hand 9c", OTHER, pile="Kh"), 0), "hint", QUICK).sentence == (
        "Take the pile: you have no other move."
    )
    found = explain(view_of(at("college", "hand 8c 8d", "hand 3c 4c", pile="6h"), 0), "hint", QUICK)
    assert str(found.move) == "play 8 8"
    assert found.sentence == "Play two 8s: then you are out of cards."


def test_a_hint_is_the_best_move_even_when_nothing_has_happened_for_long() -> None:
    """Although the level itself would vary its moves there."""
    quiet = at("quatch", "hand 5c 6c 7c 8c 9c Jc", "hand 5d 6d 7d 8d 9d", pile="4h", quiet=ANTI_LOOP_PLIES)
    assert len({glance(view_of(quiet, 0), Random(seed)) for seed in range(20)}) == 1


def test_a_review_finds_the_blunder() -> None:
    """A player who could have gone out is shown that move, its reason and its cost."""
    state = at("college", "hand 8c 8d", "hand Kc Ac", pile="6h")
    found = judge(view_of(state, 0), play_of(6, 1), "turn", QUICK)

    assert found.chance > 0.9
    assert (str(found.better), found.reason) == ("play 8 8", "then you are out of cards")
    assert found.cost > 0.2
    assert costliest([Judgement(0.5), found]) == [1]


def test_a_review_names_no_cost_without_a_closer_look() -> None:
    """A quick look alone is wrong too often; of the turn that it was about only the chance is told."""
    quick = [Judgement(0.5, play_of(rank, 1), 0.2 + rank / 100) for rank in range(8)]
    closer = {number: Judgement(0.5, play_of(number, 1), 0.1) for number in doubtful(quick)[1:]}
    found = confirmed(quick, closer)

    assert doubtful(quick) == [7, 6, 5, 4, 3, 2]
    assert set(costliest(found)) < set(closer) == {2, 3, 4, 5, 6}
    assert [each.chance for each in found] == [0.5] * 8
    assert [number for number, each in enumerate(found) if each.better] == [2, 3, 4, 5, 6]


def test_a_review_does_not_blame_a_player_who_leaves_a_large_pile() -> None:
    """The search alone thought so in this position, in which taking the pile wins 15 of 100 games and a 2 wins 37."""
    found = judge(view_of(large_pile(), 0), play_of(0, 1), "turn", CLOSER)
    assert found.better is None
    assert str(judge(view_of(large_pile(), 0), PICK_UP, "turn", CLOSER).better) == "play 2"


def test_a_review_of_a_whole_game() -> None:
    """A chance for every turn of play, the same every time, and no more than three moves that cost something."""
    turns = [(view_of(state, seat), move) for state, seat, move in game("quatch", 3) if seat == 1]
    found = [judge(view, made, "turn", A_LOOK) for view, made in turns if view.phase == "play"]

    assert all(0 <= each.chance <= 1 for each in found)
    assert all((each.cost > 0) == (each.better is not None) for each in found)
    assert any(each.reason for each in found)
    assert 0 < len(costliest(found)) <= 3
    assert sorted(costliest(found), key=lambda at: -found[at].cost) == costliest(found)
    assert set(costliest(found)) <= set(doubtful(found))
    assert found == [judge(view, made, "turn", A_LOOK) for view, made in turns if view.phase == "play"]
