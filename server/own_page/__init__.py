"""A page of the player's own: `me` shows their games, their ratings and what features know of them.

What it must not know: other features: they tell their lines themselves (`OwnLine`).
Where to begin: `commands.py`, which is all of it.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine("server.own_page.commands:FEATURE")
