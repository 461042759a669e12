"""Whoever is in the lobby and types nothing for long makes room for others, and is told so before."""

import asyncio
from collections.abc import Callable
from typing import Final

from server.limits import IDLE_WARNING_SECONDS

WARNING: Final = f"Are you still there? In {IDLE_WARNING_SECONDS:.0f} seconds you are let go: press a key to stay."
FAREWELL: Final = "You have typed nothing for long: come again soon."


class Idleness:
    """Watches over one visit from `begin` to `end`."""

    def __init__(
        self,
        most: float,
        heard_at: Callable[[], float],
        in_lobby: Callable[[], bool],
        warn: Callable[[str], None],
        let_go: Callable[[str], None],
    ) -> None:
        """Whoever is at a table may watch for as long as they like.

        Args:
            most: seconds that they may type nothing.
            heard_at: when something was typed last, in the event loop's time.
            in_lobby: whether they are in the lobby.
            warn: tells them what will happen.
            let_go: ends the visit, saying why.
        """
        self._most = most
        self._heard_at = heard_at
        self._in_lobby = in_lobby
        self._warn = warn
        self._let_go = let_go
        self._since = 0.0
        self._warned = False
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """They are here."""
        self._since = asyncio.get_running_loop().time()
        self._look()

    def end(self) -> None:
        """They go."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._in_lobby():
            self._since = loop.time()
        left = max(self._since, self._heard_at()) + self._most - loop.time()
        if left <= 0:
            self._let_go(FAREWELL)
            return
        until_warning = left - IDLE_WARNING_SECONDS
        if until_warning <= 0 and not self._warned:
            self._warn(WARNING)
        self._warned = until_warning <= 0
        wait = left if self._warned else until_warning
        self._timer = loop.call_later(min(wait, IDLE_WARNING_SECONDS), self._look)
