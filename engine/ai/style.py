"""Manners of play: a name, and what it likes a little more or less than others of its level.

A style is a few small numbers, in parts of a pip: enough to see at the table, too little to fall a level.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.cards import NO_RANK
from engine.moves import Move, PickUp, Play
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Style:
    """What somebody likes: above 0 more of it, below 0 less."""

    manner: str = ""
    """In words, for the table."""
    burn: float = 0.0
    power: float = 0.0
    """Laying any other card with a power."""
    copies: float = 0.0
    """Each further card of a rank at once."""
    high: float = 0.0
    """Each rank that a card is higher than the pile asks for."""
    take: float = 0.0
    """Taking the pile where something could be laid."""


PLAIN: Final = Style()

STYLES: Final[Mapping[str, Style]] = MappingProxyType(
    {
        "plain": PLAIN,
        "miser": Style("keeps the good cards for later", burn=-0.5, power=-0.5, high=-0.05),
        "arsonist": Style("burns whatever will burn", burn=0.7),
        "gambler": Style("leads high and hopes", high=0.06, copies=-0.2),
        "hurrier": Style("is rid of as many cards as can be", copies=0.4, power=0.2),
        "hoarder": Style("does not mind a full hand", take=0.4, copies=-0.1),
    }
)
"""By name."""


def taste(style: Style, position: Position, move: Move) -> float:
    """How much a style likes a move, beyond what the level thinks of it."""
    if isinstance(move, PickUp):
        return style.take
    if not isinstance(move, Play):
        return 0.0
    rank = move.picks[0].rank
    effect = position.powers.effect[rank]
    liked = style.copies * (len(move.picks) - 1)
    if effect == "burn":
        return liked + style.burn
    if effect is not None:
        return liked + style.power
    return liked + style.high * (rank - position.top if position.top != NO_RANK else rank)
