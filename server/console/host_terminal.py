"""The terminal where the server was started, as a transport for its console.

Nothing here waits for the terminal, since all players would have to wait as well: it is written through a file
description of its own that does not block. One that takes nothing for long loses its console, and the server goes on.
"""

import asyncio
import os

from server.process.own_terminal import lock_terminal
from server.transport.local_terminal import LocalTerminal


class HostTerminal(LocalTerminal):
    """Standard input, and the terminal of standard output without waiting for it."""

    def __init__(self) -> None:
        """Raises BlockingIOError if another process has a console there, OSError."""
        self._output = lock_terminal()
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
