"""Keeps the processes of one server running, and renews them at SIGHUP without an interrupted game.

It opens the listening sockets and hands them to its processes, starts a process again that has died, passes signals
on, and shows the metrics of all of them on one page. At SIGHUP it starts a new generation of processes, with the
program and the settings of that moment. When the new one serves players, the old one accepts no more, and each of its
processes ends when its last session has ended. If the new one cannot start, the old one goes on.

It knows no settings but those that a process tells it, and imports little, so that it stays small and may be older than
its processes. Run as a program, its arguments are the level of its log, the number of processes, and the command
line of each.
"""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import ExitStack, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import structlog
from msgspec.structs import astuple
from prometheus_client import CollectorRegistry

from server.app.child_process import NotStarted, ServerProcess
from server.app.generation import Generation
from server.app.link_messages import Listen, Measured, Opened, Ready, ServeMetrics
from server.app.merged_metrics import Family, MergedCollector, counted, merge
from server.app.metrics_http import BLOCKED, READY
from server.app.ports import Ports
from server.app.poster import print_poster
from server.app.signals_and_exit import (
    Signals,
    end_in_time,
    print_ready_lines,
    print_stacks_on_request,
    shared_folder_lines,
)
from server.process import logs
from server.process.logs import log_loop_error
from server.process.own_terminal import log_in_file, terminal_restored, terminal_taken
from server.process.sd_notify import MORE_TIME, notify, notify_reloading
from server.storage.folder_in_use import folder_in_use

READY_SECONDS: Final = 60.0
"""How long a new generation may take to start at SIGHUP; the first one may take as long as it likes."""
MEASURE_SECONDS: Final = 0.5
"""How long to wait for the metrics of the processes; of one that is late, the last ones count."""
KILL_SECONDS: Final = 4.85
"""When processes are killed that have not stopped: they end by themselves before, if they can."""
END_SECONDS: Final = 4.95
"""When the supervisor ends even if Python cannot run: within the 5 s that hosts are promised."""
ALIVE_SECONDS: Final = 1.0
"""How often the service manager is told that the supervisor is alive, or still starts."""
NONE_READY: Final = "no process is ready"

log = structlog.get_logger("quatch.supervisor")


class OwnServer(Protocol):
    """The server in the supervisor's own process: one without a supervisor, until SIGHUP made it one."""

    def retire(self) -> None:
        """Accept no more connections, and end when the sessions have ended."""

    def families(self) -> list[Family]:
        """Its metrics; called in another thread."""

    def health(self) -> str:
        """Its health; called in another thread."""


class Supervisor:
    """The generations of processes of one server."""

    def __init__(
        self, command: Sequence[str], ports: Ports, on_drained: Callable[[], None], own: OwnServer | None = None
    ) -> None:
        """``command``: the command line of a process; ``ports``: the sockets that are open already.

        ``on_drained`` is called when all processes have ended since ops have asked for it.
        """
        self._command = command
        self._ports = ports
        self._on_drained = on_drained
        self._own = own
        self._current: Generation | None = None
        self._generations: list[Generation] = []
        """The current one, those that retire, and one that is being started."""
        self._ended: list[Family] = []
        """What processes have counted that have ended."""
        self._tasks = set[asyncio.Task[None]]()
        self._loop = asyncio.get_running_loop()
        self._registry = CollectorRegistry()
        self._registry.register(MergedCollector(self._merged))

    async def start(self, expected: int) -> Ready:
        """Start the next generation, of about so many processes, and retire the one before when it is ready.

        Raises NotStarted.
        """
        sockets = self._ports.sockets
        sockets.generation += 1
        before = self._current or self._own
        generation = Generation(self._command, self._open, self._note_end)
        self._generations.append(generation)
        try:
            ready = await generation.start(expected, begins=before is None)
        except (NotStarted, asyncio.CancelledError):
            sockets.close_newest()
            generation.stop()
            raise
        finally:
            self._begin(self._watch(generation))
        sockets.close_unasked()
        self._current = generation
        if before is not None:
            before.retire()
        return ready

    async def reload(self) -> None:
        """Have a new generation take the port. If it cannot start, say why and leave everything as it is."""
        notify_reloading()
        try:
            async with asyncio.timeout(READY_SECONDS):
                ready = await self.start(max(1, len(self._current.processes)) if self._current is not None else 1)
        except NotStarted as error:
            log.error("not reloaded, the server goes on as before", problem=str(error))  # noqa: TRY400 - it says why
        except TimeoutError:
            problem = f"not ready after {READY_SECONDS:.0f} seconds"
            log.error("not reloaded, the server goes on as before", problem=problem)  # noqa: TRY400 - it says why
        else:
            log.info("reloaded", processes=ready.processes, lines=ready.lines)
        notify("READY=1")

    async def stop(self) -> int:
        """Stop all processes, within five seconds. Returns the exit status: 1 if processes had to be killed."""
        for generation in self._generations:
            generation.stop()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=KILL_SECONDS)
        self.send_signal(signal.SIGKILL)
        await self._ports.close()
        return 1 if self._generations else 0

    def send_signal(self, number: signal.Signals) -> None:
        """Send all processes a signal."""
        for generation in self._generations:
            generation.send_signal(number)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, generation: Generation) -> None:
        """Wait until a generation has ended."""
        await generation.ended()
        self._generations.remove(generation)
        if generation is self._current:
            self._on_drained()

    async def _open(self, request: Listen | ServeMetrics) -> tuple[Opened, list[int]]:
        """Open what a process has asked for."""
        try:
            if isinstance(request, ServeMetrics):
                return Opened(await self._ports.serve_metrics(self._registry, self._health, *astuple(request))), []
            return Opened(), [each.fileno() for each in await self._ports.open(*astuple(request))]
        except OSError as error:
            problem, unknown = error.strerror or str(error), isinstance(error, socket.gaierror)
            return Opened(error=error.errno or 0, problem=problem, is_unknown_name=unknown), []

    # The metrics page and the health of all processes; it is served in a thread of its own.

    def _note_end(self, last: Measured) -> None:
        self._ended = merge([self._ended, counted(last.families or [])])

    def _merged(self) -> list[Family]:
        asking = asyncio.run_coroutine_threadsafe(self._ask(figures=True), self._loop)
        with suppress(TimeoutError):
            asking.result(2 * MEASURE_SECONDS)
        own = self._own.families() if self._own is not None else []
        return merge([own, self._ended, *(each.measured.families or [] for each in self._processes())])

    def _health(self) -> str:
        asking = asyncio.run_coroutine_threadsafe(self._ask(figures=False), self._loop)
        try:
            late = asking.result(2 * MEASURE_SECONDS)
        except TimeoutError:
            return BLOCKED
        if self._current is None:
            return NONE_READY if self._own is None else self._own.health()
        current = list(self._current.processes.values())
        return health_of_all(BLOCKED if each in late else each.measured.health for each in current if each.is_ready)

    async def _ask(self, *, figures: bool) -> set[ServerProcess]:
        """Ask all processes for their health, and perhaps their metrics; returns those that do not answer in time."""
        asked = {asyncio.create_task(each.measure(figures=figures)): each for each in self._processes()}
        if not asked:
            return set()
        _, late = await asyncio.wait(asked, timeout=MEASURE_SECONDS)
        for task in late:
            task.cancel()
        return {asked[task] for task in late}

    def _processes(self) -> list[ServerProcess]:
        """Those that serve players, of all generations."""
        return [each for all_ in list(self._generations) for each in list(all_.processes.values()) if each.is_ready]


def health_of_all(processes: Iterable[str]) -> str:
    """The health of a server of several processes that listen: `ready` if all are, otherwise the first that is not."""
    found = list(processes)
    return next((health for health in found if health != READY), READY if found else NONE_READY)


async def supervise(log_level: str, processes: int, command: Sequence[str]) -> int:
    """Run a server with this command line for each process until it is told to stop; returns the exit status."""
    asyncio.get_running_loop().set_exception_handler(log_loop_error)
    signals = Signals(lambda: end_in_time(END_SECONDS))
    supervisor = Supervisor(command, Ports(), signals.stop)
    print_stacks_on_request(partial(supervisor.send_signal, signal.SIGUSR1))
    with ExitStack() as using:
        # The ready lines stand on the terminal before the console takes it.
        with terminal_taken():
            ready = await _start(supervisor, processes, signals)
            if isinstance(ready, int):
                return ready
            folder = folder_in_use(Path(ready.data)) if ready.data else nullcontext(None)
            by_another = using.enter_context(folder)
            print_ready_lines([*ready.lines, *shared_folder_lines(ready.data, by_another=by_another)])
            print_poster(ready.join)
        if ready.log_folder:
            with suppress(OSError):  # the process with the console has said why
                log_in_file(ready.log_folder, log_level)
        notify("READY=1")
        alive = asyncio.create_task(_keep_telling("WATCHDOG=1"))
        await signals.reload_until_stop(supervisor.reload)
        notify("STOPPING=1")
        alive.cancel()
        return await supervisor.stop()


async def _start(supervisor: Supervisor, processes: int, signals: Signals) -> Ready | int:
    """Start the first generation; returns the exit status instead if it cannot start, or is told to stop."""
    starts = asyncio.create_task(_keep_telling(MORE_TIME))
    starting, stop = asyncio.create_task(supervisor.start(processes)), asyncio.create_task(signals.told_to_stop.wait())
    await asyncio.wait({starting, stop}, return_when=asyncio.FIRST_COMPLETED)
    starts.cancel()
    if not starting.done():
        starting.cancel()
        await asyncio.wait({starting})
        return await supervisor.stop()
    try:
        return starting.result()
    except NotStarted as error:
        print(f"quatch: {error}", file=sys.stderr)  # noqa: T201 - the host reads it
        await supervisor.stop()
        return error.status


async def _keep_telling(state: str) -> None:
    """Tell the service manager again and again that the server is in this state."""
    while True:
        notify(state)
        await asyncio.sleep(ALIVE_SECONDS)


def main() -> int:
    """Supervise a server; returns the exit status."""
    log_level, processes, *command = sys.argv[1:]
    logs.configure(log_level)
    with terminal_restored():
        return asyncio.run(supervise(log_level, int(processes), command))


if __name__ == "__main__":
    sys.exit(main())
