"""Looks for damage in the database file: what a crash has cut off, at a start, and the whole file once a day."""

import struct
import threading
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from server.storage.database import NotSaved
from server.storage.sqlite_file import DAMAGED, FAULTS, in_one_line, open_for_reading

PIECE_STEPS: Final = 1_000
"""Steps of SQLite between two pauses: some 0.1 milliseconds, if the file is in memory."""
PAUSE_SECONDS: Final = 0.001
INDEX: Final = struct.Struct("=I8x?xHI76xI")
"""Of the index: version, whether it is complete, bytes of a page, pages in the log, those also in the database."""
INDEX_VERSION: Final = 3007000
LOG_HEADER: Final = 32
PAGE_HEADER: Final = 24


def find_damage(path: Path, stopped: threading.Event) -> str:
    """Read the whole database. Returns what is wrong with it in one line. Ends soon once ``stopped`` is set.

    That takes a few seconds for each gigabyte in a thread of its own. Most of that time are pauses, so that the server
    has the processor and the disk in between. The check holds no lock that a writer waits for. A file that cannot be
    opened or read now has no damage for that reason: the next write will tell.
    """
    try:
        with closing(open_for_reading(path)) as db:
            db.set_progress_handler(lambda: stopped.wait(PAUSE_SECONDS), PIECE_STEPS)
            return "" if db.pragma("quick_check", 1) == "ok" else FAULTS[apsw.CorruptError]
    except DAMAGED as error:
        return in_one_line(error)
    except (apsw.Error, NotSaved):
        return ""


def pages_lost(path: Path) -> int:
    """How many pages were in the write-ahead log of this database, and are neither there nor in the database any more.

    SQLite goes on without a word if the file ``-wal`` is missing or cut short after a crash: it takes the state before
    it. But the index of that file, ``-shm``, is left behind, and says how many pages there were.
    https://sqlite.org/walformat.html

    Call this before the process opens the database: closing one of its files drops the locks of all its connections.
    """
    try:
        with path.with_name(f"{path.name}-shm").open("rb") as index:
            version, complete, page_size, logged, copied = INDEX.unpack(index.read(INDEX.size))
    except (OSError, struct.error):
        return 0
    if version != INDEX_VERSION or not complete:
        return 0
    try:
        size = path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        size = 0
    page_size = 65536 if page_size == 1 else page_size
    there = max(0, size - LOG_HEADER) // (PAGE_HEADER + page_size)
    return max(0, int(logged) - max(int(copied), there))
