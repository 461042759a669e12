"""Messages between the processes that have the same database open: rows of a table, each deleted after some seconds.

They are no part of the log: nothing depends on whether they arrive.
"""

import asyncio
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from server.storage.file_check import find_damage
from server.storage.message_check import MESSAGES_WAITING, check_message
from server.storage.sqlite_connections import CHECK_AFTER_SECONDS, PATIENCE, POLL, SqliteConnections
from server.storage.sqlite_queries import LAST_MESSAGE, NEW_MESSAGES
from server.storage.sqlite_writes import put_messages
from server.storage.table_log import NotSaved, OutcomeUnknown


class SqliteMessages(SqliteConnections):
    """A database file whose processes hear each other. See `TableLog.send` and `TableLog.heard`."""

    def __init__(
        self,
        path: Path,
        *,
        poll: float = POLL,
        patience: float = PATIENCE,
        check_after: float = CHECK_AFTER_SECONDS,
        check: Callable[[Path, threading.Event], str] = find_damage,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """As for `SqliteConnections`; ``wall`` tells how old messages are, in seconds since 1970."""
        super().__init__(path, poll=poll, patience=patience, check_after=check_after, check=check)
        self._wall = wall
        self.heard: Callable[[str], None] = lambda _: None
        self._sender = secrets.token_hex(8)
        self._outbox = deque[str](maxlen=MESSAGES_WAITING)
        self._sending: asyncio.Task[None] | None = None
        self._last_heard = 0

    async def open(self) -> None:
        """See `TableLog`."""
        await super().open()
        self._last_heard = self._number(LAST_MESSAGE)

    async def close(self) -> None:
        """See `TableLog`."""
        if self._sending is not None:
            await self._sending
        await super().close()

    def send(self, message: str) -> None:
        """See `TableLog`."""
        check_message(message)
        self._outbox.append(message)
        if self._sending is None and self._is_open:
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        """Write what waits. Messages that come meanwhile are written together."""
        try:
            while self._outbox:
                messages = list(self._outbox)
                self._outbox.clear()
                with suppress(NotSaved, OutcomeUnknown):
                    await self._write(put_messages, self._sender, self._wall(), messages)
        finally:
            self._sending = None

    def _others_wrote(self) -> None:
        super()._others_wrote()
        with suppress(NotSaved):
            for number, message in self._select(NEW_MESSAGES, self._last_heard, self._sender):
                self._last_heard = number
                self.heard(message)
