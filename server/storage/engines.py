"""Which engine a server has: the file under its data, or PostgreSQL."""

from pathlib import Path
from typing import Any, Final

from server.database_url import DatabaseUrl
from server.storage.database import Database, NotSaved
from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import FILE_NAME

UNFINISHED: Final = "unfinished"
"""The kind of a text in a database that is not yet all of another one: the name of that one as the key, and how the
copying goes on as the text. No server starts on it."""


def database_at(database: str, data: str | Path, **options: Any) -> Database:  # noqa: ANN401 - see `PostgresDatabase`
    """The PostgreSQL database with this URL; if that is empty, the file in the folder ``data``.

    Raises NotSaved if the driver is not installed.
    """
    return (
        postgres_database(DatabaseUrl.read(database), **options) if database else SqliteDatabase(Path(data, FILE_NAME))
    )


def postgres_database(url: DatabaseUrl, **options: Any) -> Database:  # noqa: ANN401 - see `PostgresDatabase`
    """A PostgreSQL database. Raises NotSaved if the driver is not installed."""
    try:
        from server.storage.postgres_database import PostgresDatabase  # noqa: PLC0415 - not every server has the driver
    except ImportError as error:
        raise NotSaved(f"PostgreSQL needs the package {error.name}: pip install asyncpg, or make setup") from None
    return PostgresDatabase(url, **options)
