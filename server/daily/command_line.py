"""`quatch play --daily`, and what grows with the daily deal."""

from typing import Final

from server.command_line import CommandLine, PlayedHere

SECRET: Final = "daily-secret"  # noqa: S105 - the kind of a text
"""The kind of the text from which all seeds of a server come; the oldest one counts."""
COMMAND_LINE: Final = CommandLine(
    growing={"daily results": "server.daily.growth:add_results"},
    played_here=PlayedHere(
        "today's deal, the same for all who play it so; unrated",
        "daily",
        "the deal is the same for all",
        ((SECRET, "", ""),),  # so that today's deal is the same wherever it is played without a server
    ),
)
