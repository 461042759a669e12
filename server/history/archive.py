"""Finished games in the log: the latest ones, or one by its id."""

from datetime import UTC, datetime
from typing import Final

from engine.errors import InputError
from server.clean import clean
from server.pieces import in_pieces
from server.records.record import Record
from server.records.record_reader import parse_record
from server.records.results import Result, read_result
from server.rulebook import Rulebook
from server.storage.table_log import FinishedGame, TableLog

GAMES_LISTED: Final = 15


async def find_game(log: TableLog, text: str) -> FinishedGame:
    """The game with this id. Raises InputError."""
    game = await log.game(text.strip().upper()) if text.isascii() and len(text) < 40 else None
    if game is None:
        asked = f"no finished game {clean(text, 20)!r}: type" if text else "which game? Type"
        raise InputError("no_such_game", f"{asked} replay for the latest")
    return game


async def find_record(log: TableLog, text: str) -> Record:
    """The record of the game with this id. Raises InputError."""
    return (await in_pieces(parse_record((await find_game(log, text)).record))).record


async def latest_lines(log: TableLog, rulebook: Rulebook) -> list[str]:
    """The latest games, one per line, newest first."""
    games = await log.latest(GAMES_LISTED)
    if not games:
        return ["No game has been finished here yet."]
    return ["replay ID shows a game again, move by move.", *(_line(game, rulebook) for game in games)]


def _line(game: FinishedGame, rulebook: Rulebook) -> str:
    try:
        what = f"{rulebook.find(game.rules).title}: {_outcome(read_result(game.result))}"
    except InputError:
        what = f"{clean(game.rules)}: this version cannot read the result"
    return f"{game.id}  {datetime.fromtimestamp(game.at, UTC):%Y-%m-%d %H:%M}  {what}"


def _outcome(result: Result) -> str:
    if not result.finishes:
        return "abandoned"
    best_first = sorted(result.finishes, key=lambda finish: finish.rank)
    drawn = "drawn: " if result.drawn else ""
    return drawn + ", ".join(f"{finish.rank}. {clean(finish.name)}" for finish in best_first)
