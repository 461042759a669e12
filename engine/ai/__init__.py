"""AI players: a level is a function from what a seat may know to the move it makes.

They see a `View` and a seeded generator, never the state, and always answer with a legal move.
"""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.ai.levels import easy, hard
from engine.moves import Move
from engine.view import View

AIPlayer: TypeAlias = Callable[[View, Random], Move]

LEVELS: Final[Mapping[str, AIPlayer]] = MappingProxyType({"easy": easy, "hard": hard})
"""By name, weakest first."""
