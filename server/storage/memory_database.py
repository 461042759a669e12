"""The database in memory, for tests and for a game without a server; it ends with the process."""

from typing import Any

import apsw

from server.storage.database import Database, Move, Value, Write, check_message
from server.storage.sql import SQLITE
from server.storage.sqlite_database import Call, commit
from server.storage.sqlite_file import make_schema


class MemoryDatabase(Database):
    """A `Database` in memory, in SQLite. Each call is carried out at once. It need not be opened or closed."""

    problem = ""

    def __init__(self) -> None:
        super().__init__()
        self._db = apsw.Connection(":memory:")
        make_schema(self._db)

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def select(self, statement: str, *values: Value) -> list[Any]:
        return self._db.execute(SQLITE[statement], values).fetchall()

    async def append_move(self, move: Move) -> bool:
        return self._commit(move)

    async def write(self, write: Write, table: int | None = None) -> None:  # noqa: ARG002 - there is one writer
        self._commit(write)

    def send(self, message: str) -> None:
        check_message(message)  # there is no other process to hear it

    def _commit(self, call: Call) -> bool:
        (outcome,) = commit(self._db, [call])
        self.written += 1
        if isinstance(outcome, Exception):
            raise outcome
        return outcome
