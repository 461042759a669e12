"""Bots for tests: programs at a real ssh connection that speak JSON lines."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.terminal.terminal import Terminal
from tests.support.hosted import HostedServer
from tests.support.patience import PATIENCE
from tests.support.people import connected

sessions = pytest.importorskip("server.bot_protocol.session", reason="bots are let in by it")

MOMENT = 0.5
"""Seconds in which a program is told what comes of a request, if time costs nothing."""


class BotClient:
    """One connection that speaks the bot protocol."""

    def __init__(
        self,
        stdin: "asyncio.StreamWriter | asyncssh.SSHWriter[bytes]",
        stdout: "asyncio.StreamReader | asyncssh.SSHReader[bytes]",
    ) -> None:
        self._stdin, self._stdout = stdin, stdout
        self.told: list[dict[str, Any]] = []

    def send(self, **request: object) -> None:
        """Send one request."""
        self._stdin.write(json.dumps(request).encode() + b"\n")

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._stdin.write(data)

    async def next(self) -> dict[str, Any] | None:
        """The next message, None at the end of the connection."""
        async with asyncio.timeout(PATIENCE):
            try:
                line = await self._stdout.readline()
            except (asyncssh.ConnectionLost, ConnectionError):
                return None
        if not line.endswith(b"\n"):
            return None
        assert line[:-1].isascii()
        assert line[:-1].decode().isprintable()
        message: dict[str, Any] = json.loads(line)
        self.told.append(message)
        return message

    async def until(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds. Raises ConnectionError if the connection ends before."""
        while message := await self.next():
            if message["type"] in kinds:
                return message
        raise ConnectionError(f"the connection ended; last told was {self.told[-1:]}")

    async def ask(self, *kinds: str, **request: object) -> dict[str, Any]:
        """Send one request and wait like `until`."""
        self.send(**request)
        return await self.until(*kinds)

    async def ask_again(self, answer: str, **request: object) -> dict[str, Any]:
        """Ask until this answer comes: another process may have written to the table's log first."""
        while (message := await self.ask(answer, "error", **request))["type"] != answer:
            assert message["code"] in {"stale", "no_such_table"}, message
        return message

    async def play(self) -> dict[str, Any]:
        """Play the first legal move each time until the game is over; the message that says so."""
        while (message := await self.until("turn", "over", "refused", "error"))["type"] != "over":
            assert message["type"] == "turn", message
            self.send(type="move", ply=message["ply"], move=message["legal"][0])
        return message


@asynccontextmanager
async def bot(
    port: int,
    name: str = "bot",
    key: asyncssh.SSHKey | None = None,
    *,
    subsystem: bool = False,
    source: str = "127.0.0.1",
) -> AsyncIterator[BotClient]:
    """A bot that has said hello."""
    async with connected(port, name, key, source) as connection:
        how = {"subsystem": "bot"} if subsystem else {"command": "bot"}
        process = await connection.create_process(**how, encoding=None)
        client = BotClient(process.stdin, process.stdout)
        hello = await client.until("hello", "error")
        assert (hello["type"], hello["v"]) == ("hello", 1)
        try:
            yield client
        finally:
            process.close()


def sockets_of(process: int) -> int:
    """How many sockets a process has open."""
    count = 0
    for file in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # it has been closed meanwhile
            count += str(file.readlink()).startswith("socket:")
    return count


async def bots_at_both(server: HostedServer, stack: AsyncExitStack) -> list[BotClient]:
    """Bots, of which the first and the last are in different processes: one that is busy lets the other accept more."""
    first, _ = server.children()
    there, bots = sockets_of(first), list[BotClient]()
    while sockets_of(first) - there in {0, len(bots)}:
        bots.append(await stack.enter_async_context(bot(server.port)))
    return bots


class _Pipe:
    """A connection that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        """Keep it."""
        self.told += [json.loads(line) for line in data.splitlines()]

    def waiting(self) -> int:
        """Whatever was sent has been read."""
        return 0

    def hold(self, *, held: bool) -> None:
        """Nothing comes too fast."""

    def close(self, status: int) -> None:
        """There is nothing to close."""

    def abort(self) -> None:
        """Nor to cut."""


class Program:
    """A bot in a lobby, with no network between."""

    def __init__(self, lobby: Lobby, name: str = "hal", ask_again_seconds: float = sessions.ASK_AGAIN_SECONDS) -> None:
        self.asked: dict[str, Any] = {}
        """The last turn that it was asked for."""
        self._pipe = _Pipe()
        self._terminal = Terminal(self._pipe, term="", size=(80, 24), is_tty=False)
        self.session = sessions.BotSession(lobby, self._terminal, Caller(name), ask_again_seconds)
        self.running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        await self.session.player_session.identify()
        await self.session.run()

    async def send(self, **request: object) -> list[dict[str, Any]]:
        """Send a request; what is told in the next moment."""
        self._terminal.feed(json.dumps(request).encode() + b"\n")
        return await self.hear(MOMENT)

    async def hear(self, seconds: float) -> list[dict[str, Any]]:
        """What is told in this time."""
        self._pipe.told.clear()
        await asyncio.sleep(seconds)
        self.asked = next((each for each in reversed(self._pipe.told) if each["type"] == "turn"), self.asked)
        return list(self._pipe.told)


def nested(depth: int) -> bytes:
    """Lists and objects in one another, by turns."""
    value: object = "]}[{"
    for level in range(depth):
        value = [value] if level % 2 else {"[": value}
    return json.dumps(value).encode()
