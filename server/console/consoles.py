"""All consoles of one process, from their first byte to their last."""

import asyncio
from collections.abc import Callable

from server.console.load import Load
from server.console.session import ConsoleSession
from server.lobby.lobby import Lobby
from server.ops.metrics import Metrics
from server.people.players import Caller
from server.terminal.terminal import Terminal


class Consoles:
    """The consoles that are open."""

    def __init__(self, lobby: Lobby, metrics: Metrics) -> None:
        self._lobby = lobby
        self._load = Load(metrics)
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

    def end(self, farewell: str) -> None:
        """End all consoles with this last line."""
        for session in self._sessions:
            session.ended(farewell)
