"""One connection's transport with limits: a rate for what it reads, a time limit for a client that does not read.

Input is read in small pieces. Its bytes are counted; input above the rate waits in the client's own socket. Each piece
is a step of its connection in the fair queue, since some input is dear to process, and nothing more is read before the
piece has had its turn. While a client does not read its output, its input is not read either.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, cast

from server import limits
from server.fair_queue import UNLIMITED, Payer
from server.ledger import Rate

_KEEPALIVE: Final = (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 3))
"""TCP keepalive finds a vanished client after a minute; some systems lack these options."""


def keep_alive(connection: socket.socket) -> None:
    """Ask for TCP keepalive, where what is carried has none of its own, as ssh has."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, seconds in _KEEPALIVE:
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), seconds)


class ThrottledTransport(asyncio.Protocol):
    """Stands between a connection's asyncio transport and its protocol."""

    def __init__(self, make_protocol: "Callable[[ThrottledTransport], asyncio.Protocol]") -> None:
        """``make_protocol`` is called with this object."""
        self._protocol = make_protocol(self)
        self._on_end: Callable[[], None] = lambda: None
        self._bytes = Rate(limits.INPUT.share)
        self.payer = UNLIMITED
        """It is charged for the input, which waits for its turns."""
        self._waits = False
        """Whether a piece of input waits for its turn."""
        self._lost = False
        self._budget: int | None = None
        self._held = self._paused = False
        self._resume: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._transport: asyncio.Transport
        self.waiting: Callable[[], int]
        """Returns how many bytes were written that the client has not read yet."""

    def hand_over(
        self, protocol: asyncio.Protocol, on_end: Callable[[], None], rest: bytes, payer: Payer = UNLIMITED
    ) -> None:
        """Give the connection to another protocol, with the bytes that have come for it already.

        ``payer`` is charged for what they and all later ones cost.
        """
        self._protocol, self._on_end, self.payer = protocol, on_end, payer
        protocol.connection_made(self._transport)
        if rest:
            protocol.data_received(rest)

    def limit_input(self, budget: int | None) -> None:
        """Abort the connection if more bytes than this come from now on; None for no limit."""
        self._budget = budget

    def hold(self, *, held: bool) -> None:
        """Stop reading, or go on reading."""
        self._held = held
        self._pause_or_resume()

    def close_with(self, data: bytes) -> None:
        """Send this as the last data; later input is ignored."""
        self._transport.write(data)
        # The client may just have closed the connection.
        with suppress(OSError):
            self._transport.write_eof()

    def abort(self) -> None:
        self._transport.abort()

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        # The most that asyncio asks the socket for at once.
        self._transport.max_size = limits.READ_AT_ONCE  # type: ignore[attr-defined]
        self.waiting = self._transport.get_write_buffer_size
        self._protocol.connection_made(self._transport)

    def data_received(self, data: bytes) -> None:
        if self._budget is not None:
            self._budget -= len(data)
            if self._budget < 0:
                self.abort()
                return
        self._waits = True
        self.payer.call(partial(self._process, data))
        loop = asyncio.get_running_loop()
        delay = self._bytes.use(len(data), loop.time())
        if delay > 0 and self._resume is None:
            self._resume = loop.call_later(delay, self._resume_now)
        if self._waits or self._resume:
            self._pause_or_resume()

    def _process(self, data: bytes) -> None:
        self._waits = False
        if not self._lost:
            self._protocol.data_received(data)
            if self._paused:
                self._pause_or_resume()

    def eof_received(self) -> bool | None:
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        self._protocol.pause_writing()
        self._watch_output()
        self._pause_or_resume()

    def resume_writing(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
        self._protocol.resume_writing()
        self._pause_or_resume()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        for timer in (self._resume, self._stuck):
            if timer is not None:
                timer.cancel()
        self._protocol.connection_lost(exc)
        self._on_end()

    def _watch_output(self) -> None:
        """Check later whether the client has read anything, and abort the connection if not."""
        self._unsent = self.waiting()
        self._stuck = asyncio.get_running_loop().call_later(limits.OUTPUT_STUCK_SECONDS, self._check_output)

    def _check_output(self) -> None:
        if self.waiting() >= self._unsent:
            self.abort()
        else:
            self._watch_output()

    def _resume_now(self) -> None:
        self._resume = None
        self._pause_or_resume()

    def _pause_or_resume(self) -> None:
        paused = bool(self._waits or self._held or self._resume or self._stuck)
        if paused != self._paused:
            self._paused = paused
            (self._transport.pause_reading if paused else self._transport.resume_reading)()
