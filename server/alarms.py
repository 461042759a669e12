"""What is wrong with the database or the clock is told to the host and the ops, once, and when it is over.

Each player only learns of what they tried themselves.
What it must not know: how the database is kept.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final
from weakref import WeakSet

import structlog

from server.features import Feature
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service
from server.lobby.visitor import Visitor
from server.storage.database import NotSaved, OutcomeUnknown
from server.table.broadcaster import tell_each

CHECK_SECONDS: Final = 2.0
CALM_SECONDS: Final = 10.0
"""After so long without a problem it is over; one that comes and goes is told once."""
TRIAL: Final = "trial"
"""The kind of a text that is written to see whether the log can be written again."""
TRIAL_BYTES: Final = 20_000
"""Its size: it needs room on the disk. It is random, so that no database makes it much smaller."""
CLOCK_ERRORS: Final = {3600: "an hour", 600: "ten minutes", 60: "a minute", 5: "five seconds"}
"""The errors of a clock that are told, in seconds and in words."""

log = structlog.get_logger("quatch.alarms")


class Alarm:
    """Logs a problem while it lasts, and tells each op who is here once; also when it is over."""

    def __init__(self, lobby: Lobby, look: Callable[[], str], begins: str, ends: str) -> None:
        """``look`` returns the problem, empty if there is none; what is told begins with ``begins``."""
        self._lobby, self._look, self._begins, self._ends = lobby, look, begins, ends
        self._problem = ""
        self._seen_at = 0.0
        """When a problem was seen last, in the event loop's time."""
        self._told: WeakSet[Visitor] = WeakSet()
        """The ops who know of it."""

    def check(self, now: float) -> None:
        """Look, at this time of the event loop."""
        problem = self._look()
        if problem:
            if problem != self._problem:
                self._told.clear()
            self._problem, self._seen_at = problem, now
            log.error(self._begins, problem=problem)
            new = [op for op in self._ops() if op not in self._told]
            self._told.update(new)
            _tell(new, f"{self._begins}: {problem}")
        elif self._problem and now - self._seen_at >= CALM_SECONDS:
            self._problem = ""
            log.info(self._ends)
            _tell(self._ops(), self._ends)

    def _ops(self) -> list[Visitor]:
        return [each for each in self._lobby.visitors.here if self._lobby.is_op(each.caller)]


class Alarms(Service):
    """The alarms of one process."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._store = lobby, lobby.store
        self._alarms = (
            Alarm(lobby, lambda: self._store.problem, "nothing can be saved", "games can be saved again"),
            Alarm(lobby, self._clock_problem, "the clock of this machine is wrong", "the clock is right again"),
        )
        self._checked_at: float | None = None

    def open(self) -> None:
        """Begin to look."""
        self._background.begin(self.run(), "looking whether the log can be written")

    async def run(self) -> None:
        """Look every few seconds. While nothing can be saved, try to write: nobody else may do so."""
        while True:
            self.check(asyncio.get_running_loop().time())
            if self._store.problem:
                await self._try_to_write()
            await asyncio.sleep(CHECK_SECONDS)

    def check(self, now: float) -> None:
        """Look, at this time of the event loop. Clocks of players stand still while nothing can be saved."""
        problem = self._store.problem
        for alarm in self._alarms:
            alarm.check(now)
        if problem and self._checked_at is not None:
            for table in self._lobby.tables.here.values():
                table.add_time(now - self._checked_at)
        self._checked_at = now

    async def _try_to_write(self) -> None:
        with suppress(NotSaved, OutcomeUnknown):
            await self._store.put_text(TRIAL, "", secrets.token_hex(TRIAL_BYTES // 2))
            await self._store.put_text(TRIAL, "", None)

    def _clock_problem(self) -> str:
        ahead = self._store.clock_ahead
        size = next((words for seconds, words in CLOCK_ERRORS.items() if abs(ahead) >= seconds), "")
        way = "ahead of" if ahead > 0 else "behind"
        return f"it is more than {size} {way} that of the database, which counts; set it right" if size else ""


def _tell(ops: Iterable[Visitor], line: str) -> None:
    tell_each(ops, lambda op: op.hear("server", line))


FEATURE: Final = Feature("alarms", (Runs(Alarms),))
