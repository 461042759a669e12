"""Tells whether another server uses the same folder: both would write to one database."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path


@contextmanager
def folder_in_use(folder: Path) -> Iterator[bool]:
    """Mark a folder as used by a server, in the body; yields whether another server uses it.

    The mark is a lock of flock(2) on the folder itself, which the system takes away when the process ends, however it
    ends. A folder that cannot be opened or locked counts as not used.
    """
    is_used = False
    with ExitStack() as undo:
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(folder, os.O_RDONLY)
            undo.callback(os.close, descriptor)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                is_used = True
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield is_used
