"""Telnet for tests: a client that says of itself what a test wants it to, on a real socket."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pyte

from tests.support.emitted import check_emitted
from tests.support.patience import PATIENCE
from tests.support.people import Client

IAC, DONT, DO, WILL, SB, SE = 255, 254, 253, 251, 250, 240
"""RFC 854."""
_TO_THE_CLIENT: Final = re.compile(rb"\xff(?:[\xfb-\xfe].|\xfa.[^\xff]*\xff\xf0|[^\xfa-\xfe])", re.DOTALL)
AGREED: Final = bytes((IAC, DO, 1, IAC, DO, 3, IAC, WILL, 3, IAC, DONT, 42))


def naws(columns: int, rows: int) -> bytes:
    """RFC 1073: a size, 255 doubled."""
    size = columns.to_bytes(2) + rows.to_bytes(2)
    return bytes((IAC, SB, 31)) + size.replace(b"\xff", b"\xff\xff") + bytes((IAC, SE))


def screen_client(columns: int = 80, rows: int = 24) -> bytes:
    """All that a client with a real terminal says, at once: the server's answers are not waited for."""
    told = bytes((IAC, SB, 24, 0)) + b"XTERM" + bytes((IAC, SE))
    return bytes((IAC, WILL, 24)) + told + told + bytes((IAC, WILL, 31)) + naws(columns, rows) + AGREED


class TelnetClient(Client):
    """A person at a telnet client, or a machine that speaks telnet."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self._fed = 0
        super().__init__(reader.read)

    @property
    def printed(self) -> bytes:
        """Everything that was sent, without what is for the client itself."""
        return _TO_THE_CLIENT.sub(b"", self.raw).replace(b"\r\0", b"\r")

    @property
    def text(self) -> str:
        """The same as text."""
        return self.printed.decode("utf-8", "replace")

    @property
    def shown(self) -> str:
        """The screen as text."""
        self._stream.feed(self.printed[self._fed :])
        self._fed = len(self.printed)
        return "\n".join(line.rstrip() for line in self.screen.display)

    def send(self, data: bytes) -> None:
        """Send these bytes."""
        self.writer.write(data)

    async def until_gone(self) -> str:
        """Wait until the server has hung up; all text."""
        async with asyncio.timeout(PATIENCE):
            await self._reading
        return self.text

    def reset(self) -> None:
        """Go without a word: the server gets an RST, or at least the end."""
        self._reading.cancel()
        self.writer.transport.abort()


@asynccontextmanager
async def telnet_client(port: int) -> AsyncIterator[TelnetClient]:
    """A connection over which nothing has been said yet."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    somebody = TelnetClient(reader, writer)
    try:
        yield somebody
    finally:
        somebody.reset()
    check_emitted(somebody.printed, "telnet")
