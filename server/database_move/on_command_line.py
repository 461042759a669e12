"""`quatch move`: which databases a host names, and what the host reads."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Final

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.cli.failures import warn_of_password
from server.database_move.copy import PARTS, copy_database, count_rows, whole_database
from server.storage.database import Database, NotSaved, OutcomeUnknown
from server.storage.sqlite_database import SqliteDatabase
from server.terminal.progress_bar import progress_bar

GOES_ON: Final = "the same command goes on with what is missing"
INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, as shells have it."""


def move(options: argparse.Namespace) -> int:
    """Copy everything from one database into another one. Raises InputError, NotSaved."""
    try:
        one, other = (_database(flag, getattr(options, flag)) for flag in ("from", "to"))
        copied = asyncio.run(_copy(one, other))
    except OutcomeUnknown as error:
        raise NotSaved(f"{error}; {GOES_ON}") from None
    except KeyboardInterrupt:
        print(f"quatch: stopped; {GOES_ON}", file=sys.stderr)
        return INTERRUPTED
    rows, games = quantity(sum(copied.values()), "row"), quantity(copied["game"], "finished game")
    print(f"copied and compared {rows}, with {games}, into {other.name}")
    return 0


def _database(flag: str, where: str) -> Database:
    """Raises InputError if it cannot be copied, NotSaved."""
    try:
        database = whole_database(where)
    except ValueError as error:
        raise InputError("bad_request", f"--{flag}: {error}") from None
    warn_of_password(f"--{flag}", where)
    if flag == "from" and isinstance(database, SqliteDatabase) and not Path(database.name).exists():
        raise InputError("bad_request", f"--from: there is no {database.name}")
    return database


async def _copy(source: Database, target: Database) -> dict[str, int]:
    """How many rows of each part were copied. Raises InputError, NotSaved, OutcomeUnknown."""
    async with source, target:
        total = 2 * sum([await count_rows(source, part) for part in PARTS])
        with progress_bar("moving", total) as add:
            return await copy_database(source, target, add)
