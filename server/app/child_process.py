"""One server process, as its supervisor sees it: it is started, asked, told to stop, and its end is awaited."""

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

import structlog
from msgspec import ValidationError, msgpack

from server.app.link_messages import (
    LENGTH_BYTES,
    LINK_VARIABLE,
    Drained,
    Failed,
    Listen,
    Measure,
    Measured,
    Opened,
    Ready,
    Retire,
    ServeMetrics,
    Stop,
    ToProcess,
    ToSupervisor,
    Welcome,
    frame,
)
from server.process import sd_notify
from server.process.own_terminal import is_at_terminal

LAST_WORDS_SECONDS: Final = 1.0
"""How long to read what a process has said before it ended."""

Opens: TypeAlias = Callable[[Listen | ServeMetrics], Awaitable[tuple[Opened, list[int]]]]
"""Opens what a process asks for: the answer, and the file descriptors that go with it."""

log = structlog.get_logger("quatch.supervisor")


class NotStarted(Exception):
    """A process ended before it was ready. The message is one line for the host."""

    def __init__(self, problem: str, status: int) -> None:
        super().__init__(problem)
        self.status = status
        """The exit status that says so."""


class ServerProcess:
    """A process that was started, and the supervisor's end of its link."""

    def __init__(self, process: asyncio.subprocess.Process, link: socket.socket, opens: Opens) -> None:
        """See `start`."""
        self.pid = process.pid
        self.measured = Measured([])
        """The last metrics, and the health with them."""
        self.drained = False
        """Whether it ends since an op has asked for it."""
        self._process = process
        self._link = link
        self._opens = opens
        self._failure: Failed | None = None
        self._ready: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()
        self._answered = asyncio.Event()
        self._writer: asyncio.StreamWriter | None = None
        self._ended = asyncio.create_task(self._run())

    @classmethod
    async def start(cls, command: Sequence[str], opens: Opens) -> "ServerProcess":
        """Start a process with this command line; it loads the program, and waits for its `welcome`. Raises OSError."""
        ours, theirs = socket.socketpair()
        environment = {name: value for name, value in os.environ.items() if name != sd_notify.VARIABLE}
        streams = None if is_at_terminal() else asyncio.subprocess.DEVNULL
        with theirs:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=streams,
                stdout=streams,
                env=environment | {LINK_VARIABLE: str(theirs.fileno())},
                pass_fds=[theirs.fileno()],
            )
        return cls(process, ours, opens)

    def welcome(self, welcome: Welcome, counts: int) -> None:
        """Have it begin. ``counts``: the file descriptor of the shared counts."""
        with suppress(OSError):  # it has ended
            socket.send_fds(self._link, [frame(welcome)], [counts])

    @property
    def is_ready(self) -> bool:
        """Whether it serves players."""
        return self._ready.done()

    async def until_ready(self) -> Ready:
        """Wait until it serves players. Raises NotStarted if it ends before."""
        either: list[asyncio.Future[Any]] = [self._ready, self._ended]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self.is_ready:
            return self._ready.result()
        status = self._ended.result()
        if self._failure is not None:
            raise NotStarted(self._failure.problem, self._failure.status)
        raise NotStarted(f"a process ended with status {status} before it was ready", 1)

    async def ended(self) -> int:
        """Wait until it has ended; its exit status, or minus the signal that has ended it."""
        return await asyncio.shield(self._ended)

    async def measure(self, *, figures: bool) -> None:
        """Ask for its health, and for its metrics if ``figures``, and wait for the answer; see `measured`."""
        self._answered.clear()
        self._tell(Measure(figures))
        await self._answered.wait()

    def retire(self) -> None:
        """Have it accept no more connections, and end when its sessions have ended; at once if it is not ready."""
        if self.is_ready:
            self._tell(Retire())
        else:
            self.send_signal(signal.SIGTERM)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal; does nothing if it has ended."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                # As asyncio does from Python 3.13 on: `Popen` would take an exit status that asyncio is waiting for.
                os.kill(self.pid, number)

    def _tell(self, message: ToProcess) -> None:
        if self._writer is not None:
            self._writer.write(frame(message))

    async def _run(self) -> int:
        """Answer the process until it has ended; its exit status."""
        reader, self._writer = await asyncio.open_connection(sock=self._link)
        reading = asyncio.create_task(self._read(reader))
        status = await self._process.wait()
        await asyncio.wait({reading}, timeout=LAST_WORDS_SECONDS)
        reading.cancel()
        self._answered.set()
        self._writer.close()
        return status

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                length = int.from_bytes(await reader.readexactly(LENGTH_BYTES))
                data = await reader.readexactly(length)
                try:
                    await self._take(msgpack.decode(data, type=ToSupervisor))
                except ValidationError as error:
                    log.warning("a process says what this supervisor does not know", pid=self.pid, problem=str(error))

    async def _take(self, message: ToSupervisor) -> None:
        match message:
            case Listen() | ServeMetrics():
                answer, descriptors = await self._opens(message)
                # Nothing else is on its way to a process that waits for an answer.
                socket.send_fds(self._link, [frame(answer)], descriptors)
            case Ready():
                self._ready.set_result(message)
            case Failed():
                self._failure = message
            case Measured(families):
                self.measured = Measured(self.measured.families if families is None else families, message.health)
                self._answered.set()
            case Drained():
                self.drained = True
            case Stop():
                signal.raise_signal(signal.SIGTERM)
