"""Looks for damage in the whole database, in a thread of its own: that takes a second or so for each gigabyte."""

import threading
from contextlib import closing
from pathlib import Path

import apsw

from server.storage.sqlite_file import DAMAGED, FAULTS, in_one_line, open_for_reading
from server.storage.table_log import NotSaved


class FileCheck:
    """The check of one database file. `damage` runs in a thread, `stop` in another one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.stopped = threading.Event()
        """Set once the check is to end."""

    def damage(self) -> str:
        """Read the whole file; what is wrong with it in one line, or nothing.

        A file that cannot be opened or read now has no damage for that reason: the next write will tell.
        """
        try:
            with closing(open_for_reading(self._path)) as db:
                db.set_progress_handler(self.stopped.is_set, 10_000)
                return "" if db.pragma("quick_check", 1) == "ok" else FAULTS[apsw.CorruptError]
        except DAMAGED as error:
            return in_one_line(error)
        except (apsw.Error, NotSaved):
            return ""

    def stop(self) -> None:
        """End a check that is under way, soon, and every later one at once."""
        self.stopped.set()
