"""A thread that watches the event loop: whoever holds that up holds up everybody.

It asks the loop for an answer twice a second. One that takes long is logged with what the loop is doing meanwhile: else
nobody would ever know. One that does not come at all ends the process, for the service manager to start it anew; no
accepted move is lost by that. Time in which the whole process stood still does not count.
"""

import asyncio
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from types import TracebackType
from typing import Final, Self

import structlog

from server.ops.metrics import Metrics

LOOK_SECONDS: Final = 0.5
STALL_SECONDS: Final = 2.0
"""An answer that takes longer is logged."""
OVERSLEPT_SECONDS: Final = 1.0
"""The thread itself is late by so much only when the process stood still, or something kept Python to itself."""
LOG_SECONDS: Final = 5.0
"""How long writing to the log may take in a process that is to end."""

log = structlog.get_logger("quatch.watchdog")


class Watchdog:
    """Watches the event loop in which it is begun, for as long as its ``with`` lasts."""

    def __init__(
        self,
        metrics: Metrics,
        limit: float,
        *,
        alive: Callable[[], None] = lambda: None,
        abort: Callable[[], None] = os.abort,
        clock: Callable[[], float] = time.monotonic,
        worked: Callable[[], float] = time.process_time,
    ) -> None:
        """Nothing happens yet.

        Args:
            metrics: where the lag is counted.
            limit: seconds without an answer after which the process ends; 0 for never.
            alive: called in the thread after each answer.
            abort: ends the process.
            clock: seconds that pass.
            worked: seconds of processor time that the process has taken.
        """
        self._metrics = metrics
        self._limit = limit
        self._alive = alive
        self._abort = abort
        self._clock = clock
        self._worked = worked
        self._told = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._loop: asyncio.AbstractEventLoop
        self._loop_thread: int
        self._asked_at: float
        self._answered_at: float | None
        self._looked: tuple[float, float]

    def __enter__(self) -> Self:
        self.begin()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        self._thread.join()

    def begin(self) -> None:
        """Ask the loop in which this is called for the first time."""
        self._loop, self._loop_thread = asyncio.get_running_loop(), threading.get_ident()
        self._looked = self._clock(), self._worked()
        self._ask()

    def look(self) -> None:
        """See whether the loop has answered, and what is to be done if not. Called in the thread, twice a second."""
        now = self._clock()
        if self._stood_still(now):
            self._asked_at = now
        if self._answered_at is not None:
            self._metrics.loop_lag_seconds.observe(max(0.0, self._answered_at - self._asked_at))
            self._told = False
            self._ask()
            self._alive()
        elif self._limit and now - self._asked_at > self._limit:
            with _ended_in(LOG_SECONDS):
                self._tell(log.critical, "event loop answers no more, aborting", now)
                self._abort()
        elif now - self._asked_at > STALL_SECONDS and not self._told:
            self._told = True
            self._metrics.loop_stalls.inc()
            with _ended_in(self._limit):
                self._tell(log.error, "event loop held up", now)

    def _watch(self) -> None:
        while not self._stopped.wait(LOOK_SECONDS):
            self.look()

    def _ask(self) -> None:
        self._answered_at, self._asked_at = None, self._clock()
        self._loop.call_soon_threadsafe(self._answer)

    def _answer(self) -> None:
        self._answered_at = self._clock()

    def _stood_still(self, now: float) -> bool:
        """Whether the thread was away too long, with the process doing nothing: stopped, or its machine asleep."""
        (looked_at, had_worked), worked = self._looked, self._worked()
        self._looked = now, worked
        away = now - looked_at
        return away > LOOK_SECONDS + OVERSLEPT_SECONDS and worked - had_worked < away / 2

    def _tell(self, say: Callable[..., object], event: str, now: float) -> None:
        frame = sys._current_frames().get(self._loop_thread)  # noqa: SLF001 - what there is for this
        stack = "".join(traceback.format_stack(frame)) if frame else ""
        say(event, seconds=round(now - self._asked_at, 1), loop=stack)


@contextmanager
def _ended_in(seconds: float) -> Iterator[None]:
    """Have the system end the process when this takes longer: the log may be what the loop waits for. 0 for never."""
    signal.alarm(ceil(seconds))
    try:
        yield
    finally:
        signal.alarm(0)
