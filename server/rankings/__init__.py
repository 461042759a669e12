"""What is typed to see the best players of all times, under one rule set or under all.

What it must not know: how ratings come about (`history`).
Where to begin: `commands.py`.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine("server.rankings.commands:FEATURE", asked={"top": b"All rule sets"})
