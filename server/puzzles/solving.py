"""Finds puzzles: positions in which one move is clearly better than every other one, as far as search can tell.

It gets views alone, so a puzzle holds nothing that its seat did not know.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.ai.easy_medium_hard import own_seat
from engine.ai.extreme_and_master import choose_by_weights
from engine.ai.search import Search
from engine.ai.verdict import Line, line_after
from engine.ai.weights import model_for
from engine.cards import Rank
from engine.legality import legal_moves
from engine.moves import Flip, Move, Play
from engine.view import View

LEAD: Final = 0.15
"""How much better than every other move the best one must be; 1 is the difference between first and last place."""
FEWEST_MOVES: Final = 3
MOST_MOVES: Final = 10
"""A position with fewer moves is no puzzle, one with more is too much to look through."""
GLANCE: Final = 20
GLANCE_LEAD: Final = 0.1
"""Positions are dropped unless the best move seems so much better after so many simulations of each move."""
SIMULATIONS: Final = 200
"""Simulations of each move for the verdict."""
CHECKS: Final = 2
"""How many independent searches must agree."""
LINE_SIMULATIONS: Final = 400
LOOKS: Final = (0, 30, 120)
"""The simulations of a whole search after which it chooses the best move: the levels of puzzles, and one more above."""
MOST_LEVEL: Final = len(LOOKS) + 1


class Solution(Struct, frozen=True):
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
    search = PuzzleSearch(view, seed)
    while not search.is_over:
        search.step()
    return search.solution


class PuzzleSearch:
    """Looks for the solution of a position in steps, which may be taken in different processes."""

    def __init__(self, view: View, seed: str, simulations: int = SIMULATIONS, looks: Sequence[int] = LOOKS) -> None:
        """A step has ``simulations`` at most. ``looks`` are the simulations by which the level is found."""
        self.solution: Solution | None = None
        """The solution, once the search is over; None if the position makes no puzzle."""
        moves = legal_moves(view, own_seat(view))
        is_flip = bool(moves) and isinstance(moves[0], Flip)
        self.is_over = is_flip or not FEWEST_MOVES <= len(moves) <= MOST_MOVES or len(_ranks(moves)) < 2
        # A person who is shown the position alone does not know what was declined before.
        self._view, self._seed, self._moves = replace(view, declined=(0,) * len(view.hands)), seed, moves
        self._simulations, self._looks = simulations, looks
        self._is_glanced_at = False
        self._todo = [(number, move) for number in range(CHECKS) for move in moves]
        """The moves that are still to be tried, and in which check."""
        self._rng = Random()
        self._checks: list[dict[Move, float]] = [{} for _ in range(CHECKS)]
        """What each check has found so far."""

    def step(self) -> "PuzzleSearch":
        """Take the next step. Returns this search, for a process that has only a copy of it."""
        if not self._is_glanced_at:
            self._is_glanced_at = True
            glance = chances_of(self._view, self._moves, Random(f"{self._seed} glance"), GLANCE)
            self.is_over = lead(glance) < GLANCE_LEAD
        elif self._todo:
            number, move = self._todo.pop(0)
            check = self._checks[number]
            self._rng = self._rng if check else Random(f"{self._seed} {number}")
            check |= chances_of(self._view, [move], self._rng, self._simulations)
            self.is_over = len(check) == len(self._moves) and lead(_best_first(check)) < LEAD
        else:
            best = {next(iter(_best_first(check))) for check in self._checks}
            if len(best) == 1:
                level = _level(self._view, best.pop(), self._seed, self._looks)
                self.solution = Solution(_best_first(self._checks[0]), level)
            self.is_over = True
        return self


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
    return _best_first({each.move: each.mean for each in search.run(0)})


def _best_first(chances: Mapping[Move, float]) -> dict[Move, float]:
    return dict(sorted(chances.items(), key=lambda each: -each[1]))


def line_of(view: View, best: Move) -> Line:
    """How the game could go on after the solution of this position. Equal calls agree."""
    model = model_for(view.rules, len(view.hands))
    search = Search(view, model.value, model.moves, Random("line"))
    if search.possible:
        search.run(LINE_SIMULATIONS, first=best)
    return line_after(search, best) if search.possible else ()


def lead(chances: Mapping[Move, float]) -> float:
    """How much better the best of these moves is than the next; 0 if there is none."""
    best, *others = [*chances.values(), 0.0]
    return best - others[0] if len(chances) > 1 else 0.0


def _ranks(moves: Sequence[Move]) -> set[Rank | None]:
    """The ranks that these moves lay; None stands for any other move."""
    return {move.picks[0].rank if isinstance(move, Play) else None for move in moves}


def _level(view: View, best: Move, seed: str, looks: Sequence[int]) -> int:
    """1 if weights alone choose the best move, and one more for each of these looks that does not."""
    model = model_for(view.rules, len(view.hands))

    def sees(simulations: int) -> bool:
        rng = Random(f"{seed} level {simulations}")
        if not simulations:
            return choose_by_weights(view, rng, model) == best
        return Search(view, model.value, model.moves, rng).run(simulations)[0].move == best

    seen = [sees(simulations) for simulations in looks]
    return len(looks) + 1 - next((n for n, does in enumerate(reversed(seen)) if not does), len(seen))
