"""Playouts: a world played on for some rounds by a quick rule of thumb.

With more than two seats, the card values some rounds later judge a position better than those of now: a move often
helps neither the player who made it nor the next one. Playing to the end would add luck.
"""

from typing import Final

from engine.ai.card_values import HIGH_VALUE, card_values
from engine.ai.worlds import World, advance
from engine.legality import legal_moves
from engine.moves import Move, Play
from engine.rules import Rules

MOST_PLIES: Final = 30
"""After this many plies the card values say more than a random rest of the game would."""
TAKING_COST: Final = 1_000.0
"""The cost of taking the pile or passing: more than any card."""


class Playouts:
    """Playouts under one rule set: each seat plays its card of the least value, as Hard does without blocking."""

    def __init__(self, rules: Rules) -> None:
        self._values = card_values(rules)
        self._costs: dict[int, float] = {}
        """By ``id`` of the move: `legal_moves` always returns the same object for equal moves."""

    def finish(self, world: World) -> None:
        """Play a world on, in place, for `MOST_PLIES` or to its end."""
        costs, plies = self._costs, 0
        while world.phase == "play" and plies < MOST_PLIES:
            moves = legal_moves(world, world.to_move or 0)
            try:
                found = [*map(costs.__getitem__, map(id, moves))]
            except KeyError:
                found = [costs.setdefault(id(move), self._cost(move)) for move in moves]
            advance(world, moves[found.index(min(found))])
            plies += 1

    def _cost(self, move: Move) -> float:
        if not isinstance(move, Play):
            return TAKING_COST
        value = self._values[move.picks[0].rank]
        return value - 0.1 * len(move.picks) if value < HIGH_VALUE else value + 0.1 * len(move.picks)
