"""A database file, its log, and a disk that fails, for the tests of the storage."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import apsw
import pytest

from server.storage.sqlite_log import SqliteLog
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
async def log(file: Path) -> AsyncIterator[SqliteLog]:
    """An open log that does not wait long for another program's lock."""
    async with SqliteLog(file, patience=0.05) as log:
        yield log
