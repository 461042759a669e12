"""Measures one process when it is asked. The library takes long to load: a start does not wait for it."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from server.commands.registry import declared_in
from server.extension import Feature
from server.lobby.lobby import Lobby
from server.lobby.service import Runs, Service, Serving
from server.metrics import MetricsSettings, uptime
from server.net.connection_limits import AdmittedConnection

if TYPE_CHECKING:
    from server.metrics.figures import Figures


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


FEATURE: Final = Feature("metrics", (*declared_in(uptime.__name__), Runs(Measuring)))
