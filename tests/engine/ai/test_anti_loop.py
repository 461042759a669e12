"""What keeps sure players from circling: at last they try something else, and Master would rather win than draw."""

from random import Random
from typing import Final

import pytest

from engine.ai import LEVELS, AIPlayer, player
from engine.ai.basic_levels import ANTI_LOOP_PLIES
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
def test_what_has_led_nowhere_is_not_tried_for_ever(level: str) -> None:
    """However sure a level is of its move, after some quiet plies others have their turn; the seed decides which."""
    sure, restless = (
        {str(PLAYERS[level](view_of(circling(quiet), 0), Random(seed))) for seed in range(40)}
        for quiet in (ANTI_LOOP_PLIES - 1, ANTI_LOOP_PLIES)
    )
    assert len(sure) < len(restless)
    assert restless <= {str(move) for move in legal_moves(circling(0), 0)}


@pytest.mark.parametrize("rules", ["quatch", "life"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_draw_is_worth_less_to_who_holds_it_in_contempt(rules: str, seats: int) -> None:
    """But more than coming last; what one does not count the others do, so that all chances stay in sum the same."""

    def prospects(quiet: int, contempt: float) -> list[float]:
        state = at(rules, *(f"hand 5{suit} 9{suit}" for suit in "cdhs"[:seats]), pile="4h", quiet=quiet)
        if quiet == 200:
            state.phase, state.to_move, state.outcome = "over", None, Outcome(None, tuple(range(seats)))
        return Prospects(state, model_for(state.rules, seats).value, 1, contempt).of(state)

    fair, proud = prospects(200, 0.0), prospects(200, 0.4)
    assert len(set(fair)) == 1
    assert proud[1] == pytest.approx(0.6 * fair[1])
    assert min(share for seat, share in enumerate(proud) if seat != 1) > fair[0]
    for quiet in (0, 100, 200):
        assert sum(prospects(quiet, 0.4)) == pytest.approx(sum(fair))
    assert prospects(0, 0.4)[1] > prospects(100, 0.4)[1] > proud[1]


def test_who_is_last_for_sure_has_no_draw_to_scorn() -> None:
    """One seat is left: its place is known."""
    state = at("life", "hand 5c", "hand 9c", OTHER, order=[1], places=[0, 2])
    assert Prospects(state, model_for(state.rules, 3).value, 1, 0.4).of(state) == [1.0, 0.0, 0.5]


def test_master_dares_something_before_the_quiet_clock_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last quiet ply: whatever does not burn the pile is a draw, which is worth as much as the burn else."""
    view = view_of(at("quatch", "hand 10c 6c 9c", "hand 5d Jd Qd Kd", pile="4h", quiet=199), 0)

    def burns() -> int:
        return sum(LEVELS["master"](view, Random(seed)) == parse_move("play 10") for seed in range(8))

    assert burns() >= 4
    monkeypatch.setattr("engine.ai.learned_levels.CONTEMPT", 0.0)
    assert burns() <= 2
