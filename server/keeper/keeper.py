"""Keeps the processes of one server running, and renews them at SIGHUP without an interrupted game."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, nullcontext, suppress
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Final, Protocol

import structlog
from msgspec import DecodeError, json

from server.config import ONE_PROCESS
from server.keeper import PLAN_VARIABLE
from server.keeper.child import Child, NotStarted
from server.keeper.link import Beginning, Failed, Plan, Ready
from server.keeper.process_group import ProcessGroup
from server.keeper.signals_and_exit import Signals, end_in_time, print_stacks_on_request
from server.keeper.spawn import MANAGER_VARIABLE, Spawned
from server.net.listening_sockets import ListeningSockets, close_all, open_all
from server.process.logs import log_loop_error
from server.process.own_terminal import log_in_file, terminal_restored, terminal_taken
from server.process.standard_streams import drop_standard_output
from server.storage.folder_in_use import folder_in_use

READY_SECONDS: Final = 60.0
"""How long a new group may take to start at SIGHUP; the first one may take as long as it likes."""
KILL_SECONDS: Final = 4.85
"""When processes are killed that have not stopped: they end by themselves before, if they can."""
END_SECONDS: Final = 4.95
"""When the keeper ends even if Python cannot run: within the 5 s that hosts are promised."""
ALIVE_SECONDS: Final = 1.0
"""How often the service manager is told that the keeper is alive, or still starts."""
MORE_TIME: Final = "EXTEND_TIMEOUT_USEC=120000000"
"""What the service manager is told: the start takes two minutes more."""

log = structlog.get_logger("quatch.keeper")


class Page(Protocol):
    """What a feature has the keeper answer with; its class takes `Keeper.ready_processes`."""

    async def open(self, sockets: Sequence[socket.socket]) -> None:
        """Begin to answer on these sockets, which stay open afterwards."""

    def note_end(self, process: Child) -> None:
        """A process has ended."""

    def close(self) -> None:
        """Answer no more."""


class Keeper:
    """The groups of processes of one server, and the sockets that they listen on."""

    def __init__(self, command: Sequence[str], stop: Callable[[], None]) -> None:
        """``command``: the command line of a process. ``stop`` stops the server, as an op or the host has asked."""
        self._command, self._stop = command, stop
        self._sockets: list[ListeningSockets] = []
        self._pages: dict[ListeningSockets, Page] = {}
        """What the keeper itself answers with on some of them."""
        self._current: ProcessGroup | None = None
        self._may_share_log = True
        """Whether a group may start while another one runs."""
        self._groups: list[ProcessGroup] = []
        """The current one, those that retire, and one that is being started."""
        self._stopping = self._failed = False
        """Whether all processes are to end, and whether one has ended in another way than it should."""
        self._tasks = set[asyncio.Task[None]]()

    async def start(self, plan: Plan, beginning: Beginning | None = None, loaded: Spawned | None = None) -> Ready:
        """Start a new group of processes, and retire the one before when it is ready.

        ``loaded``: see `ProcessGroup.start`. Raises NotStarted; then the group before goes on, with its sockets.
        """
        if self._current is not None and not (plan.may_share_log and self._may_share_log):
            raise NotStarted(f"stop it and start it again, for {ONE_PROCESS}")
        async with AsyncExitStack() as undo:
            try:
                sockets = await open_all(plan.listens_at, self._sockets)
                undo.callback(close_all, set(sockets).difference(self._sockets))
                pages = await self._open_pages(plan, sockets)
                undo.callback(self._close_pages_besides, self._pages, pages)
                theirs = [each for each in sockets if each not in pages]
                group = ProcessGroup(self._command, plan, theirs, self._note_end, self._stop)
            except OSError as error:
                raise NotStarted(error.strerror or str(error)) from None
            undo.callback(group.stop)
            self._groups.append(group)
            try:
                ready = await group.start(beginning, loaded)
            finally:
                self._begin(self._watch(group))
            undo.pop_all()
        close_all(set(self._sockets).difference(sockets))
        self._close_pages_besides(pages, self._pages)
        before, self._current, self._may_share_log = self._current, group, plan.may_share_log
        self._sockets, self._pages = sockets, pages
        if before is not None:
            before.retire()
        return Ready([each.ready_line for each in sockets] + ready.lines, ready.log_folder)

    async def renew(self) -> None:
        """Have a new group take the port. If it cannot start, say why and leave everything as it is."""
        notify(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")
        problem = ""
        try:
            async with asyncio.timeout(READY_SECONDS):
                plan = await read_plan(self._command)
                ready = await self.start(plan)
        except TimeoutError:
            problem = f"not ready after {READY_SECONDS:.0f} seconds"
        except NotStarted as error:
            problem = str(error)
        else:
            log.info("reloaded", processes=plan.processes, lines=ready.lines)
        finally:
            notify("READY=1")
        if problem:
            log.error("not reloaded, the server goes on as before", problem=problem)

    async def stop(self) -> int:
        """Stop all processes, within five seconds. Returns the exit status: 1 if one could not end as it should."""
        self._stopping = True
        for group in self._groups:
            group.stop()
        close_all(self._sockets)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=KILL_SECONDS)
        self.send_signal(signal.SIGKILL)
        self._close_pages_besides({}, self._pages)
        return 1 if self._groups or self._failed else 0

    def send_signal(self, number: signal.Signals) -> None:
        """Send all processes a signal."""
        for group in self._groups:
            group.send_signal(number)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, group: ProcessGroup) -> None:
        """Wait until a group has ended; if it was not retired, an op has asked for the end of the server."""
        await group.ended()
        self._groups.remove(group)
        if group is self._current:
            self._stop()

    def _note_end(self, child: Child) -> None:
        self._failed |= self._stopping and child.exit_status not in {0, -signal.SIGTERM}
        for page in self._pages.values():
            page.note_end(child)

    async def _open_pages(self, plan: Plan, sockets: Sequence[ListeningSockets]) -> dict[ListeningSockets, Page]:
        """The pages that the settings want; those that there are stay. Raises OSError."""
        answers = {place.carrier: place.answers for place in plan.listens_at if place.answers}
        opened = dict[ListeningSockets, Page]()
        for each in sockets:
            if each in self._pages:
                opened[each] = self._pages[each]
            elif each.carrier in answers:
                opened[each] = resolve_name(answers[each.carrier])(self.ready_processes)
                await opened[each].open(each.sockets)
        return opened

    @staticmethod
    def _close_pages_besides(kept: Mapping[ListeningSockets, Page], pages: Mapping[ListeningSockets, Page]) -> None:
        for listening, page in pages.items():
            if listening not in kept:
                page.close()

    def ready_processes(self) -> list[tuple[Child, bool]]:
        """Those that serve players, of all groups, and whether each is of the current one."""
        return [
            (child, group is self._current)
            for group in self._groups
            for child in group.processes.values()
            if child.is_ready
        ]


async def read_plan(command: Sequence[str]) -> Plan:
    """Have the program of now read and check the settings of now. Raises NotStarted, which says what is wrong."""
    try:
        reading = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | {PLAN_VARIABLE: "yes"},
        )
    except OSError as error:
        raise NotStarted(f"the settings could not be read: {error.strerror}") from None
    try:
        said, _ = await reading.communicate()
    finally:
        if reading.returncode is None:
            reading.kill()
    try:
        answer = json.decode(said, type=Plan | Failed)
    except DecodeError:
        raise NotStarted(f"the settings could not be read: exit status {reading.returncode}") from None
    if isinstance(answer, Failed):
        raise NotStarted(answer.problem, answer.status)
    return answer


def run_keeper(command: Sequence[str], plan: Plan, loaded: Spawned) -> int:
    """Run a server with this command line for each process until it is told to stop; returns the exit status.

    ``loaded``: its first process, which loads already.
    """
    with terminal_restored():
        return asyncio.run(_keep(command, plan, loaded))


async def _keep(command: Sequence[str], plan: Plan, loaded: Spawned) -> int:
    asyncio.get_running_loop().set_exception_handler(log_loop_error)
    # Before the ready lines: from then on somebody may ask for a stop.
    signals = Signals(lambda: end_in_time(END_SECONDS))
    keeper = Keeper(command, signals.stop)
    print_stacks_on_request(partial(keeper.send_signal, signal.SIGUSR1))
    folder = folder_in_use(Path(plan.data)) if plan.data else nullcontext(None)
    with folder as folder_is_shared:
        # The ready lines stand on the terminal before the console takes it.
        with terminal_taken():
            starting = keeper.start(plan, Beginning(folder_is_shared, _screen()), loaded)
            ready = await _until_ready(starting, keeper, signals)
            if isinstance(ready, int):
                return ready
            _print_lines(ready.lines)
        if ready.log_folder:
            with suppress(OSError):  # the process with the console has said why
                log_in_file(ready.log_folder, plan.log_level)
        notify("READY=1")
        alive = asyncio.create_task(_keep_telling("WATCHDOG=1"))
        await signals.reload_until_stop(keeper.renew)
        notify("STOPPING=1")
        alive.cancel()
        return await keeper.stop()


async def _until_ready(start: Coroutine[None, None, Ready], keeper: Keeper, signals: Signals) -> Ready | int:
    """Start the first group; returns the exit status instead if it cannot start, or is told to stop."""
    telling = asyncio.create_task(_keep_telling(MORE_TIME))
    starting, stop = asyncio.create_task(start), asyncio.create_task(signals.told_to_stop.wait())
    await asyncio.wait({starting, stop}, return_when=asyncio.FIRST_COMPLETED)
    telling.cancel()
    if not starting.done():
        starting.cancel()
        await asyncio.wait({starting})
        return await keeper.stop()
    try:
        return starting.result()
    except NotStarted as error:
        print(f"quatch: {error}", file=sys.stderr)  # noqa: T201 - the host reads it
        await keeper.stop()
        return error.status


def notify(state: str) -> None:
    """Tell the service manager, if there is one, how the server is, as sd_notify(3) does."""
    if address := os.environ.get(MANAGER_VARIABLE, ""):
        # "@" stands for an abstract socket, which begins with a zero byte.
        address = "\0" + address[1:] if address.startswith("@") else address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.setblocking(False)  # noqa: FBT003 - no name is taken
            manager.sendto(state.encode(), address)


async def _keep_telling(state: str) -> None:
    """Tell the service manager, if there is one, again and again that the server is in this state."""
    while os.environ.get(MANAGER_VARIABLE):
        notify(state)
        await asyncio.sleep(ALIVE_SECONDS)


def _screen() -> tuple[int, int] | None:
    """See `Beginning.screen`; None also for a terminal that cannot show a QR code."""
    if not sys.stdout.isatty() or (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        return None
    size = os.get_terminal_size(sys.stdout.fileno())
    return size.columns, size.lines


def _print_lines(lines: Sequence[str]) -> None:
    """Tell the host where the server listens. If standard output cannot be written, the server goes on without it."""
    try:
        print(*lines, sep="\n", flush=True)  # noqa: T201 - the host reads it
    except OSError as error:
        drop_standard_output()
        log.warning("ready lines not printed", problem=error.strerror, lines=lines)
