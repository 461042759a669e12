"""Follows the logs of all tables: which of them other processes have opened, changed, put to sleep, woken or closed."""

import asyncio
from contextlib import suppress
from math import inf
from typing import Final

from server.lobby.listed_tables import LOOK_SECONDS
from server.lobby.peers import Peers
from server.lobby.tables import Tables
from server.process.background_tasks import attempt
from server.storage.database import Database

READ_SECONDS: Final = 2.0
"""How often the log is read if this process has written to it, or knew others the last time: news may be lost."""
ALONE_SECONDS: Final = 10.0
"""How often the log is read otherwise."""
LONGEST_PAUSE: Final = 0.1
"""Seconds: a read that takes long has waited for a database that was away."""


class LogFollower:
    """Has the tables that run in this process read on, and the others listed as they are by then."""

    def __init__(self, store: Database, tables: Tables, peers: Peers) -> None:
        self.news = asyncio.Event()
        """Set when something may have been written since, here or elsewhere."""
        self._store = store
        self._tables = tables
        self._peers = peers
        self._log_changed = asyncio.Event()
        self._place: str | None = None
        """The place in the log up to which all changes of tables were noted; None before the first."""
        self._reading = asyncio.Lock()

    def open(self) -> None:
        """Hear of changes."""
        self._store.tell_of_change = self._log_changed.set
        self._tables.await_people()
        self.read_soon()

    def read_soon(self) -> None:
        """Have `run` read the log, as it would on hearing of a change."""
        self._log_changed.set()

    def close(self) -> None:
        """Hear no more of changes."""
        self._store.tell_of_change = lambda: None

    async def run(self) -> None:
        """Read the log when it may have changed, and run the tables that run nowhere.

        After each time it pauses for as long as that took: the more others write, the more is read at once.
        """
        now = asyncio.get_running_loop().time
        written, read_at, had_others = -1, -inf, False
        while True:
            began = now()
            is_changed = written != self._store.written or had_others or bool(self._peers.others)
            if self._log_changed.is_set() or began - read_at >= (READ_SECONDS if is_changed else ALONE_SECONDS):
                self._log_changed.clear()
                written, read_at, had_others = self._store.written, began, bool(self._peers.others)
                await attempt(self.read(), "reading what was written")
                self.news.set()
                await asyncio.sleep(min(now() - began, LONGEST_PAUSE))
            else:
                await attempt(self._tables.run_needed(), "running tables that run nowhere")
            with suppress(TimeoutError):
                some_run_elsewhere = any(number not in self._tables.here for number in self._tables.listed)
                async with asyncio.timeout(LOOK_SECONDS if some_run_elsewhere else READ_SECONDS):
                    await self._log_changed.wait()

    async def read(self) -> None:
        """Read what has changed since the last time, and run the tables that are to run here. Raises NotSaved."""
        async with self._reading:
            if self._place is None:
                place = await self._store.place()
                changes = await self._store.states([(number,) for number in await self._store.awake()])
            else:
                changes, place = await self._store.changes(self._place, self._tables.listed)
            if all(await asyncio.gather(*map(self._tables.follow, changes))):
                self._place = place  # otherwise they are read again
            await self._tables.run_needed()
