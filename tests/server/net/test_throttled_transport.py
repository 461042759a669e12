"""How fast one connection is read and how long it may be stuck, on a clock that jumps."""

import asyncio
import socket
from collections.abc import Callable
from typing import TypeAlias

import pytest

from server.fair_queue import FairQueue, Payer
from server.limits import INPUT, OUTPUT_STUCK_SECONDS, READ_AT_ONCE, RESIZE_SECONDS
from server.net.throttled_transport import ThrottledTransport
from server.process.logs import configure
from server.terminal.terminal import Terminal
from tests.support.virtual_time import in_virtual_time


class Wire(asyncio.Transport):
    """A transport that is told to read or not, and cannot send."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = True
        self.cut = False
        self.unsent = 100_000

    def pause_reading(self) -> None:
        """Wait."""
        self.reads = False

    def resume_reading(self) -> None:
        """Go on."""
        self.reads = True

    def get_write_buffer_size(self) -> int:
        """What was not taken yet."""
        return self.unsent

    def is_reading(self) -> bool:
        """Whether it was told to."""
        return self.reads

    def is_closing(self) -> bool:
        """Whether it was cut."""
        return self.cut

    def abort(self) -> None:
        """The end."""
        self.cut = True


class Reader(asyncio.Protocol):
    """Takes everything."""

    def __init__(self) -> None:
        self.came = self.longest = 0

    def data_received(self, data: bytes) -> None:
        """Count it."""
        self.came += len(data)
        self.longest = max(self.longest, len(data))


def connected() -> tuple[ThrottledTransport, Wire, Reader]:
    """A connection whose computing is not counted."""
    reader, wire = Reader(), Wire()
    throttled = ThrottledTransport(lambda _: reader)
    throttled.connection_made(wire)
    return throttled, wire, reader


async def bytes_read(throttled: ThrottledTransport, wire: Wire, reader: Reader, seconds: float) -> int:
    """How much is read in this time of a sender that always has more."""
    before, end = reader.came, asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < end:
        while wire.reads:
            throttled.data_received(bytes(READ_AT_ONCE))
        await asyncio.sleep(0.01)
    return reader.came - before


Write: TypeAlias = Callable[[asyncio.Transport, bytes], None]


class Echo(Reader):
    """Says back what it hears, byte after byte."""

    def __init__(self, write: Write) -> None:
        super().__init__()
        self._write = write

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where to say it."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Say it."""
        for byte in data:
            self._write(self._transport, bytes([byte]))


@pytest.mark.parametrize("write", [lambda to, data: to.write(data), lambda to, data: to.writelines([data])])
async def test_a_client_that_vanishes_fills_no_log(caplog: pytest.LogCaptureFixture, write: Write) -> None:
    """Over a real socket: what is written on after the first byte failed goes nowhere, without a word of asyncio's."""
    configure()
    ours, theirs = socket.socketpair()
    loop = asyncio.get_running_loop()
    transport, throttled = await loop.create_connection(lambda: ThrottledTransport(lambda _: Echo(write)), sock=ours)
    theirs.close()
    throttled.data_received(bytes(100))
    assert not caplog.records
    await asyncio.sleep(0)
    assert transport.is_closing()


async def test_little_is_read_at_once() -> None:
    """Over a real socket, from which asyncio would read more: the others get their turns in between."""
    ours, theirs = socket.socketpair()
    reader = Reader()
    await asyncio.get_running_loop().create_connection(lambda: ThrottledTransport(lambda _: reader), sock=ours)
    with theirs:
        theirs.sendall(bytes(2 * READ_AT_ONCE))
        while reader.came < 2 * READ_AT_ONCE:
            await asyncio.sleep(0)
    assert reader.longest == READ_AT_ONCE


@in_virtual_time
async def test_bytes_have_a_rate() -> None:
    """A burst, and then so many a second, in pieces that the others need not wait for."""
    throttled, wire, reader = connected()
    assert await bytes_read(throttled, wire, reader, 1) == pytest.approx(
        INPUT.share.burst + INPUT.share.per_second, rel=0.05
    )
    assert await bytes_read(throttled, wire, reader, 10) == pytest.approx(10 * INPUT.share.per_second, rel=0.05)
    throttled.connection_lost(None)


@in_virtual_time
async def test_dear_input_waits_for_its_turn_and_nothing_more_is_read_meanwhile() -> None:
    """However few its bytes are; what waits is dropped with the connection."""
    throttled, wire, _ = connected()
    reader, payer = Reader(), Payer(FairQueue().address())
    throttled.hand_over(reader, lambda: None, b"", payer)
    throttled.data_received(bytes(1))
    assert (wire.is_reading(), reader.came) == (True, 1)
    now = asyncio.get_running_loop().time()
    payer.address.used.used_until = now + 1.0
    throttled.data_received(bytes(2))
    assert (wire.is_reading(), reader.came) == (False, 1)
    await asyncio.sleep(0.01)
    assert (wire.is_reading(), reader.came) == (True, 3)
    throttled.data_received(bytes(4))
    throttled.connection_lost(None)
    await asyncio.sleep(0.01)
    assert reader.came == 3


@in_virtual_time
async def test_a_budget_is_the_end() -> None:
    """What may come before logging in."""
    throttled, wire, reader = connected()
    throttled.limit_input(READ_AT_ONCE * 2)
    for _ in range(4):
        throttled.data_received(bytes(READ_AT_ONCE))
    assert (wire.cut, reader.came) == (True, READ_AT_ONCE * 2)


@in_virtual_time
async def test_a_client_that_reads_nothing_is_not_read_and_is_disconnected() -> None:
    """46: answers cannot pile up: no more is asked, and after a while it is over."""
    throttled, wire, _ = connected()
    throttled.pause_writing()
    assert not wire.is_reading()
    await asyncio.sleep(OUTPUT_STUCK_SECONDS - 1)
    assert not wire.is_closing()
    await asyncio.sleep(2)
    assert wire.is_closing()


@in_virtual_time
async def test_the_server_waits_for_a_slow_reader() -> None:
    """A slow line is no attack; when it has caught up it is heard again, unless it was held for something else."""
    throttled, wire, _ = connected()
    throttled.pause_writing()
    for _ in range(5):
        wire.unsent -= 1_000
        await asyncio.sleep(OUTPUT_STUCK_SECONDS)
    assert not wire.cut
    throttled.hold(held=True)
    throttled.resume_writing()
    assert not wire.is_reading()
    throttled.hold(held=False)
    assert wire.is_reading()
    throttled.connection_lost(None)
    await asyncio.sleep(100)
    assert not wire.cut


@in_virtual_time
async def test_a_flood_of_sizes_is_few() -> None:
    """23: two thousand changes in a second are a handful, and the last one counts."""
    terminal = Terminal(None, term="xterm", is_tty=True)  # type: ignore[arg-type]
    sizes = []
    terminal.attach(
        data=lambda _: None, input_end=lambda: None, drained=lambda: None, resize=lambda: sizes.append(terminal.size)
    )
    for n in range(2_000):
        terminal.resize(60 + n % 100, 30)
        await asyncio.sleep(1 / 2_000)
    terminal.resize(99, 33)
    await asyncio.sleep(1)
    assert len(sizes) <= 1 / RESIZE_SECONDS + 2
    assert sizes[-1] == (99, 33)
