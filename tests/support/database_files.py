"""Database files that tests make and try to open."""

import asyncio
from pathlib import Path

import pytest

from server.storage.sqlite_log import SqliteLog
from server.storage.table_log import NotSaved
from tests.support.log_entries import grow


def refusal(file: Path) -> str:
    """The line that says why a file was not opened."""
    log = SqliteLog(file, patience=0.05)
    with pytest.raises(NotSaved) as caught:
        asyncio.run(log.open())
    assert "\n" not in str(caught.value)
    return str(caught.value)


async def filled(file: Path) -> None:
    """Make a database of a few pages."""
    async with SqliteLog(file) as log:
        await asyncio.gather(*(grow(log, table, 20) for table in range(20)))
