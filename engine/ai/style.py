"""Styles of play: small bonuses for kinds of moves, added to what the level thinks of them.

The numbers are on the scale of Extreme's weights: large enough to be noticed at the table, too small to cost a level.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from engine.ai.next_seat import NextSeat, at_stake
from engine.moves import Move, PickUp, Play
from engine.view import View


class Style(Struct, frozen=True):
    """The bonuses of a style; a negative one makes such moves rarer."""

    description: str = ""
    """For players: "burns whatever will burn"."""
    burn: float = 0.0
    power: float = 0.0
    """For any other card with a power."""
    copies: float = 0.0
    """For each further card of a rank in one play, once the stock is gone."""
    take: float = 0.0
    """For taking the pile by choice."""
    pressure: float = 0.0
    """For each card `at_stake`, times the chance that an ordinary card blocks the next player."""


PLAIN: Final = Style()

STYLES: Final[Mapping[str, Style]] = {
    "plain": PLAIN,
    "miser": Style("keeps the good cards for later", burn=-1.5, power=-1.5),
    "arsonist": Style("burns whatever will burn", burn=1.2),
    "gambler": Style("spends the best cards early and hopes", burn=0.6, power=0.8),
    "hurrier": Style("plays as many cards as it can", copies=0.4, power=0.3),
    "hoarder": Style("holds cards back as long as it can", burn=-0.6, power=-0.9, take=1.2),
}
"""The styles by name."""


def style_bonus(style: Style, view: View, move: Move) -> float:
    """The bonus that a style gives to a move of the seat of this view."""
    if isinstance(move, PickUp):
        return style.take
    if not isinstance(move, Play):
        return 0.0
    rank = move.picks[0].rank
    effect = view.powers.effect[rank]
    bonus = 0.0 if view.stock_left else style.copies * (len(move.picks) - 1)
    if effect is None:
        if style.pressure and (cards := at_stake(view)):
            bonus += style.pressure * cards * NextSeat(view, view.seat or 0).stuck_chance(rank)
        return bonus
    return bonus + (style.burn if effect == "burn" else style.power)
