"""What a review says of a turn: its turning points, and how the game could have gone on after the better move."""

from random import Random

import pytest

from engine.ai.judging import Judgement, judge, turning_points
from engine.ai.verdict import Depth
from engine.ai.worlds import World, Worlds, advance
from engine.legality import legal_moves
from engine.moves import Move
from engine.view import view_of
from tests.support.random_games import some_states, table

MOST_WORLDS = 3_000


def test_turning_points_are_the_largest_changes_in_their_order() -> None:
    """At most three; small changes are none, and the last turn is followed by no other."""
    chances = [0.5, 0.55, 0.3, 0.31, 0.9, 0.75, 0.2, 0.25]
    assert turning_points([Judgement(chance) for chance in chances]) == [1, 3, 5]
    assert turning_points([Judgement(0.5), Judgement(0.58)]) == []
    assert turning_points([]) == []


@pytest.mark.parametrize("seats", [2, 4])
def test_the_better_line_is_possible_as_far_as_the_player_can_know(seats: int) -> None:
    """It begins after the better move, and some world that agrees with the view allows every move of it."""
    told, rng = 0, Random("made")
    for state in some_states(table("quatch", seats), 7):
        if state.phase != "play" or state.to_move is None or len(legal_moves(state, state.to_move)) < 3:
            continue
        view = view_of(state, state.to_move)
        found = judge(view, rng.choice(legal_moves(view, state.to_move)), "turn", Depth(40))
        if found.better is not None:
            told += 1
            assert found.line == () or possible(Worlds(view), (state.to_move, found.better), *found.line)
    assert told > 3


def possible(worlds: Worlds, *line: tuple[int, Move]) -> bool:
    """Whether a world allows these moves of these seats."""
    rng = Random("worlds")
    return any(allows(worlds.draw(rng), line) for _ in range(MOST_WORLDS))


def allows(world: World, line: tuple[tuple[int, Move], ...]) -> bool:
    """Whether these moves of these seats are legal in a world, one after the other."""
    for seat, move in line:
        if world.phase != "play" or world.to_move != seat or move not in legal_moves(world, seat):
            return False
        advance(world, move)
    return True
