"""What keeps sure players from circling: at last they try something else, and Master would rather win than draw."""

from random import Random
from typing import Final

import pytest

from engine.ai import LEVELS, AIPlayer, player
from engine.ai.levels import RESTLESS
from engine.ai.search import Prospects
from engine.ai.weights import learned
from engine.legality import legal_moves
from engine.state import Outcome, State
from engine.view import view_of
from tests.engine.positions import at

PLAYERS: Final[dict[str, AIPlayer]] = {**LEVELS, "master": player("master", looks=60)}


def circling(quiet: int) -> State:
    """Many moves are about as good as each other."""
    return at("quatch", "hand 5c 6c 7c 8c 9c Jc", "hand 5d 6d 7d 8d 9d", pile="4h", quiet=quiet)


@pytest.mark.parametrize("level", PLAYERS)
def test_what_has_led_nowhere_is_not_tried_for_ever(level: str) -> None:
    """However sure a level is of its move, after some quiet plies others have their turn; the seed decides which."""
    sure, restless = (
        {str(PLAYERS[level](view_of(circling(quiet), 0), Random(seed))) for seed in range(40)}
        for quiet in (RESTLESS - 1, RESTLESS)
    )
    assert len(sure) < len(restless)
    assert restless <= {str(move) for move in legal_moves(circling(0), 0)}


def test_a_draw_is_worth_less_to_who_holds_it_in_contempt() -> None:
    """By so much, and to the other as much more; without contempt both have their half."""
    value = learned(circling(0).rules, 2).value
    over = circling(200)
    over.phase, over.to_move, over.outcome = "over", None, Outcome(None, (0, 1))
    assert Prospects(over, value).of(over) == [0.5, 0.5]
    assert Prospects(over, value, 1, 0.1).of(over) == pytest.approx([0.6, 0.4])

    shares = [Prospects(circling(quiet), value, 0, 0.1).of(circling(quiet)) for quiet in (0, 60, 199)]
    assert shares[0][0] > shares[1][0] > shares[2][0] == pytest.approx(0.4, abs=0.02)
    assert all(sum(share) == pytest.approx(1) for share in shares)
