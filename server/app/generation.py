"""The server processes of one program and its settings. One that dies is started again."""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import structlog

from server.app.child_process import NotStarted, Opens, ServerProcess
from server.app.link_messages import Measured, Ready, Welcome
from server.net.accept_turns import ConnectionCounts, shared_counts

FIRST_DELAY: Final = 0.5
LONGEST_DELAY: Final = 30.0
"""Seconds until a process that has died is started again. It doubles each time that one has died soon."""
LIVED_SECONDS: Final = 60.0
"""A process that has lived so long did not die soon."""

log = structlog.get_logger("quatch.supervisor")


class Backoff:
    """How long to wait before a process is started again."""

    def __init__(self) -> None:
        self._next = FIRST_DELAY

    def delay(self, lived: float) -> float:
        """Seconds to wait now that a process has died which has lived so many seconds."""
        if lived >= LIVED_SECONDS:
            self._next = FIRST_DELAY
        delay, self._next = self._next, min(2 * self._next, LONGEST_DELAY)
        return delay


class Generation:
    """Processes that were started with the same settings."""

    def __init__(self, command: Sequence[str], opens: Opens, on_end: Callable[[Measured], None]) -> None:
        """``command``: the command line of each process; ``on_end`` is called when one has ended, with its figures."""
        self.processes: dict[int, ServerProcess] = {}
        """Those that run, by their numbers."""
        self._command = command
        self._opens = opens
        self._on_end = on_end
        self._settings = b""
        self._descriptor = shared_counts()
        self._counts = ConnectionCounts(self._descriptor)
        self._ready: list[asyncio.Event] = []
        self._keeping: list[asyncio.Task[None]] = []
        self._ending = asyncio.Event()

    async def start(self, expected: int, *, begins: bool) -> Ready:
        """Start all processes; the first one reads the settings. Raises NotStarted if that one does not start.

        ``expected``: how many there probably are. They load the program while the first one starts. ``begins``: no
        other process of this server runs.
        """
        try:
            loading = [await self._load(number) for number in range(expected)]
        except OSError as error:
            raise NotStarted(f"a process cannot be started: {error.strerror}", 1) from None
        self._welcome(0, loading[0], begins=begins)
        try:
            ready = await loading[0].until_ready()
        except NotStarted:
            self._forget(0, loading[0])
            raise
        self._settings = ready.settings
        surplus = [(number, loading[number]) for number in range(ready.processes, expected)]
        self._ready = [asyncio.Event() for _ in range(ready.processes)]
        first = dict(enumerate(loading))
        self._keeping = [
            asyncio.create_task(self._keep(number, first.get(number))) for number in range(ready.processes)
        ] + [asyncio.create_task(self._dismiss(number, process)) for number, process in surplus]
        await asyncio.gather(*(event.wait() for event in self._ready))
        return ready

    def retire(self) -> None:
        """Accept no more connections; each process ends when its sessions have ended."""
        self._ending.set()
        for process in self.processes.values():
            process.retire()

    def stop(self) -> None:
        """Tell all processes to stop."""
        self._ending.set()
        self.send_signal(signal.SIGTERM)

    def send_signal(self, number: signal.Signals) -> None:
        """Send all processes a signal."""
        for process in self.processes.values():
            process.send_signal(number)

    async def ended(self) -> None:
        """Wait until all processes have ended and none is to be started again; to be called once."""
        await asyncio.gather(*self._keeping, *(process.ended() for process in self.processes.values()))
        os.close(self._descriptor)

    async def _load(self, number: int) -> ServerProcess:
        """Start a process, which waits for its welcome. Raises OSError."""
        process = self.processes[number] = await ServerProcess.start(self._command, self._opens)
        return process

    def _welcome(self, number: int, process: ServerProcess, *, begins: bool = False) -> None:
        process.welcome(Welcome(number, self._settings, begins), self._descriptor)

    async def _dismiss(self, number: int, process: ServerProcess) -> None:
        """End a process that was loaded and is not needed."""
        process.send_signal(signal.SIGTERM)
        await process.ended()
        self._forget(number, process)

    async def _keep(self, number: int, process: ServerProcess | None) -> None:
        """Keep a process running until it has drained, or the generation ends; ``process`` is loaded already."""
        loop, backoff = asyncio.get_running_loop(), Backoff()
        while not self._ending.is_set():
            begun = loop.time()
            try:
                process = process or await self._load(number)
                problem = await self._run(number, process)
            except OSError as error:
                problem = f"it cannot be started: {error.strerror}"
            if self._ending.is_set() or (process is not None and process.drained):
                return
            process, delay = None, backoff.delay(loop.time() - begun)
            log.error("a process has ended", process=number, problem=problem, again_in_seconds=delay)
            with suppress(TimeoutError):
                async with asyncio.timeout(delay):
                    await self._ending.wait()

    async def _run(self, number: int, process: ServerProcess) -> str:
        """Have a process serve until it has ended; says how it has."""
        if not process.is_ready:
            self._welcome(number, process)
        try:
            await process.until_ready()
            self._ready[number].set()
            status = await process.ended()
            problem = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        except NotStarted as error:
            problem = str(error)
        self._forget(number, process)
        return problem

    def _forget(self, number: int, process: ServerProcess) -> None:
        """Note that a process has ended."""
        self._counts.mark_ended(number)
        del self.processes[number]
        self._on_end(process.measured)
