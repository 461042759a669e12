"""What the tests of the storage share: a database file, its log, and a disk that fails."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import apsw
import pytest

from server.storage.database import Database
from server.storage.engines import database_at
from server.storage.sqlite_database import SqliteDatabase
from tests.support.faulty_disk import FaultyDisk, faulty_disk


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of the database."""
    return tmp_path / "quatch.db"


@pytest.fixture
def disk() -> Iterator[FaultyDisk]:
    """A disk that fails when a test says so. Request it before the log."""
    with faulty_disk() as disk:
        yield disk


@pytest.fixture
def connections() -> Iterator[list[apsw.Connection]]:
    """The connections that are opened, the writer's first. Request it before the log."""
    opened = list[apsw.Connection]()
    apsw.connection_hooks.append(opened.append)
    yield opened
    apsw.connection_hooks.remove(opened.append)


@pytest.fixture
async def log(file: Path) -> AsyncIterator[SqliteDatabase]:
    """An open log that does not wait long for another program's lock."""
    async with SqliteDatabase(file, patience=0.05) as log:
        yield log


@pytest.fixture(params=["sqlite", "postgres"])
def unopened_log(request: pytest.FixtureRequest, file: Path) -> Database:
    """A log that was not opened yet."""
    return database_at("" if request.param == "sqlite" else request.getfixturevalue("database"), file.parent)
