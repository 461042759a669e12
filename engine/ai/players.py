"""The levels by name, and AI players from text: ``hard``, ``hard/miser``, ``master@200``."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Final, TypeAlias

from engine.ai.easy_medium_hard import easy, hard, medium
from engine.ai.extreme_and_master import extreme, master
from engine.ai.style import STYLES
from engine.errors import InputError
from engine.levels import LEVEL_NAMES
from engine.moves import Move
from engine.rules import either
from engine.view import View

AIPlayer: TypeAlias = Callable[[View, Random], Move]

_LEVELS: Final[tuple[Callable[..., Move], ...]] = (easy, medium, hard, extreme, master)
_STYLED: Final = dict(zip(LEVEL_NAMES, _LEVELS, strict=True))
LEVELS: Final[Mapping[str, AIPlayer]] = _STYLED
"""The levels by name, the weakest first."""
MOST_SIMULATIONS: Final = 1_000_000


def player(level: str, style: str = "plain", simulations: int | None = None) -> AIPlayer:
    """An AI player.

    Args:
        level: a name in `LEVELS`.
        style: a name in `STYLES`.
        simulations: how many simulations a level that searches runs for a move (None: its usual number).

    Raises:
        InputError: bad_request if there is no such level or style.
    """
    if level not in _STYLED:
        raise InputError("bad_request", f"no level {level[:20]!r}: type {either(tuple(_STYLED))}")
    if style not in STYLES:
        raise InputError("bad_request", f"no style {style[:20]!r}: type {either(tuple(STYLES))}")
    if level == "master":
        return partial(master, style=STYLES[style], simulations=simulations)
    if level == "extreme":
        return partial(extreme, style=STYLES[style], simulations=simulations)
    return partial(_STYLED[level], style=STYLES[style])


def player_named(text: str) -> AIPlayer:
    """The AI player of a text ``LEVEL[/STYLE][@SIMULATIONS]``. Raises InputError (bad_request)."""
    name, at, budget = text.partition("@")
    level, _, style = name.partition("/")
    if at and not (budget.isascii() and budget.isdigit() and 0 < int(budget) <= MOST_SIMULATIONS):
        raise InputError("bad_request", f"{text[:40]!r}: write master@200, with the number of simulations to run")
    return player(level, style or "plain", int(budget) if at else None)
