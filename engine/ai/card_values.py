"""How much each rank is worth keeping, by rule of thumb: for Hard, for playouts, and for arranging cards."""

from functools import lru_cache
from typing import Final

from engine.cards import ALL_RANKS
from engine.powers import POWERS
from engine.rules import Rules

HIGH_VALUE: Final = 8.5
"""Cards above this value are laid one at a time while the stock lasts."""
AGAIN_VALUE: Final = 4.1
"""What a bonus turn adds to a power that does not burn."""


@lru_cache(256)
def card_values(rules: Rules) -> tuple[float, ...]:
    """The value of a card of each rank, by rank."""
    values = list(map(float, ALL_RANKS))
    for rank, power in rules.special.items():
        values[rank] = POWERS[power.effect].value if power.on == "any" else rank + 0.5
        if power.again != "no" and power.effect != "burn":
            values[rank] += AGAIN_VALUE
    return tuple(values)
