"""How fast one connection is read: in small pieces, and no more than its share. What is more waits at the sender's."""

import asyncio
import time
from collections.abc import Callable
from typing import cast

from server.limits import INPUT_AT_ONCE, INPUT_PER_SECOND, READ_AT_ONCE, WORK_AT_ONCE, WORK_PER_SECOND
from server.rate import Rate


class Intake(asyncio.BufferedProtocol):
    """Stands between a connection's transport and the protocol that it is for.

    A piece of input may be cheap or dear to take in, so both are counted: its bytes and the computing it costs.
    """

    def __init__(self, make_protocol: "Callable[[Intake], asyncio.Protocol]") -> None:
        """``make_protocol`` is told of this intake, to hold it."""
        self._protocol = make_protocol(self)
        self._buffer = bytearray(READ_AT_ONCE)
        self._bytes = Rate(INPUT_AT_ONCE, INPUT_PER_SECOND)
        self._work = Rate(WORK_AT_ONCE, WORK_PER_SECOND)
        self._held = False
        self._resume: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport

    def hold(self, *, held: bool) -> None:
        """Take nothing in until told otherwise."""
        self._held = held
        self._read_or_not()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection begins."""
        self._transport = cast(asyncio.Transport, transport)
        self._protocol.connection_made(transport)

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002
        """The same small room every time."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """A piece has come."""
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

    def resume_writing(self) -> None:
        """The other side has caught up."""
        self._protocol.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        if self._resume is not None:
            self._resume.cancel()
        self._protocol.connection_lost(exc)

    def _go_on(self) -> None:
        self._resume = None
        self._read_or_not()

    def _read_or_not(self) -> None:
        (self._transport.pause_reading if self._held or self._resume else self._transport.resume_reading)()
