"""The server processes that were started with one program and its settings. One that dies is started again."""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import structlog

from server.app.main_process import Beginning, NotStarted, Ready
from server.keeper.accept_turns import ConnectionCounts, shared_counts
from server.keeper.child import Child
from server.keeper.link import Plan, Welcome
from server.keeper.spawn import Spawned, spawn
from server.net.listening_sockets import ListeningSockets, by_carrier

FIRST_DELAY: Final = 0.5
LONGEST_DELAY: Final = 30.0
"""Seconds until a process that has died is started again. It doubles each time that one has died soon."""
LIVED_SECONDS: Final = 60.0
"""A process that has lived so long did not die soon."""

log = structlog.get_logger("quatch.keeper")


def next_delay(before: float, lived: float) -> float:
    """Seconds to wait now that a process has died which has lived so many; ``before``: the last delay, 0 for none."""
    return FIRST_DELAY if not before or lived >= LIVED_SECONDS else min(2 * before, LONGEST_DELAY)


class ProcessGroup:
    """One generation of the processes of a server."""

    def __init__(
        self,
        command: Sequence[str],
        plan: Plan,
        sockets: Sequence[ListeningSockets],
        on_end: Callable[[Child], None],
        on_stop: Callable[[], None],
    ) -> None:
        """``command``: the command line of each process; ``on_end`` is called when one has ended.

        ``on_stop`` is called when the host has asked at the console for the server to stop.
        """
        self.processes: dict[int, Child] = {}
        """The processes that run, by their numbers."""
        self._command, self._plan = command, plan
        self._sockets = by_carrier(sockets)
        self._on_end, self._on_stop = on_end, on_stop
        self._descriptor = shared_counts()
        self._counts = ConnectionCounts(self._descriptor)
        self._keeping: list[asyncio.Task[None]] = []
        self._ready = [asyncio.Event() for _ in range(plan.processes)]
        self._ending = asyncio.Event()

    async def start(self, beginning: Beginning | None, loaded: Spawned | None = None) -> Ready:
        """Start all processes: the first one alone, while the others load the program.

        ``loaded``: that first one, if it loads already. Raises NotStarted if the first one does not start.
        """
        try:
            first, *others = [self._load(0, loaded), *map(self._load, range(1, self._plan.processes))]
        except OSError as error:
            raise NotStarted(f"a process cannot be started: {error.strerror}") from None
        self._welcome(first, beginning)
        try:
            ready = await first.until_ready()
        except NotStarted:
            self._forget(first)
            raise
        self._keeping = [asyncio.create_task(self._keep(each)) for each in (first, *others)]
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

    def _load(self, number: int, loaded: Spawned | None = None) -> Child:
        """Start a process, which waits for its welcome. Raises OSError."""
        child = self.processes[number] = Child(number, loaded or spawn(self._command), self._on_stop)
        return child

    def _welcome(self, child: Child, beginning: Beginning | None = None) -> None:
        carriers = [carrier for carrier, _ in self._sockets]
        descriptors = [self._descriptor, *(listening.fileno() for _, listening in self._sockets)]
        child.welcome(Welcome(child.number, self._plan.settings, carriers, beginning), descriptors)

    async def _keep(self, child: Child) -> None:
        """Keep a process running until it has drained, or the group ends."""
        loop, number, delay = asyncio.get_running_loop(), child.number, 0.0
        loaded: Child | None = child
        while not self._ending.is_set():
            begun = loop.time()
            try:
                loaded = loaded or self._load(number)
                problem = await self._run(loaded)
            except OSError as error:
                problem = f"it cannot be started: {error.strerror}"
            if self._ending.is_set() or (loaded is not None and loaded.drained):
                return
            loaded, delay = None, next_delay(delay, loop.time() - begun)
            log.error("a process has ended", process=number, problem=problem, again_in_seconds=delay)
            with suppress(TimeoutError):
                async with asyncio.timeout(delay):
                    await self._ending.wait()

    async def _run(self, child: Child) -> str:
        """Have a process serve until it has ended; says how it has."""
        if not child.is_ready:
            self._welcome(child)
        watching: asyncio.Task[None] | None = None
        try:
            await child.until_ready()
            self._ready[child.number].set()
            if self._plan.watchdog:
                watching = asyncio.create_task(child.end_if_silent(self._plan.watchdog))
            status = await child.ended()
            problem = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        except NotStarted as error:
            problem = str(error)
        finally:
            if watching is not None:
                watching.cancel()
        self._forget(child)
        return problem

    def _forget(self, child: Child) -> None:
        """Note that a process has ended."""
        self._counts.mark_ended(child.number)
        del self.processes[child.number]
        self._on_end(child)
