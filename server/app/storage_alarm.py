"""Tells the host and the ops why nothing can be saved: each player only learns it of what they tried themselves."""

import asyncio
from typing import Final
from weakref import WeakSet

import structlog

from server.lobby.lobby import Lobby
from server.lobby.visitors import Visitor
from server.ops.metrics import Metrics
from server.table.broadcaster import tell_each

CHECK_SECONDS: Final = 1.0
CALM_SECONDS: Final = 10.0
"""After so long without a problem it is over; one that comes and goes is told once."""

log = structlog.get_logger("quatch.storage")


class StorageAlarm:
    """Looks whether the log can be written."""

    def __init__(self, lobby: Lobby, metrics: Metrics) -> None:
        self._lobby = lobby
        self._writable = metrics.log_writable
        self._writable.set(1)
        self._problem = ""
        self._seen_at = 0.0
        """When a problem was seen last, in the event loop's time."""
        self._told: WeakSet[Visitor] = WeakSet()
        """The ops who know of it."""

    async def run(self) -> None:
        """Look once a second."""
        while True:
            self.check(asyncio.get_running_loop().time())
            await asyncio.sleep(CHECK_SECONDS)

    def check(self, now: float) -> None:
        """Log a problem, and tell each op who is here once; also when it is over."""
        problem = self._lobby.store.problem
        self._writable.set(not problem)
        if problem:
            if problem != self._problem:
                self._told.clear()
            self._problem, self._seen_at = problem, now
            log.error("nothing can be saved", problem=problem)
            self._tell(f"nothing can be saved: {problem}")
        elif self._problem and now - self._seen_at >= CALM_SECONDS:
            self._problem = ""
            log.info("the log can be written again")
            self._told.clear()
            self._tell("games can be saved again")
            self._told.clear()

    def _tell(self, line: str) -> None:
        ops = [each for each in self._lobby.visitors.here if each.caller.key in self._lobby.config.ops]
        new = [op for op in ops if op not in self._told]
        self._told.update(new)
        tell_each(new, lambda op: op.hear("server", line))
