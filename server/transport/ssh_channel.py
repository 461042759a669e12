"""One channel of an ssh connection: what the client asked for, and the transport of a session's terminal.

The connection says which key its client has proved to hold; nothing here decides that.
"""

import asyncio
from collections.abc import Callable

import asyncssh

from server.fair_queue import Payer
from server.limits import ENVIRONMENT, ENVIRONMENT_LENGTH, USUAL_SIZE
from server.net.throttled_transport import ThrottledTransport
from server.people.players import Caller
from server.process.metrics import Metrics
from server.terminal.terminal import Terminal, Welcome
from server.transport.asyncssh_private import limit_environment


class Channel(asyncssh.SSHServerSession[bytes]):
    """The transport of one terminal. When the channel closes, its session's task is cancelled."""

    def __init__(
        self,
        welcome: Welcome,
        metrics: Metrics,
        throttled: ThrottledTransport,
        caller: Caller,
        payer: Payer,
        on_end: Callable[[], None],
    ) -> None:
        self._welcome = welcome
        self._metrics = metrics
        self._throttled = throttled
        self._caller = caller
        self._payer = payer
        self._on_end = on_end
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._term = ""
        self._size = USUAL_SIZE
        self._is_tty = False
        self._command: str | None = None
        self._terminal: Terminal | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        limit_environment(chan, ENVIRONMENT, ENVIRONMENT_LENGTH)

    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object) -> bool:  # noqa: ARG002
        if self._is_tty:
            return False  # only one terminal
        self._term, self._size, self._is_tty = term_type, term_size[:2], True
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._command = command
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        self._command = subsystem
        return subsystem == "bot"

    def session_started(self) -> None:
        self._terminal = Terminal(
            self,
            term=self._term,
            size=self._size,
            is_tty=self._is_tty,
            environment=self._channel.get_environment() if self._channel else {},
            metrics=self._metrics,
            payer=self._payer,
        )
        self._task = asyncio.create_task(self._run(self._terminal))

    async def _run(self, terminal: Terminal) -> None:
        status = 1
        try:
            status = await self._payer.run(self._welcome(terminal, self._caller, self._command))
        finally:
            terminal.close(status)

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002
        if self._terminal is not None:
            self._terminal.feed(data)

    def eof_received(self) -> bool:
        if self._terminal is not None:
            self._terminal.end_input()
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:  # noqa: ARG002
        if self._terminal is not None:
            self._terminal.resize(width, height)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._channel = None
        self._on_end()
        if self._terminal is not None:
            self._terminal.gone()
        if self._task is not None:
            self._task.cancel()

    # As a `TerminalTransport`.

    def write(self, data: bytes) -> None:
        if self._channel is not None and not self._channel.is_closing():
            self._channel.write(data)

    def waiting(self) -> int:
        return 0 if self._channel is None else self._channel.get_write_buffer_size() + self._throttled.waiting()

    def hold(self, *, held: bool) -> None:
        if self._channel is not None:
            (self._channel.pause_reading if held else self._channel.resume_reading)()

    def close(self, status: int) -> None:
        if self._channel is not None and not self._channel.is_closing():
            self._channel.exit(status)

    def abort(self) -> None:
        # To close only the channel would wait for an answer from a client that may no longer read.
        self._throttled.abort()
