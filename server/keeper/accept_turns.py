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
from server.net.listener import Accepting, Protocols
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
        self._background = BackgroundTasks()

    async def accept_from(self, listening: socket.socket, make: Protocols) -> Callable[[], object]:
        """See `Accepting`; by turns."""
        listening.setblocking(False)  # noqa: FBT003 - no name is taken
        loop = asyncio.get_running_loop()
        accepting = self._background.begin(self._accept(listening, make), "accepting connections")

        def close() -> None:
            accepting.cancel()
            loop.remove_reader(listening)
            listening.close()

        return close

    async def _accept(self, listening: socket.socket, make: Protocols) -> None:
        loop = asyncio.get_running_loop()
        while True:
            has_come = loop.create_future()
            loop.add_reader(listening, has_come.set_result, None)
            await has_come
            loop.remove_reader(listening)
            if not self.is_my_turn():
                await asyncio.sleep(LEAVE_SECONDS)
            try:
                connection, _ = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                continue  # another process was faster, or the client has gone
            except OSError as error:
                problem = {"message": "socket.accept() out of system resource", "exception": error}
                loop.call_exception_handler(problem)
                await asyncio.sleep(RETRY_SECONDS)
            else:
                connection.setblocking(False)  # noqa: FBT003 - no name is taken
                self._background.begin(loop.connect_accepted_socket(make, connection), "beginning a connection")

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
