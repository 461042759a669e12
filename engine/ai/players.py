"""Who plays: the levels by name, and players as one names them: ``hard``, ``hard/miser``, ``master@200``."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.ai.basic_levels import easy, hard, medium
from engine.ai.learned_levels import extreme, master
from engine.ai.style import STYLES
from engine.errors import InputError
from engine.moves import Move
from engine.rules import either
from engine.view import View

AIPlayer: TypeAlias = Callable[[View, Random], Move]

_STYLED: Final = {"easy": easy, "medium": medium, "hard": hard, "extreme": extreme, "master": master}
LEVELS: Final[Mapping[str, AIPlayer]] = MappingProxyType(dict(_STYLED))
"""By name, weakest first."""
MOST_SIMULATIONS: Final = 1_000_000


def player(level: str, style: str = "plain", simulations: int | None = None) -> AIPlayer:
    """An AI player of this level with this manner; only Master heeds how often it may look ahead.

    Raises:
        InputError: bad_request for a level or a style that is not there.
    """
    if level not in _STYLED:
        raise InputError("bad_request", f"no level {level[:20]!r}: say {either(tuple(_STYLED))}")
    if style not in STYLES:
        raise InputError("bad_request", f"no style {style[:20]!r}: say {either(tuple(STYLES))}")
    if level == "master":
        return partial(master, style=STYLES[style], simulations=simulations)
    return partial(_STYLED[level], style=STYLES[style])


def player_named(text: str) -> AIPlayer:
    """The AI player that a text names: ``LEVEL[/STYLE][@LOOKS]``. Raises InputError."""
    name, at, budget = text.partition("@")
    level, _, style = name.partition("/")
    if at and not (budget.isascii() and budget.isdigit() and 0 < int(budget) <= MOST_SIMULATIONS):
        raise InputError("bad_request", f"{text[:40]!r}: say as in master@200 how often to look ahead")
    return player(level, style or "plain", int(budget) if at else None)
