"""All consoles of one process, over ssh and at the terminal where the server was started.

The log of all processes of a server goes to a file while a console is at its terminal. Process 0 shows it there. At
SIGHUP it ends, and the one of the next generation takes its place when the terminal is free.

Nothing here waits for that terminal, since all players would have to wait as well: it is written through a file
description of its own that does not block. One that takes nothing for long loses its console, and the server goes on.
"""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from typing import Final

import structlog

from server.commands.registry import ADMIN
from server.config import Config
from server.console import ConsoleSettings
from server.console.overview import Load
from server.console.own_terminal import lock_terminal, log_in_file, put_log_aside
from server.console.recent_lines import RECENT
from server.console.session import ConsoleSession
from server.extension import Feature
from server.lobby.lobby import Lobby
from server.lobby.service import Runs, Service, Serving
from server.people.players import Caller
from server.process.logs import LISTENERS
from server.process.standard_streams import is_at_terminal
from server.session.exec_commands import OwnScreen
from server.terminal.terminal import Terminal
from server.transport.local_terminal import LocalTerminal

RETRY_SECONDS: Final = 0.2
"""How long to wait before another attempt to get the terminal, which another process may have."""

log = structlog.get_logger("quatch.host_console")


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


async def _free_terminal() -> HostTerminal:
    """The terminal, once no other process has it. Raises OSError."""
    while True:
        try:
            return HostTerminal()
        except BlockingIOError:
            await asyncio.sleep(RETRY_SECONDS)


RENEWED: Final = "The server has been renewed. Its console is a new one: ssh -t HOST admin opens it."
LOG_CHECK_SECONDS: Final = 60.0
"""How often to look whether the log has grown too long."""


class Consoles(Service):
    """The consoles that are open, over ssh and at the terminal where the server was started."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._load = Load(lobby.counters)
        wanted = lobby.config.of(ConsoleSettings).console and is_at_terminal()
        self.log_folder = lobby.config.data if wanted else ""
        self._sessions = set[ConsoleSession]()
        if RECENT not in LISTENERS:  # a process may have several lobbies, as in tests
            LISTENERS.append(RECENT)

    @property
    def tasks(self) -> list[asyncio.Task[object]]:
        """The tasks in which consoles are shown."""
        return [task for each in self._sessions if (task := each.task) is not None]

    async def show(
        self, terminal: Terminal, caller: Caller, stop: Callable[[], None] | None = None, notice: str = ""
    ) -> None:
        """Show a console to an op. For ``stop`` and ``notice`` see `ConsoleSession`. Raises NotSaved."""
        session = ConsoleSession(self._lobby, self._load, terminal, caller, stop, notice)
        self._sessions.add(session)
        try:
            await session.run()
        finally:
            self._sessions.discard(session)

    def serve(self, serving: Serving) -> None:
        """Show a console at the terminal where the server was started, if it has one and this is its first process."""
        if self.log_folder:
            notice = log_beside_console(self._lobby.config)
            if serving.process == 0:
                if notice:
                    check = partial(asyncio.to_thread, put_log_aside, self.log_folder)
                    self._background.repeat(check, LOG_CHECK_SECONDS, "putting the log aside")
                self._background.begin(self._show_at_terminal(serving.stop, notice), "showing the console")

    async def _show_at_terminal(self, stop: Callable[[], None], notice: str) -> None:
        """Show a console there until it is closed. If that fails the log says why, and the server goes on."""
        try:
            with (await _free_terminal()).attached() as terminal:
                if terminal.knows_screen:
                    await self.show(terminal, Caller("host", runs_server=True), stop, notice)
        except Exception as error:
            log.exception("the console has failed", problem=str(error))

    async def retire(self, farewell: str) -> None:  # noqa: ARG002 - it tells how to come back
        """End all consoles: that of the newer process takes the terminal."""
        self.end(RENEWED)

    def end(self, farewell: str) -> None:
        """End all consoles with this last line."""
        for session in self._sessions:
            session.ended(farewell)


async def show_console(lobby: Lobby, terminal: Terminal, caller: Caller, _: str) -> int:
    """See `OwnScreen.show`."""
    await lobby.service(Consoles).show(terminal, caller)
    return 0


FEATURE: Final = Feature("console", (Runs(Consoles), OwnScreen(ADMIN, show_console, for_ops=True)))
