"""All features of the program, for tests of what features give."""

from typing import Final

from server.commands.registry import Command, commands_with
from server.extension import NO_FEATURES
from server.features import load

FEATURES: Final = load()
"""Given to the lobby of a test that needs a feature; without them it is one of the core."""
COMMANDS: Final[tuple[Command, ...]] = commands_with(FEATURES)
CORE_COMMANDS: Final[tuple[Command, ...]] = commands_with(NO_FEATURES)
