"""Closes tables that have slept as long as they are kept."""

import asyncio
from collections.abc import Callable
from typing import Final

from server.lobby.tables import Tables
from server.storage.table_log import TableLog

CLOSED_AT_ONCE: Final = 4
PAUSE_SECONDS: Final = 0.2
"""How many tables that are due are loaded at once, to be closed, and how many seconds later the next ones."""


class DueTables:
    """The tables that are due, in the log and not loaded."""

    def __init__(self, store: TableLog, tables: Tables, wall: Callable[[], float]) -> None:
        self._store = store
        self._tables = tables
        self._wall = wall

    async def close(self) -> None:
        """Load the tables that are due, a few at a time, so that their tasks close them. Raises NotSaved."""
        while due := await self._store.due(self._wall(), CLOSED_AT_ONCE + len(self._tables.unreadable)):
            loaded = [number for number in due if self._tables.is_unknown(number)]
            for number in loaded:
                await self._tables.load(number, is_due=True)
            if not loaded:
                break
            await asyncio.sleep(PAUSE_SECONDS)
