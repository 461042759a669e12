"""Counters and timings of one server for its host's monitoring. Labels hold kinds, never names, keys or cards.

Modules that count are given the server's `Metrics`. Gauges, such as the number of tables, are in `app.gauges`.
"""

import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from math import inf
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from prometheus_client import CollectorRegistry, Gauge, ProcessCollector, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from engine.ai import LEVELS

Denial: TypeAlias = Literal["banned", "unlisted", "full", "place_full", "too_fast", "penalty", "made_room"]
"""Why a connection was denied: its key or address is banned, or its key is not on the host's list; the server or its
address (``place_full``) has too many; it came too fast, or during a penalty; it was closed to make room."""
DENIALS: Final[tuple[Denial, ...]] = get_args(Denial)
KINDS: Final = ("person", "bot", "ai")
"""What kinds of player move."""
FAILURES: Final = ("not_saved", "unknown")
"""How an append to the log fails: nothing was written, or it is unknown."""
SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""The bounds of all histograms."""


class Count:
    """A counter. A plain number costs a tenth of one of the library's, and each move counts a few times."""

    def __init__(self) -> None:
        self.value = 0

    def inc(self) -> None:
        """Count one more."""
        self.value += 1


class Timing:
    """A histogram of times, with the bounds of `SECONDS`."""

    def __init__(self) -> None:
        self.counts = [0] * (len(SECONDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Count a time."""
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.total += seconds

    @contextmanager
    def time(self) -> Iterator[None]:
        """Count the time that the context takes."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - began)

    @property
    def by_bound(self) -> tuple[tuple[float, float], ...]:
        """For each bound in seconds, the last one infinite, how many times are no longer."""
        return tuple(zip((*SECONDS, inf), accumulate(self.counts), strict=True))


_Metric = TypeVar("_Metric", Count, Timing)


class Metrics(Collector):
    """One server's counters and histograms."""

    def __init__(self) -> None:
        self._families: dict[str, tuple[str, str, Mapping[str, Count | Timing]]] = {}
        """The help of each metric by its name, its label if it has one, and the numbers by the label's values."""
        self.registry = CollectorRegistry()
        """What the metrics page shows."""
        # Memory, processor time and file descriptors.
        ProcessCollector(registry=self.registry)
        self.refused = self._by(
            DENIALS, Count, "connections_refused", "Connections refused, or closed to make room for others.", "reason"
        )
        self.penalties = self._one(Count(), "penalties", "Penalties put on addresses.")
        self.moves = self._by(KINDS, Count, "moves", "Moves, by the kind of player.", "kind")
        self.move_seconds = self._one(
            Timing(), "move_seconds", "Seconds from a request to move until the move is durable."
        )
        self.append_seconds = self._one(Timing(), "log_append_seconds", "Seconds to write an entry of the log durably.")
        self.log_failures = self._by(
            FAILURES, Count, "log_failures", "Entries that were not written, or may not have been.", "code"
        )
        self.log_writable = Gauge(
            "log_writable", "1, or 0 while nothing can be saved.", namespace="quatch", registry=self.registry
        )
        self.frames_drawn = self._one(Count(), "frames_drawn", "Screens composed; only changes are sent.")
        self.frames_skipped = self._one(
            Count(), "frames_skipped", "Screens skipped because the client had not read the last one."
        )
        self.bytes_out = self._one(Count(), "sent_bytes", "Bytes sent to terminals, before encryption.")
        self.thinking_seconds = self._by(
            LEVELS, Timing, "ai_thinking_seconds", "Seconds that an AI player thinks about a move.", "level"
        )
        self.workers_replaced = self._one(
            Count(), "workers_replaced", "Worker processes replaced because they died or took too long."
        )
        self.loop_lag_seconds = self._one(
            Timing(), "loop_lag_seconds", "Seconds that the event loop took to answer the watchdog."
        )
        self.loop_stalls = self._one(
            Count(), "loop_stalls", "Times that the event loop took so long that its stack was logged."
        )
        self.registry.register(self)

    def page(self) -> str:
        """All of them as Prometheus reads them."""
        return generate_latest(self.registry).decode()

    def collect(self) -> Iterator[Metric]:
        """The counters and histograms, as `prometheus_client` reads them."""
        for name, (help_text, label, by_value) in self._families.items():
            labels = [label] if label else []
            counts = CounterMetricFamily(name, help_text, labels=labels)
            timings = HistogramMetricFamily(name, help_text, labels=labels)
            for value, metric in by_value.items():
                values = [value] if label else []
                if isinstance(metric, Count):
                    counts.add_metric(values, metric.value)
                else:
                    bounds = [("+Inf" if bound == inf else str(bound), count) for bound, count in metric.by_bound]
                    timings.add_metric(values, bounds, metric.total)
            yield counts if counts.samples else timings

    def _one(self, metric: _Metric, name: str, help_text: str) -> _Metric:
        self._families[f"quatch_{name}"] = (help_text, "", {"": metric})
        return metric

    def _by(
        self, values: Iterable[str], make: type[_Metric], name: str, help_text: str, label: str
    ) -> dict[str, _Metric]:
        """One metric for each value of its label, so that all are shown from the start."""
        by_value = {value: make() for value in values}
        self._families[f"quatch_{name}"] = (help_text, label, dict(by_value))
        return by_value


UNREAD: Final = Metrics()
"""The metrics of objects that belong to no server."""
