"""Looks for damage in the whole database, in a thread of its own: that takes a few seconds for each gigabyte.

Most of that time are pauses, so that the server has the processor and the disk in between. The check holds no lock that
a writer waits for.
"""

import threading
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from server.storage.sqlite_file import DAMAGED, FAULTS, in_one_line, open_for_reading
from server.storage.table_log import NotSaved

PIECE_STEPS: Final = 1_000
"""Steps of SQLite between two pauses: some 0.1 milliseconds, if the file is in memory."""
PAUSE_SECONDS: Final = 0.001


def find_damage(path: Path, stopped: threading.Event) -> str:
    """Read the whole database; what is wrong with it in one line, or nothing. Ends soon once ``stopped`` is set.

    A file that cannot be opened or read now has no damage for that reason: the next write will tell.
    """
    try:
        with closing(open_for_reading(path)) as db:
            db.set_progress_handler(lambda: stopped.wait(PAUSE_SECONDS), PIECE_STEPS)
            return "" if db.pragma("quick_check", 1) == "ok" else FAULTS[apsw.CorruptError]
    except DAMAGED as error:
        return in_one_line(error)
    except (apsw.Error, NotSaved):
        return ""
