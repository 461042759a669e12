"""Telnet connections: plain text over the network, so that every player is a guest.

A client that names its terminal and lets the server echo gets a terminal as over ssh. Other clients (a MUD client, a
screen reader, nc) edit lines themselves and get plain lines.
"""

import asyncio
import socket
from typing import Final, cast

import structlog

from server.app.app import Carrier
from server.config import Config
from server.fair_queue import Payer
from server.features import Feature
from server.limits import INPUT_WAITING, OUTPUT_STUCK_SECONDS, PENALTY_ABUSE
from server.net.connection_limits import AdmittedConnection
from server.net.throttled_transport import ThrottledTransport, keep_alive
from server.people.players import Caller
from server.process.counters import Counters
from server.telnet import protocol
from server.telnet.protocol import OptionNegotiation
from server.terminal.terminal import Terminal, Welcome

log = structlog.get_logger("quatch.telnet")

TELNET_GRACE: Final = 1.0
"""Seconds to wait for what a client says about itself before it gets plain lines."""
TELNET_GRACES: Final = 5
"""How often each answer of a client may restart that wait."""


class TelnetAcceptor:
    """Makes the protocol of each telnet connection (a `listener.Acceptor`)."""

    name = "telnet"
    grace = TELNET_GRACE
    """Seconds that a client has to say what it is."""

    def __init__(self, _: Config, welcome: Welcome, counters: Counters) -> None:
        self.welcome = welcome
        self.counters = counters

    def accept(self, throttled: ThrottledTransport, admitted: AdmittedConnection) -> asyncio.Protocol:
        """See `listener.Acceptor`."""
        return _Connection(self, throttled, admitted)

    def denial(self, message: str) -> bytes:
        """The message as a line."""
        return message.encode() + b"\r\n"


class _Connection(asyncio.Protocol):
    """One connection. It becomes the transport of a terminal when the client has said what it is, or stays silent."""

    def __init__(self, acceptor: TelnetAcceptor, throttled: ThrottledTransport, admitted: AdmittedConnection) -> None:
        self._acceptor = acceptor
        self._throttled = throttled
        self._admitted = admitted
        self._parser = protocol.Parser()
        self._options = OptionNegotiation()
        self._early = bytearray()
        """Input from before the session began."""
        self._answers = bytearray()
        """Bytes for the telnet client itself, not for its terminal."""
        self._graces = TELNET_GRACES
        self._grace: asyncio.TimerHandle | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._terminal: Terminal | None = None
        self._task: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        connection = transport.get_extra_info("socket")
        keep_alive(connection)
        # An interrupt comes as urgent data (RFC 854): keep it in its place in the stream, where the parser expects it.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
        self._answers += self._options.begin()
        self._send_answers()
        self._begin_grace()

    def data_received(self, data: bytes) -> None:
        try:
            for item in self._parser.feed(data):
                self._take(item)
        except protocol.SubnegotiationTooLong as error:
            log.debug("telnet connection aborted", reason=str(error))
            self._admitted.penalise(PENALTY_ABUSE)
            self.abort()
        self._send_answers()

    def _take(self, item: protocol.Item) -> None:
        match item:
            case bytes():
                self._type(item)
            case protocol.Verb():
                self._answers += self._options.verb(item)
                self._progress()
            case protocol.Subnegotiation():
                self._answers += self._options.subnegotiation(item)
                self._progress()
            case protocol.TelnetCommand(code) if code == protocol.ARE_YOU_THERE:
                # RFC 854 asks for a visible sign; on a full screen it may not be text.
                self._answers += b"\a" if self._options.echoes else b"\r\n[yes]\r\n"

    def _type(self, data: bytes) -> None:
        self._admitted.mark_authenticated()
        if self._terminal is not None:
            self._terminal.feed(data)
        else:
            self._early += data
            if len(self._early) > INPUT_WAITING:
                self.hold(held=True)

    def eof_received(self) -> bool:
        self._start()
        if self._terminal is not None:
            self._terminal.end_input()
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        for timer in (self._grace, self._patience):
            if timer is not None:
                timer.cancel()
        if self._terminal is not None:
            self._terminal.gone()
        if self._task is not None:
            self._task.cancel()

    # Waiting for what the client says about itself.

    def _progress(self) -> None:
        """The client has said something about itself."""
        if self._terminal is not None:
            if self._options.size is not None:
                self._terminal.resize(*self._options.size)
        elif self._options.settled:
            self._start()
        elif self._graces > 0:
            self._begin_grace()

    def _begin_grace(self) -> None:
        self._graces -= 1
        if self._grace is not None:
            self._grace.cancel()
        self._grace = asyncio.get_running_loop().call_later(self._acceptor.grace, self._start)

    def _start(self) -> None:
        if self._terminal is not None or self._transport.is_closing():
            return
        if self._grace is not None:
            self._grace.cancel()
        options = self._options
        options.conclude()
        counters = self._acceptor.counters
        payer = Payer(self._admitted.group)
        self._terminal = Terminal(
            self, term=options.term, size=options.size or (0, 0), is_tty=options.echoes, counters=counters, payer=payer
        )
        self.hold(held=False)
        self._terminal.feed(bytes(self._early))
        self._early.clear()
        self._task = asyncio.create_task(self._run(self._terminal))

    async def _run(self, terminal: Terminal) -> None:
        try:
            await terminal.payer.run(self._acceptor.welcome(terminal, Caller(address=self._admitted.address), None))
        finally:
            self.close(0)

    def _send_answers(self) -> None:
        """Send all queued answers in one write, so that a flood of questions costs few system calls."""
        if self._answers:
            self._transport.write(bytes(self._answers))
            self._answers.clear()

    # As a `TerminalTransport`.

    def write(self, data: bytes) -> None:
        self._transport.write(protocol.encode_output(data))

    def waiting(self) -> int:
        return self._throttled.waiting()

    def hold(self, *, held: bool) -> None:
        self._throttled.hold(held=held)

    def close(self, status: int) -> None:  # noqa: ARG002 - telnet has no exit status
        if not self._transport.is_closing():
            self._transport.close()
            # What is written is still sent, but we wait only so long for the client to read it.
            self._patience = asyncio.get_running_loop().call_later(OUTPUT_STUCK_SECONDS, self._transport.abort)

    def abort(self) -> None:
        self._throttled.abort()


FEATURE: Final = Feature("telnet", (Carrier("telnet", TelnetAcceptor),))
