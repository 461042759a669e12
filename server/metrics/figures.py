"""The figures of one process, as Prometheus reads them: what it has counted, and what there is just now."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Final, TypeVar

from prometheus_client import ProcessCollector, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from server import VERSION
from server.ledger import REFUSED
from server.lobby.lobby import Lobby
from server.net.connection_limits import AdmittedConnection
from server.process.counters import Count, Timing
from server.storage import sql
from server.storage.database import NotSaved
from server.table.snapshot import Listing, Sitter

LOG_SECONDS: Final = 0.03
"""How long to wait for the log."""
FAMILIES: Final = (
    ("refused", "connections_refused", "reason"),
    ("penalties", "penalties", ""),
    ("moves", "moves", "kind"),
    ("games", "games", ""),
    ("logins", "logins", "kind"),
    ("move_seconds", "move_seconds", ""),
    ("append_seconds", "log_append_seconds", ""),
    ("log_failures", "log_failures", "code"),
    ("frames_drawn", "frames_drawn", ""),
    ("frames_skipped", "frames_skipped", ""),
    ("bytes_out", "sent_bytes", ""),
    ("thinking_seconds", "ai_thinking_seconds", "level"),
    ("workers_replaced", "workers_replaced", ""),
    ("loop_lag_seconds", "loop_lag_seconds", ""),
    ("loop_stalls", "loop_stalls", ""),
)
"""For each attribute of `Counters`: the name that monitoring knows it by, and its label if it has one."""

_Labels = TypeVar("_Labels", bound=Sequence[str])


class Figures:
    """The figures of one process. Labels hold kinds, never names, keys or cards."""

    def __init__(self, lobby: Lobby, connections: Collection[AdmittedConnection]) -> None:
        self._lobby, self._connections = lobby, connections
        self.is_retired = False
        """Whether a newer process listens in the place of this one."""
        self._gauges: list[Metric] = []
        self._process = ProcessCollector(registry=None)
        """Memory, processor time and file descriptors."""

    async def page(self) -> str:
        """All of them."""
        in_log = await self._in_log()
        self._gauges = [*self._in_memory(), *in_log]
        return generate_latest(self).decode()

    def collect(self) -> Iterator[Metric]:
        """What was counted, and the gauges as they were measured last, as `prometheus_client` reads them."""
        yield from self._process.collect()
        counters = self._lobby.counters
        for attribute, name, label in FAMILIES:
            counted = getattr(counters, attribute)
            yield _counted(f"quatch_{name}", label, counted if label else {"": counted})
        yield from self._gauges

    async def _in_log(self) -> list[Metric]:
        """What the log counts; no figures if it does not answer in time."""
        asleep, size, seen = dict[tuple[()], int](), dict[tuple[()], int](), dict[tuple[()], int]()
        with suppress(NotSaved, TimeoutError):
            async with asyncio.timeout(LOG_SECONDS):
                asleep[()] = await self._lobby.store.number(sql.COUNT_ASLEEP)
                size[()] = await self._lobby.store.size()
                seen[()] = await self._lobby.store.number(sql.COUNT_SEEN, self._lobby.profiles.today)
        return [
            _gauge("tables_asleep", "Tables that sleep in the log.", (), asleep),
            _gauge("players_today", "Players with keys who have been here since midnight, UTC.", (), seen),
            _gauge("database_bytes", "Bytes that the database takes on the disk.", (), size),
        ]

    def _in_memory(self) -> list[Metric]:
        tables, others = self._lobby.tables.listings(), self._lobby.peers.others
        connections = Counter(
            (connection.carrier, "known" if connection.authenticated else "stranger")
            for connection in self._connections
        )
        generation = "retired" if self.is_retired else "current"
        sessions = Counter((visitor.player.kind, generation) for visitor in self._lobby.visitors.here)
        seats = Counter((_kind(sitter),) for table in tables for sitter in table.sitters)
        refused = {(name,): number for name, number in REFUSED.items()}
        return [
            _gauge("connections", "Open connections; a stranger has not logged in.", ("carrier", "state"), connections),
            _gauge("sessions", "Sessions; those of a retired process end soon.", ("kind", "generation"), sessions),
            _gauge("builds", "Processes, by the version of the program.", ("version",), {(VERSION,): 1}),
            _gauge("tables", "Tables.", ("rules", "state"), Counter(map(self._table, tables))),
            _gauge("seats", "Seats by who has them; away: a person's seat that an AI player plays.", ("kind",), seats),
            _gauge("processes", "Processes of the server that are known here.", (), {(): len(others) + 1}),
            _gauge("log_writable", "1, or 0 while nothing can be saved.", (), {(): not self._lobby.store.problem}),
            _gauge("refused_uses", "Uses beyond a share that were refused.", ("resource",), refused),
            _gauge("tasks", "Tasks of the event loop.", (), {(): len(asyncio.all_tasks())}),
            *(
                _gauge(name, told, (), {} if value is None else {(): value})
                for each in self._lobby.services
                for name, told, value in each.gauges()
            ),
        ]

    def _table(self, table: Listing) -> tuple[str, str]:
        # A table from the log may have house rules that the host has since removed.
        rules = table.rules if table.rules in self._lobby.rulebook.names else "other"
        return rules, "asleep" if table.asleep else "playing" if table.playing else "between_games"


def _kind(sitter: Sitter | None) -> str:
    if sitter is None:
        return "free"
    if sitter.away:
        return "away"
    if sitter.ai_level is not None:
        return "ai"
    return "bot" if sitter.bot else "person"


def _gauge(name: str, help_text: str, labels: Sequence[str], counted: Mapping[_Labels, float]) -> Metric:
    gauge = GaugeMetricFamily(f"quatch_{name}", help_text, labels=labels)
    for values, number in counted.items():
        gauge.add_metric(values, number)
    return gauge


def _counted(name: str, label: str, by_value: Mapping[str, Count | Timing]) -> Metric:
    labels, help_text = [label] if label else [], next(iter(by_value.values())).help
    counts = CounterMetricFamily(name, help_text, labels=labels)
    timings = HistogramMetricFamily(name, help_text, labels=labels)
    for value, counted in by_value.items():
        values = [value] if label else []
        if isinstance(counted, Count):
            counts.add_metric(values, counted.value)
        else:
            bounds = [("+Inf" if bound == inf else str(bound), count) for bound, count in counted.by_bound]
            timings.add_metric(values, bounds, counted.total)
    return counts if counts.samples else timings
