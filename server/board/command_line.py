"""The settings of the board."""

from dataclasses import dataclass
from typing import Final

from server.command_line import CommandLine, FeatureSettings


@dataclass(frozen=True, slots=True)
class BoardSettings(FeatureSettings):
    """What boards show besides the games."""

    board_talk: bool = False


COMMAND_LINE: Final = CommandLine(BoardSettings)
