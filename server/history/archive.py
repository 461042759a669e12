"""Finished games in the log: one by its id, or those of an account."""

import asyncio
import os
from pathlib import Path
from typing import NamedTuple

from engine.errors import InputError
from server.clean_text import clean
from server.config import Config
from server.pieces import collected, in_pieces
from server.records.record import Record
from server.records.record_reader import parse_record
from server.records.results import Result, Secret, read_result
from server.records.syntax import BadRecord
from server.storage.database import Database, FinishedGame
from server.storage.engines import database_of
from server.storage.sqlite_file import FILE_NAME


async def find_game(store: Database, text: str, listed: str = "") -> FinishedGame:
    """The game with this id. Raises InputError, which says where games are ``listed``."""
    game = await store.game(text.strip().upper()) if text.isascii() and len(text) < 40 else None
    if game is None:
        asked = f"no finished game {clean(text, 20)!r}" if text else "name a finished game"
        raise InputError("no_such_game", f"{asked}{listed}")
    return game


async def record_of(game: FinishedGame) -> Record:
    """The record of a game. Raises InputError if it cannot be read here."""
    return (await in_pieces(parse_record(game.record))).record


def secret_from(game: FinishedGame, account: str | None, now: float) -> Secret | None:
    """The secret that keeps a game from being seen at this time by this account, or a guest; None if there is none."""
    if (result := result_of(game)) is None:
        return None
    secret = result.occasion.secret if result.occasion else None
    is_secret = secret is not None and secret.until > now and all(each.key != account for each in result.finishes)
    return secret if is_secret else None


def source_of(game: FinishedGame) -> str:
    """The mark of where a game comes from, see `addresses.mark_of`; empty if it has none."""
    result = result_of(game)
    return (result.source or "") if result else ""


def result_of(game: FinishedGame) -> Result | None:
    """The result of a game; None if a newer version has written it."""
    try:
        return read_result(game.result)
    except InputError:
        return None


class OwnGame(NamedTuple):
    """A finished game of an account."""

    game: FinishedGame
    """Without its record."""
    result: Result
    seat: int


async def games_of(store: Database, account: str, most: int) -> list[OwnGame]:
    """The account's latest games, at most so many; the latest first. Raises NotSaved.

    Those whose result a newer version has written are left out.
    """
    games = await store.games_of(account, most)
    found = await in_pieces(collected(_own_game(account, game) for _, game in games))
    return [own for own in found if own is not None]


def _own_game(account: str, game: FinishedGame) -> OwnGame | None:
    result = result_of(game)
    keys = [finish.key for finish in result.finishes] if result else []
    return OwnGame(game, result, keys.index(account)) if result and account in keys else None


def record_text(game: str, data: str | None, settings: str | None) -> str:
    """The record in the named file, or of the game with this id in the log of a server with these settings.

    Raises FileNotFoundError if there is none, BadRecord if it is no text, and ConfigError and other OSErrors.
    """
    file = Path("/dev/stdin" if game == "-" else game)
    if file.is_dir() or not file.exists():
        config = Config.load(Path(settings) if settings else None, os.environ, {"data": data})
        file_of_log = Path(config.data, FILE_NAME)
        if not config.database and not file_of_log.exists():
            raise FileNotFoundError(
                f"{game!r} is no file, and there is no {file_of_log}: "
                "name the file of a record, or with --data or --config a server's folder; quatch play keeps no games",
            )
        return asyncio.run(_record_from_log(game, config))
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRecord(f"{file} is no record: it is not text in UTF-8") from None


async def _record_from_log(game_id: str, config: Config) -> str:
    async with database_of(config) as store:
        game = await store.game(game_id.upper())
    if game is None:
        where = "database" if config.database else f"log in {config.data}"
        raise FileNotFoundError(f"{game_id[:40]!r} is no file, and no game in the {where}")
    return game.record
