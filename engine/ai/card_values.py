"""What a card is worth keeping, by rule of thumb: what Hard goes by, and everybody who arranges cards."""

from functools import lru_cache
from typing import Final

from engine.cards import ALL_RANKS
from engine.rules import Rules

HIGH_VALUE: Final = 8.5
"""Cards worth more than this are laid one at a time while there is a stock to draw from."""
POWER_VALUES: Final = {"reset": 8.6, "burn": 14.0, "reverse": 12.5, "lower": 13.0, "mirror": 8.7, "skip": 12.5}
"""What Hard keeps powers for, in pips: a reset is spent before the court cards, a burn last of all."""
AGAIN_VALUE: Final = 4.1
"""What another turn adds to a power that leaves the pile as it is."""


@lru_cache(256)
def card_values(rules: Rules) -> tuple[float, ...]:
    """How much a card of each rank is worth keeping, by rule of thumb."""
    worths = list(map(float, ALL_RANKS))
    for rank, power in rules.special.items():
        worths[rank] = POWER_VALUES[power.effect] if power.on == "any" else rank + 0.5
        if power.again != "no" and power.effect != "burn":
            worths[rank] += AGAIN_VALUE
    return tuple(worths)
