"""What the main process of a server does for its host: the ready lines, signals, the terminal, the service manager.

It is the only process, or one that keeps the others (`Processes`).
"""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from pkgutil import resolve_name
from typing import Final, Protocol, TypeAlias

import structlog
from msgspec import Struct

from server.app.signals_and_exit import MAIN_ENDS_SECONDS, Signals, end_in_time, print_stacks_on_request
from server.command_line import ListensAt
from server.config import Config
from server.net.listening_sockets import ListeningSockets
from server.process.logs import log_loop_error
from server.process.standard_streams import drop_standard_output
from server.storage.folder_in_use import folder_in_use

ALIVE_SECONDS: Final = 1.0
"""How often the service manager is told that the server is alive, or still starts."""
MORE_TIME: Final = "EXTEND_TIMEOUT_USEC=120000000"
"""What the service manager is told: the start takes two minutes more."""
MANAGER_VARIABLE: Final = "NOTIFY_SOCKET"
"""The environment variable with the address of the service manager."""
READY: Final = "ready"
"""The health of a server to which new players should come."""
DRAINING: Final = "draining"
"""The health of a server that takes no new players since an op has asked for its end."""

log = structlog.get_logger("quatch.server")


class Beginning(Struct):
    """What the first process of a server is told when the server starts."""

    folder_is_shared: bool | None
    """Whether another server uses the folder of the data; None if they are in another database."""
    screen: tuple[int, int] | None
    """Columns and rows of the terminal to which the ready lines go; None if it is none."""


class Ready(Struct, tag="ready"):
    """A process serves players."""

    lines: list[str]
    """What the host reads."""
    log_folder: str = ""
    """The folder of the log, if something else is shown at the terminal."""
    version: str = ""
    """The version of the program."""


class Alive(Struct, tag="alive"):
    """A sign of life of a process."""

    health: str
    """`READY`, or why new players should not come."""


class Drained(Struct, tag="drained"):
    """A process ends since an op has asked for it, so no other takes its place."""


class Stop(Struct, tag="stop"):
    """The host has asked at the console to stop the server."""


ProcessNews: TypeAlias = Ready | Alive | Drained | Stop
"""What a process that serves players tells the main process, which has started it."""


class NotStarted(Exception):
    """A process ended before it was ready. The message is one line for the host."""

    def __init__(self, problem: str, status: int = 1) -> None:
        super().__init__(problem)
        self.status = status
        """The exit status that says so."""


class Processes(Protocol):
    """The processes in which the players are."""

    async def start(self, beginning: Beginning) -> Ready:
        """Start them; returns when they serve players. Raises NotStarted, or what a process raises."""

    async def reload(self, *, is_hang_up: bool) -> None:
        """Take the settings of now, or log why that cannot be. ``is_hang_up``: perhaps only the terminal is gone."""

    async def stop(self) -> int:
        """Stop them, within five seconds. Returns the exit status: 1 if one could not end as it should."""

    def print_stacks(self) -> None:
        """Have those that are other processes print the stacks of their threads."""


class OwnTerminal(Protocol):
    """The terminal where the server was started, on which a feature shows something."""

    def terminal_restored(self) -> AbstractContextManager[None]:
        """Give the terminal its settings back at the end, though a process was killed that had changed them."""

    def terminal_taken(self) -> AbstractContextManager[None]:
        """Have no other process show anything but its log there inside the context."""

    def log_in_file(self, folder: str, level: str) -> object:
        """Send what this process and its children write to standard error to a file there. Raises OSError."""


class Measurable(Protocol):
    """A process that serves players, as a page shows it."""

    page: str
    """What monitoring has read of it last."""

    @property
    def health(self) -> str:
        """`READY`, or why no new players should come to it."""

    async def measure(self) -> None:
        """Ask for what monitoring reads, and wait for the answer; see `page`."""


class Page(Protocol):
    """What a feature has the main process answer with.

    Its class takes a function that returns the processes which serve players, and whether each accepts new ones.
    """

    async def open(self, sockets: Sequence[socket.socket]) -> None:
        """Begin to answer on these sockets, which stay open afterwards."""

    def note_end(self, process: Measurable) -> None:
        """A process has ended."""

    def close(self) -> None:
        """Answer no more."""


async def open_page(
    listening: ListeningSockets, places: Sequence[ListensAt], processes: Callable[[], Sequence[tuple[Measurable, bool]]]
) -> Page | None:
    """The page that the main process answers with on these sockets; None if players connect there. Raises OSError."""
    answers = next((place.answers for place in places if place.carrier == listening.carrier), "")
    if not answers:
        return None
    page: Page = resolve_name(answers)(processes)
    await page.open(listening.sockets)
    return page


def run_main_process(config: Config, make: Callable[[Callable[[], None]], Processes]) -> int:
    """Run a server until it is told to stop; returns the exit status.

    ``make`` makes its processes; it is given what stops the server. Raises what a process raises that does not start.
    """
    terminal: OwnTerminal | None = next(
        (resolve_name(each.own_terminal) for each in config.command_lines if each.own_terminal), None
    )
    with terminal.terminal_restored() if terminal else nullcontext():
        return asyncio.run(_run(config, make, terminal))


async def _run(config: Config, make: Callable[[Callable[[], None]], Processes], terminal: OwnTerminal | None) -> int:
    asyncio.get_running_loop().set_exception_handler(log_loop_error)
    # Before the ready lines: from then on somebody may ask for a stop.
    signals = Signals(lambda: end_in_time(MAIN_ENDS_SECONDS))
    processes = make(signals.stop)
    print_stacks_on_request(processes.print_stacks)
    folder = nullcontext(None) if config.database else folder_in_use(Path(config.data))
    with folder as folder_is_shared:
        # The ready lines stand on the terminal before anything is shown there.
        with terminal.terminal_taken() if terminal else nullcontext():
            starting = processes.start(Beginning(folder_is_shared, _screen()))
            ready = await _until_ready(starting, processes, signals)
            if isinstance(ready, int):
                return ready
            _print_lines(ready.lines)
        if terminal and ready.log_folder:
            with suppress(OSError):  # the process that shows something there has said why
                terminal.log_in_file(ready.log_folder, config.log_level)
        notify("READY=1")
        alive = asyncio.create_task(_keep_telling("WATCHDOG=1"))
        await signals.reload_until_stop(processes.reload)
        notify("STOPPING=1")
        log.info("the server stops")
        alive.cancel()
        return await processes.stop()


async def _until_ready(start: Coroutine[None, None, Ready], processes: Processes, signals: Signals) -> Ready | int:
    """Start the processes; returns the exit status instead if they cannot start, or are told to stop."""
    telling = asyncio.create_task(_keep_telling(MORE_TIME))
    starting, stop = asyncio.create_task(start), asyncio.create_task(signals.told_to_stop.wait())
    await asyncio.wait({starting, stop}, return_when=asyncio.FIRST_COMPLETED)
    telling.cancel()
    if not starting.done():
        print("quatch: stopped before it was ready", file=sys.stderr)  # noqa: T201 - the host reads it
        starting.cancel()
        await asyncio.wait({starting})
        return await processes.stop()
    try:
        return starting.result()
    except NotStarted as error:
        print(f"quatch: {error}", file=sys.stderr)  # noqa: T201 - the host reads it
        await processes.stop()
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
