"""The console at the terminal where a server of one process was started; its log goes to a file meanwhile."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final

import structlog

from server.app.app import App
from server.config import Config
from server.ops import logs
from server.people.players import Caller
from server.transport.host_terminal import HostTerminal, is_at_terminal

LOG_NAME: Final = "quatch.log"
LOG_BYTES: Final = 10_000_000
"""A log of this size is put aside at the next start, in the place of the one that was put aside before."""
END_SECONDS: Final = 1.0

log = structlog.get_logger("quatch.host_console")


@asynccontextmanager
async def host_console(app: App, config: Config, stop: Callable[[], None]) -> AsyncIterator[None]:
    """Show the console inside the context, if there is a terminal for it; ``stop`` stops the server."""
    if not (config.console and is_at_terminal()):
        yield
        return
    task = asyncio.create_task(_show(app, config, stop))
    try:
        yield
    finally:
        app.consoles.end("The server stops.")
        done, _ = await asyncio.wait([task], timeout=END_SECONDS)
        if not done:
            task.cancel()
            await asyncio.wait([task])


async def _show(app: App, config: Config, stop: Callable[[], None]) -> None:
    """Show it until it is closed. If that fails the log says why, and the server goes on."""
    try:
        with _log_in_file(config) as notice, HostTerminal().attached() as terminal:
            if terminal.knows_screen:
                await app.consoles.show(terminal, Caller("host", is_host=True), stop, notice)
    except Exception as error:
        log.exception("the console has failed", problem=str(error))


@contextmanager
def _log_in_file(config: Config) -> Iterator[str]:
    """Send all that this process and its children write to standard error to a file; yields a line that says so.

    If the host has sent it elsewhere, it stays there.
    """
    if not sys.stderr.isatty():
        yield ""
        return
    file = Path(config.data, LOG_NAME).resolve()
    file.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        if file.stat().st_size > LOG_BYTES:
            file.replace(file.with_suffix(".log.1"))
    before, number = os.dup(sys.stderr.fileno()), sys.stderr.fileno()
    opened = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.dup2(opened, number)
        logs.configure(config.log_level)
        yield f"log in {file}"
    finally:
        os.dup2(before, number)
        os.close(opened)
        os.close(before)
        logs.configure(config.log_level)
