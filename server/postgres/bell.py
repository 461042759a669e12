"""One connection by which the processes on a database hear each other, and by which each notices that it is away.

A NOTIFY is a transaction of its own, after the commit of what it tells of and without a sync: in the same transaction,
PostgreSQL would hold a lock of the whole database during the sync.
"""

import asyncio
import re
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Final

from asyncpg import Connection, ReadOnlySQLTransactionError

from server.postgres.errors import in_one_line
from server.storage.database import MESSAGES_WAITING, Database, NotSaved

CHANNEL: Final = "SELECT 'quatch_' || channel FROM form"
"""NOTIFY and LISTEN need no right to any table, so the channel has a name that only those know who can read ours."""
PAYLOAD: Final = re.compile(r"(?P<sender>[0-9a-f]{16})( \d+ (?P<message>.*))?", re.DOTALL)
"""What we send: without a message it says that something was committed.

PostgreSQL drops a payload that is sent twice, so messages have a number.
"""
HEARTBEAT_SECONDS: Final = 1.0
"""How often the connection is tried: one that only listens would never notice that the other end is gone."""
RETRY_SECONDS: Final = 0.25
"""The pause between two attempts to reach the database."""
PATIENCE: Final = 5.0
"""Seconds for which calls wait while the database is away, counted from when it went; then they fail at once."""
NOTIFY: Final = "SELECT pg_notify($1, $2)"
HEARTBEAT: Final = (
    "SELECT current_setting('transaction_read_only') = 'on', extract(epoch FROM clock_timestamp())::double precision"
)


class PostgresBell:
    """Tells other processes of writes and messages, hears theirs, and knows whether the database is away."""

    def __init__(
        self,
        log: Database,
        connect: Callable[[], Awaitable[Connection]],
        came_back: Callable[[], Awaitable[None]],
        wall: Callable[[], float],
    ) -> None:
        """``log`` is told of what others write and send, and of the database's clock. ``connect`` opens a connection.

        ``came_back`` is called when the database is there again; ``wall`` is this machine's clock, in seconds since
        1970.
        """
        self.problem = ""
        """Why the database is away; empty while it is there."""
        self._wall = wall
        self._log, self._connect, self._came_back = log, connect, came_back
        self._id = secrets.token_hex(8)
        self._numbers = count()
        self._outbox = deque[str](maxlen=MESSAGES_WAITING)
        self._has_news = False
        """Whether something was committed that others have not been told of."""
        self._wanted = asyncio.Event()
        self._is_there = asyncio.Event()
        self._away_since = 0.0
        self._patience = 0.0
        self._is_ending = False
        self._next_heartbeat = 0.0

    def ring(self) -> None:
        """Tell the others, soon, that something was committed."""
        self._has_news = True
        self._wanted.set()

    def send(self, message: str) -> None:
        """Send a message to the others, soon. Of too many that wait the oldest are lost."""
        self._outbox.append(message)
        self._wanted.set()

    def lost(self, error: BaseException) -> None:
        """Note that the database did not answer; this tries it at once."""
        self._note_away(error)
        self._wanted.set()

    async def begin(self) -> None:
        """Wait until `run` hears others. Raises TimeoutError if that takes more than `PATIENCE`."""
        self._patience, self._is_ending = PATIENCE, False
        async with asyncio.timeout(PATIENCE):
            await self._is_there.wait()

    def give_up(self) -> None:
        """Have nothing wait any more for a database that is away."""
        self._patience = 0.0
        self._is_there.set()

    def end(self) -> None:
        """Have `run` end when it has told the others what waits."""
        self._is_ending = True
        self._wanted.set()

    async def wait_for_database(self) -> None:
        """Wait while the database is away. Raises NotSaved once that was for too long."""
        if self.problem:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._away_since + self._patience):
                    await self._is_there.wait()
        if self.problem:
            raise NotSaved(self.problem)

    async def run(self) -> None:
        """Listen, tell and try the database, and connect again whenever that fails, until `end` or until cancelled."""
        while not self._is_ending:
            db = None
            try:
                db = await self._connect()
                await db.execute("SET synchronous_commit = off")
                channel = await db.fetchval(CHANNEL)
                await db.add_listener(channel, self._notified)
                await self._beat(db)
                while not self._is_ending:
                    await self._tell(db, channel)
            except Exception as error:  # noqa: BLE001 - it is told as the problem, and this is tried again
                self._note_away(error)
            finally:
                if db is not None:
                    db.terminate()
            if not self._is_ending:
                await asyncio.sleep(RETRY_SECONDS)

    async def _tell(self, db: Connection, channel: str) -> None:
        """Tell what there is to tell, or try the connection after a while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                await self._wanted.wait()
        self._wanted.clear()
        news = list[str]()
        if self._has_news:
            self._has_news = False
            news.append(self._id)
        news += [f"{self._id} {next(self._numbers)} {message}" for message in self._outbox]
        self._outbox.clear()
        await db.executemany(NOTIFY, [(channel, payload) for payload in news])
        if self.problem or asyncio.get_running_loop().time() >= self._next_heartbeat:
            await self._beat(db)

    async def _beat(self, db: Connection) -> None:
        """Try the connection, and read the database's clock."""
        asked = self._wall()
        is_read_only, database_time = await db.fetchrow(HEARTBEAT)
        if is_read_only:  # it has become a standby
            raise ReadOnlySQLTransactionError
        # The database read its clock between the question and the answer.
        ahead = max(self._log.clock_ahead, asked - database_time)
        self._log.clock_ahead = min(ahead, self._wall() - database_time)
        self._next_heartbeat = asyncio.get_running_loop().time() + HEARTBEAT_SECONDS
        await self._note_there()

    def _notified(self, _db: object, _pid: int, _channel: str, payload: object) -> None:
        if (match := PAYLOAD.fullmatch(str(payload))) is None or match["sender"] == self._id:
            return
        if match["message"] is None:
            self._log.tell_of_change()
        else:
            self._log.tell_message(match["message"])

    def _note_away(self, error: BaseException) -> None:
        if not self.problem:
            self._away_since = asyncio.get_running_loop().time()
        self.problem = in_one_line(error)
        self._is_there.clear()

    async def _note_there(self) -> None:
        if self.problem:
            self.problem = ""
            await self._came_back()
        self._is_there.set()
