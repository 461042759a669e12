"""A whole SQLite database, to be copied from or to another one; see `database_copy`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import apsw

from server.storage.database_copy import MOVE, PARTS, Row, WholeDatabase
from server.storage.folder_in_use import folder_in_use
from server.storage.sqlite_log import SqliteLog

ADD: Final = {
    "text": "INSERT INTO text (written, kind, key, value) VALUES (?, ?, ?, ?)",
    "look": "INSERT INTO look (look, written) VALUES (?, ?)",
    "counted": "UPDATE counted SET number = ?",
    "asleep": "UPDATE table_row SET due = ?2 WHERE table_id = ?1",
    "closed": """
        INSERT INTO table_row (table_id, change, is_open)
        SELECT ?, (SELECT ifnull(max(change), 0) + 1 FROM table_row), 0
    """,
}
"""For the parts that are no tables. Triggers write what follows."""


class WholeSqlite(SqliteLog, WholeDatabase):
    """A database file that no server uses."""

    ROWS_OF = {name: name for name in PARTS} | {
        "text": f"(SELECT written AS number, kind, key, value FROM text WHERE kind <> '{MOVE}')",
        "look": "(SELECT look, written AS number FROM look)",
        "asleep": "(SELECT table_id, due FROM table_row WHERE due IS NOT NULL)",
        "closed": "(SELECT table_id FROM table_row WHERE is_open = 0)",
    }

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.name = str(path.resolve())
        self._folder = path.parent

    async def is_used(self) -> bool:
        with folder_in_use(self._folder) as by_a_server:
            return by_a_server

    async def query(self, sql: str, *values: float | str | bytes) -> list[Any]:
        return self._select(sql, *values)

    async def add_rows(self, part: str, rows: Sequence[Row]) -> None:
        await self._write(_add, part, rows)

    async def end_copy(self) -> None:
        """Triggers have written what follows, and rows are numbered behind the last one."""


def _add(db: apsw.Connection, part: str, rows: Sequence[Row]) -> None:
    columns = PARTS[part].key + PARTS[part].others
    sql = f"INSERT INTO {part} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    db.executemany(ADD.get(part, sql), rows)
