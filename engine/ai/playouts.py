"""Playouts: a world played on for some rounds by a quick rule of thumb.

With more than two seats, the card values some rounds later judge a position better than those of now: a move often
helps neither the player who made it nor the next one. Playing to the end would add luck.
"""

from functools import lru_cache
from typing import Final

from engine.ai.card_values import HIGH_VALUE, card_values
from engine.ai.worlds import World, advance
from engine.legality import has_few_cards, legal_moves
from engine.moves import Move, Play, PlayTables
from engine.rank_powers import powers_of
from engine.rules import Rules

MOST_PLIES: Final = 30
"""After this many plies the card values say more than a random rest of the game would."""
TAKING_COST: Final = 1_000.0
"""The cost of taking the pile or passing: more than any card."""


class Playouts:
    """Playouts under one rule set: each seat plays its card of the least value, as Hard does without blocking."""

    def __init__(self, rules: Rules) -> None:
        self._values = card_values(rules)
        tables = powers_of(rules)
        plays = {play for table in (*tables.hand_plays, *tables.up_plays) for plays in table for play in plays}
        self._plays = sorted(plays, key=lambda play: (self._cost(play), play.picks[0].rank, len(play.picks)))
        """Every play, the cheapest first."""
        self._hand, self._up = self._cheapest(tables.hand_plays), self._cheapest(tables.up_plays)

    def finish(self, world: World) -> None:
        """Play a world on, in place, for `MOST_PLIES` or to its end."""
        for _ in range(MOST_PLIES):
            if world.phase != "play":
                return
            advance(world, self._move(world))

    def _move(self, world: World) -> Move:
        """The cheapest legal move: from tables, unless it depends on more than the cards that may follow the pile."""
        seat, powers = world.to_move or 0, world.powers
        hand = world.hands[seat]
        cards = (hand or world.ups[seat]) & powers.follow[world.top]
        if not cards:
            return legal_moves(world, seat)[0]
        is_last = cards & powers.never_last and has_few_cards(world, seat)
        if is_last or world.must_lead is not None:
            return min(legal_moves(world, seat), key=self._cost)
        low, below_ten, high, court, ace = self._hand if hand else self._up
        cheapest = min(
            low[cards & 0xFFF],
            below_ten[cards >> 12 & 0xFFF],
            high[cards >> 24 & 0xFFF],
            court[cards >> 36 & 0xFFF],
            ace[cards >> 48],
        )
        return self._plays[cheapest]

    def _cheapest(self, tables: PlayTables) -> list[list[int]]:
        """The number of the cheapest play of each set of cards, in tables like those of all plays."""
        numbers = {play: number for number, play in enumerate(self._plays)}
        found: list[list[int]] = []
        for table in tables:
            best = {
                key: min((numbers[play] for play in plays), default=len(numbers))
                for key, plays in {id(plays): plays for plays in table}.items()
            }
            found.append([best[id(plays)] for plays in table])
        return found

    def _cost(self, move: Move) -> float:
        if not isinstance(move, Play):
            return TAKING_COST
        value = self._values[move.picks[0].rank]
        return value - 0.1 * len(move.picks) if value < HIGH_VALUE else value + 0.1 * len(move.picks)


playouts_for: Final = lru_cache(16)(Playouts)
"""The playouts of a rule set, whose tables are made once."""
