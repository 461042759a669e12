"""All consoles of one process, from their first byte to their last."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from server.commands.registry import ADMIN
from server.console import ConsoleSettings
from server.console.host_console import log_beside_console, show_at_terminal
from server.console.overview import Load
from server.console.session import ConsoleSession
from server.extension import Feature
from server.lobby.lobby import Lobby
from server.lobby.service import Runs, Service, Serving
from server.people.players import Caller
from server.process.background_tasks import BackgroundTasks
from server.process.own_terminal import put_log_aside
from server.process.standard_streams import is_at_terminal
from server.session.exec_commands import OwnScreen
from server.terminal.terminal import Terminal

RENEWED: Final = "The server has been renewed. Its console is a new one: ssh -t HOST admin opens it."
LOG_CHECK_SECONDS: Final = 60.0
"""How often to look whether the log has grown too long."""


class Consoles(Service):
    """The consoles that are open, over ssh and at the terminal where the server was started."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._load = Load(lobby.metrics)
        wanted = lobby.config.of(ConsoleSettings).console and is_at_terminal()
        self.log_folder = lobby.config.data if wanted else ""
        self._background = BackgroundTasks()
        self._sessions: dict[ConsoleSession, asyncio.Task[object] | None] = {}

    @property
    def tasks(self) -> list[asyncio.Task[object]]:
        """The tasks in which consoles are shown."""
        return [task for task in self._sessions.values() if task is not None]

    async def show(
        self, terminal: Terminal, caller: Caller, stop: Callable[[], None] | None = None, notice: str = ""
    ) -> None:
        """Show a console to an op. For ``stop`` and ``notice`` see `ConsoleSession`. Raises NotSaved."""
        session = ConsoleSession(self._lobby, self._load, terminal, caller, stop, notice)
        self._sessions[session] = asyncio.current_task()
        try:
            await session.run()
        finally:
            del self._sessions[session]

    def serve(self, serving: Serving) -> None:
        """Show a console at the terminal where the server was started, if it has one and this is its first process."""
        if self.log_folder:
            notice = log_beside_console(self._lobby.config)
            if serving.process == 0:
                if notice:
                    check = partial(asyncio.to_thread, put_log_aside, self.log_folder)
                    self._background.repeat(check, LOG_CHECK_SECONDS, "putting the log aside")
                self._background.begin(show_at_terminal(self.show, serving.stop, notice), "showing the console")

    async def retire(self, farewell: str) -> None:  # noqa: ARG002 - it tells how to come back
        """End all consoles: that of the newer process takes the terminal."""
        self.end(RENEWED)

    async def close(self) -> None:
        """See `Service.close`."""
        await self._background.stop()

    def end(self, farewell: str) -> None:
        """End all consoles with this last line."""
        for session in self._sessions:
            session.ended(farewell)


async def show_console(lobby: Lobby, terminal: Terminal, caller: Caller, _: str) -> int:
    """See `OwnScreen.show`."""
    await lobby.service(Consoles).show(terminal, caller)
    return 0


FEATURE: Final = Feature("console", (Runs(Consoles), OwnScreen(ADMIN, show_console, for_ops=True)))
