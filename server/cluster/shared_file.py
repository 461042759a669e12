"""A database file that several processes share: each of them hears of the writes and the messages of the others.

SQLite tells nobody of a write, so each process looks at a number in the file's header several times a second. Messages
pass through a table of the file, from which they are deleted after seconds.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Final

from server.storage.database import MESSAGES_WAITING, NotSaved, Steps
from server.storage.sqlite_database import SqliteDatabase

POLL: Final = 0.2
ALONE_SECONDS: Final = 10.0
"""If no other process has said anything for so long, none seems to run: the file is looked at five times less often."""
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
        super().__init__(path)
        self._pause = poll
        self._sender = secrets.token_hex(8)
        self._outbox = deque[str](maxlen=MESSAGES_WAITING)
        self._last_heard = 0
        """The number of the last message that was heard, or that was there at the start."""
        self._version: object = None
        """The number in the file's header as it was when all was heard: each write changes it, here or elsewhere."""
        self._heard_at = -inf
        """When another process has said something, in the event loop's time."""
        self._next_look: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        await super().open()
        ((self._last_heard,),) = self._rows(LAST_MESSAGE)
        self._look()

    async def close(self) -> None:
        if self._next_look is not None:
            self._next_look.cancel()
        await super().close()

    def send(self, message: str) -> None:
        super().send(message)
        self._outbox.append(message)
        if self._is_open:
            self._thread(self._put_waiting).add_done_callback(asyncio.Future.exception)  # a message may be lost

    def _put_waiting(self) -> Steps:
        """Write the messages that wait, in the writing thread."""
        messages = [self._outbox.popleft() for _ in range(len(self._outbox))]
        if messages:
            yield from put_messages(self._sender, time.time(), messages)

    def _look(self) -> None:
        """Look, at intervals, whether the file was written: hear what other processes say, who may have written too."""
        loop = asyncio.get_running_loop()
        with suppress(NotSaved):  # the next look hears it
            version = self._rows("PRAGMA data_version")
            if version != self._version:
                for number, message in self._rows(NEW_MESSAGES, self._last_heard, self._sender):
                    self._last_heard, self._heard_at = number, loop.time()
                    loop.call_soon(self.tell_message, message)
                self._version = version
                if self._has_others():
                    self.tell_of_change()
        self._next_look = loop.call_later(self._pause if self._has_others() else 5 * self._pause, self._look)

    def _has_others(self) -> bool:
        return asyncio.get_running_loop().time() - self._heard_at <= ALONE_SECONDS


def put_messages(sender: str, now: float, messages: Sequence[str], kept: int = MESSAGES_KEPT) -> Steps:
    """Add messages, and delete old ones; ``now`` is in seconds since 1970.

    A message is deleted after `MESSAGE_SECONDS`, or when ``kept`` have followed: all others have heard it by then.
    """
    yield PUT_MESSAGE, [(sender, now, message) for message in messages]
    # All processes have one clock, which may be put back.
    yield DROP_MESSAGES, kept, now - MESSAGE_SECONDS, now + MESSAGE_SECONDS
