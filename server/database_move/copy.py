"""`quatch move` copies everything that a database keeps into another one, which may be of another engine.

It is copied part by part, each in the order of its keys, so a copy that was stopped goes on behind the last key of each
part. Until all has been compared, a text of the kind `UNFINISHED` in the new database says so: no server starts on it
then.
"""

import argparse
import asyncio
import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from msgspec import msgpack

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.cli.failures import warn_of_password
from server.storage import sql
from server.storage.database import WAS_MOVED, Database, NotSaved, OutcomeUnknown
from server.storage.engines import UNFINISHED, database_at, refuse_if_not_in_use
from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import FILE_NAME
from server.terminal.progress_bar import progress_bar

GOES_ON: Final = "the same command goes on with what is missing"
INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, as shells have it."""
Row: TypeAlias = tuple[int | float | str | bytes | None, ...]


class Part(NamedTuple):
    """The rows of one table, which are copied together."""

    key: tuple[str, ...]
    """The columns by which its rows are ordered."""
    others: tuple[str, ...]
    where: str
    """Which rows are copied."""


def _parts() -> Iterator[tuple[str, Part]]:
    """All tables of the schema. The number of a change is no column of a part: each database has its own."""
    for name, body in re.findall(r"CREATE TABLE (\w+) \((.+?)\) \{", sql.SCHEMA, re.DOTALL):
        columns = [column for column in re.findall(r"(\w+) \{", body) if column != "change"]
        keys = re.findall(r"(?:PRIMARY KEY|UNIQUE) \((.+)\)|(\w+) \{\w+\}(?: NOT NULL)? PRIMARY KEY", body)
        key = "".join(keys[0]).split(", ") if keys else columns
        where = f"value IS NOT NULL AND kind NOT IN ('{UNFINISHED}', '{WAS_MOVED}')" if name == "text" else "TRUE"
        yield name, Part(tuple(key), tuple(column for column in columns if column not in key), where)


PARTS: Final = dict(_parts())
"""Messages between processes, which only the file has in a table, are left out."""
HOW_TO_GO_ON: Final = "quatch move goes on with it"
ADD: Final = {"counted": sql.PUT_COUNTED}
"""How a row is added where that is no INSERT."""
ADD_MARK: Final = "INSERT INTO text (number, kind, key, value) VALUES (0, $1, $2, $3)"
DELETE_MARKS: Final = "DELETE FROM text WHERE kind = $1"
ROWS_AT_ONCE: Final = 2000
COPY_SECONDS: Final = 3600.0
"""How long a statement may take while a database is copied: nobody waits for a move."""


def whole_database(where: str) -> Database:
    """The database with this URL, or the file with this path or in this folder, to be copied as a whole.

    Raises ValueError if it is a wrong URL, NotSaved if the driver is not installed.
    """
    if ":" in (file := where.removeprefix("sqlite:///")).partition("/")[0]:
        return database_at(where, "", statement_seconds=COPY_SECONDS, application="quatch move")
    path = Path(file)
    return SqliteDatabase(path if path.suffix == Path(FILE_NAME).suffix else path / FILE_NAME)


async def copy_database(
    source: Database, target: Database, add: Callable[[int], None], rows_at_once: int = ROWS_AT_ONCE
) -> dict[str, int]:
    """Copy all data of ``source`` into ``target``, compare them, and mark the source: no server uses it any more.

    ``rows_at_once`` are read and written.

    ``add`` is told how many further rows were copied or compared, each row twice in all. Returns the number of rows of
    each part. Raises InputError if the target has data of its own, or if the two differ in the end; NotSaved,
    OutcomeUnknown.
    """
    await _begin(source, target)
    for part in PARTS:
        last = await _last_key(target, part)
        while rows := await read_rows(source, part, last, rows_at_once):
            await target.execute(_add(part), rows)
            last = rows[-1][: len(PARTS[part].key)]
            add(len(rows))
    for part in PARTS:
        if await _digest(source, part, add, rows_at_once) != await _digest(target, part, lambda _: None, rows_at_once):
            raise InputError("bad_request", f"--to: the copy differs in its {part} rows: move into an empty database")
    await target.execute(DELETE_MARKS, UNFINISHED)
    await source.execute(ADD_MARK, WAS_MOVED, target.name, "")
    return {part: await count_rows(target, part) for part in PARTS}


async def unfinished_copy(database: Database) -> str:
    """The name of the database of which this one is an unfinished copy; empty if it is none. Raises NotSaved."""
    return next((row.key for row in await database.oldest_texts(UNFINISHED, 1)), "")


async def mark_unfinished(target: Database, source: str) -> None:
    """Say in a database that it is an unfinished copy of this one. Raises OutcomeUnknown, NotSaved."""
    await target.execute(ADD_MARK, UNFINISHED, source, HOW_TO_GO_ON)


async def count_rows(database: Database, part: str) -> int:
    """How many rows a part has. Raises NotSaved."""
    ((number,),) = await database.select(f"SELECT count(*) FROM {part} WHERE {PARTS[part].where}")
    return int(number)


async def read_rows(database: Database, part: str, after: Row, limit: int) -> list[Row]:
    """Read the next rows of a part, in the order of their keys: those behind this key, or the first if it is empty."""
    key, others, where = PARTS[part]
    order = ", ".join(key)
    marks = ", ".join(f"${number}" for number in range(1, len(after) + 1))
    behind = f"AND ({order}) > ({marks})" if after else ""
    columns = ", ".join((*key, *others))
    statement = f"SELECT {columns} FROM {part} WHERE {where} {behind} ORDER BY {order} LIMIT {limit}"
    return [tuple(row) for row in await database.select(statement, *after)]


async def _last_key(database: Database, part: str) -> Row:
    """The key of the last row of a part; empty if it has none. Raises NotSaved."""
    key, _, where = PARTS[part]
    order = ", ".join(f"{column} DESC" for column in key)
    found = await database.select(f"SELECT {', '.join(key)} FROM {part} WHERE {where} ORDER BY {order} LIMIT 1")
    return tuple(found[0]) if found else ()


def _add(part: str) -> str:
    """The statement that adds a row to a part."""
    columns = (*PARTS[part].key, *PARTS[part].others)
    marks = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
    change, next_change = ("change, ", "{next}, ") if part in {"entry", "game_table"} else ("", "")
    return ADD.get(part, f"INSERT INTO {part} ({change}{', '.join(columns)}) VALUES ({next_change}{marks})")


async def _begin(source: Database, target: Database) -> None:
    """Say in the target that it is an unfinished copy. Raises InputError if nothing can be copied into it."""
    for flag, database in (("from", source), ("to", target)):
        if await database.is_used():
            raise InputError("bad_request", f"--{flag}: a server uses this database: stop it first")
    try:
        await refuse_if_not_in_use(source)
    except NotSaved as error:
        raise InputError("bad_request", f"--from: {error}") from None
    of = await unfinished_copy(target)
    if of not in {"", source.name}:
        raise InputError("bad_request", f"--to: this database is an unfinished copy of {of}: name an empty one")
    if not of:
        if any([await _last_key(target, part) for part in PARTS if part != "counted"]):
            raise InputError("bad_request", "--to: this database has data already: name an empty one")
        await mark_unfinished(target, source.name)


async def _digest(database: Database, part: str, add: Callable[[int], None], rows_at_once: int) -> bytes:
    """A hash of all rows of a part."""
    digest, last = hashlib.sha256(), Row()
    while rows := await read_rows(database, part, last, rows_at_once):
        for row in rows:
            digest.update(msgpack.encode(row))
        last = rows[-1][: len(PARTS[part].key)]
        add(len(rows))
    return digest.digest()


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
