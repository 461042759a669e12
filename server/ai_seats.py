"""AI players at a table: what they are called, and what they choose. Sees views alone."""

from collections.abc import Iterable
from itertools import chain, count
from random import Random
from typing import Final

import structlog

from engine.ai import LEVELS
from engine.legality import legal_moves
from engine.moves import Move
from engine.view import View
from server.players import Player

AI_NAMES: Final = ("Fox", "Owl", "Hex", "Ivy", "Bea", "Max", "Ada", "Sol", "Kit", "Zoe")

log = structlog.get_logger("quatch.ai")


def new_ai_player(taken: Iterable[str], level: str) -> Player:
    """An AI player with a name that nobody at the table has."""
    names = set(taken)
    name = next(name for name in chain(AI_NAMES, map("AI{}".format, count(1))) if name not in names)
    return Player(f"ai:{name}", name, "ai", level)


def choose(level: str, view: View, seat: int, chance: str) -> Move:
    """The move of an AI player of this level, the same for the same chance; any legal one where it fails."""
    try:
        return LEVELS[level](view, Random(chance))
    except Exception:
        log.exception("AI player failed", level=level)
        return legal_moves(view, seat)[0]
