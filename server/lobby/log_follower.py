"""Follows the logs of all tables: which of them other processes have opened, changed, put to sleep, woken or closed.

Each process runs every table that is awake, so that its lobby can list it. A table that is unwatched here
(`table/unwatched.py`) is skimmed once a second at most, since to make each move of others would cost a process nearly
as much as the moves of its own players.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Final

import structlog

from engine.errors import InputError
from server.lobby.tables import Tables
from server.process.background_tasks import attempt
from server.storage.table_log import EMPTY, TableChange, TableLog
from server.table.unwatched import is_known, skim

READ_SECONDS: Final = 2.0
"""How often the log is read even if it does not say that it has changed."""
SKIM_SECONDS: Final = 1.0
"""How often an unwatched table is read at most."""
RECHECK_SECONDS: Final = 0.25
"""How soon an unwatched table reads on when it is seen, and how soon after it is due it is skimmed."""
LONGEST_PAUSE: Final = 0.1
"""Seconds: a read that takes long has waited for a database that was away."""

log = structlog.get_logger("quatch.tables")


@dataclass(slots=True)
class _Unwatched:
    """A table that was unwatched when it changed."""

    change: TableChange
    """Its last change."""
    is_skimmed: bool = False
    """Whether it was skimmed since then."""
    skim_at: float = -inf
    """When it may be skimmed again, in the event loop's time."""


class LogFollower:
    """Has the tables of this process read on, and loads those that others have opened or woken."""

    def __init__(self, store: TableLog, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self._log_changed = asyncio.Event()
        self._place = ""
        """The place in the log up to which all changes of tables were followed."""
        self._unwatched = dict[int, _Unwatched]()
        """The tables that have not read on, by number."""
        self._list_at = 0.0
        """When all tables that are awake are listed next: one that could not be loaded is tried again then."""
        self._reading = asyncio.Lock()

    async def open(self) -> None:
        """Find the end of the log, from which `run` follows it. Raises NotSaved."""
        self._place = await self._store.place()
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
                async with asyncio.timeout(RECHECK_SECONDS if self._unwatched else READ_SECONDS):
                    await self._log_changed.wait()
            began = now()
            self._log_changed.clear()
            await attempt(self._read(began), "reading what others wrote")
            await asyncio.sleep(min(now() - began, LONGEST_PAUSE))

    async def read(self) -> None:
        """Read what has changed since the last time, and load the tables that are awake. Raises NotSaved."""
        await self._read(inf)

    async def _read(self, now: float) -> None:
        """As `read`, but skim only the tables that are due at this time."""
        async with self._reading:
            await self._read_changes()
            due = [each for each in self._unwatched.values() if not each.is_skimmed and each.skim_at <= now]
            await asyncio.gather(*map(self._skim, due))
            for each in list(self._unwatched.values()):
                table = self._tables.here.get(each.change.table)
                if table is None or self._tables.is_watched(table):
                    await self._follow(each.change)  # one after the other: a process may have left hundreds

    async def _read_changes(self) -> None:
        changes, place = await self._store.changes(self._place)
        if all(await asyncio.gather(*map(self._note, changes))):
            self._place = place  # otherwise they are read again
        awake = [change.table for change in changes if change.due is None and change.head != EMPTY]
        if asyncio.get_running_loop().time() >= self._list_at:
            self._list_at = asyncio.get_running_loop().time() + READ_SECONDS
            awake = [*await self._store.awake()]
        for number in awake:
            if self._tables.is_unknown(number):
                await self._tables.load(number)
                await asyncio.sleep(0)  # others get their turn

    async def _note(self, change: TableChange) -> bool:
        """Have a table follow its change, or note that it has changed if it is unwatched; whether that is done."""
        table = self._tables.here.get(change.table)
        if table is not None and is_known(table, change):
            return True
        is_asleep = change.due is not None or change.head == EMPTY
        if table is None or is_asleep or self._tables.is_watched(table):
            return await self._follow(change)
        unwatched = self._unwatched.setdefault(change.table, _Unwatched(change))
        unwatched.change, unwatched.is_skimmed = change, False
        return True

    async def _skim(self, unwatched: _Unwatched) -> None:
        """Skim a table, unless it is seen by now."""
        change = unwatched.change
        table = self._tables.here.get(change.table)
        if table is None or self._tables.is_watched(table):
            return
        unwatched.skim_at = asyncio.get_running_loop().time() + SKIM_SECONDS
        before = table.head
        with suppress(InputError):  # it is tried again
            await skim(table)
            unwatched.is_skimmed = unwatched.change == change
        if table.head != before:
            self._tables.seats_changed(change.table)

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
            if error.code != "closed":
                return False
        self._unwatched.pop(change.table, None)
        return True
