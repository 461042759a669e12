"""A game looked back on by one who played it: what each turn promised, and which moves cost most.

Works from the views that the seat had and the moves it made, so it tells nothing that could not be known then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.ai.basic_levels import own_seat
from engine.ai.explain import reason_for_move
from engine.ai.search import Search
from engine.ai.weights import model_for
from engine.legality import legal_moves
from engine.moves import Flip, Move, PickUp, Play, lift_of, play_of
from engine.view import View

SIMULATIONS: Final = 400
"""How often a turn is looked at."""
CLOSER_SIMULATIONS: Final = 2_000
"""How often the turns are that seem to have cost most: the worst of many guesses are mostly bad luck in guessing."""
CLOSER: Final = 6
"""How many of them there are."""
PART: Final = 6
"""The part of all looks that the move that was made gets at least, and the one that seems best: one in so many."""
COSTLIEST: Final = 3
LEAST_COST: Final = 0.03
"""What costs less cannot be told from chance."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A turn looked back on."""

    chance: float
    """What the seat could look forward to with the best move: 1 to win, 0 to come last, a draw in between."""
    better: Move | None = None
    """A move that promised more than the one made."""
    cost: float = 0.0
    """How much more: of the chance, 0 to 1."""
    reason: str = ""
    """What speaks for the better move, where that can be said."""


def judge(view: View, made: Move, rng: Random, simulations: int = SIMULATIONS) -> Judgement:
    """Look back on a turn in play: the view and the move made."""
    moves, known = legal_moves(view, own_seat(view)), model_for(view.rules, len(view.hands))
    search = Search(view, known.value, known.moves, rng)
    if not search.possible:
        return Judgement(1 / len(view.hands))
    tried = search.run(simulations)
    named = named_by_rank(made)
    chosen = next((move for move in moves if move == named), None)
    if len(moves) == 1 or isinstance(moves[0], Flip) or chosen is None:
        return Judgement(tried[0].mean)
    least = simulations // PART
    for move in dict.fromkeys((tried[0].move, chosen)):
        search.run(least, first=move)
    means = {each.move: each.mean for each in search.run(0) if each.visits >= least}
    best = max(means, key=lambda move: means[move])
    if best == chosen:
        return Judgement(means[best])
    return Judgement(means[best], best, means[best] - means[chosen], reason_for_move(view, best, chosen))


def doubtful(judgements: Sequence[Judgement]) -> list[int]:
    """The turns, by number, that are worth a closer look: those that seem to have cost most."""
    return _worst(judgements)[:CLOSER]


def costliest(judgements: Sequence[Judgement]) -> list[int]:
    """The turns that cost most, by number, the worst first; none that cost next to nothing."""
    return [number for number in _worst(judgements) if judgements[number].cost >= LEAST_COST][:COSTLIEST]


def _worst(judgements: Sequence[Judgement]) -> list[int]:
    found = [number for number, each in enumerate(judgements) if each.better is not None]
    return sorted(found, key=lambda number: -judgements[number].cost)


def named_by_rank(move: Move) -> Move:
    """A move as `legal_moves` lists it: by rank, whatever suits were named."""
    if isinstance(move, Play):
        return play_of(move.picks[0].rank, len(move.picks))
    if isinstance(move, PickUp) and move.picks:
        return lift_of(move.picks[0].rank, len(move.picks))
    return move
