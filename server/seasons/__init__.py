"""Seasons: the best of tonight, of this week and of this month, and what past nights were.

What it must not know: running tables, and other features: they tell what was held in a night (`NightEvents`).
Where to begin: `Periods` in `commands.py` sums up finished games. Nothing of it is stored: each process reads the
finished games of a period once, and then what is new. The best are ranked by the house score of an open night, which
needs few games; rated games of two keys or more count. With `keep_games` older games are missing.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine("server.seasons.commands:FEATURE", asked={"nights": b" night "})
