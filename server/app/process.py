"""One server process from its start to its end: signals, ready lines, watchdogs, and a stop that always comes."""

import asyncio
import faulthandler
import os
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog

from engine.wording.phrases import quantity
from server.app.app import App
from server.config import Config
from server.database_url import DatabaseUrl
from server.ops import gc_tuning
from server.ops.logs import log_loop_error
from server.ops.standard_streams import drop_standard_output
from server.ops.watchdog import Watchdog
from server.ops.watchdog_process import watchdog_process
from server.storage.crash_check import pages_lost
from server.storage.database import log_in
from server.storage.folder_in_use import folder_in_use
from server.storage.sqlite_file import FILE_NAME
from server.storage.table_log import DatabaseAway, TableLog

STOP_SECONDS: Final = 4.0
"""How long the stop may take; then the process ends with what is saved, which is every move that was shown."""
END_SECONDS: Final = 4.8
"""When the process ends even if Python cannot run: within the 5 s that hosts are promised."""
WAIT_SECONDS: Final = 1.0
WAITS_TOLD: Final = 60
"""At the start: the pause between two attempts to open the database, and after how many the host is told again."""
PATIENCE_TOLD: Final = 120_000_000
"""Microseconds that the service manager then gives the start."""
STDERR: Final = 2
"""The file descriptor for stacks: `sys.stderr` may be closed, or no file."""

SHARED: Final = "another server uses {}: to players both are one server"
"""A ready line. The braces stand for the folder."""

log = structlog.get_logger("quatch.process")


def run_server(config: Config) -> None:
    """Serve until SIGTERM, SIGINT, SIGHUP or the end of a drain. SIGUSR1 prints the stacks of all threads."""
    faulthandler.enable(STDERR)
    faulthandler.register(signal.SIGUSR1, STDERR, all_threads=True)
    asyncio.run(_serve(config))


async def _serve(config: Config) -> None:
    asyncio.get_running_loop().set_exception_handler(log_loop_error)
    told_to_stop = asyncio.Event()

    def stop() -> None:
        if not told_to_stop.is_set():
            told_to_stop.set()
            _end_in_time()

    # Before the ready lines: from then on somebody may ask for a stop.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    if config.database:
        store = log_in(config.database, config.data)
        if await _reached(store, told_to_stop):
            await _serve_until(told_to_stop, App(config, store, drained=stop), config, by_another=False)
        return
    database = Path(config.data) / FILE_NAME
    if lost := pages_lost(database):
        problem = f"{database}-wal is missing or cut short: what was saved last is lost ({quantity(lost, 'page')})"
        log.error("the last moves before the server ended are lost", problem=problem)
    with folder_in_use(Path(config.data)) as by_another:
        app = App(config, log_in("", config.data), drained=stop, alone=not by_another)
        await _serve_until(told_to_stop, app, config, by_another=by_another)


async def _reached(store: TableLog, told_to_stop: asyncio.Event) -> bool:
    """Wait until the database can be opened, with a line a minute. Returns whether it can be. Raises NotSaved."""
    tries = 0
    while not told_to_stop.is_set():
        try:
            await store.open()
        except DatabaseAway as error:
            if tries % WAITS_TOLD == 0:
                log.warning("waiting for the database", problem=str(error))
                _notify(f"STATUS=waiting for the database\nEXTEND_TIMEOUT_USEC={PATIENCE_TOLD}")
            tries += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(WAIT_SECONDS):
                    await told_to_stop.wait()
        else:
            await store.close()
            return True
    return False


async def _serve_until(told_to_stop: asyncio.Event, app: App, config: Config, *, by_another: bool) -> None:
    """Start the server, print the ready lines and serve until told to stop."""
    ready_lines = await app.start()
    ready_lines += _folder_lines(config, by_another=by_another)
    gc_tuning.freeze_startup_objects()
    with watchdog_process(config.watchdog) as beat:

        def alive() -> None:
            _notify("WATCHDOG=1")
            beat()

        with Watchdog(app.metrics, config.watchdog, alive=alive).running():
            _print_ready_lines(ready_lines)
            _notify("READY=1")
            await told_to_stop.wait()
            _notify("STOPPING=1")
            await _stop(app)


def _folder_lines(config: Config, *, by_another: bool) -> list[str]:
    """The ready lines about the folders: where they are, and whether another server uses that of the data."""
    data, key, rules = (Path(folder).resolve() for folder in (config.data, config.hostkeys, config.rules_dir))
    kept = DatabaseUrl.read(config.database) if config.database else data
    where = f"data in {kept}, host key in {key}, house rules in {rules}"
    if not by_another:
        return [where]
    log.info("another server uses the same folder", folder=config.data)
    return [where, SHARED.format(config.data)]


def _end_in_time() -> None:
    """Have the process end after `END_SECONDS`, whatever hangs. Neither timer needs a lock of Python's."""
    try:
        faulthandler.dump_traceback_later(END_SECONDS, file=STDERR, exit=True)
    except RuntimeError:  # there is no memory for its thread
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, END_SECONDS)


def _print_ready_lines(lines: Sequence[str]) -> None:
    """Tell the host where the server listens. If standard output cannot be written, the server goes on without it."""
    try:
        print(*lines, sep="\n", flush=True)  # noqa: T201 - the host reads it
    except OSError as error:
        drop_standard_output()
        log.warning("ready lines not printed", problem=error.strerror, lines=lines)


async def _stop(app: App) -> None:
    """Stop in time, whatever holds it up."""
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await app.stop()
    except TimeoutError:
        log.error("stopped before everything was closed")  # noqa: TRY400 - no traceback helps here
        os._exit(1)


def _notify(state: str) -> None:
    """Send the service manager a state, as sd_notify(3) does; does nothing without one."""
    if address := os.environ.get("NOTIFY_SOCKET", ""):
        # "@" stands for an abstract socket, which begins with a zero byte.
        address = "\0" + address[1:] if address.startswith("@") else address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.setblocking(False)  # noqa: FBT003 - no name is taken
            manager.sendto(state.encode(), address)
