"""Starts a process of the server, which loads the program and then waits for its welcome.

It imports next to nothing, so that the first process loads while its keeper still reads the settings.
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from server.keeper import LINK_VARIABLE
from server.process.standard_streams import is_at_terminal


class Spawned(NamedTuple):
    """A process that loads the program."""

    process: "subprocess.Popen[bytes]"
    link: socket.socket
    """The keeper's end of its link; see `keeper.link`."""

    def end(self) -> None:
        """End it, if it still waits for its welcome."""
        self.process.kill()
        self.process.wait()
        self.link.close()


def own_command() -> list[str]:
    """The command line of this process: what is started later has the program and the settings of then."""
    return [sys.executable, *sys.orig_argv[1:]]


def spawn(command: Sequence[str]) -> Spawned:
    """Start a process with this command line. Raises OSError."""
    ours, theirs = socket.socketpair()
    environment = {name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"}  # the keeper tells it
    streams = None if is_at_terminal() else subprocess.DEVNULL
    # A terminal sends Ctrl-C to all processes: the keeper decides what it means.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=streams,
            stdout=streams,
            env=environment | {LINK_VARIABLE: str(theirs.fileno())},
            pass_fds=[theirs.fileno()],
        )
    finally:
        signal.signal(signal.SIGINT, before)
        theirs.close()
    return Spawned(process, ours)


@contextmanager
def first_process() -> Iterator[Spawned | None]:
    """A process that loads, and that ends with the context; None if it cannot be started now."""
    try:
        loaded = spawn(own_command())
    except OSError:  # the keeper tries it again, and says why
        yield None
        return
    try:
        yield loaded
    finally:
        loaded.end()
