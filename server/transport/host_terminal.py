"""The terminal where the server was started, as a transport for its console.

Nothing here waits for the terminal, since all players would have to wait as well: it is written through a file
description of its own that does not block. One that takes nothing for long loses its console, and the server goes on.
"""

import asyncio
import os
import sys

from server.transport.local_terminal import LocalTerminal


def is_at_terminal() -> bool:
    """Whether this process is in the foreground of a terminal at which somebody types and reads."""
    try:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return False
        os.ttyname(sys.stdout.fileno())
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError):
        return False


class HostTerminal(LocalTerminal):
    """Standard input, and the terminal of standard output without waiting for it."""

    def __init__(self) -> None:
        """Raises OSError if the terminal cannot be opened."""
        self._output = os.open(os.ttyname(sys.stdout.fileno()), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        self._unwritten = bytearray()
        super().__init__()

    def write(self, data: bytes) -> None:
        if self._output >= 0:
            self._unwritten += data
            self._flush()

    def waiting(self) -> int:
        return len(self._unwritten)

    def abort(self) -> None:
        """End the console, since the terminal takes nothing any more."""
        self._unwritten.clear()
        self._end_input()

    def close(self, status: int) -> None:  # noqa: ARG002
        """Close the file; what the terminal has not taken by now is lost."""
        if self._output >= 0:
            asyncio.get_running_loop().remove_writer(self._output)
            os.close(self._output)
            self._output = -1

    def _flush(self) -> None:
        try:
            while self._unwritten:
                del self._unwritten[: os.write(self._output, self._unwritten)]
        except BlockingIOError:
            asyncio.get_running_loop().add_writer(self._output, self._flush)
            return
        except OSError:
            self.abort()
        asyncio.get_running_loop().remove_writer(self._output)
