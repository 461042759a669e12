"""Processes that accept from one socket take turns: the one with the fewest connections is first.

The kernel wakes all of them for each connection, and the fastest one gets it. On a machine with little to do that is
nearly always the same one, and a player who has come stays for hours. So a process that has more connections than
another one waits for a moment. It accepts after that if the connection still waits, so a process that is busy, or
stopped or dead, keeps nobody waiting.
"""

import asyncio
import mmap
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from server.limits import PROCESSES
from server.net.listener import Accepting
from server.process.background_tasks import BackgroundTasks

LEAVE_SECONDS: Final = 0.01
"""How long a process leaves a connection to those that have fewer."""
RETRY_SECONDS: Final = 1.0
"""After this time a process accepts again that has had no free file descriptor, as in asyncio's own servers."""
_BYTES: Final = 4 * PROCESSES


def shared_counts() -> int:
    """The file descriptor of a new file for `ConnectionCounts`, in which no process accepts connections."""
    if sys.platform == "linux":
        descriptor = os.memfd_create("quatch")  # a container may have no folder that can be written
    else:
        descriptor, path = mkstemp()
        Path(path).unlink()
    os.truncate(descriptor, _BYTES)
    return descriptor


class ConnectionCounts(Accepting):
    """How many connections each process has, in memory that they share."""

    def __init__(self, descriptor: int, process: int) -> None:
        """``descriptor``: that of `shared_counts`; ``process``: the number of this one."""
        # Each place has a number more than its process has connections, or 0 if that one accepts none.
        self._counts = memoryview(mmap.mmap(descriptor, _BYTES)).cast("i")
        self._process = process

    async def accept_from(
        self, listening: socket.socket, make: Callable[[], asyncio.BaseProtocol]
    ) -> "SharedSocketServer":
        """Begin to accept connections from this socket, by turns."""
        return SharedSocketServer(listening, make, self)

    def note(self, connections: int) -> None:
        """Tell the others how many connections this process has."""
        self._counts[self._process] = connections + 1

    def end(self) -> None:
        """Tell the others that this process accepts no more connections."""
        self._counts[self._process] = 0

    def is_my_turn(self) -> bool:
        """Whether no other process has fewer connections."""
        counts = self._counts.tolist()
        return min(filter(None, counts), default=0) >= counts[self._process]


class SharedSocketServer:
    """Accepts connections from a socket that other processes accept from, too."""

    def __init__(
        self, listening: socket.socket, make_protocol: Callable[[], asyncio.BaseProtocol], counts: ConnectionCounts
    ) -> None:
        self._socket = listening
        self._make_protocol = make_protocol
        self._counts = counts
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self._background = BackgroundTasks()
        listening.setblocking(False)  # noqa: FBT003 - no name is taken
        self._wait()

    def close(self) -> None:
        """Accept no more. The socket is closed here alone."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._socket)
        self._socket.close()

    def _wait(self) -> None:
        self._loop.add_reader(self._socket, self._on_connection)

    def _on_connection(self) -> None:
        self._loop.remove_reader(self._socket)
        if self._counts.is_my_turn():
            self._accept()
        else:
            self._pause = self._loop.call_later(LEAVE_SECONDS, self._accept)

    def _accept(self) -> None:
        """Accept one connection, unless another process was faster, and wait for the next one."""
        try:
            connection, _ = self._socket.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            self._wait()
        except OSError as error:
            problem = {"message": "socket.accept() out of system resource", "exception": error}
            self._loop.call_exception_handler(problem)
            self._pause = self._loop.call_later(RETRY_SECONDS, self._wait)
        else:
            connection.setblocking(False)  # noqa: FBT003 - no name is taken
            beginning = self._loop.connect_accepted_socket(self._make_protocol, connection)
            self._background.begin(beginning, "beginning a connection")
            self._wait()
