"""All features of the program, for tests of what features give."""

from collections.abc import Collection
from typing import Final

from server.commands.games import ResultLine
from server.commands.registry import Command, commands_with
from server.features import NO_FEATURES, Features, load

FEATURES: Final = load()
"""Given to the lobby of a test that needs a feature; without them it is one of the core."""
COMMANDS: Final[tuple[Command, ...]] = commands_with(FEATURES)
CORE_COMMANDS: Final[tuple[Command, ...]] = commands_with(NO_FEATURES)


def not_looking_back(without: Collection[str] = ()) -> Features:
    """Features as `load` has them, but none judges a game that has just ended: that takes a second for each person."""
    return Features(
        tuple(
            feature._replace(gives=tuple(value for value in feature.gives if not isinstance(value, ResultLine)))
            for feature in load(without)
        )
    )
