"""The metrics of several processes as those of one server.

Most figures are summed up. Some are the same in every process, such as the number of tables: of these the largest or
the smallest counts, as their process says. What ended processes have counted stays in the sums, as far as they told it,
so that no counter falls when a process is replaced.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal

from msgspec import Struct
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

COUNTING: Final = frozenset({"counter", "histogram"})
"""The kinds of metric that only grow."""
_MERGED_BY: Final[Mapping[str, Literal["max", "min"]]] = {
    "quatch_tables": "max",
    "quatch_tables_asleep": "max",
    "quatch_seats": "max",
    "quatch_database_bytes": "max",
    "quatch_log_writable": "min",
    "process_start_time_seconds": "min",
}
_MERGE: Final[Mapping[str, Callable[[float, float], float]]] = {
    "sum": lambda one, other: one + other,
    "max": max,
    "min": min,
}


class Sample(Struct, array_like=True):
    """One figure."""

    name: str
    labels: dict[str, str]
    value: float


class Family(Struct, array_like=True):
    """All figures of one metric."""

    name: str
    text: str
    kind: str
    merged_by: str
    """How those of two processes become one: sum, max or min."""
    samples: list[Sample]


def families_of(registry: CollectorRegistry) -> list[Family]:
    """All metrics of a process. Not to be called in its event loop, which may have to count first."""
    return [
        Family(
            metric.name,
            metric.documentation,
            metric.type,
            _MERGED_BY.get(metric.name, "sum"),
            [Sample(sample.name, dict(sample.labels), sample.value) for sample in metric.samples],
        )
        for metric in registry.collect()
    ]


def merge(processes: Iterable[Iterable[Family]]) -> list[Family]:
    """The metrics of these processes as those of one server."""
    merged: dict[str, Family] = {}
    figures: dict[str, dict[tuple[str, ...], Sample]] = {}
    for families in processes:
        for family in families:
            merged.setdefault(family.name, family)
            by_labels = figures.setdefault(family.name, {})
            for sample in family.samples:
                key = (sample.name, *sample.labels.values())
                value, before = sample.value, by_labels.get(key)
                if before is not None:
                    value = _MERGE.get(family.merged_by, _MERGE["sum"])(before.value, value)
                by_labels[key] = Sample(sample.name, sample.labels, value)
    return [
        Family(family.name, family.text, family.kind, family.merged_by, [*figures[name].values()])
        for name, family in merged.items()
    ]


def counted(families: Iterable[Family]) -> list[Family]:
    """The metrics among these that only grow."""
    return [family for family in families if family.kind in COUNTING]


class MergedCollector(Collector):
    """Shows merged metrics on a page."""

    def __init__(self, measure: Callable[[], Iterable[Family]]) -> None:
        self._measure = measure

    def collect(self) -> Iterable[Metric]:
        """The metrics of now, as `prometheus_client` reads them."""
        for family in self._measure():
            metric = Metric(family.name, family.text, family.kind)
            for sample in family.samples:
                metric.add_sample(sample.name, sample.labels, sample.value)
            yield metric
