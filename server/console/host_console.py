"""The console at the terminal where the server was started; the log of all its processes goes to a file then.

Process 0 shows it. At SIGHUP it ends, and the one of the next generation takes its place.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import structlog

from server.config import Config
from server.console.host_terminal import HostTerminal
from server.people.players import Caller
from server.process.own_terminal import log_in_file
from server.terminal.terminal import Terminal

RETRY_SECONDS: Final = 0.2
"""How long to wait before another attempt to get the terminal, which another process may have."""

log = structlog.get_logger("quatch.host_console")


Shows: TypeAlias = Callable[[Terminal, Caller, Callable[[], None], str], Awaitable[None]]
"""Shows a console; see `consoles.Consoles.show`."""


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
