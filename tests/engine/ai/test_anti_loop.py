"""The anti-loop rule: after quiet plies levels vary their moves, and Master avoids a draw."""

from random import Random
from typing import Final

import pytest

from engine.ai import LEVELS, AIPlayer, player
from engine.ai.easy_medium_hard import ANTI_LOOP_PLIES
from engine.ai.extreme_and_master import CONTEMPT, SIMULATIONS, choose_by_search
from engine.ai.search import Prospects
from engine.ai.weights import model_for
from engine.legality import legal_moves
from engine.moves import parse_move
from engine.state import Outcome, State
from engine.view import view_of
from tests.support.positions import OTHER, at

PLAYERS: Final[dict[str, AIPlayer]] = {**LEVELS, "master": player("master", simulations=60)}


def circling(quiet: int) -> State:
    """Many moves are about as good as each other."""
    return at("quatch", "hand 5c 6c 7c 8c 9c Jc", "hand 5d 6d 7d 8d 9d", pile="4h", quiet=quiet)


@pytest.mark.parametrize("level", PLAYERS)
def test_after_quiet_plies_a_level_varies_its_moves(level: str) -> None:
    """After some quiet plies a level also plays other moves than its best one; the seed decides which."""
    before, after = (
        {str(PLAYERS[level](view_of(circling(quiet), 0), Random(seed))) for seed in range(40)}
        for quiet in (ANTI_LOOP_PLIES - 1, ANTI_LOOP_PLIES)
    )
    assert len(before) < len(after)
    assert after <= {str(move) for move in legal_moves(circling(0), 0)}


@pytest.mark.parametrize("rules", ["quatch", "life"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_with_contempt_a_draw_is_worth_less(rules: str, seats: int) -> None:
    """It is still worth more than the last place. The others gain what this seat loses, so the sum stays the same."""

    def prospects(quiet: int, contempt: float) -> list[float]:
        state = at(rules, *(f"hand 5{suit} 9{suit}" for suit in "cdhs"[:seats]), pile="4h", quiet=quiet)
        if quiet == 200:
            state.phase, state.to_move, state.outcome = "over", None, Outcome(None, tuple(range(seats)))
        return Prospects(state, model_for(state.rules, seats).value, 1, contempt).of(state)

    fair, contempt = prospects(200, 0.0), prospects(200, 0.4)
    assert len(set(fair)) == 1
    assert contempt[1] == pytest.approx(0.6 * fair[1])
    assert min(share for seat, share in enumerate(contempt) if seat != 1) > fair[0]
    for quiet in (0, 100, 200):
        assert sum(prospects(quiet, 0.4)) == pytest.approx(sum(fair))
    assert prospects(0, 0.4)[1] > prospects(100, 0.4)[1] > contempt[1]


def test_contempt_does_not_change_a_known_last_place() -> None:
    """One seat is left, so its place is known, and contempt changes nothing."""
    state = at("life", "hand 5c", "hand 9c", OTHER, order=[1], places=[0, 2])
    assert Prospects(state, model_for(state.rules, 3).value, 1, 0.4).of(state) == [1.0, 0.0, 0.5]


def test_master_burns_the_pile_rather_than_draw() -> None:
    """At the last quiet ply every move but the burn is a draw; without contempt both are worth the same."""
    view = view_of(at("quatch", "hand 10c 6c 9c", "hand 5d Jd Qd Kd", pile="4h", quiet=199), 0)
    model = model_for(view.rules, 2)

    def burns(contempt: float) -> int:
        chosen = [choose_by_search(view, Random(seed), model, SIMULATIONS, contempt=contempt) for seed in range(8)]
        return chosen.count(parse_move("play 10"))

    assert burns(CONTEMPT) >= 4
    assert burns(0.0) <= 2
