"""One server process, as its keeper sees it: it is started, heard and told, and its end is awaited."""

import asyncio
import signal
import socket
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from msgspec import DecodeError, json

from server.app.main_process import READY, Alive, Drained, NotStarted, Ready, Stop
from server.keeper.link import (
    LONGEST_LINE,
    MEASURE,
    TAKE,
    Failed,
    Measured,
    Taken,
    ToKeeper,
    Welcome,
    line_of,
)
from server.keeper.plan import Plan
from server.keeper.spawn import Spawned

ABORT_SECONDS: Final = 5.0
"""How long a process may take to end after SIGABRT."""
TAKE_SECONDS: Final = 5.0
"""How long to wait for a process to take settings: one that is blocked takes them as soon as it is not."""
LATE_SECONDS: Final = 1.0
"""A process is blocked whose sign of life is so late; it gives two a second (`app/run_process.py`)."""
BLOCKED: Final = "blocked: the event loop does not answer"

log = structlog.get_logger("quatch.keeper")


class Child:
    """A process that was started, and the keeper's end of its link."""

    def __init__(self, number: int, spawned: Spawned, on_stop: Callable[[], None]) -> None:
        """``number``: that in its group. ``on_stop`` is called when the host has asked there for the server to stop."""
        self.number = number
        self.page = ""
        """What monitoring has read of it last; see `Measured`."""
        self.drained = False
        """Whether it ends since an op has asked for it."""
        self._process, self._link = spawned
        self._on_stop = on_stop
        self._health = BLOCKED
        self._heard_at = 0.0
        """The time of its last sign of life, by the event loop."""
        self._failure: NotStarted | None = None
        self._ready: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()
        self._measured, self._taken = asyncio.Event(), asyncio.Event()
        """Set when it has answered, or has ended."""
        self._writer: asyncio.StreamWriter
        self.ended = asyncio.create_task(self._run())
        """See `until_ended`."""

    def welcome(self, welcome: Welcome, descriptors: Collection[int]) -> None:
        """Have it begin, with these file descriptors."""
        with suppress(OSError):  # it has ended
            socket.send_fds(self._link, [line_of(welcome)], descriptors)

    @property
    def is_ready(self) -> bool:
        """Whether it serves players."""
        return self._ready.done() and self._ready.exception() is None

    @property
    def health(self) -> str:
        """`READY`, or why no new players should come to it."""
        late = asyncio.get_running_loop().time() - self._heard_at > LATE_SECONDS
        return BLOCKED if late else self._health

    async def until_ready(self) -> Ready:
        """Wait until it serves players. Raises NotStarted if it ends before."""
        return await asyncio.shield(self._ready)

    async def measure(self) -> None:
        """Ask for what monitoring reads, and wait for the answer; see `page`."""
        self._measured.clear()
        self._writer.write(MEASURE)
        await self._measured.wait()

    async def take(self, plan: Plan) -> None:
        """Have it take new settings in place, as soon as it is not blocked. If it fails, its log says so."""
        self._taken.clear()
        self._writer.write(TAKE + line_of(plan))
        with suppress(TimeoutError):
            async with asyncio.timeout(TAKE_SECONDS):
                await self._taken.wait()

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal; does nothing if it has ended."""
        self._process.send_signal(number)

    async def until_ended(self, limit: float) -> int:
        """Wait until it has ended; returns its exit status, or minus the signal that has ended it.

        End it if it gives no sign of life for twice this many seconds: it may hold Python's global lock for ever, so
        that a thread of its own cannot watch it. It is to print its stacks and end (SIGABRT), and is killed if that
        does not help. For 0 it is not watched.
        """
        missed = 0
        while missed < 4:  # after a pause of the whole machine the first wait ends before the process could do anything
            heard_at = self._heard_at
            await asyncio.wait({self.ended}, timeout=limit / 2 or None)
            if self.ended.done():
                return self.ended.result()
            missed = 0 if self._heard_at > heard_at else missed + (not _is_suspended(self._process.pid))
        self.send_signal(signal.SIGABRT)  # before the log, since that may be what holds everything up
        log.critical("a process gives no sign of life, ending it", process=self.number, seconds=2 * limit)
        await asyncio.wait({self.ended}, timeout=ABORT_SECONDS)
        self.send_signal(signal.SIGKILL)
        return await self.ended

    async def _run(self) -> int:
        """Hear the process until it has ended; its exit status."""
        reader, self._writer = await asyncio.open_connection(sock=self._link, limit=LONGEST_LINE)
        try:
            while line := await reader.readline():
                self._hear(line)
        except OSError:
            pass  # it has ended
        except Exception:
            log.exception("a process is not heard any more", process=self.number)
        status = await asyncio.to_thread(self._process.wait)
        self._measured.set()
        self._taken.set()
        self._writer.close()
        if not self._ready.done():
            failure = NotStarted(f"a process ended with status {status} before it was ready")
            self._ready.set_exception(self._failure or failure)
            self._ready.exception()  # nobody waits for it if the server is told to stop meanwhile
        return status

    def _hear(self, line: bytes) -> None:
        try:
            message = json.decode(line, type=ToKeeper)
        except DecodeError as error:  # a newer program, or a process that was killed in the middle of a line
            problem = str(error)
            log.warning("a process says what this keeper does not know", process=self.number, problem=problem)
            return
        match message:
            case Ready():
                self._note_life(READY)
                self._ready.set_result(message)
            case Failed(problem, status):
                self._failure = NotStarted(problem, status)
            case Alive(health):
                self._note_life(health)
            case Measured(page):
                self.page = page
                self._measured.set()
            case Taken():
                self._taken.set()
            case Drained():
                self.drained = True
            case Stop():
                self._on_stop()

    def _note_life(self, health: str) -> None:
        self._health, self._heard_at = health, asyncio.get_running_loop().time()


def _is_suspended(process: int) -> bool:
    """Whether a process is suspended (SIGSTOP, a debugger); unknown counts as no."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] in {"T", "t"}
    except OSError:
        return False
