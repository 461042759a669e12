"""Starts a process of the server, which loads the program and then waits for its welcome.

It imports next to nothing, so that the first process loads while its keeper still reads the settings.
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from server.keeper import LINK_VARIABLE
from server.process.standard_streams import is_at_terminal


class Spawned(NamedTuple):
    """A process that loads the program."""

    process: "subprocess.Popen[bytes]"
    link: socket.socket
    """The keeper's end of its link; see `keeper.link`."""


def spawn(command: Sequence[str]) -> Spawned:
    """Start a process with this command line. Raises OSError."""
    ours, theirs = socket.socketpair()
    streams = None if is_at_terminal() else subprocess.DEVNULL
    # A terminal sends Ctrl-C to all processes: the keeper decides what it means.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=streams,
            stdout=streams,
            env=os.environ | {LINK_VARIABLE: str(theirs.fileno())},
            pass_fds=[theirs.fileno()],
        )
    finally:
        signal.signal(signal.SIGINT, before)
        theirs.close()
    return Spawned(process, ours)


class Program:
    """What the processes of a server run: one that is started later has the program and the settings of then."""

    def __init__(self, command: Sequence[str] = ()) -> None:
        """``command``: by default the command line of this process."""
        self.command = command or [sys.executable, *sys.orig_argv[1:]]
        self._loaded: Spawned | None = None
        """A process that nobody has asked for yet."""

    def load(self) -> None:
        """Have a process load, if one can be started now: `start` tries it again, and says why it cannot."""
        with suppress(OSError):
            self._loaded = spawn(self.command)

    def start(self) -> Spawned:
        """The process that loads, or a new one. Raises OSError."""
        loaded, self._loaded = self._loaded, None
        return loaded or spawn(self.command)

    def close(self) -> None:
        """End the process that loads, if nobody has asked for it."""
        if self._loaded is not None:
            self._loaded.link.close()
            self._loaded.process.kill()
            self._loaded.process.wait()
            self._loaded = None
