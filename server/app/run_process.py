"""One server process from its start to its end: signals, ready lines, watchdogs, and a stop that always comes.

It runs alone, or as one of several under a supervisor.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import structlog
from msgspec import msgpack

from engine.wording.phrases import quantity
from server.app.app import App
from server.app.link import SupervisorLink, share_of
from server.app.link_messages import Drained, Ready, Stop
from server.app.ports import Ports
from server.app.poster import print_poster
from server.app.signals_and_exit import (
    Signals,
    end_in_time,
    only_the_supervisor_decides,
    print_ready_lines,
    print_stacks_on_request,
    shared_folder_lines,
)
from server.app.succession import Succession
from server.config import Config
from server.database_url import DatabaseUrl
from server.features import load
from server.process import gc_tuning
from server.process.background_tasks import BackgroundTasks
from server.process.fd_limit import room_for
from server.process.logs import log_loop_error
from server.process.sd_notify import MORE_TIME, notify
from server.process.watchdog import Watchdog
from server.process.watchdog_process import watchdog_process
from server.storage.database import log_in
from server.storage.file_check import pages_lost
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

log = structlog.get_logger("quatch.process")


def run_server(config: Config, link: SupervisorLink | None = None) -> None:
    """Serve until SIGTERM, SIGINT or the end of a drain. SIGHUP renews the server; SIGUSR1 prints all stacks.

    ``link``: to the supervisor; None for a process that runs alone.
    """
    asyncio.run(_serve(config, link))


async def _serve(config: Config, link: SupervisorLink | None) -> None:
    asyncio.get_running_loop().set_exception_handler(log_loop_error)
    # Before the ready lines: from then on somebody may ask for a stop.
    signals = Signals(lambda: end_in_time(END_SECONDS))
    print_stacks_on_request()
    if link is not None:
        only_the_supervisor_decides()
        structlog.contextvars.bind_contextvars(process=link.process)
    if config.database and not await _reached(log_in(config.database, config.data), signals.told_to_stop):
        return
    begins = link is None or link.begins
    if begins and not config.database:
        _tell_lost_pages(config)
    with folder_in_use(Path(config.data)) if begins and not config.database else nullcontext(None) as by_another:
        if link is None:
            await _serve_alone(config, signals, by_another=by_another)
            return
        app, lines = await _start_supervised(config, signals, link, alone=by_another is False)
    # From now on the supervisor marks the folder as used.
    await _serve_supervised(app, lines, config, signals, link)


async def _serve_alone(config: Config, signals: Signals, *, by_another: bool | None) -> None:
    """Start the server, print the ready lines and serve until told to stop.

    ``by_another``: whether another server uses the folder of the data; None if they are in PostgreSQL.
    """
    ports, alone, features = Ports(), by_another is False, load(config.without)
    app = App(
        _with_room(config),
        log_in(config.database, config.data),
        signals.stop,
        features=features,
        alone=alone,
        ports=ports,
    )
    lines = [*await app.start(), _folders_line(config)]
    lines += shared_folder_lines(config.data, by_another=by_another)
    with _watched(app, config):
        print_ready_lines(lines)
        print_poster(app.join_to_show)
        app.serve(signals.stop)
        notify("READY=1")
        succession = Succession(app, ports, partial(_stop, app), signals.stop)
        await signals.reload_until_stop(succession.reload)
        notify("STOPPING=1")
        await succession.stop()


async def _start_supervised(
    config: Config, signals: Signals, link: SupervisorLink, *, alone: bool
) -> tuple[App, list[str]]:
    """Start one of several processes; returns its ready lines, too."""
    own, store = _with_room(share_of(config)), log_in(config.database, config.data)

    def drained() -> None:
        link.tell(Drained())
        signals.stop()

    app = App(own, store, drained, features=load(config.without), alone=alone, ports=link)
    return app, [*await app.start(), _folders_line(config)]


async def _serve_supervised(app: App, lines: list[str], config: Config, signals: Signals, link: SupervisorLink) -> None:
    """Serve until told to stop, or until the last session has ended after a newer generation has taken over."""
    background = BackgroundTasks()

    async def retire() -> None:
        await app.retire()
        signals.stop()

    with _watched(app, config):
        folder = "" if config.database else config.data
        link.tell(Ready(lines, msgpack.encode(config), config.processes, folder, app.join_to_show, app.log_folder))
        following = link.follow(lambda: background.begin(retire(), "retiring"), signals.stop)
        background.begin(following, "answering the supervisor")
        app.serve(lambda: link.tell(Stop()), link.process)
        await signals.told_to_stop.wait()
        await _stop(app)
        await background.stop()


async def _reached(store: TableLog, told_to_stop: asyncio.Event) -> bool:
    """Wait until the database can be opened, with a line a minute. Returns whether it can be. Raises NotSaved."""
    tries = 0
    while not told_to_stop.is_set():
        try:
            await store.open()
        except DatabaseAway as error:
            if tries % WAITS_TOLD == 0:
                log.warning("waiting for the database", problem=str(error))
                notify(f"STATUS=waiting for the database\n{MORE_TIME}")
            tries += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(WAIT_SECONDS):
                    await told_to_stop.wait()
        else:
            await store.close()
            return True
    return False


def _tell_lost_pages(config: Config) -> None:
    """Log it if a part of the database is missing."""
    database = Path(config.data) / FILE_NAME
    if lost := pages_lost(database):
        problem = f"{database}-wal is missing or cut short: what was saved last is lost ({quantity(lost, 'page')})"
        log.error("the last moves before the server ended are lost", problem=problem)


@contextmanager
def _watched(app: App, config: Config) -> Iterator[None]:
    """Watch the event loop in the body, in which the server runs."""
    gc_tuning.freeze_startup_objects()
    with watchdog_process(config.watchdog) as beat:

        def alive() -> None:
            notify("WATCHDOG=1")
            beat()

        with Watchdog(app.metrics, config.watchdog, alive=alive).running():
            yield


def _with_room(config: Config) -> Config:
    """The settings with no more connections than the system has file descriptors for. Raises ConfigError."""
    return replace(config, connections=room_for(config.connections))


def _folders_line(config: Config) -> str:
    """The ready line that says where the folders are."""
    data, key, rules = (Path(folder).resolve() for folder in (config.data, config.hostkeys, config.rules_dir))
    kept = DatabaseUrl.read(config.database) if config.database else data
    return f"data in {kept}, host key in {key}, house rules in {rules}"


async def _stop(app: App) -> None:
    """Stop in time, whatever holds it up."""
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await app.stop()
    except TimeoutError:
        log.error("stopped before everything was closed")  # noqa: TRY400 - no traceback helps here
        os._exit(1)
