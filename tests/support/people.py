"""People for tests: real SSH clients that type, and read their screen back through a terminal emulator."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self

import asyncssh
import pyte

from server.app.app import App
from server.config import Config
from server.features import Features
from server.net.listening_sockets import by_carrier, open_all
from server.storage.database import Database
from server.storage.sqlite_database import MemoryDatabase
from tests.support.emitted import check_emitted
from tests.support.emulated_screen import Emulator, shown_by
from tests.support.features import not_looking_back
from tests.support.patience import PATIENCE, wait_until
from tests.support.tables import known_seeds


class Client:
    """Sends to a server, and reads all that it sends until the connection ends."""

    def __init__(self, read: Callable[[int], Awaitable[bytes]]) -> None:
        self.raw = b""
        self._read_some = read
        self._news = asyncio.Condition()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(asyncssh.ConnectionLost, ConnectionError):
            while data := await self._read_some(65536):
                self.raw += data
                self.feed(data)
                async with self._news:
                    self._news.notify_all()
        async with self._news:
            self._news.notify_all()

    def feed(self, data: bytes) -> None:
        """Take what the server has just sent."""

    @property
    def text(self) -> str:
        """Everything that was ever sent, as text."""
        return self.raw.decode("utf-8", "replace")

    @property
    def seen(self) -> str:
        """What the player looks at."""
        return self.text

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        raise NotImplementedError

    async def until(self, seen: Callable[[Self], bool] | str) -> str:
        """Wait until a text is seen, or until something holds. Returns what is seen then.

        Raises AssertionError if it never does, ConnectionError if the connection has ended before.
        """
        test = (lambda _: seen in self.seen) if isinstance(seen, str) else seen
        await wait_until(
            lambda: test(self),
            self._news,
            self._reading,
            lambda: f"never seen: {seen!r}; what is seen is\n{self.seen[-5000:]}",
        )
        return self.seen

    async def press(self, keys: bytes, seen: Callable[[Self], bool] | str) -> str:
        """Send keys and wait like `until`."""
        self.send(keys)
        return await self.until(seen)


class Person(Client):
    """A person at an ssh client: types text, sees a screen (on a tty) or reads lines."""

    def __init__(
        self,
        process: "asyncssh.SSHClientProcess[bytes]",
        columns: int,
        rows: int,
        *,
        latin: bool = False,
        plain: bool = False,
    ) -> None:
        """``latin``: the terminal shows each byte as a character of ISO 8859-1. ``plain``: there is no terminal."""
        self.process = process
        self.screen = Emulator(columns, rows, self.send)
        self._plain = plain
        self._stream = pyte.ByteStream(self.screen)
        if latin:
            self._stream.select_other_charset("@")
        self._shown: str | None = None
        """The screen as text, once it was asked for."""
        super().__init__(process.stdout.read)

    def feed(self, data: bytes) -> None:
        """Draw it."""
        self._stream.feed(data)
        self._shown = None

    @property
    def shown(self) -> str:
        """The screen as text."""
        if self._shown is None:
            self._shown = shown_by(self.screen)
        return self._shown

    @property
    def seen(self) -> str:
        """The screen, or without one all text."""
        return self.text if self._plain else self.shown

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        self.process.stdin.write(line.encode() + b"\r")

    async def leave_game(self) -> None:
        """Leave a game that is not over: one is asked first if that costs something."""
        before = len(self.text)

        def said(person: Person) -> str:
            return " ".join((person.text[before:] if person._plain else person.shown).split())

        await self.enter("leave", lambda person: any(each in said(person) for each in ("leave to go", "in the lobby.")))
        if "leave to go" in said(self):
            self.type("leave")

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.process.stdin.write(data)

    async def enter(self, line: str, seen: Callable[[Self], bool] | str) -> str:
        """Type a line and wait like `until`."""
        self.type(line)
        return await self.until(seen)

    async def until_text(self, seen: str) -> str:
        """Wait until a text has been sent, whatever the screen shows now; everything sent so far."""
        await self.until(lambda person: seen in person.text)
        return self.text

    async def until_gone(self) -> int | None:
        """Wait until the server has ended the session; its exit status."""
        async with asyncio.timeout(PATIENCE):
            await self._reading
            await self.process.wait_closed()
            return self.process.exit_status


class Guest(asyncssh.SSHClient):
    """A client without a key: it answers no questions."""

    def kbdint_auth_requested(self) -> str:
        """Try keyboard-interactive."""
        return ""

    def kbdint_challenge_received(self, name: str, instructions: str, lang: str, prompts: object) -> list[str]:  # noqa: ARG002
        """There is nothing to answer."""
        return []


@asynccontextmanager
async def connected(
    port: int,
    name: str = "ana",
    key: asyncssh.SSHKey | None = None,
    source: str = "127.0.0.1",
    client: Callable[[], asyncssh.SSHClient] = Guest,
    **options: Any,  # noqa: ANN401
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """An SSH connection, as a guest or with a key, from this address, with more options of `asyncssh.connect`."""
    async with asyncssh.connect(
        "127.0.0.1",
        port,
        local_addr=(source, 0),
        username=name,
        client_factory=client,
        known_hosts=None,
        client_keys=[key] if key else None,
        agent_path=None,
        config=None,
        **options,
    ) as connection:
        yield connection


def openssh(port: int, *arguments: str) -> list[str]:
    """The command line of the real ssh client for a server on this port."""
    options = (
        "StrictHostKeyChecking=no",
        "UserKnownHostsFile=/dev/null",
        "IdentitiesOnly=yes",
        "IdentityAgent=none",
    )
    return ["ssh", "-F", "none", "-p", str(port), *(f"-o{option}" for option in options), *arguments]


class ReachedServer:
    """A server on these ports of 127.0.0.1, and how to come in."""

    port: int
    telnet_port = web_port = 0
    """0 where these are off."""

    def openssh(self, *arguments: str) -> list[str]:
        """The command line of the real ssh client for this server."""
        return openssh(self.port, *arguments)

    @asynccontextmanager
    async def connection(
        self,
        name: str = "ana",
        key: asyncssh.SSHKey | None = None,
        source: str = "127.0.0.1",
        client: Callable[[], asyncssh.SSHClient] = Guest,
        **options: Any,  # noqa: ANN401
    ) -> AsyncIterator[asyncssh.SSHClientConnection]:
        """See `connected`."""
        async with connected(self.port, name, key, source, client, **options) as connection:
            yield connection

    async def run(
        self, command: str, key: asyncssh.SSHKey | None = None, source: str = "127.0.0.1"
    ) -> tuple[int | None, str]:
        """`ssh HOST COMMAND`: the exit status, and what is said."""
        async with self.connection("ana", key, source) as connection:
            done = await connection.run(command)
            return done.exit_status, str(done.stdout) + str(done.stderr)

    @asynccontextmanager
    async def person(
        self,
        name: str = "ana",
        *,
        key: asyncssh.SSHKey | None = None,
        term: str | None = "xterm-256color",
        size: tuple[int, int] = (80, 24),
        command: str | None = None,
        source: str = "127.0.0.1",
        latin: bool = False,
    ) -> AsyncIterator[Person]:
        """A person at a terminal of this kind and size; ``term=None`` is `ssh -T`. ``latin``: it knows no UTF-8."""
        async with self.connection(name, key, source) as connection:
            process = await connection.create_process(
                command,
                term_type=term,
                term_size=size,
                request_pty="force" if term is not None else False,
                encoding=None,
                stderr=asyncssh.STDOUT,
                env={"LC_ALL": "de_DE.ISO-8859-1"} if latin else (),
            )
            person = Person(process, *size, latin=latin, plain=term is None)
            try:
                yield person
            finally:
                process.close()
            check_emitted(person.raw, term)


class RunningServer(ReachedServer):
    """A server that runs in this process."""

    def __init__(self, app: App, ports: Mapping[str, int], fingerprint: str) -> None:
        self.app = app
        self.port = ports["ssh"]
        self.telnet_port, self.web_port = ports.get("telnet", 0), ports.get("web", 0)
        self.fingerprint = fingerprint


@asynccontextmanager
async def running_server(
    tmp_path: Path,
    store: Database | None = None,
    wall: Callable[[], float] = time.time,
    features: Callable[[Collection[str]], Features] = not_looking_back,
    /,
    **settings: object,
) -> AsyncIterator[RunningServer]:
    """A server on a free port, where AI players move at once and every test deals the same games in each run.

    AI players think in this process: workers would have to be started.

    ``features`` returns what there is beside those that are left out.
    """
    usual = {"host": ["127.0.0.1"], "port": 0, "hostkeys": str(tmp_path / "keys"), "pace": 0, "grace": 0, "workers": 0}
    config = Config.load(None, {}, usual | settings)
    sockets = await open_all(config.listens_at())
    ports = {listening.carrier: listening.port for listening in sockets}
    app = App(
        config, store or MemoryDatabase(), by_carrier(sockets), known_seeds(), wall, features=features(config.without)
    )
    fingerprint, _ = await app.start()
    try:
        yield RunningServer(app, ports, fingerprint)
    finally:
        await app.stop()


async def said_to(person: Person, line: str, answer: str) -> None:
    """Type a line, and wait for this answer; what came before is forgotten."""
    person.raw = b""
    person.type(line)
    await person.until_text(answer)
