"""Follows the logs of all tables: which of them other processes have opened, changed, put to sleep, woken or closed.

Each process runs every table that is awake, so that its lobby can list it.
"""

import asyncio
from contextlib import suppress
from typing import Final

import structlog

from engine.errors import InputError
from server.lobby.tables import Tables
from server.ops.background_tasks import attempt
from server.storage.table_log import EMPTY, TableChange, TableLog

READ_SECONDS: Final = 2.0
"""How often the log is read even if it does not say that it has changed."""

LONGEST_PAUSE: Final = 0.1
"""Seconds: a read that takes long has waited for a database that was away."""

log = structlog.get_logger("quatch.tables")


class LogFollower:
    """Has the tables of this process read on, and loads those that others have opened or woken."""

    def __init__(self, store: TableLog, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self._log_changed = asyncio.Event()
        self._last_change = 0
        """The last change of any table that has been read."""
        self._list_at = 0.0
        """When all tables that are awake are listed next: one that could not be loaded is tried again then."""
        self._reading = asyncio.Lock()

    async def open(self) -> None:
        """Find the end of the log, from which `run` follows it. Raises NotSaved."""
        self._last_change = await self._store.last_change()
        self._store.changed = self._log_changed.set
        self._log_changed.set()

    def close(self) -> None:
        """Hear no more of changes."""
        self._store.changed = lambda: None

    async def run(self) -> None:
        """Read the log when it says that it has changed, and every few seconds, since that message may be lost.

        After each time it pauses for as long as that took: the more others write, the more is read at once.
        """
        now = asyncio.get_running_loop().time
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(READ_SECONDS):
                    await self._log_changed.wait()
            began = now()
            self._log_changed.clear()
            await attempt(self.read(), "reading what others wrote")
            await asyncio.sleep(min(now() - began, LONGEST_PAUSE))

    async def read(self) -> None:
        """Read what has changed since the last time, and load the tables that are awake. Raises NotSaved."""
        async with self._reading:
            await self._read()

    async def _read(self) -> None:
        changes = await self._store.changes(self._last_change)
        followed = await asyncio.gather(*map(self._follow, changes))
        for change, is_done in zip(changes, followed, strict=True):
            if not is_done:  # it is read again
                break
            self._last_change = change.number
        awake = [change.table for change in changes if change.due is None and change.head != EMPTY]
        if asyncio.get_running_loop().time() >= self._list_at:
            self._list_at = asyncio.get_running_loop().time() + READ_SECONDS
            awake = await self._store.awake()
        for number in awake:
            if self._tables.is_unknown(number):
                await self._tables.load(number)
                await asyncio.sleep(0)  # others get their turn

    async def _follow(self, change: TableChange) -> bool:
        """Have a table note its change; whether that is done."""
        self._tables.unreadable.pop(change.table, None)
        try:
            if (table := self._tables.here.get(change.table)) is not None:
                await table.follow(change)
            else:
                self._tables.seats_changed(change.table)
        except InputError as error:
            log.info("table not read on", table=change.table, problem=error.message)
            return error.code == "closed"
        return True
