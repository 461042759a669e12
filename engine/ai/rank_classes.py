"""Classes of ranks: an ordinary rank is its own class, a special rank belongs to the class of its power.

Weights are learned for classes. So what was learned with one rule set helps with house rules that give the power to
another rank.
"""

from functools import lru_cache
from typing import Final, get_args

from engine.cards import ALL_RANKS, RANKS
from engine.powers import Effect
from engine.rules import Rules

EFFECTS: Final[tuple[Effect, ...]] = get_args(Effect)
FREE: Final = len(ALL_RANKS)
"""The first class of powers that go on anything; the powers that must beat the pile follow from `TIED` on."""
TIED: Final = FREE + len(EFFECTS)
CLASSES: Final = TIED + len(EFFECTS)


@lru_cache(256)
def classes_of(rules: Rules) -> tuple[int, ...]:
    """The class of each rank, by rank."""
    classes = list(ALL_RANKS)
    for rank, power in rules.special.items():
        classes[rank] = (FREE if power.on == "any" else TIED) + EFFECTS.index(power.effect)
    return tuple(classes)


def class_name(number: int) -> str:
    """The name of a class in weight files: ``7``, ``burn`` or ``tied burn``."""
    if number < FREE:
        return RANKS[number]
    return EFFECTS[number - FREE] if number < TIED else f"tied {EFFECTS[number - TIED]}"
