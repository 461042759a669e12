"""Where a host's monitoring reads the metrics: HTTP on this machine alone, one reader at a time.

It is served from a thread of its own, which never waits for the event loop for long: it also answers when that is busy.
"""

import asyncio
import threading
from typing import Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

ADDRESS: Final = "127.0.0.1"
READER_SECONDS: Final = 1.0
"""How long a reader may take to say or to take anything."""


class MetricsServer:
    """One server's page of metrics."""

    def __init__(self, registry: CollectorRegistry, port: int) -> None:
        """Begin to serve; 0 takes a free port. Raises OSError where it cannot be had."""
        try:
            self._server = _Server((ADDRESS, port), _Request)
        except OSError as error:
            raise OSError(error.errno, f"metrics_port: {ADDRESS} {port}: {error.strerror}") from None
        self._server.set_app(make_wsgi_app(registry))
        self._thread = threading.Thread(target=self._server.serve_forever, name="monitoring", daemon=True)
        self._thread.start()

    @property
    def ready(self) -> str:
        """The line that tells the host where."""
        return f"ready metrics {ADDRESS} {self._server.server_port}"

    async def close(self) -> None:
        """Serve no more."""
        # Ends the thread at its next look, in half a second at most.
        await asyncio.to_thread(self._server.shutdown)
        self._thread.join()
        self._server.server_close()


class _Server(WSGIServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever asks for metrics and goes away is no news."""


class _Request(WSGIRequestHandler):
    timeout = READER_SECONDS

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """That somebody has asked is no news either."""
