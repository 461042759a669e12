"""Tells whether another server uses the same folder: both would write to one database."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def folder_in_use(folder: Path) -> Iterator[bool]:
    """Mark a folder as used by a server, in the body; yields whether another server uses it.

    The mark is a lock of flock(2) on the folder itself, which the system takes away when the process ends, however it
    ends. A folder that cannot be opened or locked counts as not used.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        yield False
        return
    try:
        yield _lock(descriptor)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    """Lock this for this process. Returns whether another one has locked it already."""
    locked = False
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            locked = True
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return locked  # this file system has no such locks
    return locked
