"""Finished games, and what features tell of them and of players."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec import Struct

from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import sentence_case
from server.commands.registry import Answer, Command, Context
from server.history.archive import find_game, games_of, record_of, secret_from
from server.pieces import in_pieces
from server.player.player_session import PlayerSession
from server.records.record import Record
from server.records.record_reader import verifying
from server.render.scene import AfterGame
from server.storage.database import FinishedGame, NotSaved
from server.table.finished_game import NOT_KEPT


class TopList(Struct, frozen=True):
    """Another list of the best, which `top` shows if this word is behind it."""

    word: str
    answer: Callable[[Context, str], Awaitable[Answer]]
    """Takes what is typed behind the word."""


class OwnLine(Struct, frozen=True):
    """What a feature tells a player with an ssh key on their own page, in one line."""

    about: str
    """In a word or two: what stands before the line."""
    of: Callable[[Context], Awaitable[str]]
    """Returns the line; empty if there is nothing to tell yet."""


class ResultLine(Struct, frozen=True):
    """What a feature finds out about a game that a player has just played to its end, in a sentence."""

    of: Callable[[PlayerSession, str], Awaitable[str]]
    """Returns the sentence for the game with this id, soon; empty if there is nothing to tell. Raises NotSaved."""


async def result_lines(session: PlayerSession, game: str) -> AsyncIterator[str]:
    """The sentences of all features about a game that has just ended, but for what cannot be read now."""
    for each in session.lobby.features.all(ResultLine):
        with suppress(NotSaved):
            if line := await each.of(session, game):
                yield line


class NightEvent(NamedTuple):
    """Something that was held in a night (`history/when_a_day_begins.py`)."""

    line: str
    way: str
    """What to type to see more of it."""
    value: Mapping[str, Json]
    """What programs are told."""


class NightEvents(Struct, frozen=True):
    """What a feature tells of a night."""

    key: str
    """What it tells of, in the plural; programs find it there. Games of these count for the night."""
    of: Callable[[Context, float, float], Awaitable[Sequence[NightEvent]]]
    """Takes when the night begins and ends. Returns the events, the first one first. Raises NotSaved."""


def last_seen(context: Context) -> str:
    """The finished game that the player looks at, or else the last that they saw; empty if there is none."""
    if not isinstance(context, PlayerSession):
        return ""
    if context.side_view and context.side_view.record:
        return context.side_view.record.id
    table = context.location.snapshot
    return table.game if table and table.stats else context.feed.last_game


@Command("fair", where={"record"}, pages=(), read_only=True)
@Command("verify [ID]", may=last_seen, pages=(), read_only=True, ssh="answer")
async def check(context: Context, rest: str) -> Answer:
    """Check the deal and moves of a finished game."""
    asked = rest or last_seen(context)
    game = await kept_game(context, asked, f". {sentence_case(NOT_KEPT)}" if asked else "")
    try:
        record = await record_of(game)
        # If not no one, then only the players could not choose.
        value = {"game": game.id, "fair": True, "problem": None, "no_one_could_choose": record.no_one_could_choose}
        return Answer(await in_pieces(verifying(game.record)), value)
    except InputError as error:
        value = {"game": game.id, "fair": False, "problem": error.message, "no_one_could_choose": False}
        return Answer([error.sentence], value, status=1)


async def id_of(context: Context, text: str) -> str:
    """The id that is typed; that of the last game which the player saw, or else has played, for "last"."""
    if text.casefold() != "last":
        return text
    own = await games_of(context.lobby.store, context.player.account, 1) if context.player.account else []
    return last_seen(context) or next((each.game.id for each in own), "")


def where_listed(context: Context, before: str = ": ") -> str:
    """Where the latest games are listed, behind a complaint about an id; empty if they are not."""
    lists = [each.lists for each in context.lobby.features.all(AfterGame) if each.lists]
    return f"{before}{lists[0]}" if lists else ""


async def kept_game(context: Context, text: str, why_missing: str = "") -> FinishedGame:
    """The finished game with this id, as `id_of`.

    Raises InputError if there is none, or the player may not see it yet; a guest may see it at its table.
    """
    game = await find_game(context.lobby.store, await id_of(context, text), where_listed(context) + why_missing)
    here = context.location.snapshot if isinstance(context, PlayerSession) else None
    is_here = here is not None and here.seat is not None and here.game == game.id
    if not is_here and (secret := secret_from(game, context.player.account, context.lobby.wall())):
        raise InputError("private", f"game {game.id} {secret.why}")
    return game


async def kept_record(context: Context, text: str) -> tuple[FinishedGame, Record]:
    """The finished game with this id, as from `kept_game`, and its record. Raises InputError."""
    game = await kept_game(context, text)
    return game, await record_of(game)
