"""A database file that several processes share: each hears that another one has written, and what it tells the others.

SQLite tells nobody of a write, so each process looks at a number in the file's header several times a second. Messages
pass through a table of the file, from which they are deleted after seconds.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

import apsw

from server.storage.database import MESSAGES_WAITING, NotSaved, OutcomeUnknown, Steps, check_message
from server.storage.sqlite_database import Job, SqliteDatabase
from server.storage.sqlite_file import named_errors

POLL: Final = 0.2
ALONE_SECONDS: Final = 10.0
"""If no other process has written for so long, none seems to run, and the file is looked at five times less often."""
MESSAGE_SECONDS: Final = 5.0
MESSAGES_KEPT: Final = 500
PUT_MESSAGE: Final = "INSERT INTO message (sender, at, text) VALUES ($1, $2, $3)"
DROP_MESSAGES: Final = """
    DELETE FROM message WHERE number <= (SELECT max(number) FROM message) - $1 OR at < $2 OR at > $3
"""
LAST_MESSAGE: Final = "SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0)"
NEW_MESSAGES: Final = "SELECT number, text FROM message WHERE number > $1 AND sender <> $2 ORDER BY number"


class SharedFile(SqliteDatabase):
    """A `Database` in one file, which several processes may share."""

    def __init__(self, path: Path, *, poll: float = POLL) -> None:
        """``poll``: seconds between two looks whether another process has written."""
        super().__init__(path, poll=poll)
        self._shortest_pause = poll
        self._sender = secrets.token_hex(8)
        self._outbox = deque[str](maxlen=MESSAGES_WAITING)
        self._sending: asyncio.Task[None] | None = None
        self._last_heard = 0
        self._seen_version = self._heard_version = 0
        """How often the file was written, as the reader and the writer count; the writer leaves out its own writes."""
        self._hearing: asyncio.Task[None] | None = None
        self._heard_at = -inf
        """When another process was seen to have written, in the event loop's time."""

    async def open(self) -> None:
        """See `Database`."""
        async with AsyncExitStack() as undo:
            await super().open()
            undo.push_async_callback(self.close)
            self._last_heard = await self.number(LAST_MESSAGE)
            with named_errors(self._path):
                self._heard_version = await self._written_elsewhere()
            undo.pop_all()

    async def close(self) -> None:
        """See `Database`. The messages that wait are sent."""
        if self._sending is not None:
            await self._sending
        self._is_open, self._lock_wait.is_hurried = False, True  # so that `_look` begins to hear nothing more
        if self._hearing is not None:
            await self._hearing
        await super().close()

    def send(self, message: str) -> None:
        """See `Database`."""
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
                    await self.write(partial(put_messages, self._sender, time.time(), messages))
        finally:
            self._sending = None

    def _look(self) -> None:
        """Check at intervals, besides what `SqliteDatabase` checks, whether another process has written."""
        is_alone = asyncio.get_running_loop().time() - self._heard_at > ALONE_SECONDS
        self._pause = 5 * self._shortest_pause if is_alone else self._shortest_pause
        super()._look()
        if self._is_open and self._hearing is None:
            with suppress(apsw.Error):
                version = self._reader.pragma("data_version")
                if version != self._seen_version:
                    self._seen_version = version
                    self._hearing = asyncio.create_task(self._hear())

    async def _hear(self) -> None:
        """Tell that other processes have written, if they have, and read their messages."""
        try:
            with suppress(apsw.Error, NotSaved):
                version = await self._written_elsewhere()
                if version != self._heard_version:
                    self._heard_version, self._heard_at = version, asyncio.get_running_loop().time()
                    self.tell_of_change()
                # Also if no other has written since: a message may have come while this one opened the file.
                for number, message in await self.select(NEW_MESSAGES, self._last_heard, self._sender):
                    self._last_heard = number
                    self.tell_message(message)
        finally:
            self._hearing = None

    async def _written_elsewhere(self) -> int:
        """How often others have written to the file, as the writer counts."""
        count: int = await self._thread(Job(partial(self._writer.pragma, "data_version")))
        return count


def put_messages(sender: str, now: float, messages: Sequence[str], kept: int = MESSAGES_KEPT) -> Steps:
    """Add messages, and delete old ones; ``now`` is in seconds since 1970.

    A message is deleted after `MESSAGE_SECONDS`, or when ``kept`` have followed: all others have heard it by then.
    """
    yield PUT_MESSAGE, [(sender, now, message) for message in messages]
    # All processes have one clock, which may be put back.
    yield DROP_MESSAGES, kept, now - MESSAGE_SECONDS, now + MESSAGE_SECONDS
