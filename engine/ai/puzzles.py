"""Finds puzzles: positions in which one move is clearly better than every other one, as far as search can tell.

It gets views alone, so a puzzle holds nothing that its seat did not know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.ai.basic_levels import own_seat
from engine.ai.learned_levels import choose_by_weights
from engine.ai.search import Search
from engine.ai.weights import model_for
from engine.cards import Rank
from engine.legality import legal_moves
from engine.moves import Flip, Move, Play
from engine.view import View

LEAD: Final = 0.15
"""By so much the best move must be better than every other one; 1 is the difference between first and last place."""
FEWEST_MOVES: Final = 3
MOST_MOVES: Final = 10
"""A position with fewer moves is no puzzle, one with more is too much to look through."""
GLANCE: Final = 20
GLANCE_LEAD: Final = 0.1
"""Positions are dropped unless the best move seems so much better after so many simulations of each move."""
SIMULATIONS: Final = 200
"""Simulations of each move for the verdict."""
CHECKS: Final = 2
"""So many independent searches must agree."""
LOOKS: Final = (0, 30, 120)
"""The simulations of a whole search after which it chooses the best move: the levels of puzzles, and one more above."""
MOST_LEVEL: Final = len(LOOKS) + 1


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution of a puzzle."""

    chances: Mapping[Move, float]
    """The expected result with each legal move: 1 is a win, 0 the last place. The best move is first."""
    level: int
    """How hard it is to see, 1 to `MOST_LEVEL`."""

    @property
    def best(self) -> Move:
        """The move to find."""
        return next(iter(self.chances))


def solve(view: View, seed: str) -> Solution | None:
    """The solution of this position for the seat to move if it makes a puzzle, else None. Equal calls agree."""
    moves = legal_moves(view, own_seat(view))
    if not FEWEST_MOVES <= len(moves) <= MOST_MOVES or isinstance(moves[0], Flip) or len(_ranks(moves)) < 2:
        return None
    if lead(chances_of(view, moves, Random(f"{seed} glance"), GLANCE)) < GLANCE_LEAD:
        return None
    checks = [chances_of(view, moves, Random(f"{seed} {check}"), SIMULATIONS) for check in range(CHECKS)]
    best = {next(iter(chances)) for chances in checks}
    if len(best) > 1 or min(map(lead, checks)) < LEAD:
        return None
    return Solution(checks[0], _level(view, best.pop(), seed))


def chances_of(view: View, moves: Sequence[Move], rng: Random, simulations: int) -> dict[Move, float]:
    """The expected result with each of these legal moves, best first, from so many simulations of each.

    Empty if no world agrees with the view.
    """
    model = model_for(view.rules, len(view.hands))
    search = Search(view, model.value, model.moves, rng)
    if not search.possible:
        return {}
    for move in moves:
        search.run(simulations, first=move)
    found = {each.move: each.mean for each in search.run(0)}
    return dict(sorted(found.items(), key=lambda each: -each[1]))


def lead(chances: Mapping[Move, float]) -> float:
    """By how much the best of these moves is better than the next; 0 if there is none."""
    best, *others = [*chances.values(), 0.0]
    return best - others[0] if len(chances) > 1 else 0.0


def _ranks(moves: Sequence[Move]) -> set[Rank | None]:
    """The ranks that these moves lay; None stands for any other move."""
    return {move.picks[0].rank if isinstance(move, Play) else None for move in moves}


def _level(view: View, best: Move, seed: str) -> int:
    """1 if weights alone choose the best move, and one more for each of `LOOKS` that does not."""
    model = model_for(view.rules, len(view.hands))

    def sees(simulations: int) -> bool:
        rng = Random(f"{seed} level {simulations}")
        if not simulations:
            return choose_by_weights(view, rng, model) == best
        return Search(view, model.value, model.moves, rng).run(simulations)[0].move == best

    seen = [sees(simulations) for simulations in LOOKS]
    return MOST_LEVEL - next((n for n, does in enumerate(reversed(seen)) if not does), len(seen))
