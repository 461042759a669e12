"""Playing a world on by a rule of thumb, quickly: what a position leads to when nobody is clever.

Above two seats it is judged better by the worth of cards some rounds later than by that of now: who gains by a move is
often neither who made it nor who comes next. To play it to its end would leave more to luck.
"""

from typing import Final

from engine.ai.card_values import HIGH_VALUE, card_values
from engine.ai.worlds import World, advance
from engine.legality import legal_moves
from engine.moves import Move, Play
from engine.rules import Rules

MOST_PLIES: Final = 30
"""After so many the worth of cards says more than what chance would bring till the end."""
LAST: Final = 1_000.0
"""What taking the pile or passing costs: more than any card."""


class Playouts:
    """Playouts under one rule set: everybody spends the card that is worth least, as Hard does without looking."""

    def __init__(self, rules: Rules) -> None:
        self._worths = card_values(rules)
        self._costs: dict[int, float] = {}
        """By the identity of the move: `legal_moves` gives one object for each."""

    def finish(self, world: World) -> None:
        """Play a world on, in place, for some rounds or to its end."""
        costs, plies = self._costs, 0
        while world.phase == "play" and plies < MOST_PLIES:
            moves = legal_moves(world, world.to_move or 0)
            best, least = moves[0], LAST
            for move in moves:
                cost = costs.get(id(move))
                if cost is None:
                    cost = costs[id(move)] = self._cost(move)
                if cost < least:
                    best, least = move, cost
            advance(world, best)
            plies += 1

    def _cost(self, move: Move) -> float:
        if not isinstance(move, Play):
            return LAST
        worth = self._worths[move.picks[0].rank]
        return worth - 0.1 * len(move.picks) if worth < HIGH_VALUE else worth + 0.1 * len(move.picks)
