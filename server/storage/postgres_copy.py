"""A whole PostgreSQL database, to be copied from or to another one; see `database_copy`."""

from collections.abc import Sequence
from typing import Any, Final

from asyncpg import Connection

from server.database_url import DatabaseUrl
from server.storage.database_copy import MOVE, PARTS, Row, WholeDatabase
from server.storage.postgres_connections import SETTINGS
from server.storage.postgres_log import PostgresLog

ADD: Final = {
    "look": "INSERT INTO look (look, key) SELECT $1, key FROM text WHERE kind = 'name' AND number = $2",
    "counted": "UPDATE counted SET number = $1",
    "asleep": """
        INSERT INTO table_row (table_id, seq, hash, due)
        SELECT table_id, seq, hash, $2 FROM entry WHERE table_id = $1 ORDER BY seq DESC LIMIT 1
    """,
    "closed": "INSERT INTO table_row (table_id, seq, hash) VALUES ($1, 0, '')",
}
"""For the parts that are no tables."""
END: Final = """
    INSERT INTO table_row (table_id, seq, hash)
    SELECT DISTINCT ON (table_id) table_id, seq, hash FROM entry ORDER BY table_id, seq DESC
    ON CONFLICT DO NOTHING;
    SELECT setval('text_number', max(number)) FROM text HAVING max(number) > 0;
    SELECT setval(pg_get_serial_sequence('game', 'number'), max(number)) FROM game HAVING count(*) > 0;
"""
IS_USED: Final = """
    SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1)
"""
STATEMENT_SECONDS: Final = 3600.0
"""How long a statement may take: nobody waits for a move."""


class WholePostgres(PostgresLog, WholeDatabase):
    """A database that no server uses."""

    ROWS_OF = {name: name for name in PARTS} | {
        "text": f"(SELECT * FROM text WHERE value IS NOT NULL AND kind <> '{MOVE}')",
        "look": "(SELECT look, number FROM look JOIN text USING (key) WHERE kind = 'name')",
        "asleep": "(SELECT table_id, due FROM table_row WHERE due IS NOT NULL)",
        "closed": "(SELECT table_id FROM table_row WHERE seq = 0)",
    }

    def __init__(self, url: DatabaseUrl) -> None:
        super().__init__(url)
        self.name = str(url)
        self._arguments |= {
            "command_timeout": STATEMENT_SECONDS,
            "server_settings": SETTINGS | {"application_name": "quatch move"},
        }

    async def is_used(self) -> bool:
        ((found,),) = await self.query(IS_USED, SETTINGS["application_name"])
        return bool(found)

    async def query(self, sql: str, *values: float | str | bytes) -> list[Any]:
        return await self._select(sql, *values)

    async def add_rows(self, part: str, rows: Sequence[Row]) -> None:
        await self._write(None, _add, part, rows)

    async def end_copy(self) -> None:
        await self._write(None, _end)


async def _add(db: Connection, part: str, rows: Sequence[Row]) -> None:
    columns = PARTS[part].key + PARTS[part].others
    marks = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
    sql = f"INSERT INTO {part} ({', '.join(columns)}) OVERRIDING SYSTEM VALUE VALUES ({marks})"
    await db.executemany(ADD.get(part, sql), rows)


async def _end(db: Connection) -> None:
    await db.execute(END)
