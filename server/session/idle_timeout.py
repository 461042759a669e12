"""Disconnects a player who sits in the lobby and types nothing for a long time, after a warning."""

import asyncio
from typing import Final, Protocol

from engine.wording.phrases import quantity
from server.limits import IDLE_WARNING_SECONDS

WARNING: Final = (
    f"Are you still there? In {quantity(round(IDLE_WARNING_SECONDS), 'second')} you are disconnected: "
    "press a key to stay."
)
FAREWELL: Final = "Disconnected: you typed nothing for a long time. Come again soon."


class Watched(Protocol):
    """A session that ends if its player is idle for too long."""

    @property
    def last_input_at(self) -> float:
        """When something was typed last, in the event loop's time."""

    @property
    def at_table(self) -> bool:
        """Whether the player is at a table, where they may watch for as long as they like."""

    def answered(self, asked: str, lines: list[str]) -> None:
        """Show the player these lines."""

    def ended(self, farewell: str) -> None:
        """End the session with a last line."""


class IdleTimeout:
    """Ends a session whose player types nothing in the lobby for so many seconds."""

    def __init__(self, seconds: float, session: Watched) -> None:
        """Watch the session until it has been ended, or until `stop`."""
        self._seconds = seconds
        self._session = session
        self._in_lobby_since = asyncio.get_running_loop().time()
        self._warned = False
        self._timer: asyncio.TimerHandle
        self._look()

    def stop(self) -> None:
        """Watch no more."""
        self._timer.cancel()

    def _look(self) -> None:
        """Warn the player or end the session if it is time, and look again later."""
        loop = asyncio.get_running_loop()
        if self._session.at_table:
            self._in_lobby_since = loop.time()
        left = max(self._in_lobby_since, self._session.last_input_at) + self._seconds - loop.time()
        if left <= 0:
            self._session.ended(FAREWELL)
            return
        until_warning = left - IDLE_WARNING_SECONDS
        if until_warning <= 0 and not self._warned:
            self._session.answered("", [WARNING])
        self._warned = until_warning <= 0
        self._timer = loop.call_later(min(left if self._warned else until_warning, IDLE_WARNING_SECONDS), self._look)
