"""A game looked back on by one who played it: how the chances went, and which moves cost most.

Works from the views that the seat had and the moves it made, so it tells nothing that could not be known then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.ai.levels import own
from engine.ai.search import Search
from engine.ai.weights import learned
from engine.legality import legal_moves
from engine.moves import Flip, Move, PickUp, Play, lift_of, play_of
from engine.view import View

LOOKS: Final = 400
"""How often each turn is looked at."""
AT_LEAST: Final = 60
"""How often the move that was made is, and the one that seems best."""
COSTLIEST: Final = 3


@dataclass(frozen=True, slots=True)
class Costly:
    """A move that cost something: the number of the turn, what would have been better, and by how much."""

    turn: int
    made: Move
    better: Move
    cost: float
    """Of the chance to win, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Review:
    """One seat's game."""

    chances: tuple[float, ...]
    """What the seat could look forward to at each of its turns: 1 to win, 0 to lose, a draw in between."""
    costliest: tuple[Costly, ...]
    """The moves that cost most, the worst first."""


def review(turns: Sequence[tuple[View, Move]], rng: Random, looks: int = LOOKS) -> Review:
    """Look back on these turns of one seat: each its view and the move it made. Arranging is passed over."""
    chances, costly = list[float](), list[Costly]()
    for number, (view, made) in enumerate(turns):
        if view.phase != "play" or view.to_move != own(view):
            continue
        chance, found = _looked_at(view, made, rng, looks)
        chances.append(chance)
        if found is not None:
            costly.append(Costly(number, made, *found))
    costly.sort(key=lambda each: -each.cost)
    return Review(tuple(chances), tuple(costly[:COSTLIEST]))


def _looked_at(view: View, made: Move, rng: Random, looks: int) -> tuple[float, tuple[Move, float] | None]:
    """The chance with the best move, and where another was made the best one and what the other cost."""
    moves, known = legal_moves(view, own(view)), learned(view.rules, len(view.hands))
    search = Search(view, known.value, known.moves, rng)
    if not search.possible:
        return 1 / len(view.hands), None
    tried = search.run(looks)
    named = plain(made)
    chosen = next((move for move in moves if move == named), None)
    if len(moves) == 1 or isinstance(moves[0], Flip) or chosen is None:
        return tried[0].mean, None
    for move in {tried[0].move, chosen}:
        search.run(AT_LEAST, first=move)
    means = {each.move: each.mean for each in search.run(0) if each.visits >= AT_LEAST}
    best = max(means, key=lambda move: means[move])
    cost = means[best] - means[chosen]
    return means[best], (best, cost) if cost > 0 else None


def plain(move: Move) -> Move:
    """A move as `legal_moves` lists it: by rank, whatever suits were named."""
    if isinstance(move, Play):
        return play_of(move.picks[0].rank, len(move.picks))
    if isinstance(move, PickUp) and move.picks:
        return lift_of(move.picks[0].rank, len(move.picks))
    return move
