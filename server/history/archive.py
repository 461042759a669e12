"""Finished games in the log: the latest ones, or one by its id."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from engine.errors import InputError
from server.clean_text import clean
from server.pieces import in_pieces
from server.records.record import Record
from server.records.record_reader import parse_record
from server.records.results import Secret, read_result
from server.storage.table_log import FinishedGame, TableLog

RefuseSecret: TypeAlias = Callable[[FinishedGame], None]
"""Raises InputError if a game may not be seen yet, see `secret_from`."""


async def find_game(log: TableLog, text: str, refuse_secret: RefuseSecret, listed: str = "") -> FinishedGame:
    """The game with this id. Raises InputError, which says where games are ``listed``."""
    game = await log.game(text.strip().upper()) if text.isascii() and len(text) < 40 else None
    if game is None:
        asked = f"no finished game {clean(text, 20)!r}" if text else "name a finished game"
        raise InputError("no_such_game", f"{asked}{listed}")
    refuse_secret(game)
    return game


async def find_record(
    log: TableLog, text: str, refuse_secret: RefuseSecret, listed: str = ""
) -> tuple[FinishedGame, Record]:
    """The game with this id, and its record. Raises InputError."""
    game = await find_game(log, text, refuse_secret, listed)
    return game, (await in_pieces(parse_record(game.record))).record


def secret_from(game: FinishedGame, account: str | None, now: float) -> Secret | None:
    """The secret that keeps a game from being seen at this time by this account, or a guest; None if there is none."""
    try:
        result = read_result(game.result)
    except InputError:
        return None  # of a newer version
    secret = result.occasion.secret if result.occasion else None
    is_secret = secret is not None and secret.until > now and all(each.key != account for each in result.finishes)
    return secret if is_secret else None


class ShownFinish(Struct, frozen=True):
    """A seat's `Finish` as JSON for everybody: without its key, and always with both ranks, of which 1 is best."""

    name: str
    """The player who was dealt in."""
    rank: int
    """The rank that counts."""
    rank_by_cards: int
    successor: str
    """The AI player who had the seat at the end; empty if the player stayed."""
    why: str
    """Why the ranks may differ, see `results.Why`; empty if nothing happened."""


def shown_finishes(game: FinishedGame) -> list[ShownFinish] | None:
    """How the seats of a game finished; None if this version cannot read the result."""
    try:
        finishes = read_result(game.result).finishes
    except InputError:
        return None
    return [ShownFinish(each.name, each.rank, each.rank_by_cards, each.successor, each.why) for each in finishes]
