"""`quatch move`: copy everything that a server keeps from one database into another one."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Final

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.cli.parser import Parser
from server.storage.database import whole_database
from server.storage.database_copy import PARTS, WholeDatabase, copy_database
from server.storage.sqlite_copy import WholeSqlite
from server.storage.table_log import NotSaved, OutcomeUnknown
from server.terminal.progress_bar import progress_bar

WHERE: Final = "postgresql://USER:PASSWORD@HOST:PORT/NAME, or the folder that the setting data names"
GOES_ON: Final = "the same command goes on with what is missing"
INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, as shells have it."""


def add_to(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the parser of this sub-command."""
    move = commands.add_parser("move", help="copy all data of a server to another database, such as PostgreSQL")
    move.add_argument("--from", required=True, metavar="URL", help=f"the database to copy: {WHERE}")
    move.add_argument("--to", required=True, metavar="URL", help="an empty database, named in the same way")
    move.set_defaults(run=_move)


def _move(options: argparse.Namespace) -> int:
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


def _database(flag: str, where: str) -> WholeDatabase:
    """Raises InputError if it cannot be copied, NotSaved."""
    try:
        database = whole_database(where)
    except ValueError as error:
        raise InputError("bad_request", f"--{flag}: {error}") from None
    if flag == "from" and isinstance(database, WholeSqlite) and not Path(database.name).exists():
        raise InputError("bad_request", f"--from: there is no {database.name}")
    return database


async def _copy(source: WholeDatabase, target: WholeDatabase) -> dict[str, int]:
    """How many rows of each part were copied. Raises InputError, NotSaved, OutcomeUnknown."""
    async with source, target:
        total = 2 * sum([await source.count_rows(part) for part in PARTS])
        with progress_bar("moving", total) as add:
            return await copy_database(source, target, add)
