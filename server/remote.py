"""Commands given to ssh itself, as in `ssh HOST rules life`: an answer in plain text, and an exit status."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from engine.errors import InputError
from server.answers import ANSWERS
from server.clean import clean
from server.limits import COMMAND_LENGTH
from server.lobby import Lobby
from server.scene import Scene
from server.version import VERSION

USAGE: Final = 2
"""Exit status for a command that is none, or wrong."""


def answer(command: str, lobby: Lobby) -> tuple[int, list[str]]:
    """The exit status and the lines for a command."""
    words = clean(command, COMMAND_LENGTH).split(maxsplit=1) if len(command) <= COMMAND_LENGTH else []
    name = words[0] if words else ""
    if name not in _COMMANDS:
        return USAGE, [f"{name[:40]!r} is no command: say play, {', '.join(_COMMANDS)}, or nothing at all to come in"]
    try:
        return 0, _COMMANDS[name](lobby, words[1] if len(words) > 1 else "")
    except InputError as error:
        return USAGE, [error.message]


def _help(_: Lobby, __: str) -> list[str]:
    return [
        "ssh HOST              come in",
        "ssh -t HOST play      a game against AI players at once; -t gives the screen",
        "ssh HOST who          who is here",
        "ssh HOST tables       every table in a line",
        "ssh HOST rules NAME   the rules in brief; without a name, which there are",
        "ssh HOST version      the version of the server",
    ]


def _version(_: Lobby, __: str) -> list[str]:
    return [f"quatch {VERSION}"]


def _seen(question: str) -> Callable[[Lobby, str], list[str]]:
    """A question that people ask inside, too."""
    return lambda lobby, rest: ANSWERS[question](
        Scene("", lobby.rulebook, tables=lobby.tables(), people=tuple(lobby.people())), rest
    )


_COMMANDS: Final[Mapping[str, Callable[[Lobby, str], list[str]]]] = MappingProxyType(
    {"help": _help, "version": _version, "who": _seen("who"), "tables": _seen("tables"), "rules": _seen("rules")}
)
