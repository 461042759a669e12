"""What a play causes besides adding cards to the pile: burning it, reversing, skipping, a bonus turn."""

from typing import Final

from msgspec import Struct

from engine.cards import MOST_COPIES
from engine.rules import Again, Power

NO_MORE: Final = 0
MAY_AGAIN: Final = 1
MUST_AGAIN: Final = 2
"""Bonus turns by strength: if two apply, the stronger counts."""

_AGAIN: Final = {"no": NO_MORE, "may": MAY_AGAIN, "must": MUST_AGAIN}


class PlayEffects(Struct, frozen=True):
    """The effects of one play."""

    again: int = NO_MORE
    """The bonus turn: NO_MORE, MAY_AGAIN or MUST_AGAIN."""
    skips: int = 0
    turned: bool = False
    burned: bool = False


NO_EFFECTS: Final = PlayEffects()


def effects_by_count(power: Power | None, four: Again | None) -> tuple[PlayEffects, ...]:
    """The effects of laying no card of a rank with this power, one, two, three and four.

    ``four``: whether its player goes again if four of the rank burn by it; None if none burn.
    """
    effect, again = (power.effect, _AGAIN[power.again]) if power else (None, NO_MORE)
    return tuple(
        PlayEffects(
            again=max(again, _AGAIN[four or "no"]),
            skips=count if effect == "skip" else 0,
            turned=effect == "reverse" and count % 2 == 1,
            burned=four is not None or effect == "burn",
        )
        for count in range(MOST_COPIES + 1)
    )
