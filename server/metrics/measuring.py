"""Measures one process when it is asked, also by `uptime`. The library takes long to load: a start does not wait."""

import asyncio
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from server import VERSION
from server.commands.registry import Answer, Command, Context, declared_in
from server.features import Feature
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service, Serving
from server.metrics import MetricsSettings
from server.net.connection_limits import AdmittedConnection

if TYPE_CHECKING:
    from server.metrics.figures import Figures


@Command("uptime", read_only=True, on_server=True, pages=(), ssh="answer")
async def uptime(context: Context, _: str) -> Answer:
    """Show how long the server has been up."""
    lobby, now = context.lobby, asyncio.get_running_loop().time()
    peers = lobby.peers
    seconds = int(now - min(peers.began, *(each.began for each in peers.others), now))
    tables, people = len(lobby.tables.listings()), len(lobby.visitors.came)
    processes, nodes = len(peers.others) + 1, len(peers.nodes())
    line = f"quatch {VERSION}, up {timedelta(seconds=seconds)}. Tables: {tables}. People: {people}."
    if peers.others:
        line += f" Processes: {processes}. Nodes: {nodes}."
    if nodes > 1:
        line += f" You are at {peers.node}."
    value = {"version": VERSION, "uptime_s": seconds, "tables": tables, "people": people, "processes": processes}
    return Answer([line], {**value, "nodes": nodes, "node": peers.node})


class Measuring(Service):
    """Measures one process."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._connections: Collection[AdmittedConnection] = ()
        self._loaded: Figures | None = None

    def listens(self, _: Mapping[str, int], connections: Collection[AdmittedConnection]) -> None:
        """See `Service`."""
        self._connections = connections

    def serve(self, _: Serving) -> None:
        """See `Service`."""
        if self._lobby.config.of(MetricsSettings).metrics_port is not None:
            self._figures()

    async def retire(self, _: str) -> None:
        """See `Service`."""
        if self._loaded is not None:
            self._loaded.is_retired = True

    async def measured(self) -> str:
        """See `Service`."""
        return await self._figures().page()

    def _figures(self) -> "Figures":
        if self._loaded is None:
            from server.metrics.figures import Figures  # noqa: PLC0415

            self._loaded = Figures(self._lobby, self._connections)
        return self._loaded


FEATURE: Final = Feature("metrics", (*declared_in(__name__), Runs(Measuring)))
