"""What the tests of the storage share: a database file, its log, a disk that fails, and every kind of log."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import apsw
import pytest

from server.storage.database import Database
from server.storage.engines import database_at
from server.storage.sqlite_database import MemoryDatabase, SqliteDatabase
from tests.soak import long
from tests.support.faulty_disk import FaultyDisk, faulty_disk
from tests.support.log_entries import Logs
from tests.support.simulated_log import World


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


ALONE: Final = long((), ("postgres",))
"""Logs that are tried in the soak alone: each promise of this one is also tried with two of its kind."""


@pytest.fixture(params=["memory", "sqlite", "two on one file", "simulated", *ALONE, "two on one database"])
async def logs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Logs]:
    """A log to write to and one to read from."""
    world, memory = World(), MemoryDatabase()
    one: Database
    other: Database
    match request.param:
        case "memory":
            one = other = memory
        case "sqlite":
            one = other = database_at("", tmp_path)
        case "two on one file":
            one, other = database_at("", tmp_path), database_at("", tmp_path)
        case "postgres":
            one = other = database_at(request.getfixturevalue("database"), "")
        case "two on one database":
            url = request.getfixturevalue("database")
            one, other = database_at(url, ""), database_at(url, "")
        case _:
            one, other = world.node("one"), world.node("other")
    async with AsyncExitStack() as undo:
        for log in {one, other}:
            await log.open()
            undo.push_async_callback(log.close)
        yield one, other
