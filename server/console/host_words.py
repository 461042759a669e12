"""What hosts type at a console in their own words, and the console's way to it: it stands in the place of a refusal."""

import re
from typing import Final

from server.commands.finding import HostWords, spoken
from server.commands.registry import command_named
from server.lobby.lobby import Lobby

_LEAD_IN: Final = re.compile(
    r"^((ask|help|how|where|what|is|are|can|could|do|does|i|we|you|to|the|a|an|my|let's|lets|"
    r"make|take|get|show|open) )*"
)
"""Words before the one that tells what is wanted."""


def _stop(lobby: Lobby, _: str) -> str:
    waits = "drain stops the server when the games are over, " if command_named("drain", lobby.features) else ""
    return f"{waits}quit closes the console: where the server was started, it stops the server."


STOP: Final = HostWords("(stop|shut ?down|halt|end|kill|terminate|power ?off|turn off)", _stop)


def way_for(text: str, lobby: Lobby) -> str:
    """What to tell a host who has typed this, which is no command; empty if it says nothing that is known."""
    said = _LEAD_IN.sub("", spoken(text))
    for words in (STOP, *lobby.features.all(HostWords)):
        if found := re.match(rf"{words.said}(?: (.*))?$", said):
            told = words.told(lobby, found[found.re.groups] or "")
            return told[:1].upper() + told[1:]
    return ""
