"""A thread that watches the event loop: code that blocks the loop delays every player.

Twice a second the thread asks the loop for an answer. If the answer takes long, the loop's stack is logged. If there is
no answer at all, the process aborts and the service manager starts it again; no accepted move is lost. Time in which
the whole process was suspended does not count.
What it must not know: what the loop does.
"""

import asyncio
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from math import ceil
from typing import Final

import structlog

from server.features import Feature
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service, Serving
from server.process.counters import Counters

ASK_SECONDS: Final = 0.5
"""How often the thread asks the loop for an answer."""
STALL_SECONDS: Final = 2.0
"""The loop's stack is logged if an answer takes longer."""
OVERSLEPT_SECONDS: Final = 1.0
"""The thread itself is this late only if the process was suspended, or a thread held Python's global lock."""
LOG_SECONDS: Final = 5.0
"""How long the log may take to write the last message before an abort."""

log = structlog.get_logger("quatch.watchdog")


class Watchdog:
    """Watches the event loop in which it was made."""

    def __init__(
        self,
        counters: Counters,
        limit: float,
        *,
        abort: Callable[[], None] = os.abort,
        clock: Callable[[], float] = time.monotonic,
        worked: Callable[[], float] = time.process_time,
    ) -> None:
        """``limit``: seconds without an answer before ``abort``; 0 for never. ``worked``: seconds of processor time."""
        self._counters = counters
        self._limit = limit
        self._abort = abort
        self._clock = clock
        self._worked = worked
        self._logged = False
        self._loop, self._loop_thread = asyncio.get_running_loop(), threading.get_ident()
        self._looked = clock(), worked()
        self._answered_at: float | None
        self._ask()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Watch inside the context."""
        stopped = threading.Event()

        def watch() -> None:
            while not stopped.wait(ASK_SECONDS):
                self.check()

        thread = threading.Thread(target=watch, name="watchdog", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stopped.set()
            thread.join()

    def check(self) -> None:
        """Check whether the loop has answered, and log or abort if not. Called by the thread twice a second."""
        now = self._clock()
        if self._look_for_standstill(now):
            self._asked_at = now
        if self._answered_at is not None:
            self._counters.loop_lag_seconds.observe(max(0.0, self._answered_at - self._asked_at))
            self._logged = False
            self._ask()
        elif self._limit and now - self._asked_at > self._limit:
            with _ended_in(LOG_SECONDS):
                self._log(log.critical, "event loop answers no more, aborting", now)
                self._abort()
        elif now - self._asked_at > STALL_SECONDS and not self._logged:
            self._logged = True
            self._counters.loop_stalls.inc()
            with _ended_in(self._limit):
                self._log(log.error, "event loop held up", now)

    def _ask(self) -> None:
        self._answered_at, self._asked_at = None, self._clock()
        self._loop.call_soon_threadsafe(self._answer)

    def _answer(self) -> None:
        self._answered_at = self._clock()

    def _look_for_standstill(self, now: float) -> bool:
        """Note the time. Returns whether the process was suspended since the last look.

        If it was, the thread was away too long and little processor time has passed.
        """
        (looked_at, had_worked), worked = self._looked, self._worked()
        self._looked = now, worked
        away = now - looked_at
        return away > ASK_SECONDS + OVERSLEPT_SECONDS and worked - had_worked < away / 2

    def _log(self, say: Callable[..., object], event: str, now: float) -> None:
        frame = sys._current_frames().get(self._loop_thread)  # noqa: SLF001 - the documented way to read another thread's stack
        stack = "".join(traceback.format_stack(frame)) if frame else ""
        say(event, seconds=round(now - self._asked_at, 1), loop=stack)


@contextmanager
def _ended_in(seconds: float) -> Iterator[None]:
    """Let an alarm end the process if this takes longer, since the log may be what blocks. 0 for never."""
    signal.alarm(ceil(seconds))
    try:
        yield
    finally:
        signal.alarm(0)


class Watched(Service):
    """Has a watchdog look at the process while it serves players."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._watching = lobby, ExitStack()

    def serve(self, serving: Serving) -> None:  # noqa: ARG002
        """Begin to watch."""
        watchdog = Watchdog(self._lobby.counters, self._lobby.config.watchdog)
        self._watching.enter_context(watchdog.running())

    async def close(self) -> None:
        """Watch no more."""
        self._watching.close()


FEATURE: Final = Feature("blocked_loop", (Runs(Watched),))
