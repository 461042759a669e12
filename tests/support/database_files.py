"""Database files that tests make and try to open."""

import asyncio
from pathlib import Path

import pytest

from server.storage.database import NotSaved
from server.storage.sqlite_database import SqliteDatabase
from tests.support.log_entries import grow


def refusal(file: Path) -> str:
    """The line that says why a file was not opened."""
    log = SqliteDatabase(file, patience=0.05)
    with pytest.raises(NotSaved) as caught:
        asyncio.run(log.open())
    assert "\n" not in str(caught.value)
    return str(caught.value)


async def filled(file: Path) -> None:
    """Make a database of a few pages."""
    async with SqliteDatabase(file) as log:
        await asyncio.gather(*(grow(log, table, 20) for table in range(20)))


def spoil(file: Path, part: slice) -> None:
    """Overwrite these bytes of a file."""
    content = bytearray(file.read_bytes())
    content[part] = b"\xa5" * len(content[part])
    file.write_bytes(content)
