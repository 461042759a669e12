"""The terminal at which a server was started: who may show a console there, and where the log goes meanwhile.

Several processes of one server may want to show a console. The one that has locked the terminal does.
"""

import fcntl
import os
import shutil
import sys
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec import DecodeError, json

from server.process import logs
from server.process.logs import FILE_NAME
from server.process.standard_streams import is_at_terminal

TAIL_BYTES: Final = 50_000
"""So much of the log a new console shows again, at most."""
LOG_BYTES: Final = 10_000_000
"""A log of this size is put aside, in the place of the one that was put aside before."""


def lock_terminal() -> int:
    """Open the terminal of standard output without waiting for it, and lock it until the file is closed.

    Raises BlockingIOError if another process has locked it, OSError.
    """
    descriptor = os.open(os.ttyname(sys.stdout.fileno()), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def terminal_taken() -> Iterator[None]:
    """Have no other process show anything but its log there inside the context."""
    descriptor = -1
    if is_at_terminal():
        with suppress(OSError):
            descriptor = lock_terminal()
    try:
        yield
    finally:
        if descriptor >= 0:
            os.close(descriptor)


@contextmanager
def terminal_restored() -> Iterator[None]:
    """Give the terminal its settings back at the end, though a process was killed that had changed them."""
    before = termios.tcgetattr(sys.stdin.fileno()) if is_at_terminal() else None
    try:
        yield
    finally:
        if before is not None:
            with suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, before)


def log_in_file(folder: str, level: str) -> str:
    """Send what this process and its children write to standard error to a file, from now on.

    Returns a line that says so. It is empty if the host has sent standard error elsewhere: there it stays.
    Raises OSError.
    """
    file = Path(folder, FILE_NAME).resolve()
    number = sys.stderr.fileno()
    if not sys.stderr.isatty():
        is_there = file.exists() and os.path.samestat(os.fstat(number), file.stat())
        return f"log in {file}" if is_there else ""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    put_log_aside(folder)
    opened = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(opened, number)
    os.close(opened)
    logs.configure(level)
    return f"log in {file}"


class LogFile:
    """The file of the log, to which all processes write that were started at this terminal."""

    def __init__(self, folder: str, *, is_new: bool) -> None:
        """Begin at its end if the log ``is_new`` there, else a little before, with what others have written."""
        self._file = Path(folder, FILE_NAME)
        self._place = max(0, self._file.stat().st_size - (0 if is_new else TAIL_BYTES))

    def read_on(self, keep: Callable[[str, Mapping[str, object]], None]) -> None:
        """Call ``keep`` for each line that is new since the last call, with its level."""
        lines = list[bytes]()
        with suppress(FileNotFoundError), self._file.open("rb") as file:  # somebody may delete it
            if file.seek(0, os.SEEK_END) < self._place:
                self._place = 0  # it was put aside
            file.seek(self._place)
            lines = file.read().splitlines(keepends=True)
        for line in lines:
            if line.endswith(b"\n"):  # else the rest comes
                self._place += len(line)
                with suppress(DecodeError):  # not of the log, as the words of a library, or cut off
                    read = json.decode(line, type=dict[str, object])
                    keep(str(read["level"]), read)


def put_log_aside(folder: str) -> None:
    """Copy the log to `quatch.log.1` and empty it, if it has grown to `LOG_BYTES`. Raises OSError.

    All processes of a server append to one file, so it is not replaced. A line that comes in between is lost, and on a
    full disk all that cannot be copied.
    """
    file = Path(folder, FILE_NAME)
    with suppress(FileNotFoundError):
        if file.stat().st_size > LOG_BYTES:
            aside = file.with_suffix(".log.1")
            try:
                aside.touch(0o600)
                shutil.copyfile(file, aside)
            finally:
                os.truncate(file, 0)
