"""Which log a server has: that in the file under its data, or that in PostgreSQL."""

from pathlib import Path
from typing import Any, Final

from server.database_url import DatabaseUrl
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog
from server.storage.table_log import NotSaved, TableLog

UNFINISHED: Final = "unfinished"
"""The kind of a text in a database that is not yet all of another one: the name of that one as the key, and how the
copying goes on as the text. No server starts on it."""


def log_in(database: str, data: str | Path) -> TableLog:
    """The log in the PostgreSQL database with this URL; if that is empty, in the file in the folder ``data``.

    Raises NotSaved if the driver is not installed.
    """
    return postgres_log(DatabaseUrl.read(database)) if database else SqliteLog(Path(data, FILE_NAME))


def postgres_log(url: DatabaseUrl, **options: Any) -> TableLog:  # noqa: ANN401 - see `PostgresLog`
    """The log in a PostgreSQL database. Raises NotSaved if the driver is not installed."""
    try:
        from server.storage.postgres_log import PostgresLog  # noqa: PLC0415 - not every server has the driver
    except ImportError as error:
        raise NotSaved(f"PostgreSQL needs the package {error.name}: pip install asyncpg, or make setup") from None
    return PostgresLog(url, **options)
