"""What ops do: kicks, bans, mutes, other names, announcements, draining; a journal of it; what players report to them.

What it must not know: how a ban or a mute is enforced: the core does that, also while this feature is left out
(`server/people/sanctions.py`).
Where to begin: `moderation.py` is what ops type about players, `running.py` about the server, `reports.py`
what players tell them.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine("server.moderation.moderation:FEATURE")
