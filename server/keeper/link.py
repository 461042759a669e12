"""What a keeper and its processes say to each other, as lines of JSON over a pair of sockets.

A process first hears its `Welcome`. Later `MEASURE` asks for what monitoring reads of it, `NewSettings` whether it can
take them, and `TAKE` has it take them. Everything else it is told by signals: SIGTERM to stop, SIGUSR2 to wind down,
SIGUSR1 to print its stacks.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeAlias

from msgspec import MsgspecError, Struct, json

from server.app.main_process import Alive, Beginning, ProcessNews
from server.command_line import ListensAt
from server.keeper import LINK_VARIABLE

MEASURE: Final = b"?"
TAKE: Final = b"!"
LONGEST_LINE: Final = 1 << 24
"""Bytes of the longest message, but for a welcome."""
LONGEST_WELCOME: Final = 1 << 16
MOST_DESCRIPTORS: Final = 250
"""Bytes and file descriptors that are taken with the first part of a welcome; an address may have several sockets."""


class Plan(Struct, tag="plan"):
    """What the keeper needs to know of the settings."""

    listens_at: list[ListensAt]
    processes: int
    watchdog: float
    """Seconds; see `Child.end_if_silent`."""
    settings: bytes
    """All settings, for the processes."""
    may_share_log: bool = True
    """See `Config`. If not, no new process starts while an old one runs."""
    not_loaded: list[str] = []
    """What is wrong with house rules, which are left out."""
    house_rules: dict[str, int] = {}
    """The files of house rules by name, and a number that tells one content from another."""
    fixed: str = ""
    """Tells apart what only new processes take; empty by a program that takes nothing in place, like 1.0.0."""


class Welcome(Struct):
    """What a process is told before it begins.

    With it come file descriptors: that of the shared counts (`accept_turns.py`), and those of the listening sockets.
    """

    number: int
    """Its number in its group, from 0."""
    settings: bytes
    carriers: list[str]
    """The carriers of the listening sockets, in their order."""
    beginning: Beginning | None = None


class Failed(Struct, tag="failed"):
    """A process could not start."""

    problem: str
    """One line for the host."""
    status: int
    """The exit status."""


class Measured(Struct, tag="measured"):
    """What monitoring reads of a process."""

    page: str
    """As Prometheus reads them."""


class NewSettings(Struct):
    """Settings that a process is asked to take in place, with the house rules of now."""

    number: int
    """How often it was asked."""
    settings: bytes
    not_loaded: list[str]
    """See `Plan`: a process that finds something else wrong cannot take them."""


class CanTake(Struct, tag="can take"):
    """Whether a process can take the `NewSettings`."""

    number: int
    problem: str
    """Why not, in one line; empty if it can."""


ToKeeper: TypeAlias = ProcessNews | Failed | Measured | CanTake


Read: TypeAlias = Callable[[NewSettings], Callable[[], None]]
"""Reads settings in a thread, and returns what takes them. Raises what keeps the process from it."""


def line_of(message: Struct) -> bytes:
    """A message as it is sent."""
    return json.encode(message) + b"\n"


class KeeperLink:
    """A process's end of its link."""

    def __init__(self) -> None:
        self._link = socket.socket(fileno=int(os.environ.pop(LINK_VARIABLE)))
        self._writer: asyncio.StreamWriter | None = None
        """For messages, while it is `followed`."""

    def wait_for_welcome(self) -> tuple[Welcome, list[int]]:
        """What this process is to be, with the file descriptors. Raises ConnectionError if the keeper has ended."""
        line, descriptors, _, _ = socket.recv_fds(self._link, LONGEST_WELCOME, MOST_DESCRIPTORS)
        more = line
        while more and not line.endswith(b"\n"):
            line += (more := self._link.recv(LONGEST_WELCOME))
        if not more:
            raise ConnectionError("the keeper has ended")
        return json.decode(line, type=Welcome), descriptors

    def tell(self, message: ToKeeper) -> None:
        """Send a message; if the keeper has ended, nobody needs it.

        A keeper that was stopped by a signal reads nothing, and needs no second sign of life.
        """
        if self._writer is None:
            with suppress(OSError):
                self._link.sendall(line_of(message))
        elif not (isinstance(message, Alive) and self._writer.transport.get_write_buffer_size()):
            self._writer.write(line_of(message))

    @asynccontextmanager
    async def followed(
        self, measure: Callable[[], Awaitable[str]], read: Read, stop: Callable[[], None]
    ) -> AsyncIterator[None]:
        """Answer the keeper inside the context; call ``stop`` if it ends. ``measure``: see `Measured`."""
        reader, writer = await asyncio.open_connection(sock=self._link.dup(), limit=LONGEST_LINE)
        self._writer = writer
        answering = asyncio.create_task(self._answer(reader, measure, read, stop))
        try:
            yield
        finally:
            answering.cancel()
            self._writer = None
            writer.transport.set_write_buffer_limits(0)
            with suppress(OSError):  # the keeper has ended
                await writer.drain()
            writer.close()

    async def _answer(
        self,
        reader: asyncio.StreamReader,
        measure: Callable[[], Awaitable[str]],
        read: Read,
        stop: Callable[[], None],
    ) -> None:
        take: Callable[[], None] | None = None
        with suppress(OSError, MsgspecError):  # the keeper was killed, maybe in the middle of a line
            while said := await reader.read(1):
                if said == MEASURE:
                    self.tell(Measured(await measure()))
                elif said != TAKE:
                    take = await self._read(said + await reader.readline(), read)
                elif take is not None:
                    take()
        stop()

    async def _read(self, line: bytes, read: Read) -> Callable[[], None] | None:
        """Say whether these settings can be taken; returns what takes them."""
        told, problem, take = json.decode(line, type=NewSettings), "", None
        try:
            take = await asyncio.to_thread(read, told)
        except Exception as error:  # noqa: BLE001 - the host reads why
            problem = str(error)
        self.tell(CanTake(told.number, problem))
        return take
