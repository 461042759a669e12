"""What a keeper and its processes say to each other, as lines of JSON over a pair of sockets.

A process first hears its `Welcome`. Later one byte asks it for something: `MEASURE` for what monitoring reads of it,
`TAKE` to take the plan that follows as a line. Everything else it is told by signals: SIGTERM to stop, SIGUSR2
to wind down, SIGUSR1 to print its stacks.
"""

import asyncio
import socket
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec import Struct, json

from server.app.main_process import Beginning, ProcessNews
from server.process.background_tasks import attempt

MEASURE: Final = b"?"
TAKE: Final = b"!"
LONGEST_LINE: Final = 1 << 24
"""Bytes of the longest message, but for a welcome."""
LONGEST_WELCOME: Final = 1 << 16
MOST_DESCRIPTORS: Final = 250
"""Bytes and file descriptors that are taken with the first part of a welcome; an address may have several sockets."""


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


class Taken(Struct, tag="taken"):
    """A process has taken a plan."""


ToKeeper: TypeAlias = ProcessNews | Failed | Measured | Taken
Answer: TypeAlias = Callable[[bytes], Coroutine[None, None, None]]
"""Does what the keeper asks for, and tells it so: it takes the plan of a line, or measures if the line is empty."""


def line_of(message: Struct) -> bytes:
    """A message as it is sent."""
    return json.encode(message) + b"\n"


def wait_for_welcome(link: socket.socket) -> tuple[Welcome, list[int]]:
    """What this process is to be, with the file descriptors. Ends the process if the keeper has ended."""
    line, descriptors, _, _ = socket.recv_fds(link, LONGEST_WELCOME, MOST_DESCRIPTORS)
    more = line
    while more and not line.endswith(b"\n"):
        line += (more := link.recv(LONGEST_WELCOME))
    if not more:
        sys.exit(1)
    return json.decode(line, type=Welcome), descriptors


async def follow(reader: asyncio.StreamReader, answer: Answer, stop: Callable[[], None]) -> None:
    """Answer the keeper; call ``stop`` if it ends. A failure is logged."""
    with suppress(OSError):  # the keeper was killed
        while asked := await reader.read(1):
            await attempt(answer(b"" if asked == MEASURE else await reader.readline()), "answering the keeper")
    stop()
