"""Disconnects a player who sits in the lobby and types nothing for a long time, after a warning."""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.wording.phrases import quantity
from server.limits import IDLE_WARNING_SECONDS

WARNING: Final = (
    f"Are you still there? In {quantity(round(IDLE_WARNING_SECONDS), 'second')} you are disconnected: "
    "press a key to stay."
)
FAREWELL: Final = "Disconnected: you typed nothing for a long time. Come again soon."


class IdleTimeout:
    """Watches one session from `start` to `stop`. At a table a player may watch for as long as they like."""

    def __init__(
        self,
        seconds: float,
        last_input_at: Callable[[], float],
        in_lobby: Callable[[], bool],
        warn: Callable[[str], None],
        disconnect: Callable[[str], None],
    ) -> None:
        """``warn`` shows the player a line; ``disconnect`` ends the session with a last one."""
        self._seconds = seconds
        self._last_input_at = last_input_at
        self._in_lobby = in_lobby
        self._warn = warn
        self._disconnect = disconnect
        self._in_lobby_since = 0.0
        self._warned = False
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._in_lobby_since = asyncio.get_running_loop().time()
        self._check()

    def stop(self) -> None:
        """Watch no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _check(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._in_lobby():
            self._in_lobby_since = loop.time()
        left = max(self._in_lobby_since, self._last_input_at()) + self._seconds - loop.time()
        if left <= 0:
            self._disconnect(FAREWELL)
            return
        until_warning = left - IDLE_WARNING_SECONDS
        if until_warning <= 0 and not self._warned:
            self._warn(WARNING)
        self._warned = until_warning <= 0
        wait = left if self._warned else until_warning
        self._timer = loop.call_later(min(wait, IDLE_WARNING_SECONDS), self._check)
