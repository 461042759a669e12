"""One connection's transport: read in small pieces and no more than its share, never written to without end.

What is more than its share waits at the sender's. A piece of input may be cheap or dear to take in, so its bytes are
counted and the computing it costs. While the other side does not take what it is sent, it is not listened to either.
When it is gone, what is still written goes nowhere.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from server.limits import (
    INPUT_AT_ONCE,
    INPUT_PER_SECOND,
    OUTPUT_STUCK_SECONDS,
    READ_AT_ONCE,
    WORK_AT_ONCE,
    WORK_PER_SECOND,
)
from server.rate import Rate


class ThrottledTransport(asyncio.BufferedProtocol):
    """Stands between a connection's transport and the protocol that it is for."""

    def __init__(self, make_protocol: "Callable[[ThrottledTransport], asyncio.Protocol]") -> None:
        """``make_protocol`` is given this transport."""
        self._protocol = make_protocol(self)
        self._on_end: Callable[[], None] = lambda: None
        self._buffer = bytearray(READ_AT_ONCE)
        self._bytes = Rate(INPUT_AT_ONCE, INPUT_PER_SECOND)
        self._work = Rate(WORK_AT_ONCE, WORK_PER_SECOND)
        self._budget: int | None = None
        self._held = False
        self._resume: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._transport: asyncio.Transport
        self._outlet: asyncio.Transport
        """The transport as the protocol has it."""

    def hand_over(self, protocol: asyncio.Protocol, on_end: Callable[[], None], rest: bytes) -> None:
        """Let another protocol have the connection, and what has come for it already."""
        self._protocol, self._on_end = protocol, on_end
        protocol.connection_made(self._outlet)
        if rest:
            protocol.data_received(rest)

    def allow(self, budget: int | None) -> None:
        """Cut the connection when so many more bytes have come; None for no end."""
        self._budget = budget

    def hold(self, *, held: bool) -> None:
        """Take nothing in until told otherwise."""
        self._held = held
        self._read_or_not()

    def waiting(self) -> int:
        """Bytes that the other side has not taken yet."""
        return self._transport.get_write_buffer_size()

    def say_last(self, data: bytes) -> None:
        """Send this and nothing more; what still comes is not taken in."""
        self._transport.write(data)
        # The other side may have gone just now.
        with suppress(OSError):
            self._transport.write_eof()

    def abort(self) -> None:
        """Cut the connection at once."""
        self._transport.abort()

    # What the transport tells.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection begins."""
        self._transport = cast(asyncio.Transport, transport)
        self._outlet = _Outlet(self._transport)
        self._protocol.connection_made(self._outlet)

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002
        """The same small room every time."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """A piece has come."""
        if self._budget is not None:
            self._budget -= nbytes
            if self._budget < 0:
                self.abort()
                return
        started = time.thread_time()
        self._protocol.data_received(bytes(self._buffer[:nbytes]))
        delay = max(self._bytes.spend(nbytes), self._work.spend(time.thread_time() - started))
        if delay > 0 and self._resume is None:
            self._resume = asyncio.get_running_loop().call_later(delay, self._go_on)
            self._read_or_not()

    def eof_received(self) -> bool | None:
        """The other side sends no more."""
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        """The other side takes less than it is sent."""
        self._protocol.pause_writing()
        self._watch()
        self._read_or_not()

    def resume_writing(self) -> None:
        """The other side has caught up."""
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
        self._protocol.resume_writing()
        self._read_or_not()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        for timer in (self._resume, self._stuck):
            if timer is not None:
                timer.cancel()
        self._protocol.connection_lost(exc)
        self._on_end()

    def _watch(self) -> None:
        """Look again later whether the other side has taken anything; who has not is cut off."""
        self._unsent = self.waiting()
        self._stuck = asyncio.get_running_loop().call_later(OUTPUT_STUCK_SECONDS, self._look_again)

    def _look_again(self) -> None:
        if self.waiting() >= self._unsent:
            self.abort()
        else:
            self._watch()

    def _go_on(self) -> None:
        self._resume = None
        self._read_or_not()

    def _read_or_not(self) -> None:
        waits = self._held or self._resume or self._stuck
        (self._transport.pause_reading if waits else self._transport.resume_reading)()


class _Outlet(asyncio.Transport):
    """A transport to which anything may be written at any time, and as much of one as the carriers use.

    A connection that is lost is told of in the loop's next turn. Whatever answers the rest of a piece until then would
    have asyncio print a line for each answer, and a stranger could fill the host's logs.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self._transport = transport

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()

    def get_extra_info(self, name: str, default: object = None) -> object:
        return self._transport.get_extra_info(name, default)
