"""Reviews a finished game for one player: the chances at each turn, and the moves that cost most.

It uses only the views that the player had and the moves that the player made, so it reveals nothing that was hidden
then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final, TypeAlias

from engine.ai.basic_levels import own_seat
from engine.ai.explain import reason_for_move
from engine.ai.search import Search
from engine.ai.taking import judged_again, of_each_kind
from engine.ai.weights import model_for
from engine.legality import legal_moves
from engine.moves import Flip, Move, PickUp, Play, lift_of, play_of
from engine.view import View

SIMULATIONS: Final = 400
"""The most simulations for each turn."""
CLOSER_SIMULATIONS: Final = 750
"""Simulations for the turns that seem to have cost most: the worst of many estimates are often bad luck.

When games were played on from both moves, the one that was said to cost something was the worse one in 56 of 100 cases
without these simulations and in 83 with them (93 and 334 moves).
"""
DOUBTFUL_TURNS: Final = 4
"""The number of those turns."""
PART: Final = 6
"""The move that was made and the one that seems best each get at least this part of all simulations: 1 / PART."""
PLAYED_OUT: Final = 4
"""If the pile may be taken by choice, so many simulations make one playout of each move."""
COSTLIEST: Final = 3
"""The most moves that a review names."""
LEAST_COST: Final = 0.06
"""A smaller cost may be chance: two standard deviations of a closer judgement."""
TURNING_POINTS: Final = 3
"""The most turning points that a review names."""
LEAST_TURN: Final = 0.1
"""The least change of the chance at a turning point."""
LINE_PLIES: Final = 3
"""How far a review or a puzzle tells how the game could have gone on after a better move."""
LINE_WORLDS: Final = 4
"""The longest line in so many worlds is told."""

Line: TypeAlias = tuple[tuple[int, Move], ...]
"""Seats and their moves, one after the other."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the review says about one turn."""

    chance: float
    """The expected result with the best move: 1 is a win, 0 the last place, a draw lies between."""
    better: Move | None = None
    """The best move if it is not the one made, else None."""
    cost: float = 0.0
    """How much of the chance the move that was made gave away, 0 to 1."""
    reason: str = ""
    """Why the other move is better; empty if it cannot be said in words."""
    line: Line = ()
    """How the game could have gone on after the better move: seats and their moves."""


def judge(view: View, made: Move, rng: Random, simulations: int = SIMULATIONS) -> Judgement:
    """Review a turn: the view that the player had, and the move made."""
    moves, model = legal_moves(view, own_seat(view)), model_for(view.rules, len(view.hands))
    search = Search(view, model.value, model.moves, rng)
    if not search.possible:
        return Judgement(1 / len(view.hands))
    stats = search.run(simulations)
    named = named_by_rank(made)
    chosen = next((move for move in moves if move == named), None)
    if len(moves) == 1 or isinstance(moves[0], Flip) or chosen is None:
        return Judgement(stats[0].mean)
    least = simulations // PART
    for move in dict.fromkeys((stats[0].move, chosen, *of_each_kind([each.move for each in stats]))):
        search.run(least, first=move)
    means = {each.move: each.mean for each in search.run(0) if each.visits >= least}
    compared = dict.fromkeys([chosen, *of_each_kind(sorted(means, key=lambda move: -means[move]))])
    playouts = max(1, simulations // PLAYED_OUT)
    means = judged_again(view, {move: means[move] for move in compared}, playouts, rng)
    best = max(means, key=lambda move: means[move])
    if best == chosen:
        return Judgement(means[best])
    reason = reason_for_move(view, best, chosen)
    return Judgement(means[best], best, means[best] - means[chosen], reason, line_after(search, best))


def line_after(search: Search, move: Move) -> Line:
    """How the game could go on after a move that the search has looked at."""
    line = max((search.line(move, 1 + LINE_PLIES) for _ in range(LINE_WORLDS)), key=len)
    return tuple(line[1:])


def turning_points(judgements: Sequence[Judgement]) -> list[int]:
    """The numbers of the turns after which the chance had changed most by the next turn, in their order."""
    chances = [each.chance for each in judgements]
    changes = {number: abs(after - before) for number, (before, after) in enumerate(pairwise(chances))}
    largest = sorted(changes, key=lambda number: -changes[number])[:TURNING_POINTS]
    return sorted(number for number in largest if changes[number] >= LEAST_TURN)


def doubtful(judgements: Sequence[Judgement]) -> list[int]:
    """The numbers of the turns to review again with more simulations: those that seem to have cost most."""
    return _worst(judgements)[:DOUBTFUL_TURNS]


def confirmed(judgements: Sequence[Judgement], closer: Mapping[int, Judgement]) -> list[Judgement]:
    """All judgements after a closer look at some, by number; of the other turns only the chance is left."""
    return [closer.get(number) or Judgement(each.chance) for number, each in enumerate(judgements)]


def costliest(judgements: Sequence[Judgement]) -> list[int]:
    """The numbers of the turns that cost most, the worst first, without those that cost almost nothing."""
    return [number for number in _worst(judgements) if judgements[number].cost >= LEAST_COST][:COSTLIEST]


def _worst(judgements: Sequence[Judgement]) -> list[int]:
    found = [number for number, each in enumerate(judgements) if each.better is not None]
    return sorted(found, key=lambda number: -judgements[number].cost)


def named_by_rank(move: Move) -> Move:
    """The move as `legal_moves` lists it: by rank, even if suits were named."""
    if isinstance(move, Play):
        return play_of(move.picks[0].rank, len(move.picks))
    if isinstance(move, PickUp) and move.picks:
        return lift_of(move.picks[0].rank, len(move.picks))
    return move
