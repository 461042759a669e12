"""Which log a server has: that in the file under its data, or that in PostgreSQL."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.database_url import DatabaseUrl
from server.storage.database_copy import WholeDatabase
from server.storage.sqlite_copy import WholeSqlite
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog
from server.storage.table_log import NotSaved, TableLog


def log_in(database: str, data: str | Path) -> TableLog:
    """The log in the PostgreSQL database with this URL; if that is empty, in the file in the folder ``data``.

    Raises NotSaved if the driver is not installed.
    """
    return postgres_log(DatabaseUrl.read(database)) if database else SqliteLog(Path(data, FILE_NAME))


def postgres_log(url: DatabaseUrl) -> TableLog:
    """The log in a PostgreSQL database. Raises NotSaved if the driver is not installed."""
    with _driver_needed():
        from server.storage.postgres_log import PostgresLog  # noqa: PLC0415 - not every server has the driver
    return PostgresLog(url)


def whole_database(where: str) -> WholeDatabase:
    """The database with this URL, or the file with this path or in this folder.

    Raises ValueError if it is a wrong URL, NotSaved if the driver is not installed.
    """
    if not where.startswith("postgres"):
        path = Path(where.removeprefix("sqlite:///"))
        return WholeSqlite(path if path.suffix == Path(FILE_NAME).suffix else path / FILE_NAME)
    url = DatabaseUrl.read(where)
    with _driver_needed():
        from server.storage.postgres_copy import WholePostgres  # noqa: PLC0415 - as above
    return WholePostgres(url)


@contextmanager
def _driver_needed() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise NotSaved(f"PostgreSQL needs the package {error.name}: pip install asyncpg, or make setup") from None
