"""Whether the newest pages of the database were lost together with its write-ahead log (the file ``-wal``).

SQLite goes on without a word if that file is missing or cut short after a crash: it takes the state before it. But the
index of that file (``-shm``) is left behind, too, and says how many pages there were. https://sqlite.org/walformat.html
"""

import struct
from pathlib import Path
from typing import Final

INDEX: Final = struct.Struct("=I8x?xHI76xI")
"""Of the index: version, whether it is complete, bytes of a page, pages in the log, those also in the database."""
INDEX_VERSION: Final = 3007000
LOG_HEADER: Final = 32
PAGE_HEADER: Final = 24


def pages_lost(path: Path) -> int:
    """How many pages were in the write-ahead log of this database, and are neither there nor in the database any more.

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
