"""Commands given to ssh itself, as in `ssh HOST rules life`: an answer in plain text or as JSON, and an exit status."""

import json
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.errors import InputError
from server.clean import clean
from server.commands.catalog import COMMANDS, find
from server.commands.registry import Answer, Where
from server.limits import COMMAND_LENGTH
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.render.scene import Scene

USAGE: Final = 2
"""Exit status for a command that does not exist, or is wrong."""
JSON_FLAG: Final = "--json"


@dataclass(frozen=True, slots=True)
class ExecContext:
    """A connection that asks one thing; see `registry.Context`."""

    lobby: Lobby
    caller: Caller
    player: Player
    scene: Scene
    place: Where = "ssh"
    snapshot: None = None


def opens(command: str | None, *, has_terminal: bool) -> Literal["session", "bot", "answer"]:
    """What `ssh HOST COMMAND` opens: a player's session, a bot's, or none, since it only answers."""
    if command is None:
        return "session"
    name = clean(command).partition(" ")[0]
    match next((each.ssh for each in COMMANDS if each.name == name), ""):
        case "bot":
            return "bot"
        case "session":
            return "session"
        case "screen" | "answer or screen" if has_terminal:
            return "session"
    return "answer"


async def answer(command: str, lobby: Lobby, caller: Caller) -> tuple[int, list[str]]:
    """The exit status and the lines for a command."""
    # Text that is too long or does not print is no command: nothing is guessed from it.
    usual = len(command) <= COMMAND_LENGTH and command.strip().isprintable()
    words = clean(command, COMMAND_LENGTH).split() if usual else []
    account = lobby.accounts.of(caller.key)
    name = lobby.name_for(account or "", caller.wished_name)
    context = ExecContext(lobby, caller, Player(account or "", name), Scene(name, lobby.rulebook, drawn=True))
    wants_json = JSON_FLAG in words
    try:
        found = await _answer([word for word in words if word != JSON_FLAG], context, wants_json=wants_json)
    except InputError as error:
        said = json.dumps({"v": 1, "error": {"code": error.code, "message": error.message}})
        return USAGE, [said if wants_json else error.sentence]
    if not wants_json:
        return found.status, list(found.lines)
    return found.status, [json.dumps({"v": 1, "you": {"name": name, "identity": caller.key}, **(found.fields or {})})]


async def _answer(words: list[str], context: ExecContext, *, wants_json: bool) -> Answer:
    if words[:1] == ["admin"] and context.caller.key in context.lobby.config.ops:
        words, context = words[1:] or ["help"], replace(context, place="admin")
    name, *rest = words or [""]
    found = find(name, context)
    if found.ssh == "screen":
        raise InputError("bad_request", f"{name} needs a terminal: ssh -t HOST {' '.join(words)}")
    if wants_json and not found.json:
        raise InputError("bad_request", f"{name} answers in words alone: leave out {JSON_FLAG}")
    return await found.handler(context, " ".join(rest))
