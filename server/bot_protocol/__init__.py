"""The session of a bot: a player as JSON, one object a line, for programs in any language.

What bots send and are sent are types of the core, in `session`, since other features add to them.
What it must not know: the screen, and the words that people type.
Where to begin: `session.py`; `deploy/bots/README.md` tells authors of bots.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine("server.bot_protocol.session:FEATURE")
