"""How `quatch bench attacks` comes to the lesson."""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine(reached_by={"lesson": "lesson"})
