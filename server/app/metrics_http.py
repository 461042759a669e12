"""The metrics page for the host's monitoring: HTTP on this machine only, one request at a time.

It has its own thread, which waits only briefly for the event loop, so that it answers when the loop is busy.
"""

import asyncio
import threading
from typing import Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

from server.net.listener import port_problem

ADDRESS: Final = "127.0.0.1"
READER_SECONDS: Final = 1.0
"""How long a client may take to send its request or to read the answer."""


class MetricsServer:
    """One server's page of metrics."""

    def __init__(self, registry: CollectorRegistry, port: int) -> None:
        """Start serving; port 0 takes a free one. Raises OSError if the port cannot be used."""
        try:
            self._server = _Server((ADDRESS, port), _Request)
        except OSError as error:
            raise OSError(error.errno, port_problem("metrics_port", ADDRESS, port, error)) from None
        self._server.set_app(make_wsgi_app(registry))
        self._thread = threading.Thread(target=self._server.serve_forever, name="monitoring", daemon=True)
        self._thread.start()

    @property
    def ready(self) -> str:
        """The line that tells the host the address and port."""
        return f"ready metrics {ADDRESS} {self._server.server_port}"

    async def close(self) -> None:
        """Stop serving; takes half a second at most, until the thread looks again."""
        await asyncio.to_thread(self._server.shutdown)
        self._thread.join()
        self._server.server_close()


class _Server(WSGIServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Log nothing for a client that disconnects early."""


class _Request(WSGIRequestHandler):
    timeout = READER_SECONDS

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Log nothing for a request."""
