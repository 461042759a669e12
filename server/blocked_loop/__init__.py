"""A process whose event loop answers no more says where it is blocked, and aborts, so that it is started again.

What it must not know: what the loop does.
Where to begin: `watchdog.py`.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine("server.blocked_loop.watchdog:FEATURE")
