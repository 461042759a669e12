"""Commands given to ssh itself, as in `ssh HOST rules life`: an answer in plain text or as JSON, and an exit status."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, Literal, Protocol

from msgspec import Struct, structs, to_builtins

from engine.errors import InputError, NoSuch
from server.clean_text import clean
from server.commands import finding, registry
from server.features import Features
from server.limits import COMMAND_LENGTH
from server.lobby.lobby import Lobby
from server.people.names import NAMELESS
from server.people.players import Caller, Player
from server.player.player_session import PlayerSession
from server.render.scene import Scene
from server.table.place import ADMIN_SSH, PROMPT, SSH
from server.terminal.terminal import Terminal
from server.typed_json import json_line

HOST: Final = Player("server", "the host")
"""The host of the server at its console: what they open is theirs under this name."""
USAGE: Final = 2
"""Exit status for a command that does not exist, or is wrong."""
JSON_FLAG: Final = "--json"
HELP_FLAGS: Final = frozenset({"--help", "-h"})


class OwnScreen(Struct, frozen=True):
    """What `ssh -t HOST NAME` shows in the place of a session, as a feature gives it."""

    name: str
    show: Callable[[Lobby, Terminal, Caller, str], Awaitable[int]]
    """Shows it, as the command behind `ssh HOST` asks for it. Returns the exit status. Raises NotSaved."""
    for_ops: bool = False
    """Whether only ops have it, at a terminal that shows a screen, and if nothing follows its name."""
    way_for: Callable[[str, Lobby], str] = lambda _, __: ""
    """What is told an op of a text behind its name that is no command; empty for the refusal."""


class Session(Protocol):
    """A session of a person or of a program."""

    player_session: PlayerSession
    terminal: Terminal

    async def run(self) -> None:
        """Carry out what the other side asks for until it goes; `PlayerSession.identify` comes before it."""


class OwnSession(Struct, frozen=True):
    """What `ssh HOST NAME` opens for a program, as a feature gives it."""

    name: str
    make: Callable[[Lobby, Terminal, Caller], Session]


def opens(
    command: str | None, features: Features, *, has_terminal: bool, is_op_at_screen: bool = False
) -> Literal["session", "answer"] | OwnScreen | OwnSession:
    """What `ssh HOST COMMAND` opens: a player's session, a program's, a screen of its own, or none if it only answers.

    ``is_op_at_screen``: it is given by an op whose terminal shows a screen.
    """
    if command is None:
        return "session"
    name, *rest = command.lower().split() or [""]
    if HELP_FLAGS & {*rest}:
        return "answer"
    for screen in features.all(OwnScreen):
        if name == screen.name and (is_op_at_screen and not rest if screen.for_ops else has_terminal):
            return screen
    found = next(iter(registry.called(name, features)), None)
    if found is None or found.ssh == "answer" or not {*rest}.isdisjoint(found.answers_with):
        return "answer"
    if found.ssh in {"screen", "answer or screen"}:
        return "session" if has_terminal else "answer"
    return next((each for each in features.all(OwnSession) if each.name == found.name), "answer")


async def answer(given: str, lobby: Lobby, caller: Caller) -> tuple[int, list[str]]:
    """The exit status and the lines for a command."""
    # Text that is too long or does not print is no command: nothing is guessed from it.
    usual = len(given) <= COMMAND_LENGTH and given.strip().isprintable()
    words = clean(given, COMMAND_LENGTH).split() if usual else []
    wants_json = JSON_FLAG in words
    context = await _context_of(lobby, caller)
    if wants_json:
        words = [word for word in words if word != JSON_FLAG]
        context = replace(context, player=await _named(context))
    command = None
    try:
        if words[:1] == [registry.ADMIN]:
            lobby.must_be_op(caller)
            words, context = words[1:] or ["help"], replace(context, place=ADMIN_SSH)
        command, rest = understood(words, context, is_exact=wants_json)
        if command.needs_name and not wants_json:
            context = replace(context, player=await _named(context))
        found = await command.run(context, rest)
        status, lines = found.status, list(found.lines)
        value = to_builtins(found.value or {"lines": found.lines}) if wants_json else {}
    except InputError as error:
        ways = (each.way_for(" ".join(words), lobby) for each in lobby.features.all(OwnScreen))
        way = "" if command or context.place != ADMIN_SSH else next(filter(None, ways), "")
        status, lines = USAGE, [way or error.sentence]
        value = {"error": {"code": error.code, "message": error.message}}
    if not wants_json:
        return status, lobby.join_lines.named_in(lines)
    # The identity is the fingerprint of the key that was proven, also if it is linked to an account; null for a guest.
    return status, [json_line({"v": 1, "you": {"name": context.player.name, "identity": caller.key}, **value})]


async def context_at_prompt(lobby: Lobby, caller: Caller) -> registry.ExecContext:
    """What is needed to give commands one after the other, without a session. Raises NotSaved."""
    context = await _context_of(lobby, caller)
    return replace(context, player=await _named(context), place=PROMPT)


async def _context_of(lobby: Lobby, caller: Caller) -> registry.ExecContext:
    """What a connection needs to give a command. The player's name is their last, or the one that the caller wishes."""
    if caller.runs_server:
        player = HOST
    else:
        account = await lobby.profiles.account_of(caller)
        player = Player(account.id, account.name or caller.wished_name or NAMELESS)
    return registry.ExecContext(lobby, caller, player, Scene(player.name, lobby.rulebook, drawn=True))


async def _named(context: registry.ExecContext) -> Player:
    """The player who gives a command, with the name that they would have in a session."""
    lobby, player = context.lobby, context.player
    if player is HOST:
        return player
    here = lobby.visitors.names_in_use.by_holder(player.id)
    seats = here or (await lobby.tables.seats_of(player.id) if player.id else {})
    return structs.replace(player, name=await lobby.names.name_for(player.id, player.name, seats))


def understood(
    words: Sequence[str], context: registry.ExecContext, *, is_exact: bool = False
) -> tuple[registry.Command, str]:
    """The command, and the text behind its name; ``is_exact``: no sentence is looked for. Raises InputError."""
    if not HELP_FLAGS.isdisjoint(words[1:]):
        words = ["help", words[0]]
    line = " ".join(words)
    is_sentence = len(words) > 1 and context.place == SSH and not is_exact
    name, *rest = finding.meant_by(line, context).split() if is_sentence else words or [""]
    try:
        found = finding.find(name.lower(), context, " ".join(rest))
    except InputError:
        if not is_sentence:
            raise
        found, text = finding.find_in_line(line, context)
        rest = text.split()
    known = [JSON_FLAG, "--help", *found.options]
    options = [each.partition("=")[0] for each in rest if each[:2] == "--"]
    if "TEXT" not in found.usage and (unknown := [each for each in options if each not in known]):
        raise NoSuch("bad_request", "option", unknown[0], known)
    if found.ssh in {"screen", "own screen"}:
        typed = " ".join([found.name, *rest])
        in_lines = f"; for plain lines ssh -T HOST, and type {typed} there" if found.ssh == "screen" else ""
        raise InputError("bad_request", f"{found.name} needs a terminal: ssh -t HOST {typed}{in_lines}")
    if is_sentence and not finding.may_do(found, line, context):
        raise finding.told_of(found, context)
    if rest and found.usage == found.name:
        # A program should learn that it asked for what there is not; a person may type more than is needed.
        raise InputError("bad_request", f"{found.name} takes nothing after it, not {rest[0][:20]!r}")
    return found, " ".join(rest)
