"""The console at the terminal where the server was started; the log of all its processes goes to a file then.

Process 0 shows it. At SIGHUP it ends, and the one of the next generation takes its place when the terminal is free.

Nothing here waits for the terminal, since all players would have to wait as well: it is written through a file
description of its own that does not block. One that takes nothing for long loses its console, and the server goes on.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import structlog

from server.config import Config
from server.people.players import Caller
from server.process.own_terminal import lock_terminal, log_in_file
from server.terminal.terminal import Terminal
from server.transport.local_terminal import LocalTerminal

RETRY_SECONDS: Final = 0.2
"""How long to wait before another attempt to get the terminal, which another process may have."""

log = structlog.get_logger("quatch.host_console")


Shows: TypeAlias = Callable[[Terminal, Caller, Callable[[], None], str], Awaitable[None]]
"""Shows a console; see `consoles.Consoles.show`."""


class HostTerminal(LocalTerminal):
    """Standard input, and the terminal of standard output without waiting for it."""

    def __init__(self) -> None:
        """Raises BlockingIOError if another process has a console there, OSError."""
        self._output = lock_terminal()
        self._unwritten = bytearray()
        super().__init__()

    def write(self, data: bytes) -> None:
        """Write this as soon as the terminal takes it."""
        if self._output >= 0:
            self._unwritten += data
            self._flush()

    def waiting(self) -> int:
        """How many bytes the terminal has not taken yet."""
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


def log_beside_console(config: Config) -> str:
    """Have the log go to a file; returns the line that says so, or an empty one if it does not."""
    try:
        return log_in_file(config.data, config.log_level)
    except OSError as error:
        log.warning("no log in a file", problem=error.strerror)
        return ""


async def show_at_terminal(show: Shows, stop: Callable[[], None], notice: str) -> None:
    """Show it until it is closed. If that fails the log says why, and the server goes on.

    ``stop`` stops the server.
    """
    try:
        with (await _free_terminal()).attached() as terminal:
            if terminal.knows_screen:
                await show(terminal, Caller("host", runs_server=True), stop, notice)
    except Exception as error:
        log.exception("the console has failed", problem=str(error))


async def _free_terminal() -> HostTerminal:
    """The terminal, once no other process has it. Raises OSError."""
    while True:
        try:
            return HostTerminal()
        except BlockingIOError:
            await asyncio.sleep(RETRY_SECONDS)
