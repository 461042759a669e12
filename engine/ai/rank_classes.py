"""What a rank is to a player, whatever the rules call it: an ordinary card of some height, or a power of some kind.

Everything that is learned is learned about classes, so that what was learned under one rule set is of use under rules
nobody has thought of yet.
"""

from functools import lru_cache
from typing import Final, get_args

from engine.cards import ALL_RANKS, RANKS
from engine.rules import Effect, Rules

EFFECTS: Final[tuple[Effect, ...]] = get_args(Effect)
FREE: Final = len(ALL_RANKS)
"""The first class of powers that go on anything; those that must beat the pile follow."""
TIED: Final = FREE + len(EFFECTS)
CLASSES: Final = TIED + len(EFFECTS)


@lru_cache(256)
def classes_of(rules: Rules) -> tuple[int, ...]:
    """The class of each rank: its height where it is ordinary, else its power, free or tied to the pile."""
    classes = list(ALL_RANKS)
    for rank, power in rules.special.items():
        classes[rank] = (FREE if power.on == "any" else TIED) + EFFECTS.index(power.effect)
    return tuple(classes)


def class_name(number: int) -> str:
    """A class as weight files name it: ``7``, ``burn`` or ``tied burn``."""
    if number < FREE:
        return RANKS[number]
    return EFFECTS[number - FREE] if number < TIED else f"tied {EFFECTS[number - TIED]}"
