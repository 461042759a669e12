"""The text of a finished game's record for a sub-command: from a file, or by its id from the log of a server."""

import asyncio
import os
from pathlib import Path

from engine.errors import InputError
from server.config import Config
from server.records.syntax import BadRecord
from server.storage.database import log_in
from server.storage.sqlite_file import FILE_NAME


def record_text(game: str, data: str | None) -> str:
    """The record in the named file, or of the game with this id. Raises InputError."""
    file = Path(game)
    if file.is_dir() or not file.exists():
        config = Config.load(None, os.environ, {"data": data})
        log = Path(config.data, FILE_NAME)
        if not config.database and not log.exists():
            raise InputError(
                "no_log",
                f"{game!r} is no file, and there is no {log}: "
                "name the file of a record, or with --data a server's folder",
            )
        return asyncio.run(_record_from_log(game, config))
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRecord(f"{file} is no record: it is not text in UTF-8") from None


async def _record_from_log(game_id: str, config: Config) -> str:
    log = log_in(config.database, config.data)
    await log.open()
    try:
        game = await log.game(game_id) or await log.game(game_id.upper())
    finally:
        await log.close()
    if game is None:
        where = "database" if config.database else f"log in {config.data}"
        raise InputError("no_game", f"{game_id[:40]!r} is no file, and no game in the {where}")
    return game.record
