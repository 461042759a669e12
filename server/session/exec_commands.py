"""Commands given to ssh itself, as in `ssh HOST rules life`: an answer in plain text or as JSON, and an exit status."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import listed
from server.ai.pool import WorkerFailed
from server.clean import clean
from server.commands.admin import ADMIN, Op
from server.commands.queries import ANSWERS
from server.history.archive import GAMES_LISTED, find_game, find_record, latest_lines
from server.history.replay import record_json, transcript
from server.history.review import WHICH_GAME, review_game, review_subject, seat_and_game
from server.history.review_text import review_lines
from server.history.standings import top_json, top_lines
from server.language.parsing import OP_COMMANDS
from server.limits import COMMAND_LENGTH
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.records.record_reader import read_record
from server.records.results import read_result
from server.records.text_lines import time_text
from server.records.verify import verify
from server.render.scene import Scene
from server.table.snapshot import Listing, Sitter
from server.version import VERSION

USAGE: Final = 2
"""Exit status for a command that is none, or wrong."""
JSON_FLAG: Final = "--json"


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks, where, and the words behind the command."""

    lobby: Lobby
    caller: Caller
    name: str
    account: str | None
    """Whose results are theirs; None for a guest."""
    rest: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer for people, and for programs where there is one."""

    lines: list[str]
    fields: Mapping[str, Json] | None = None
    status: int = 0


Command: TypeAlias = Callable[[Asked], Awaitable[Answer]]


async def answer(command: str, lobby: Lobby, caller: Caller) -> tuple[int, list[str]]:
    """The exit status and the lines for a command."""
    words = clean(command, COMMAND_LENGTH).split() if _can_be_one(command) else []
    name, rest = words[0] if words else "", [word for word in words[1:] if word != JSON_FLAG]
    commands = {**_COMMANDS, **({"admin": _admin} if caller.key in lobby.config.ops else {})}
    if name not in commands:
        there = ", ".join(["play", "watch", *commands])
        return USAGE, [f"{name[:40]!r} is no command: say {there}, or nothing at all to come in."]
    account = lobby.accounts.of(caller.key)
    shown = lobby.name_for(account or "", caller.wished_name)
    try:
        found = await commands[name](Asked(lobby, caller, shown, account, " ".join(rest)))
    except InputError as error:
        said = json.dumps({"v": 1, "error": {"code": error.code, "message": error.message}})
        return USAGE, [said if JSON_FLAG in words else error.sentence]
    if JSON_FLAG not in words:
        return found.status, found.lines
    if found.fields is None:
        return USAGE, [f"{name} has no {JSON_FLAG}"]
    return found.status, [json.dumps({"v": 1, "you": {"name": shown, "identity": caller.key}, **found.fields})]


def _can_be_one(command: str) -> bool:
    """Whether this may be a command at all; nothing is guessed from what is too long or does not print."""
    return len(command) <= COMMAND_LENGTH and command.strip().isprintable()


async def _help(_: Asked) -> Answer:
    return Answer(
        [
            "ssh HOST              come in",
            "ssh -t HOST play      a game against AI players at once; -t gives the screen",
            "ssh -t HOST watch 3   look on at table 3",
            "ssh HOST who          who is here",
            "ssh HOST tables       every table in a line",
            "ssh HOST top life     who plays best; without a name, at which rules there are results",
            "ssh HOST rules NAME   the rules in brief; without a name, which there are",
            "ssh HOST replay ID    a finished game in sentences, with -t on the screen; without an id, the latest",
            "ssh HOST review ID    your turns in a finished game: how it stood, which moves cost most",
            "ssh HOST verify ID    deal a finished game again from its seed, and check it",
            "ssh HOST bot          for programs: one JSON object a line",
            "ssh HOST version      the version of the server",
            f"version, who, tables, top, replay, review and verify with {JSON_FLAG}: one JSON object",
        ]
    )


async def _admin(asked: Asked) -> Answer:
    name, _, rest = asked.rest.partition(" ")
    if name in {"", "help"}:
        return Answer([f"ssh HOST admin {command.usage:<16} {command.help}" for command in OP_COMMANDS])
    if name not in ADMIN:
        raise InputError("bad_request", f"{name[:40]!r} is nothing that ops do: {listed(tuple(ADMIN), 'and')} are")
    done = await ADMIN[name](Op(asked.lobby, asked.caller), rest.strip())
    return Answer(done.lines, done.fields)


async def _version(_: Asked) -> Answer:
    return Answer([f"quatch {VERSION}"], {"version": VERSION})


async def _who(asked: Asked) -> Answer:
    return Answer(_as_asked_inside("who", asked), {"people": list(asked.lobby.people())})


async def _tables(asked: Asked) -> Answer:
    return Answer(_as_asked_inside("tables", asked), {"tables": [_table_json(t) for t in asked.lobby.tables()]})


async def _rules(asked: Asked) -> Answer:
    return Answer(_as_asked_inside("rules", asked))


async def _replay(asked: Asked) -> Answer:
    lobby = asked.lobby
    if not asked.rest:
        games: list[Json] = [
            {"game": game.id, "rules": game.rules, "ended": time_text(game.at)}
            for game in await lobby.store.latest(GAMES_LISTED)
        ]
        return Answer(await latest_lines(lobby.store, lobby.rulebook), {"games": games})
    record = await find_record(lobby.store, asked.rest)
    return Answer(list(transcript(record)), record_json(record))


async def _review(asked: Asked) -> Answer:
    game_id, seat = seat_and_game(asked.rest.split())
    if not game_id:
        raise InputError("bad_request", WHICH_GAME)
    game = await find_game(asked.lobby.store, game_id)
    record, result = read_record(game.record), read_result(game.result)
    past = review_subject(record, seat, result=result, identity=asked.account, name=asked.name)
    try:
        review = await review_game(past, asked.lobby.ai_pool, who=asked.account or str(asked.caller.address))
    except WorkerFailed:
        raise InputError("failed", "that could not be thought through now: try again") from None
    return Answer(review_lines(review, plot=False), review.to_json())


async def _verify(asked: Asked) -> Answer:
    game = await find_game(asked.lobby.store, asked.rest)
    try:
        return Answer(verify(game.record), {"game": game.id, "fair": True, "problem": None})
    except InputError as error:
        return Answer([error.sentence], {"game": game.id, "fair": False, "problem": error.message}, status=1)


async def _top(asked: Asked) -> Answer:
    title, best = await asked.lobby.best(asked.rest)
    return Answer(top_lines(title, best, asked.account), {"top": top_json(best, asked.account)})  # type: ignore[dict-item]


_COMMANDS: Final[Mapping[str, Command]] = MappingProxyType(
    {
        "help": _help,
        "version": _version,
        "who": _who,
        "tables": _tables,
        "top": _top,
        "rules": _rules,
        "replay": _replay,
        "review": _review,
        "verify": _verify,
    }
)


def _as_asked_inside(question: str, asked: Asked) -> list[str]:
    """A question that people ask inside, too."""
    lobby = asked.lobby
    return ANSWERS[question](Scene("", lobby.rulebook, tables=lobby.tables(), people=lobby.people()), asked.rest)


def _table_json(table: Listing) -> Json:
    return {
        "table": table.number,
        "rules": table.rules,
        "title": table.rules_title,
        "state": "playing" if table.playing else "open",
        "ply": table.ply,
        "seats": [None if sitter is None else _sitter_json(sitter) for sitter in table.sitters],
        "open": table.open_seats,
        "watching": table.watching,
        "private": table.private,
        "hints": table.hints,
        "asleep": table.asleep,
    }


def _sitter_json(sitter: Sitter) -> Json:
    return {"name": sitter.name, "ai_level": sitter.ai_level, "away": sitter.away, "bot": sitter.bot}
