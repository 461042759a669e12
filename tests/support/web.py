"""The page's side of a web socket, for tests that need no browser."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.support.patience import PATIENCE, wait_until


class Page:
    """What a page knows: the newest of each kind of message."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.told: dict[str, dict[str, Any]] = {}
        """The newest message of each type."""
        self.pushes = 0
        self._news = asyncio.Condition()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for message in self.socket:
                told = json.loads(message or '{"type": "still"}')
                self.told[told["type"]] = told
                self.pushes += 1
                async with self._news:
                    self._news.notify_all()
        except ConnectionClosed:
            pass
        async with self._news:
            self._news.notify_all()

    @property
    def shown(self) -> dict[str, Any]:
        """What is shown now."""
        return self.told.get("shown", {})

    @property
    def table(self) -> dict[str, Any]:
        """The table that is shown; empty in the lobby."""
        table: dict[str, Any] = self.shown.get("table") or {}
        return table

    @property
    def token(self) -> str:
        """What the server has given this browser."""
        return str(self.told["welcomed"]["token"])

    @property
    def acts(self) -> list[dict[str, Any]]:
        """All buttons that do something: those at cards first."""
        own = self.table.get("own") or {}
        groups = [*own.get("hand", ()), *own.get("ups", ())]
        at_cards = [act for group in groups for act in (*group.get("acts", ()), *group.get("others", ()))]
        return [act for act in (*at_cards, *own.get("downs", ()), *self.shown.get("acts", ())) if act and line_of(act)]

    async def say(self, **message: object) -> None:
        """Send a message."""
        await self.socket.send(json.dumps(message))

    async def type(self, line: str, *, at: str = "") -> None:
        """Send a line."""
        await self.say(type="type", line=line, at=at)

    async def tap(self, act: dict[str, Any]) -> None:
        """Press a button."""
        await self.type(line_of(act), at=self.shown.get("at", ""))

    async def until(self, seen: Callable[["Page"], object]) -> "Page":
        """Wait until something holds. Raises AssertionError if it never does, ConnectionError if the server is gone."""
        await wait_until(
            lambda: seen(self), self._news, self._reading, lambda: f"never seen; what is told is {self.told}"
        )
        return self

    async def until_gone(self) -> int | None:
        """Wait until the socket is closed; with which code."""
        async with asyncio.timeout(PATIENCE):
            await self._reading
        return self.socket.close_code

    def cut(self) -> None:
        """Lose the connection without a word."""
        self.socket.transport.abort()

    async def play_on(self) -> None:
        """Play the game to its end: each time the first move that there is a button for."""
        asked = ""
        while self.table.get("turn"):
            if self.table.get("mine") and self.shown["at"] != asked:
                asked = self.shown["at"]
                await self.tap(next(act for act in self.acts if "move" in act))
            await self.until_pushed()

    async def until_pushed(self) -> None:
        """Wait for another message."""
        pushes = self.pushes
        await self.until(lambda page: page.pushes > pushes)


def line_of(act: dict[str, Any]) -> str:
    """What a button sends; empty if it does nothing."""
    return act.get("move") or " ".join(act[key] for key in ("do", "of") if key in act)


@asynccontextmanager
async def page_at(port: int, name: str = "ana", token: str = "", **options: Any) -> AsyncIterator[Page]:  # noqa: ANN401
    """A page that has said hello and is shown something. ``options`` are those of `connect`, such as ``ssl``."""
    url = f"{'wss' if 'ssl' in options else 'ws'}://127.0.0.1:{port}/play"
    async with connect(url, compression=None, **options) as socket:
        page = Page(socket)
        await page.say(type="hello", name=name, token=token)
        yield await page.until(lambda page: page.told.keys() & {"shown", "ended"})


async def get(port: int, *requests: str) -> list[bytes]:
    """The answers to these requests, one after the other over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answers = []
    async with asyncio.timeout(PATIENCE):
        for request in requests:
            writer.write(f"{request}\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(int(line.split()[1]) for line in head.splitlines() if line.startswith(b"Content-Length"))
            answers.append(head + await reader.readexactly(length))
    writer.close()
    return answers
