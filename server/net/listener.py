"""Where connections come in: believed about their address, let through the gate, handed to a carrier.

Both carriers listen through here, so that one count holds for all. A connection from a listed proxy must begin with a
PROXY header; from anybody else such a header is just something that the carrier will not understand.
"""

import asyncio
import socket
from functools import partial
from typing import Final, Protocol

import structlog

from server.addresses import Address, AddressSet, read_address
from server.limits import LINGER_SECONDS, LINGERING, PROXY_SECONDS
from server.net.connection_limits import ConnectionLimits, Entry, TurnedAway
from server.net.gc_tuning import Sweeper
from server.net.proxy_protocol import BadHeader, ProxyHeader
from server.net.throttled_transport import ThrottledTransport

log = structlog.get_logger("quatch.door")

BACKLOG: Final = 128
"""Connections that may wait in the system to be let in."""
AT_ONCE: Final = 8
"""Connections that are let in before others get their turn: each takes half a millisecond."""


class Carrier(Protocol):
    """What listens behind the door: ssh or telnet."""

    name: str

    def connect(self, intake: ThrottledTransport, entry: Entry) -> asyncio.Protocol:
        """Make the protocol of a connection that was let in."""

    def refuse(self, words: str) -> bytes:
        """Words for a connection that was turned away, as its client shows them."""


class Listener:
    """All listeners of the server."""

    def __init__(self, connection_limits: ConnectionLimits, proxies: AddressSet) -> None:
        """Whoever connects from ``proxies`` speaks for others."""
        self.connection_limits = connection_limits
        self.proxies = proxies
        self.lingering: set[ThrottledTransport] = set()
        """Connections that were turned away and are given time to read why."""
        self._sweeper = Sweeper()

    def let_out(self, entry: Entry) -> None:
        """A connection that was let in is gone."""
        entry.leave()
        self._sweeper.gone(len(self.connection_limits.entries))

    async def listen(self, carrier: Carrier, address: str, port: int) -> tuple[asyncio.Server, int]:
        """Accept connections for a carrier; also the port. Raises OSError where address or port cannot be had."""
        server = await asyncio.get_running_loop().create_server(
            lambda: ThrottledTransport(lambda intake: _Arrival(self, carrier, intake)), address, port, backlog=AT_ONCE
        )
        # asyncio takes the one number for both. A copy of the socket is the same to the system.
        for listening in server.sockets:
            with socket.fromfd(listening.fileno(), listening.family, listening.type) as same:
                same.listen(BACKLOG)
        return server, server.sockets[0].getsockname()[1]


class _Arrival(asyncio.Protocol):
    """A connection until it is known whose it is and whether it may come in."""

    def __init__(self, door: Listener, carrier: Carrier, intake: ThrottledTransport) -> None:
        self._listener = door
        self._carrier = carrier
        self._intake = intake
        self._header: ProxyHeader | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        if peer is None:
            # Gone again already.
            self._intake.abort()
            return
        address = read_address(peer[0])
        if address in self._listener.proxies:
            self._header = ProxyHeader()
            self._address = address
            self._wait(PROXY_SECONDS)
        else:
            self._let_in(address, b"")

    def data_received(self, data: bytes) -> None:
        if self._header is None:
            return
        try:
            rest = self._header.feed(data)
        except BadHeader as error:
            log.warning("proxy sent no usable header", proxy=str(self._address), reason=str(error))
            self._intake.abort()
            return
        if rest is not None:
            address, self._header = self._header.address or self._address, None
            self._let_in(read_address(str(address)), rest)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._listener.lingering.discard(self._intake)
        self._stop_waiting()

    def _let_in(self, address: Address, rest: bytes) -> None:
        self._stop_waiting()
        try:
            entry = self._listener.connection_limits.enter(address, self._intake.abort, self._carrier.name)
        except TurnedAway as refusal:
            log.debug("turned away", address=str(address), reason=str(refusal))
            self._turn_away(str(refusal))
            return
        self._intake.hand_over(self._carrier.connect(self._intake, entry), partial(self._listener.let_out, entry), rest)

    def _turn_away(self, words: str) -> None:
        """Say why and wait a moment: to hang up at once would throw away what was said. A flood is told nothing."""
        if len(self._listener.lingering) >= LINGERING:
            self._intake.abort()
            return
        self._listener.lingering.add(self._intake)
        self._intake.say_last(self._carrier.refuse(words))
        self._wait(LINGER_SECONDS)

    def _wait(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._intake.abort)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
