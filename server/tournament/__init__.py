"""Tournaments: open nights and swiss ones, which call, deal and score their tables by themselves.

What it must not know: other features, and the state of a game: the core keeps what it promises at its tables.
Where to begin: `README.md`, then `events.py` (what can happen), `due.py` (what is to be done when), `service.py` (who
does it), `pairing.py` (a request, and the tables of a round), `standings.py` (results in, rows out), `commands.py`.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine(
    "server.tournament.commands:FEATURE", bots_enter="play in this tournament, or the only one"
)
