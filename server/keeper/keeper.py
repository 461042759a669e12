"""Keeps the processes of one server running, and reloads them at SIGHUP without an interrupted game."""

import asyncio
import errno
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from typing import Final

import structlog
from msgspec import msgpack

from server.app.main_process import DRAINING, Beginning, NotStarted, Page, Ready, notify, open_page
from server.app.signals_and_exit import KILL_SECONDS
from server.config import ONE_PROCESS
from server.keeper.accept_turns import shared_counts
from server.keeper.child import Child
from server.keeper.link import Welcome
from server.keeper.plan import Plan, can_be_taken, changed_settings, moved_settings, read_plan
from server.keeper.reload import NOT_RELOADED, READY_SECONDS, TAKEN, Outcome, Reachable
from server.keeper.spawn import Program
from server.net.listening_sockets import ListeningSockets, by_carrier, close_all, open_all
from server.process.background_tasks import BackgroundTasks

FIRST_DELAY: Final = 0.5
"""Seconds until a process that has died is started again. They double each time that one has died soon."""
LONGEST_DELAY: Final = 30.0
"""The most seconds until a process that has died is started again."""
LIVED_SECONDS: Final = 60.0
"""A process that has lived so long did not die soon."""

log = structlog.get_logger("quatch.keeper")


def next_delay(before: float, lived: float) -> float:
    """Seconds to wait now that a process has died which has lived so many; ``before``: the last delay, 0 for none."""
    return FIRST_DELAY if not before or lived >= LIVED_SECONDS else min(2 * before, LONGEST_DELAY)


class ProcessGroup:
    """The processes that were started with one program and its settings. One that dies is started again."""

    def __init__(
        self,
        program: Program,
        plan: Plan,
        sockets: Sequence[ListeningSockets],
        on_end: Callable[[Child], None],
        on_stop: Callable[[], None],
    ) -> None:
        """``on_end`` is called when a process has ended, ``on_stop`` when the host has asked there for a stop."""
        self.processes: dict[int, Child] = {}
        """The processes that run, by their numbers."""
        self._program, self._plan = program, plan
        self._sockets = by_carrier(sockets)
        self._on_end, self._on_stop = on_end, on_stop
        self._descriptor = shared_counts()
        self._keeping: list[asyncio.Task[None]] = []
        self._ending = asyncio.Event()

    async def start(self, beginning: Beginning | None) -> Ready:
        """Start the first process, then the others; returns when they are ready.

        Raises NotStarted and OSError if the first one does not start.
        """
        first = self._begin(0, beginning)
        ready = await first.until_ready()
        others = [self._begin(number) for number in range(1, self._plan.processes)]
        self._keeping = [asyncio.create_task(self._keep(each)) for each in (first, *others)]
        await asyncio.gather(*(each.until_ready() for each in others), return_exceptions=True)
        return ready

    async def take(self, plan: Plan) -> None:
        """Have all processes take these settings in place."""
        self._plan = plan
        await asyncio.gather(*(each.take(plan) for each in self.processes.values() if each.is_ready))

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Have all processes end as they do at this signal, at once those that are not ready."""
        self._ending.set()
        for process in self.processes.values():
            process.send_signal(number if process.is_ready else signal.SIGTERM)

    async def ended(self) -> None:
        """Wait until all processes have ended and none is to be started again; to be called once."""
        await asyncio.gather(*self._keeping, *(process.ended for process in self.processes.values()))
        os.close(self._descriptor)

    def _begin(self, number: int, beginning: Beginning | None = None) -> Child:
        """Start a process. Raises OSError."""
        child = self.processes[number] = Child(number, self._program.start(), self._on_stop)
        carriers = [carrier for carrier, _ in self._sockets]
        descriptors = [self._descriptor, *(listening.fileno() for _, listening in self._sockets)]
        child.welcome(Welcome(number, self._plan.settings, carriers, beginning), descriptors)
        return child

    async def _keep(self, first: Child) -> None:
        """Keep a process running, again and again, until it has drained, or the group ends."""
        loop, number, delay = asyncio.get_running_loop(), first.number, 0.0
        child: Child | None = first
        while not self._ending.is_set():
            begun = loop.time()
            try:
                child = child or self._begin(number)
                problem = await self._run(child)
            except OSError as error:
                problem = f"it cannot be started: {error.strerror}"
            if self._ending.is_set() or (child is not None and child.drained):
                return
            child, delay = None, next_delay(delay, loop.time() - begun)
            log.error("a process has ended", process=number, problem=problem, again_in_seconds=delay)
            with suppress(TimeoutError):
                async with asyncio.timeout(delay):
                    await self._ending.wait()

    async def _run(self, child: Child) -> str:
        """Have a process serve until it has ended; says how it has."""
        plan = self._plan
        try:
            await child.until_ready()
            if plan is not self._plan:  # others have taken a newer one meanwhile
                await child.take(self._plan)
            status = await child.until_ended(plan.watchdog)
        except NotStarted as error:
            return str(error)
        else:
            return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        finally:
            del self.processes[child.number]
            self._on_end(child)


class Keeper:
    """The groups of processes of one server, and the sockets that they listen on; see `main_process.Processes`."""

    def __init__(self, program: Program, plan: Plan, stop: Callable[[], None], reachable: Reachable) -> None:
        """``stop`` stops the server, as an op or the host has asked; by ``reachable`` `quatch reload` reaches it."""
        self._program, self._plan, self._stop, self._reachable = program, plan, stop, reachable
        self._sockets: list[ListeningSockets] = []
        self._pages: dict[ListeningSockets, Page] = {}
        """What the keeper itself answers with on some of them."""
        self._current: ProcessGroup | None = None
        self._groups: list[ProcessGroup] = []
        """The current group, groups that retire, and a group that is being started."""
        self._background = BackgroundTasks()

    async def start(self, beginning: Beginning | None = None) -> Ready:
        """Start the first group of processes. Raises NotStarted."""
        ready = await self._start(self._plan, beginning)
        self._reachable.begin()
        return ready

    async def _start(self, plan: Plan, beginning: Beginning | None = None) -> Ready:
        """Start a new group of processes, and retire the one before when it is ready.

        Raises NotStarted; then the group before goes on, with its sockets.
        """
        answers = {place.carrier for place in plan.listens_at if place.answers}
        with ExitStack() as undo:
            try:
                sockets = await open_all(plan.listens_at, self._sockets)
                undo.callback(close_all, set(sockets).difference(self._sockets))
                theirs = [each for each in sockets if each.carrier not in answers]
                group = ProcessGroup(self._program, plan, theirs, self._note_end, self._stop)
                self._groups.append(group)
                undo.callback(group.end)
                try:
                    ready = await group.start(beginning)
                finally:
                    self._background.begin(self._watch(group), "waiting for the end of processes")
                await self._open_pages(plan, sockets)
            except OSError as error:
                problem = error.strerror or str(error)
                if beginning and beginning.folder_is_shared and error.errno == errno.EADDRINUSE:
                    problem += TAKEN.format(self._reachable.folder)
                raise NotStarted(problem) from None
            undo.pop_all()
        close_all(set(self._sockets).difference(sockets))
        before, self._current, self._plan, self._sockets = self._current, group, plan, sockets
        if before is not None:
            before.end(signal.SIGUSR2)
        return Ready([each.ready_line for each in sockets] + ready.lines, ready.log_folder, ready.version)

    async def reload(self, *, is_hang_up: bool) -> None:
        """Have the processes take new settings in place, or a new group take the port if that is not enough.

        A signal of its own renews them also if nothing has changed, `quatch reload` does not. If something cannot be,
        say why and leave everything as it is. That the terminal is gone changes nothing.
        """
        if is_hang_up and not self._reachable.is_waited_for:
            return
        notify(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")
        try:
            async with asyncio.timeout(READY_SECONDS):
                outcome = await self._reload()
        except (NotStarted, TimeoutError) as error:
            outcome = Outcome(str(error) or f"not ready after {READY_SECONDS:.0f} seconds", "")
            log.error(NOT_RELOADED, problem=outcome.problem)  # noqa: TRY400 - it says what is wrong
        finally:
            notify("READY=1")
        self._reachable.tell(outcome)

    async def _reload(self) -> Outcome:
        """Reload; what has come of it. Raises NotStarted."""
        plan, ready = await read_plan(self._program.command), None
        changed = changed_settings(self._plan, plan)
        is_needed = changed or self._reachable.is_waited_for
        if self._current is not None and is_needed and can_be_taken(self._plan, plan):
            await self._current.take(plan)
            self._plan = plan
        else:
            self._must_be_renewable(plan)
            ready = await self._start(plan)
        told = {"version": ready.version, "lines": ready.lines} if ready else {}
        log.info("reloaded", changed=changed, not_loaded=plan.not_loaded, processes=plan.processes, **told)
        version, file = ready.version if ready else "", msgpack.decode(plan.settings).get("file")
        return Outcome("", version, changed, tuple(plan.not_loaded), file)

    def _must_be_renewable(self, plan: Plan) -> None:
        """Raises NotStarted if no new group can take the place of the current one."""
        drains = any(child.health == DRAINING for child, is_current in self.ready_processes() if is_current)
        if drains or self._current not in self._groups:
            raise NotStarted("the server stops soon: type drain off first")
        if not (plan.may_share_log and self._plan.may_share_log):
            raise NotStarted(f"stop it and start it again, for {ONE_PROCESS}")
        if moved := moved_settings(self._plan, plan):
            raise NotStarted(f"{moved[0]} is not changed while the server runs: stop it, and start it again")

    async def stop(self) -> int:
        """Stop all processes, within five seconds. Returns the exit status: 1 if one could not end as it should."""
        self._reachable.close()
        processes = self._processes
        for group in self._groups:
            group.end()
        close_all(self._sockets)
        if self._background.tasks:
            await asyncio.wait(self._background.tasks, timeout=KILL_SECONDS)
        for child in self._processes:
            child.send_signal(signal.SIGKILL)
        for page in self._pages.values():
            page.close()
        return 1 if self._groups or any(each.ended.result() not in {0, -signal.SIGTERM} for each in processes) else 0

    def print_stacks(self) -> None:
        """See `Processes`."""
        for child in self._processes:
            child.send_signal(signal.SIGUSR1)

    async def _watch(self, group: ProcessGroup) -> None:
        """Wait until a group has ended. If it was not retired, an op has asked for the end of the server.

        Then nobody comes in any more, and the server ends with the games of the groups that retire.
        """
        await group.ended()
        self._groups.remove(group)
        if group is self._current:
            close_all(self._sockets)
        if self._current is not None and not self._groups:
            self._stop()

    def _note_end(self, child: Child) -> None:
        for page in self._pages.values():
            page.note_end(child)

    async def _open_pages(self, plan: Plan, sockets: Sequence[ListeningSockets]) -> None:
        """Open the pages that the settings want, and close others; those that there are stay. Raises OSError."""
        before, self._pages = self._pages, {}
        for each in sockets:
            if page := before.pop(each, None) or await open_page(each, plan.listens_at, self.ready_processes):
                self._pages[each] = page
        for page in before.values():
            page.close()

    @property
    def _processes(self) -> list[Child]:
        """The processes of all groups."""
        return [child for group in self._groups for child in group.processes.values()]

    def ready_processes(self) -> list[tuple[Child, bool]]:
        """The processes that serve players, and whether each is of the current group."""
        current = self._current.processes.values() if self._current else ()
        return [(child, child in current) for child in self._processes if child.is_ready]
