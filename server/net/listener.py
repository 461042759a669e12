"""Accepts TCP connections: reads a PROXY header, asks the connection limits, hands over to a carrier, such as ssh.

All carriers listen through here, so that one count holds for all. A connection from a listed proxy must begin with a
PROXY header. From any other address such a header is just bytes that no carrier understands.
"""

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeAlias

import structlog
from msgspec import Struct

from server.addresses import Address, AddressSet, read_address
from server.fair_queue import Payer
from server.limits import DENIAL_SECONDS, DENIALS_TOLD, PROXY_SECONDS
from server.net.connection_limits import AdmittedConnection, ConnectionDenied, ConnectionLimits
from server.net.listening_sockets import BACKLOG
from server.net.throttled_transport import ThrottledTransport
from server.process.gc_tuning import DisconnectCollector

Protocols: TypeAlias = Callable[[], asyncio.BaseProtocol]
"""Makes the protocol of a connection."""

log = structlog.get_logger("quatch.listener")


class Acceptor(Protocol):
    """What a listener hands its connections to: the carrier that speaks with them."""

    name: str

    def accept(self, transport: ThrottledTransport, connection: AdmittedConnection) -> asyncio.Protocol:
        """Make the protocol of an admitted connection."""

    def denial(self, message: str) -> bytes:
        """The bytes that make a client show this message; for a connection that was denied."""


class Introduction(Protocol):
    """What a proxy says first: for which client it speaks."""

    address: Address | None
    """None if the proxy speaks for itself or does not say."""

    def feed(self, data: bytes) -> bytes | None:
        """Take bytes as they come. None until it is whole, then the bytes behind it. Raises ValueError."""


class Introduces(Struct, frozen=True):
    """How proxies introduce clients, as a feature reads it."""

    begin: Callable[[], Introduction]


class Accepting:
    """How connections are accepted: here from sockets that no other process accepts from."""

    async def accept_from(self, listening: socket.socket, make: Protocols) -> Callable[[], object]:
        """Begin to accept connections from this socket; what is returned ends that, and closes the socket."""
        return (await asyncio.get_running_loop().create_server(make, sock=listening, backlog=BACKLOG)).close

    def note(self, connections: int) -> None:
        """So many connections are open now."""

    def end(self) -> None:
        """No connections are accepted from now on."""


class Listener:
    """All connections of the server, and where it listens for them."""

    def __init__(
        self,
        connection_limits: ConnectionLimits,
        proxies: AddressSet,
        accepting: Accepting | None = None,
        introduces: Introduces | None = None,
    ) -> None:
        """A connection from ``proxies`` has to name the address for which it speaks, if something reads that here.

        ``accepting`` is None if no other process listens on the same sockets.
        """
        self.connection_limits = connection_limits
        self.proxies, self.introduces = proxies, introduces
        self.being_denied: set[ThrottledTransport] = set()
        """Denied connections that still have time to read the reason."""
        self._open: set[ThrottledTransport] = set()
        """Every connection, admitted or not."""
        self._accepting = accepting or Accepting()
        self._closing: list[Callable[[], object]] = []
        """What ends the accepting of connections, for each socket."""
        self._collector = DisconnectCollector()

    def opened(self, transport: ThrottledTransport) -> None:
        """A connection has come; its limits are not known yet."""
        self._open.add(transport)
        self._count()

    def closed(self, transport: ThrottledTransport, connection: AdmittedConnection | None = None) -> None:
        """A connection has closed, perhaps before it was admitted."""
        self._open.discard(transport)
        self._count()
        self.being_denied.discard(transport)
        if connection is not None:
            connection.release()
            self._collector.closed(len(self.connection_limits.connections))

    async def abort_connections(self) -> None:
        """Close every connection, with whatever the client has not read yet."""
        for transport in self._open:
            transport.abort()
        # asyncio closes their sockets in the next turn of the loop.
        await asyncio.sleep(0)

    async def listen(self, acceptor: Acceptor, listening: socket.socket) -> None:
        """Accept connections from this socket, until `close` closes it."""
        make = partial(ThrottledTransport, lambda transport: _PendingConnection(self, acceptor, transport))
        self._closing.append(await self._accepting.accept_from(listening, make))
        self._count()

    def close(self) -> None:
        """Accept no more connections; those that are open stay so."""
        for close in self._closing:
            close()
        self._closing = []
        self._accepting.end()

    def _count(self) -> None:
        if self._closing:
            self._accepting.note(len(self._open))


class _PendingConnection(asyncio.Protocol):
    """A connection until its address is known and the limits have admitted or denied it."""

    def __init__(self, listener: Listener, acceptor: Acceptor, transport: ThrottledTransport) -> None:
        self._listener = listener
        self._acceptor = acceptor
        self._transport = transport
        self._header: Introduction | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._listener.opened(self._transport)
        peer = transport.get_extra_info("peername")
        if peer is None:
            # It has closed again already.
            self._transport.abort()
            return
        address = read_address(peer[0])
        if self._listener.introduces is not None and address in self._listener.proxies:
            self._header = self._listener.introduces.begin()
            self._address = address
            self._abort_after(PROXY_SECONDS)
        else:
            self._admit(address, b"")

    def data_received(self, data: bytes) -> None:
        if self._header is None:
            return
        try:
            rest = self._header.feed(data)
        except ValueError as error:
            log.warning("proxy sent no usable header", proxy=str(self._address), reason=str(error))
            self._transport.abort()
            return
        if rest is not None:
            address, self._header = self._header.address or self._address, None
            self._admit(read_address(str(address)), rest)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._listener.closed(self._transport)
        self._stop_timer()

    def _admit(self, address: Address, rest: bytes) -> None:
        self._stop_timer()
        try:
            connection = self._listener.connection_limits.admit(address, self._transport.abort, self._acceptor.name)
        except ConnectionDenied as denied:
            log.debug("connection denied", address=str(address), reason=str(denied))
            self._deny(str(denied))
            return
        protocol = self._acceptor.accept(self._transport, connection)
        closed = partial(self._listener.closed, self._transport, connection)
        self._transport.hand_over(protocol, closed, rest, Payer(connection.group))

    def _deny(self, message: str) -> None:
        """Send the reason and wait a moment: closing at once would discard it. In a flood, just close."""
        if len(self._listener.being_denied) >= DENIALS_TOLD:
            self._transport.abort()
            return
        self._listener.being_denied.add(self._transport)
        self._transport.close_with(self._acceptor.denial(message))
        self._abort_after(DENIAL_SECONDS)

    def _abort_after(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
