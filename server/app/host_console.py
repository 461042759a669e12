"""The console at the terminal where the server was started; the log of all its processes goes to a file then.

Process 0 shows it. At SIGHUP it ends, and the one of the next generation takes its place.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import structlog

from server.app.app import App
from server.config import Config
from server.ops.background_tasks import BackgroundTasks
from server.ops.host_tty import is_at_terminal, log_in_file, put_log_aside
from server.people.players import Caller
from server.transport.host_terminal import HostTerminal

END_SECONDS: Final = 1.0
LOG_CHECK_SECONDS: Final = 60.0
"""How often to look whether the log has grown too long."""
RETRY_SECONDS: Final = 0.2
"""How long to wait before another attempt to get the terminal, which another process may have."""

log = structlog.get_logger("quatch.host_console")


def log_folder(config: Config) -> str:
    """The folder of the log if there is a console at the terminal; otherwise empty."""
    return config.data if config.console and is_at_terminal() else ""


@asynccontextmanager
async def host_console(app: App, config: Config, stop: Callable[[], None], process: int = 0) -> AsyncIterator[None]:
    """Show the console inside the context if there is a terminal for it, and if this is process 0.

    ``stop`` stops the server.
    """
    if not log_folder(config):
        yield
        return
    try:
        notice = log_in_file(config.data, config.log_level)
    except OSError as error:
        log.warning("no log in a file", problem=error.strerror)
        notice = ""
    if process != 0:
        yield
        return
    background = BackgroundTasks()
    if notice:
        check = partial(asyncio.to_thread, put_log_aside, config.data)
        background.repeat(check, LOG_CHECK_SECONDS, "putting the log aside")
    task = asyncio.create_task(_show(app, stop, notice))
    try:
        yield
    finally:
        await background.stop()
        app.consoles.end("The server stops.")
        done, _ = await asyncio.wait([task], timeout=END_SECONDS)
        if not done:
            task.cancel()
            await asyncio.wait([task])


async def _show(app: App, stop: Callable[[], None], notice: str) -> None:
    """Show it until it is closed. If that fails the log says why, and the server goes on."""
    try:
        with (await _free_terminal()).attached() as terminal:
            if terminal.knows_screen:
                await app.consoles.show(terminal, Caller("host", is_host=True), stop, notice)
    except Exception as error:
        log.exception("the console has failed", problem=str(error))


async def _free_terminal() -> HostTerminal:
    """The terminal, once no other process has it. Raises OSError."""
    while True:
        try:
            return HostTerminal()
        except BlockingIOError:
            await asyncio.sleep(RETRY_SECONDS)
