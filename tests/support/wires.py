"""Bare connections for tests, from any address of this machine: bytes as they are, and when it is over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support.patience import PATIENCE


class Wire(asyncio.Protocol):
    """One connection that does nothing by itself."""

    def __init__(self) -> None:
        self.came = b""
        self.cut = asyncio.Event()
        self._news = asyncio.Event()
        self.transport: asyncio.Transport

    def data_received(self, data: bytes) -> None:
        """Keep it."""
        self.came += data
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """In whichever way."""
        self.cut.set()
        self._news.set()

    def send(self, data: bytes) -> None:
        """Send this, as far as it is taken."""
        self.transport.write(data)

    async def until_cut(self) -> bytes:
        """What was said until the server hung up."""
        async with asyncio.timeout(PATIENCE):
            await self.cut.wait()
        return self.came

    async def until(self, said: bytes) -> bytes:
        """Wait until this was said."""
        async with asyncio.timeout(PATIENCE):
            while said not in self.came:
                assert not self.cut.is_set(), self.came
                self._news.clear()
                await self._news.wait()
        return self.came

    async def press(self, data: bytes, said: bytes) -> bytes:
        """Send bytes and wait like `until`."""
        self.send(data)
        return await self.until(said)


@asynccontextmanager
async def dial(port: int, source: str = "127.0.0.1") -> AsyncIterator[Wire]:
    """A connection from this address, cut at the end."""
    transport, wire = await asyncio.get_running_loop().create_connection(
        Wire, "127.0.0.1", port, local_addr=(source, 0)
    )
    wire.transport = transport
    try:
        yield wire
    finally:
        transport.abort()
