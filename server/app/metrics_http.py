"""The pages for the host's monitoring and balancer: HTTP, one request at a time, on this machine only by default.

`/health` says whether new players should come: 200 with `ready`, or 503 with the reason. Every other path has the
metrics. The server has its own thread, which waits only briefly for the event loop, so that it answers when that is
busy.
"""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterable
from socketserver import TCPServer
from typing import TYPE_CHECKING, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

from server.net.listener import port_problem

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

HEALTH_PATH: Final = "/health"
READY: Final = "ready"
"""The health of a server to which new players should come."""
BLOCKED: Final = "blocked: the event loop does not answer"
READER_SECONDS: Final = 1.0
"""How long a client may take to send its request or to read the answer."""


class MetricsServer:
    """One server's metrics and health."""

    def __init__(self, registry: CollectorRegistry, health: Callable[[], str], host: str, port: int) -> None:
        """Start serving on this address; port 0 takes a free one. Raises OSError if the address cannot be used.

        ``health`` is called in the thread of this server.
        """
        try:
            self._server = _Server((host, port), _Request)
        except OSError as error:
            raise OSError(error.errno, port_problem("metrics_port", host, port, error)) from None
        self._host = host
        self.show(registry, health)
        self._thread = threading.Thread(target=self._server.serve_forever, name="monitoring", daemon=True)
        self._thread.start()

    @property
    def ready(self) -> str:
        """The line that tells the host the address and port."""
        return f"ready metrics {self._host} {self._server.server_port}"

    def show(self, registry: CollectorRegistry, health: Callable[[], str]) -> None:
        """Serve these metrics and this health from now on."""
        self._server.set_app(_pages(make_wsgi_app(registry), health))

    async def close(self) -> None:
        """Stop serving; takes half a second at most, until the thread looks again."""
        await asyncio.to_thread(self._server.shutdown)
        self._thread.join()
        self._server.server_close()


def _pages(metrics: "WSGIApplication", health: Callable[[], str]) -> "WSGIApplication":
    """The application that answers every request."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if environ["PATH_INFO"] != HEALTH_PATH:
            return metrics(environ, start_response)
        said = health()
        status = "200 OK" if said == READY else "503 Service Unavailable"
        start_response(status, [("Content-Type", "text/plain; charset=utf-8")])
        return [f"{said}\n".encode()]

    return answer


class _Server(WSGIServer):
    def __init__(self, address: tuple[str, int], handler: type[WSGIRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, handler)

    def server_bind(self) -> None:
        """Bind without asking the domain name system for the name of this machine, as the base class does."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.socket.getsockname()[:2]
        self.setup_environ()

    def handle_error(self, request: object, client_address: object) -> None:
        """Log nothing for a client that disconnects early."""


class _Request(WSGIRequestHandler):
    timeout = READER_SECONDS

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Log nothing for a request."""
