"""Gauges for monitoring: connections, sessions, tables, seats and tasks, counted when monitoring asks for them."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from server.lobby.lobby import Lobby
from server.net.connection_limits import ConnectionLimits
from server.session.bot_session import BotSession
from server.session.terminal_session import TerminalSession
from server.storage.database import NotSaved
from server.table.snapshot import Listing, Sitter

LOG_SECONDS: Final = 0.03
"""How long to wait for the log."""

_Labels = TypeVar("_Labels", bound=Sequence[str])


class Gauges(Collector):
    """Counts what one process has."""

    def __init__(
        self, lobby: Lobby, connection_limits: ConnectionLimits, sessions: Collection[TerminalSession | BotSession]
    ) -> None:
        self._lobby, self._limits, self._sessions = lobby, connection_limits, sessions
        self._last: list[Metric] = []

    def collect(self) -> Iterable[Metric]:
        """The gauges as they were counted last, as `prometheus_client` reads them."""
        return self._last

    async def count(self) -> None:
        """Count everything."""
        in_log = await self._in_log()
        self._last = [*self._in_memory(), *in_log]

    async def _in_log(self) -> list[Metric]:
        """What the log counts; no figures if it does not answer in time."""
        asleep, size = dict[tuple[()], int](), dict[tuple[()], int]()
        with suppress(NotSaved, TimeoutError):
            async with asyncio.timeout(LOG_SECONDS):
                asleep[()] = await self._lobby.store.count_asleep()
                size[()] = await self._lobby.store.size()
        return [
            _gauge("tables_asleep", "Tables that sleep in the log.", (), asleep),
            _gauge("database_bytes", "Bytes that the database takes on the disk.", (), size),
        ]

    def _in_memory(self) -> list[Metric]:
        tables, others = self._lobby.tables.listings(), self._lobby.peers.others
        connections = Counter(
            (connection.carrier, "known" if connection.authenticated else "stranger")
            for connection in self._limits.connections
        )
        sessions = Counter(("bot" if isinstance(session, BotSession) else "person",) for session in self._sessions)
        seats = Counter((_kind(sitter),) for table in tables for sitter in table.sitters)
        return [
            _gauge("connections", "Open connections; a stranger has not logged in.", ("carrier", "state"), connections),
            _gauge("sessions", "Sessions of people and of bots.", ("kind",), sessions),
            _gauge("tables", "Tables.", ("rules", "state"), Counter(map(self._table, tables))),
            _gauge("seats", "Seats by who has them; away: a person's seat that an AI player plays.", ("kind",), seats),
            _gauge("processes", "Processes of the server that are known here.", (), {(): len(others) + 1}),
            _gauge("messages", "Messages between processes since the start.", ("fate",), self._messages()),
            _gauge("tasks", "Tasks of the event loop.", (), {(): len(asyncio.all_tasks())}),
        ]

    def _messages(self) -> Mapping[tuple[str], int]:
        return {(fate,): number for fate, number in self._lobby.peers.counted._asdict().items()}

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


def _gauge(name: str, help_text: str, labels: Sequence[str], counted: Mapping[_Labels, int]) -> Metric:
    gauge = GaugeMetricFamily(f"quatch_{name}", help_text, labels=labels)
    for values, number in counted.items():
        gauge.add_metric(values, number)
    return gauge
