"""No statement takes longer because a database has grown: each is tried on one that is large."""

import json

import asyncpg

from server.postgres.database import POSTGRES, SETTINGS, PostgresDatabase
from server.postgres.url import DatabaseUrl
from server.storage import sql
from server.storage.database import EMPTY, LogEntry
from tests.support.large_database import ASKED, ENTRIES, ROWS, fill


def literal(value: float | str | bytes | None) -> str:
    """A value within a statement."""
    match value:
        case str():
            return f"'{value}'"
        case bytes():
            return f"'\\x{value.hex()}'"
        case _:
            return str(value)


async def test_no_statement_reads_much_of_a_large_database(database: DatabaseUrl) -> None:
    """PostgreSQL reads at most sixty pages, with the settings and the kind of plans that a server has."""
    async with PostgresDatabase(database) as log:
        for statement in fill(POSTGRES):
            await log.execute(statement)
        await log.execute(sql.ADD_ENTRY, ENTRIES)
        place = await PostgresDatabase.select(log, sql.PLACE)
        await log.append(EMPTY, LogEntry(ROWS + 1, 1, b"", 0.0, b"{}"))
    db = await asyncpg.connect(database.text, server_settings=SETTINGS)
    await db.execute("ANALYZE")
    pages = dict[str, int]()
    for name, values in {**ASKED, "CHANGED": place[0]}.items():
        await db.execute(f"PREPARE {name} AS {POSTGRES[getattr(sql, name)]}")
        given = f"({', '.join(map(literal, values))})" if values else ""
        transaction = db.transaction()
        await transaction.start()
        plan = await db.fetchval(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE {name} {given}")
        await transaction.rollback()
        top = json.loads(plan)[0]["Plan"]
        pages[name] = top["Shared Hit Blocks"] + top["Shared Read Blocks"]
    await db.close()
    assert {name: number for name, number in pages.items() if number > 60} == {}
