"""Where the sockets of a server come from: it opens them itself, or asks the supervisor of several processes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from socket import socket
from typing import Protocol

from prometheus_client import CollectorRegistry

from server.app.metrics_http import MetricsServer
from server.net.accept_turns import ConnectionCounts
from server.net.listening_sockets import ListeningSockets


class OpensPorts(Protocol):
    """What a server asks for its sockets."""

    @property
    def counts(self) -> ConnectionCounts | None:
        """The connections of all processes that listen on the same sockets; None if no other one does."""

    async def open(self, carrier: str, address: str, port: int) -> list[socket]:
        """The sockets that listen there for ssh or telnet. Raises OSError, see `ListeningSockets.open`."""

    async def serve_metrics(self, registry: CollectorRegistry, health: Callable[[], str], host: str, port: int) -> str:
        """Serve metrics and health on this address; returns the ready line. Raises OSError if it cannot be used."""

    async def close(self) -> None:
        """Close what was opened here."""


@dataclass(slots=True)
class Ports:
    """The sockets of a server that opens them itself."""

    sockets: ListeningSockets = field(default_factory=ListeningSockets)
    metrics_servers: dict[tuple[str, int], MetricsServer] = field(default_factory=dict)
    """By the host and the port that were asked for."""

    @property
    def counts(self) -> None:
        """No other process listens on these sockets."""

    async def open(self, carrier: str, address: str, port: int) -> list[socket]:
        """See `ListeningSockets.open`."""
        return await self.sockets.open(carrier, address, port)

    async def serve_metrics(self, registry: CollectorRegistry, health: Callable[[], str], host: str, port: int) -> str:
        """See `OpensPorts.serve_metrics`. If this address is served already, its pages change."""
        if served := self.metrics_servers.get((host, port)):
            served.show(registry, health)
        else:
            served = self.metrics_servers[host, port] = MetricsServer(registry, health, host, port)
        return served.ready

    async def close(self) -> None:
        """Close all of them."""
        self.sockets.close()
        for served in self.metrics_servers.values():
            await served.close()
        self.metrics_servers.clear()

    def hand_over(self) -> "Ports":
        """The same sockets in another's hands: closing this object does not close them any more."""
        handed = Ports(self.sockets, self.metrics_servers)
        self.sockets, self.metrics_servers = ListeningSockets(), {}
        return handed
