"""A server process's end of the link to its supervisor, from which it has its settings and its sockets.

Until the process is ready it asks, and waits for each answer. From then on the supervisor asks. The link closes when
the supervisor ends, and then the process stops, too.
"""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import ceil
from typing import Protocol, Self

import structlog
from msgspec import msgpack
from prometheus_client import CollectorRegistry

from server.app.link_messages import (
    LENGTH_BYTES,
    LINK_VARIABLE,
    MOST_DESCRIPTORS,
    Listen,
    Measure,
    Measured,
    Opened,
    Retire,
    ServeMetrics,
    ToProcess,
    ToSupervisor,
    Welcome,
    frame,
)
from server.app.merged_metrics import families_of
from server.config import Config
from server.net.accept_turns import ConnectionCounts

log = structlog.get_logger("quatch.link")


class _Measures(Protocol):
    """Measures this process; called in a thread."""

    def __call__(self, *, figures: bool = True) -> Measured: ...


class SupervisorLink:
    """One process's link to its supervisor; it gives the process its sockets, see `ports.OpensPorts`."""

    def __init__(self, link: socket.socket) -> None:
        """Raises ConnectionError if the supervisor has ended."""
        self._link = link
        welcome, (counts,) = self._receive()
        if not isinstance(welcome, Welcome):
            raise ConnectionError(f"welcomed by {welcome}")
        self.process = welcome.process
        """The number of this process, from 0."""
        self.settings = welcome.settings
        """The settings of this generation; empty for its first process, which reads them."""
        self.begins = welcome.begins
        """Whether this is the first process of the server."""
        self.counts = ConnectionCounts(counts, welcome.process)
        self._measure: _Measures | None = None
        self._writer: asyncio.StreamWriter | None = None
        """For messages, once `follow` reads the answers."""

    @classmethod
    def inherited(cls) -> Self | None:
        """The link of this process; None if it has no supervisor."""
        descriptor = os.environ.pop(LINK_VARIABLE, "")
        return cls(socket.socket(fileno=int(descriptor))) if descriptor else None

    async def open(self, carrier: str, address: str, port: int) -> list[socket.socket]:
        """See `ports.OpensPorts`."""
        _, descriptors = self._ask(Listen(carrier, address, port))
        return [socket.socket(fileno=descriptor) for descriptor in descriptors]

    async def serve_metrics(self, registry: CollectorRegistry, health: Callable[[], str], host: str, port: int) -> str:
        """See `ports.OpensPorts`: the supervisor has one page for all processes."""

        def measure(*, figures: bool = True) -> Measured:
            return Measured(families_of(registry) if figures else None, health())

        self._measure = measure
        answer, _ = self._ask(ServeMetrics(host, port))
        return answer.line

    async def close(self) -> None:
        """Tell the supervisor the last metrics."""
        if self._measure is not None:
            self.tell(await asyncio.to_thread(self._measure))
        if self._writer is not None:
            with suppress(OSError):
                await self._writer.drain()

    def tell(self, message: ToSupervisor) -> None:
        """Send a message; if the supervisor has ended, nobody needs it."""
        if self._writer is not None:
            self._writer.write(frame(message))
            return
        with suppress(OSError):
            self._link.sendall(frame(message))

    async def follow(self, retire: Callable[[], None], stop: Callable[[], None]) -> None:
        """Answer the supervisor from now on; stop when it has ended."""
        reader, self._writer = await asyncio.open_connection(sock=self._link)
        self._writer.transport.set_write_buffer_limits(0)
        try:
            while True:
                length = int.from_bytes(await reader.readexactly(LENGTH_BYTES))
                match msgpack.decode(await reader.readexactly(length), type=ToProcess):
                    case Retire():
                        retire()
                    case Measure(figures) if self._measure is not None:
                        self.tell(await asyncio.to_thread(self._measure, figures=figures))
        except (asyncio.IncompleteReadError, OSError):
            stop()

    def _ask(self, request: Listen | ServeMetrics) -> tuple[Opened, list[int]]:
        """Ask for something that only the supervisor has. Raises OSError if it could not open it."""
        self._link.sendall(frame(request))
        answer, descriptors = self._receive()
        if not isinstance(answer, Opened):
            raise ConnectionError(f"answered by {answer}")
        if answer.problem:
            raise (socket.gaierror if answer.is_unknown_name else OSError)(answer.error, answer.problem)
        return answer, descriptors

    def _receive(self) -> tuple[ToProcess, list[int]]:
        """Wait for a message. Raises ConnectionError if the supervisor has ended."""
        length, descriptors, _, _ = socket.recv_fds(self._link, LENGTH_BYTES, MOST_DESCRIPTORS, socket.MSG_WAITALL)
        data = self._link.recv(int.from_bytes(length), socket.MSG_WAITALL)
        if not data:
            raise ConnectionError("the supervisor has ended")
        return msgpack.decode(data, type=ToProcess), descriptors


def share_of(config: Config) -> Config:
    """The settings of one of several processes: its share of the workers and the connections."""
    workers = max(1, config.workers // config.processes) if config.workers else 0
    return replace(config, workers=workers, connections=ceil(config.connections / config.processes))
