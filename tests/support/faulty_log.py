"""A log in memory that is slow, or fails, when a test says so."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Unpack

from server.storage.database import FinishedGame, Head, LogEntry
from server.storage.sqlite_database import MemoryDatabase
from tests.support.log_entries import Along


class FaultyLog(MemoryDatabase):
    """What befalls each entry and each text that is written to it."""

    refuses: Exception | None = None
    """Raised, with nothing written."""
    loses: Exception | None = None
    """Raised once it is written."""
    waits = 0.0
    """Seconds before it is written."""
    answers_after = 0.0
    """Seconds after it was written."""
    meanwhile: Callable[[], Awaitable[None]] | None = None
    """What happens once, between writing and answering."""

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[None]:
        if self.refuses:
            raise self.refuses
        if self.waits:
            await asyncio.sleep(self.waits)
        yield
        if self.answers_after:
            await asyncio.sleep(self.answers_after)
        happens, self.meanwhile = self.meanwhile, None
        if happens:
            await happens()
        if self.loses:
            raise self.loses

    async def append(
        self, head: Head, entry: LogEntry, game: FinishedGame | None = None, **along: Unpack[Along]
    ) -> None:
        """See `Database`."""
        async with self._writing():
            await super().append(head, entry, game, **along)

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        """See `Database`."""
        async with self._writing():
            await super().put_text(kind, key, value)
