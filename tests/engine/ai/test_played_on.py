"""Games played on from moves: always the same ones, in whatever process, and enough of them to tell moves apart."""

import pickle

import pytest

from engine.ai.explain import explain, suggestion_of
from engine.ai.judging import CLOSER, Look, judge
from engine.ai.played_on import STEP, PlayedOn, surely_positive
from engine.ai.verdict import Depth, Verdict
from engine.legality import legal_moves
from engine.moves import Play, play_of
from engine.view import view_of
from tests.support.positions import at

STATE = at("college", "hand 8c 8d Kh / up 9c", "hand Kc Ac 4d", "hand 5c 5d Qh", pile="6h")
QUICK = Depth(simulations=40, proposed=3, playouts=120, checked=20)


@pytest.mark.parametrize("has_moved", [False, True])
def test_an_answer_is_the_same_in_whatever_process_its_steps_are_taken(has_moved: bool) -> None:  # noqa: FBT001
    """A copy that was pickled goes on as the original does, with a review's move that is not one of `legal_moves`."""
    view = view_of(STATE, 0)
    if not has_moved:
        verdict = Verdict(view, "hint", QUICK)
        while not verdict.is_over:
            verdict = pickle.loads(pickle.dumps(verdict.step()))  # noqa: S301 - our own
        assert suggestion_of(view, verdict) == explain(view, "hint", QUICK)
        return
    made = pickle.loads(pickle.dumps(play_of(6, 1)))  # noqa: S301
    look = Look(view, made, "turn", QUICK)
    while look.judgement is None:
        look = pickle.loads(pickle.dumps(look.step()))  # noqa: S301
    assert look.judgement == judge(view, play_of(6, 1), "turn", QUICK)


def test_a_step_is_short_and_all_moves_meet_the_same_worlds() -> None:
    """So that the move of an AI player does not wait long, and chance decides less."""
    view = view_of(STATE, 0)
    moves = [move for move in legal_moves(view, 0) if isinstance(move, Play)]
    played = PlayedOn(view, "games")
    for steps in range(1, 4):
        played.play(moves)
        assert sum(map(len, played.results.values())) <= steps * STEP
        assert len({len(results) for results in played.results.values()}) == 1
    alone = PlayedOn(view, "games")
    for _ in range(3):
        alone.play(moves[:1])
    assert alone.results[moves[0]][: len(played.results[moves[0]])] == played.results[moves[0]]


def test_a_difference_is_sure_only_if_chance_hardly_explains_it() -> None:
    """A few equal games are no proof."""
    assert not surely_positive([])
    assert not surely_positive([1.0])
    assert not surely_positive([0.0, 1.0, -1.0, 1.0] * 3)
    assert surely_positive([1.0] * 10)
    assert surely_positive([0.0, 0.0, 0.0, 1.0] * 10)
    assert not surely_positive([-1.0] * 10)


def test_a_cost_is_the_smaller_one_of_both_kinds_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """And none if one kind sees none, or chance may explain it."""

    def cost(hard: float, weights: float) -> float:
        def play(played: PlayedOn, moves: list[Play]) -> None:
            for move in moves:
                share = [hard, weights] if move == play_of(6, 1) else [1.0, 1.0]
                played.results.setdefault(move, []).extend(share * 10)

        monkeypatch.setattr(PlayedOn, "play", play)
        return judge(view_of(STATE, 0), play_of(6, 1), "turn", CLOSER).cost

    assert cost(0.5, 0.7) == pytest.approx(0.3)
    assert cost(0.5, 1.0) == 0
    assert cost(1.0, 1.0) == 0
