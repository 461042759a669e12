"""Counters and timings of one server for its host's monitoring. Labels hold kinds, never names, keys or cards.

Modules that count are given the server's `Metrics`. Gauges, such as the number of tables, are in `app.gauges`.
"""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

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

_Metric = TypeVar("_Metric", Counter, Histogram)

# The time when each counter was made would double the page, and is of no use.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """One server's counters and histograms."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        """What the metrics page shows."""
        # Memory, processor time and file descriptors.
        ProcessCollector(registry=self.registry)
        self.refused = self._by(
            DENIALS,
            self._counter("connections_refused", "Connections refused, or closed to make room for others.", "reason"),
        )
        self.penalties = self._counter("penalties", "Penalties put on addresses.")
        self.moves = self._by(KINDS, self._counter("moves", "Moves, by the kind of player.", "kind"))
        self.move_seconds = self._histogram("move_seconds", "Seconds from a request to move until the move is durable.")
        self.append_seconds = self._histogram("log_append_seconds", "Seconds to write an entry of the log durably.")
        self.log_failures = self._by(
            FAILURES, self._counter("log_failures", "Entries that were not written, or may not have been.", "code")
        )
        self.log_writable = Gauge(
            "log_writable", "1, or 0 while nothing can be saved.", namespace="quatch", registry=self.registry
        )
        self.frames_drawn = self._counter("frames_drawn", "Screens composed; only changes are sent.")
        self.frames_skipped = self._counter(
            "frames_skipped", "Screens skipped because the client had not read the last one."
        )
        self.bytes_out = self._counter("sent_bytes", "Bytes sent to terminals, before encryption.")
        self.thinking_seconds = self._by(
            LEVELS, self._histogram("ai_thinking_seconds", "Seconds that an AI player thinks about a move.", "level")
        )
        self.workers_replaced = self._counter(
            "workers_replaced", "Worker processes replaced because they died or took too long."
        )
        self.loop_lag_seconds = self._histogram(
            "loop_lag_seconds", "Seconds that the event loop took to answer the watchdog."
        )
        self.loop_stalls = self._counter(
            "loop_stalls", "Times that the event loop took so long that its stack was logged."
        )

    def page(self) -> str:
        """All of them as Prometheus reads them."""
        return generate_latest(self.registry).decode()

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(name, help_text, labels, namespace="quatch", registry=self.registry)

    def _histogram(self, name: str, help_text: str, *labels: str) -> Histogram:
        return Histogram(name, help_text, labels, namespace="quatch", registry=self.registry, buckets=SECONDS)

    def _by(self, values: Iterable[str], metric: _Metric) -> dict[str, _Metric]:
        """One metric for each value of its label, so that all are shown from the start."""
        return {value: metric.labels(value) for value in values}


def counts_by_bound(histogram: Histogram) -> tuple[tuple[float, float], ...]:
    """For each bound of a histogram in seconds, the last one infinite, how many values are no larger."""
    samples = [sample for family in histogram.collect() for sample in family.samples]
    return tuple(sorted((float(each.labels["le"]), each.value) for each in samples if "le" in each.labels))


UNREAD: Final = Metrics()
"""The metrics of objects that belong to no server."""
