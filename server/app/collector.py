"""How many there are: connections, sessions, tables, seats, tasks. Counted when monitoring asks, in the event loop.

All of it belongs to the event loop and changes there, so no other thread looks at it. Where the loop does not answer,
monitoring gets what was counted last.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector as PrometheusCollector

from server.lobby.lobby import Lobby
from server.net.connection_limits import ConnectionLimits
from server.session.bot_session import BotSession
from server.session.terminal_session import TerminalSession
from server.table.snapshot import Listing, Sitter

PATIENCE_SECONDS: Final = 0.05
"""How long monitoring waits for the event loop."""

_Labels = TypeVar("_Labels", bound=Sequence[str])


class Collector(PrometheusCollector):
    """Counts one server. Made in its event loop, asked from another thread."""

    def __init__(
        self, lobby: Lobby, connection_limits: ConnectionLimits, sessions: Collection[TerminalSession | BotSession]
    ) -> None:
        self._lobby, self._limits, self._sessions = lobby, connection_limits, sessions
        self._loop = asyncio.get_running_loop()
        self._last = self._all()
        self._counted = threading.Event()
        self._counted.set()

    def collect(self) -> Iterable[Metric]:
        """What there is, as monitoring reads it."""
        if self._counted.is_set():
            # Else the loop has been asked already, and has not come to it.
            self._counted.clear()
            self._loop.call_soon_threadsafe(self._count)
        self._counted.wait(PATIENCE_SECONDS)
        return self._last

    def _count(self) -> None:
        self._last = self._all()
        self._counted.set()

    def _all(self) -> list[Metric]:
        tables = self._lobby.tables()
        connections = Counter((entry.carrier, "known" if entry.known else "stranger") for entry in self._limits.entries)
        sessions = Counter(("bot" if isinstance(session, BotSession) else "person",) for session in self._sessions)
        seats = Counter((_kind(sitter),) for table in tables for sitter in table.sitters)
        return [
            _gauge("connections", "Connections; strangers are not logged in.", ("carrier", "state"), connections),
            _gauge("sessions", "People at terminals, and bots.", ("kind",), sessions),
            _gauge("tables", "Tables.", ("rules", "state"), Counter(map(self._table, tables))),
            _gauge("seats", "Seats; away: a person's, played by an AI player.", ("kind",), seats),
            _gauge("tasks", "Tasks of the event loop.", (), {(): len(asyncio.all_tasks())}),
        ]

    def _table(self, table: Listing) -> tuple[str, str]:
        # A table from the log may have rules that the host has taken away since.
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


def _gauge(name: str, told: str, labels: Sequence[str], counted: Mapping[_Labels, int]) -> Metric:
    gauge = GaugeMetricFamily(f"quatch_{name}", told, labels=labels)
    for values, number in counted.items():
        gauge.add_metric(values, number)
    return gauge
