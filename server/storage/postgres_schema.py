"""How the tables in a PostgreSQL database are made, and how it is seen whether they can be used."""

from typing import Final

from asyncpg import Connection

from server.storage import sql
from server.storage.sql import POSTGRES
from server.storage.table_log import NotSaved

SCHEMA: Final = "quatch"
"""The PostgreSQL schema that holds all our tables, so that the database may hold others, too."""
SCHEMA_LOCK: Final = 0x51_75_61_74_63_68
"""The advisory lock under which the tables are made; `postgres_log` has another one."""

FORM: Final = 1
"""The version of our tables; a database with another one is not opened."""
FOREIGN: Final = f"its schema {SCHEMA} was made by another program, and cannot be read; use another database"
HAS_TABLES: Final = "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace($1))"
FORGET_OTHER_NUMBERS: Final = """
    UPDATE {table} SET change = '3' WHERE change >= pg_snapshot_xmax(pg_current_snapshot())
"""
"""A database that was restored elsewhere has numbers of transactions that this PostgreSQL has yet to give out."""


async def make_schema(db: Connection) -> None:
    """Make the tables if there are none, in one transaction.

    Raises NotSaved if a newer release or another program has made them.
    """
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", SCHEMA_LOCK)
        if await db.fetchval(f"SELECT to_regclass('{SCHEMA}.form')") is None:
            if await db.fetchval("SELECT to_regnamespace($1)", SCHEMA) is None:
                await db.execute(f"CREATE SCHEMA {SCHEMA}")
            elif await db.fetchval(HAS_TABLES, SCHEMA):
                raise NotSaved(FOREIGN)
            channel = "channel text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', '')"
            await db.execute(f"CREATE TABLE form (version integer NOT NULL, {channel})")
            await db.execute("INSERT INTO form (version) VALUES ($1)", FORM)
            await db.execute(POSTGRES[sql.SCHEMA])
            await db.execute("CREATE INDEX entry_by_change ON entry (change)")
        if await db.fetchval("SELECT version FROM form") != FORM:
            raise NotSaved("the database was written by a newer version of this program; use that one")
        for table in ("entry", "game_table"):
            await db.execute(FORGET_OTHER_NUMBERS.format(table=table))
