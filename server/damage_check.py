"""Looks through the whole database file for damage, soon after the start and once a day, while the server runs.

It does so with pauses, in a thread. Nothing is written to a damaged file. Without this feature damage is found where
something is read or written, and in a backup.
What it must not know: what the database holds.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import apsw

from server.features import Feature
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service
from server.storage.database import NotSaved
from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import DAMAGED, FAULTS, in_one_line, open_for_reading

FIRST_SECONDS: Final = 10.0
"""The first check begins so long after the start, so that players who come back right then do not wait for it."""
CHECK_SECONDS: Final = 86_400.0
"""The time between two checks."""
PIECE_STEPS: Final = 1_000
"""Steps of SQLite between two pauses: some 0.1 milliseconds, if the file is in memory."""
PAUSE_SECONDS: Final = 0.001


class DamageCheck(Service):
    """Checks the file of this server, if it has one."""

    def __init__(
        self, lobby: Lobby, check: Callable[[Path, threading.Event], str] | None = None, first: float = FIRST_SECONDS
    ) -> None:
        """``check``: `find_damage`, or what takes its place; ``first``: how many seconds after the start it begins."""
        self._store, self._check, self._first = lobby.store, check or find_damage, first
        self._stopped = threading.Event()

    def open(self) -> None:
        """Check soon and once a day."""
        if isinstance(self._store, SqliteDatabase):
            check = partial(self._look, self._store)
            self._background.repeat(check, CHECK_SECONDS, "looking for damage", first_after=self._first)

    async def close(self) -> None:
        """Break off the check, if one goes on."""
        self._stopped.set()
        await super().close()

    async def _look(self, store: SqliteDatabase) -> None:
        if not store.damage:
            found = await asyncio.to_thread(self._check, Path(store.name), self._stopped)
            store.damage = found or store.damage  # a read may have found some meanwhile


def find_damage(path: Path, stopped: threading.Event) -> str:
    """Read the whole database. Returns what is wrong with it in one line. Ends soon once ``stopped`` is set.

    That takes a few seconds for each gigabyte. Most of that time are pauses, so that the server has the processor and
    the disk in between. The check holds no lock that a writer waits for. A file that cannot be opened or read now has
    no damage for that reason: the next write will tell.
    """
    try:
        with closing(open_for_reading(path)) as db:
            db.set_progress_handler(lambda: stopped.wait(PAUSE_SECONDS), PIECE_STEPS)
            return "" if db.pragma("quick_check", 1) == "ok" else FAULTS[apsw.CorruptError]
    except DAMAGED as error:
        return in_one_line(error)
    except (apsw.Error, NotSaved):
        return ""


FEATURE: Final = Feature("damage_check", (Runs(DamageCheck),))
