"""What one server counts and times for its host's monitoring. No names, keys or cards: labels tell kinds, no more.

Whoever counts is handed the server's `Metrics`. What merely is there, tables and people, `census` counts when asked.
"""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, disable_created_metrics

from engine.ai import LEVELS

Refusal: TypeAlias = Literal["banned", "unlisted", "full", "place_full", "too_fast", "penalty", "made_room"]
"""Why a connection is not had: banned, or not on the list of those who may come; no more in all, or from one place;
come too fast, or after trouble; cut off because a newcomer needs the room."""
REFUSALS: Final[tuple[Refusal, ...]] = get_args(Refusal)
KINDS: Final = ("person", "bot", "ai")
"""Who moves."""
FAILURES: Final = ("not_saved", "unknown")
"""How the log fails: nothing was written, or nobody knows."""
SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""The bounds of all histograms."""

_Metric = TypeVar("_Metric", Counter, Histogram)

# When a counter was made is nobody's question, and would double what is read.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """One server's counts, each of which begins at 0."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        """Where monitoring reads it all."""
        # Memory, processor time and descriptors, as every program tells them.
        ProcessCollector(registry=self.registry)
        self.refused = self._by(
            REFUSALS, self._counter("connections_refused", "Connections turned away or cut off for others.", "reason")
        )
        self.penalties = self._counter("penalties", "Penalties that were put on places connections come from.")
        self.moves = self._by(KINDS, self._counter("moves", "Moves made here, by who made them.", "kind"))
        self.move_seconds = self._histogram("move_seconds", "From a request to move until the move is durable.")
        self.append_seconds = self._histogram("log_append_seconds", "Writing an entry of the log durably.")
        self.log_failures = self._by(
            FAILURES, self._counter("log_failures", "Entries that were not written, or perhaps not.", "code")
        )
        self.frames_drawn = self._counter("frames_drawn", "Screens that were composed and sent where they differ.")
        self.frames_skipped = self._counter("frames_skipped", "Screens not drawn: their reader was behind.")
        self.bytes_out = self._counter("sent_bytes", "Bytes sent to terminals, before encryption.")
        self.thinking_seconds = self._by(
            LEVELS, self._histogram("ai_thinking_seconds", "An AI player's thinking about one move.", "level")
        )
        self.workers_replaced = self._counter("workers_replaced", "Worker processes that died or took too long.")
        self.loop_lag_seconds = self._histogram("loop_lag_seconds", "How long the event loop took to answer.")
        self.loop_stalls = self._counter("loop_stalls", "Times that it took so long that its stack was logged.")

    def _counter(self, name: str, told: str, *labels: str) -> Counter:
        return Counter(name, told, labels, namespace="quatch", registry=self.registry)

    def _histogram(self, name: str, told: str, *labels: str) -> Histogram:
        return Histogram(name, told, labels, namespace="quatch", registry=self.registry, buckets=SECONDS)

    def _by(self, values: Iterable[str], metric: _Metric) -> dict[str, _Metric]:
        """A count for each value of a label: others there cannot be."""
        return {value: metric.labels(value) for value in values}


UNREAD: Final = Metrics()
"""For what is no part of a server: counted, and read by nobody."""
