"""Copying everything that a database keeps into another one, which may be of another engine.

It is copied part by part, each in the order of its keys, so a copy that was stopped goes on behind the last key of each
part. Until all has been compared, a text of the kind `MOVE` in the new database says that it is unfinished: no server
starts on it then.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self, TypeAlias

from msgspec import msgpack

from engine.errors import InputError
from server.storage.table_log import TableLog, TextRow

Row: TypeAlias = tuple[int | float | str | bytes, ...]


class Part(NamedTuple):
    """What is copied together: the rows of one table, or of several."""

    key: tuple[str, ...]
    """The columns by which its rows are ordered."""
    others: tuple[str, ...] = ()


PARTS: Final[Mapping[str, Part]] = {
    "text": Part(("number",), ("kind", "key", "value")),
    "look": Part(("look", "number")),
    "game": Part(("number",), ("id", "rules", "at", "result", "record")),
    "standing": Part(("rules", "key"), ("strength", "value")),
    "counted": Part(("number",)),
    "entry": Part(("table_id", "seq"), ("hash", "at", "data")),
    "asleep": Part(("table_id",), ("due",)),
    "closed": Part(("table_id",)),
    "seat": Part(("table_id", "player_id", "look"), ("name",)),
    "opener": Part(("opener", "table_id")),
}
"""In the order in which they are copied. `closed` are the numbers of tables that are free again.

What follows from them is not among them, nor are the messages between processes, which live for some seconds.
"""
MOVE: Final = "move"


class WholeDatabase(ABC):
    """A database that can be copied as a whole."""

    rows_at_once: int = 2000
    """So many rows are read and written at once."""

    name: str
    """Its address without a password, or its file."""
    ROWS_OF: Mapping[str, str]
    """For each part, what its rows are selected from, with their columns under the names of `PARTS`."""

    @abstractmethod
    async def __aenter__(self) -> Self:
        """Open the database until the end of the block. Raises NotSaved."""

    @abstractmethod
    async def __aexit__(self, *exception: object) -> None:
        """Close it."""

    @abstractmethod
    async def is_used(self) -> bool:
        """Whether a server has the database open, so that it may change. Raises NotSaved."""

    @abstractmethod
    async def query(self, sql: str, *values: float | str | bytes) -> list[Any]:
        """The rows of a query. Raises NotSaved."""

    @abstractmethod
    async def add_rows(self, part: str, rows: Sequence[Row]) -> None:
        """Add rows to a part, in the order of their keys. Raises OutcomeUnknown, NotSaved."""

    @abstractmethod
    async def end_copy(self) -> None:
        """Write what follows from all that was added, and number later rows behind it. Raises as `add_rows`."""

    @abstractmethod
    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        """See `TableLog`."""

    @abstractmethod
    async def oldest_texts(self, kind: str, limit: int) -> list[TextRow]:
        """See `TableLog`."""

    async def count_rows(self, part: str) -> int:
        """How many rows a part has. Raises NotSaved."""
        ((number,),) = await self.query(f"SELECT count(*) FROM {self.ROWS_OF[part]} AS given")
        return int(number)

    async def rows(self, part: str, after: Row) -> list[Row]:
        """The next rows of a part behind this key, in the order of the keys; the first ones if it is empty."""
        key, others = PARTS[part]
        order = ", ".join(key)
        marks = ", ".join(f"${number}" for number in range(1, len(after) + 1))
        behind = f"WHERE ({order}) > ({marks})" if after else ""
        columns = ", ".join((*key, *others))
        sql = f"SELECT {columns} FROM {self.ROWS_OF[part]} AS given {behind} ORDER BY {order} LIMIT {self.rows_at_once}"
        return [tuple(row) for row in await self.query(sql, *after)]

    async def last_key(self, part: str) -> Row:
        """The key of the last row of a part; empty if it has none. Raises NotSaved."""
        key = PARTS[part].key
        order = ", ".join(f"{column} DESC" for column in key)
        found = await self.query(f"SELECT {', '.join(key)} FROM {self.ROWS_OF[part]} AS given ORDER BY {order} LIMIT 1")
        return tuple(found[0]) if found else ()


async def copy_database(source: WholeDatabase, target: WholeDatabase, add: Callable[[int], None]) -> dict[str, int]:
    """Copy all data of ``source`` into ``target``, and compare them.

    ``add`` is told how many further rows were copied or compared, each row twice in all. Returns the number of rows of
    each part. Raises InputError if the target has data of its own, or if the two differ in the end; NotSaved,
    OutcomeUnknown.
    """
    await _begin(source, target)
    for part in PARTS:
        last = await target.last_key(part)
        while rows := await source.rows(part, last):
            await target.add_rows(part, rows)
            last = rows[-1][: len(PARTS[part].key)]
            add(len(rows))
    await target.end_copy()
    for part in PARTS:
        if await _digest(source, part, add) != await _digest(target, part, lambda _: None):
            raise InputError("bad_request", f"--to: the copy differs in its {part} rows: move into an empty database")
    await target.put_text(MOVE, source.name, None)
    return {part: await target.count_rows(part) for part in PARTS}


async def unfinished_copy(database: WholeDatabase | TableLog) -> str:
    """The name of the database of which this one is an unfinished copy; empty if it is none. Raises NotSaved."""
    return next((row.key for row in await database.oldest_texts(MOVE, 1)), "")


async def _begin(source: WholeDatabase, target: WholeDatabase) -> None:
    """Say in the target that it is an unfinished copy. Raises InputError if nothing can be copied into it."""
    for flag, database in (("from", source), ("to", target)):
        if await database.is_used():
            raise InputError("bad_request", f"--{flag}: a server uses this database: stop it first")
    if of := await unfinished_copy(source):
        raise InputError("bad_request", f"--from: this database is an unfinished copy of {of}")
    of = await unfinished_copy(target)
    if of not in {"", source.name}:
        raise InputError("bad_request", f"--to: this database is an unfinished copy of {of}: name an empty one")
    if not of:
        if any([await target.last_key(part) for part in PARTS if part != "counted"]):
            raise InputError("bad_request", "--to: this database has data already: name an empty one")
        await target.add_rows("text", [(0, MOVE, source.name, "")])


async def _digest(database: WholeDatabase, part: str, add: Callable[[int], None]) -> bytes:
    """A hash of all rows of a part."""
    digest, last = hashlib.sha256(), Row()
    while rows := await database.rows(part, last):
        for row in rows:
            digest.update(msgpack.encode(row))
        last = rows[-1][: len(PARTS[part].key)]
        add(len(rows))
    return digest.digest()
