"""AI players at a table: what they are called, and the manner that each name plays in."""

from collections.abc import Iterable, Mapping
from itertools import chain, count, cycle
from types import MappingProxyType
from typing import Final

from engine.ai import STYLES
from server.players import Player

AI_NAMES: Final = ("Fox", "Owl", "Hex", "Ivy", "Bea", "Max", "Ada", "Sol", "Kit", "Zoe")
MANNERS: Final[Mapping[str, str]] = MappingProxyType(dict(zip(AI_NAMES, cycle(STYLES), strict=False)))
"""The style of each name, so that a table of AI players is not four copies of one mind."""


def new_ai_player(taken: Iterable[str], level: str) -> Player:
    """An AI player with a name that nobody at the table has."""
    names = set(taken)
    name = next(name for name in chain(AI_NAMES, map("AI{}".format, count(1))) if name not in names)
    return Player(f"ai:{name}", name, "ai", level)


def manner_of(player: Player) -> str:
    """The style that a seat is played in; plain for whoever plays for a person."""
    return MANNERS.get(player.name, "plain") if player.kind == "ai" else "plain"
