"""Whether new players should come to this server: what a load balancer reads on the metrics port.

A server that is not ready keeps its sessions: only new ones belong elsewhere.
"""

import asyncio
from concurrent.futures import Future
from typing import Final

from server.app.metrics_http import BLOCKED, READY
from server.lobby.lobby import Lobby

DRAINING: Final = "draining"
PATIENCE_SECONDS: Final = 1.0


def health_of(lobby: Lobby) -> str:
    """The health of one process: `ready`, `draining`, or `database down: WHY`."""
    if problem := lobby.store.problem:
        return f"database down: {problem}"
    return DRAINING if lobby.drain.is_active else READY


class HealthCheck:
    """Asks the event loop of a process for its health, from another thread. Made in that event loop."""

    def __init__(self, lobby: Lobby, patience: float = PATIENCE_SECONDS) -> None:
        """``patience``: how many seconds the event loop may take to answer."""
        self._lobby = lobby
        self._patience = patience
        self._loop = asyncio.get_running_loop()

    def __call__(self) -> str:
        """The health of this process; `blocked` if its event loop does not answer in time."""
        answer = Future[str]()
        self._loop.call_soon_threadsafe(lambda: answer.set_result(health_of(self._lobby)))
        try:
            return answer.result(self._patience)
        except TimeoutError:
            return BLOCKED
