"""How busy this process is, and how long players wait for it, over the last minute."""

import time
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from server.process.metrics import Metrics, counts_by_bound

WINDOW_SECONDS: Final = 60.0


class _Sample(NamedTuple):
    """What was counted at one time."""

    at: float
    worked: float
    """Seconds of processor time since the start."""
    waits: tuple[tuple[float, float], ...]
    """For each bound in seconds, how many answers took no longer, since the start."""


class Load:
    """Sampled while a console is open."""

    def __init__(
        self,
        metrics: Metrics,
        clock: Callable[[], float] = time.monotonic,
        worked: Callable[[], float] = time.process_time,
    ) -> None:
        """``worked`` is the processor time of this process in seconds."""
        self._metrics = metrics
        self._clock = clock
        self._worked = worked
        self._samples = deque[_Sample]()

    def sample(self) -> None:
        """Count now, and forget what is older than the window."""
        now = self._clock()
        waits = counts_by_bound(self._metrics.loop_lag_seconds)
        self._samples.append(_Sample(now, self._worked(), waits))
        while self._samples[0].at < now - WINDOW_SECONDS:
            self._samples.popleft()

    @property
    def text(self) -> str:
        """The load in words, as in "cpu 4 %, p99 2 ms"."""
        if len(self._samples) < 2:
            return "cpu -, p99 -"
        first, last = self._samples[0], self._samples[-1]
        share = (last.worked - first.worked) / (last.at - first.at)
        return f"cpu {share:.0%}, p99 {_slowest(first, last)}"


def _slowest(first: _Sample, last: _Sample) -> str:
    """The bound within which the event loop gave 99 of 100 answers between two samples."""
    counts = [(bound, now - before) for (bound, now), (_, before) in zip(last.waits, first.waits, strict=True)]
    total = counts[-1][1]
    if not total:
        return "-"
    bound = next(bound for bound, count in counts if count >= 0.99 * total)
    if bound == float("inf"):
        return f"over {counts[-2][0]:g} s"
    return f"{bound * 1000:g} ms"
