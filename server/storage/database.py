"""Which log a server has: that in the file under its data, or that in PostgreSQL."""

from pathlib import Path
from typing import Any, Final

from server.database_url import DatabaseUrl
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog
from server.storage.table_log import NotSaved, TableLog

COPY_SECONDS: Final = 3600.0
"""How long a statement may take while a database is copied: nobody waits for a move."""


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


def whole_database(where: str) -> TableLog:
    """The database with this URL, or the file with this path or in this folder, to be copied as a whole.

    Raises ValueError if it is a wrong URL, NotSaved if the driver is not installed.
    """
    if where.startswith("postgres"):
        return postgres_log(DatabaseUrl.read(where), statement_seconds=COPY_SECONDS, application="quatch move")
    path = Path(where.removeprefix("sqlite:///"))
    return SqliteLog(path if path.suffix == Path(FILE_NAME).suffix else path / FILE_NAME)
