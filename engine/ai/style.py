"""Manners of play: a name, and what it likes a little more or less than others of its level.

A style is a few small numbers, on the scale of what Extreme weighs: enough to see at the table, too little to fall a
level.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.moves import Move, PickUp, Play
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Style:
    """What somebody likes: above 0 more of it, below 0 less."""

    description: str = ""
    """In words, for the table."""
    burn: float = 0.0
    power: float = 0.0
    """Laying any other card with a power."""
    copies: float = 0.0
    """Each further card of a rank at once, when no more are drawn for it."""
    take: float = 0.0
    """Taking the pile where something could be laid."""


PLAIN: Final = Style()

STYLES: Final[Mapping[str, Style]] = MappingProxyType(
    {
        "plain": PLAIN,
        "miser": Style("keeps the good cards for later", burn=-1.5, power=-1.5),
        "arsonist": Style("burns whatever will burn", burn=1.2),
        "gambler": Style("spends the best cards early and hopes", burn=0.6, power=0.8),
        "hurrier": Style("is rid of as many cards as can be", copies=0.4, power=0.3),
        "hoarder": Style("would rather hold cards than lay them", burn=-0.6, power=-0.9, take=1.2),
    }
)
"""By name."""


def style_bonus(style: Style, position: Position, move: Move) -> float:
    """How much a style likes a move, beyond what the level thinks of it."""
    if isinstance(move, PickUp):
        return style.take
    if not isinstance(move, Play):
        return 0.0
    rank = move.picks[0].rank
    effect = position.powers.effect[rank]
    liked = 0.0 if position.stock_left else style.copies * (len(move.picks) - 1)
    if effect is None:
        return liked
    return liked + (style.burn if effect == "burn" else style.power)
