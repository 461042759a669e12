"""What hosts type at a console in their own words, and the console's way to it: it stands in the place of a refusal."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from server.commands.finding import spoken
from server.commands.registry import command_named
from server.lobby.lobby import Lobby

_LEAD_IN: Final = re.compile(
    r"^((ask|help|how|where|what|is|are|can|could|do|does|i|we|you|to|the|a|an|my|let's|lets|"
    r"make|take|get|show|open) )*"
)
"""Words before the one that tells what is wanted."""


class _Way(NamedTuple):
    """What hosts call one thing, and how it is done."""

    said: str
    """A pattern for the beginning of what was typed, without `_LEAD_IN`."""
    told: Callable[[Lobby, str], str]
    """The answer for the words behind that beginning."""
    needs: str = ""
    """The command without which there is no such way."""


def _stop(lobby: Lobby, _: str) -> str:
    waits = "drain stops the server when the games are over, " if command_named("drain", lobby.features) else ""
    return f"{waits}quit closes the console: where the server was started, it stops the server."


def _board(lobby: Lobby, _: str) -> str:
    join = lobby.join_lines
    ways = [f"open {join.link}board in a browser"] if join.opens_anywhere else []
    ways += [f"type ssh -t {join.targets[0]} board in another terminal"] if join.targets else []
    return f"The board, for a projector: {', or '.join(ways) or 'ssh -t HOST board'}."


_WAYS: Final[Sequence[_Way]] = (
    _Way("(stop|shut ?down|halt|end|kill|terminate|power ?off|turn off)", _stop),
    _Way(
        "(back ?ups?|save|copy)",
        lambda lobby, _: f"Type in a shell: quatch backup --data {lobby.config.data} FILE makes a copy at any time.",
    ),
    _Way("(board|scoreboard|projector|big screen)", _board, "board"),
    _Way(
        "(reload|restart|reboot|renew|settings|config)",
        lambda lobby, _: f"Type in a shell: quatch reload --data {lobby.config.data} reads the settings anew.",
    ),
    _Way(
        "(say|tell|shout|chat|talk|broadcast|message|msg|write)( to)?( (all|everybody|everyone))?",
        lambda _, rest: f"To tell all players something, type announce {rest or 'TEXT'}",
        "announce",
    ),
    _Way(
        "(start|begin|new|create|hold|run|have)( (a|the|new))* tournament",
        lambda _, rest: f"tournament new {rest or 'NAME'} opens one, tournament start {rest or 'NAME'} begins it.",
        "tournament",
    ),
    _Way(
        "(pause|freeze|resume|unpause|continue)",
        lambda _, __: "tournament pause stops all clocks and rounds of a tournament, tournament resume goes on.",
        "tournament",
    ),
)


def way_for(text: str, lobby: Lobby) -> str:
    """What to tell a host who has typed this, which is no command; empty if it says nothing that is known."""
    said = _LEAD_IN.sub("", spoken(text))
    for way in _WAYS:
        found = re.match(rf"{way.said}(?: (.*))?$", said)
        if found and (not way.needs or command_named(way.needs, lobby.features)):
            told = way.told(lobby, found[found.re.groups] or "")
            return told[:1].upper() + told[1:]
    return ""
