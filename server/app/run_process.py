"""A process that serves players, from its start to its end: ready lines, signs of life, a stop that always comes."""

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

import structlog

from server import VERSION
from server.app.app import App
from server.app.main_process import Alive, Beginning, Drained, Page, ProcessNews, Ready, Stop, open_page
from server.app.signals_and_exit import PROCESS_ENDS_SECONDS, STOP_SECONDS, end_in_time
from server.config import ONE_PROCESS, Config, ConfigError
from server.features import load
from server.net.listener import Accepting
from server.net.listening_sockets import by_carrier, close_all, open_all
from server.process import gc_tuning
from server.process.background_tasks import BackgroundTasks
from server.storage.database import DatabaseAway
from server.storage.engines import database_of

LOADED_LATE: Final = "server.session.screen_mode"
"""What loads when the server is ready: prompt_toolkit takes as long as a third of all else, and no login needs it."""
BEAT_SECONDS: Final = 0.5
"""How often the process gives a sign of life."""
WAIT_SECONDS: Final = 1.0
WAITS_TOLD: Final = 60
"""At the start: the pause between two attempts to open the database, and after how many the host is told again."""
SHARED: Final = "another server uses {}: to players both are one server"
SHARED_ALONE: Final = f"another server uses {{}}, but {ONE_PROCESS}"
"""The braces stand for the folder of the data, or the address of the database."""

log = structlog.get_logger("quatch.process")


class ServerProcess:
    """A process that serves players, from its start to its end."""

    def __init__(
        self,
        config: Config,
        sockets: Sequence[tuple[str, socket.socket]],
        tell: Callable[[ProcessNews], None],
        beginning: Beginning | None,
        number: int = 0,
        accepting: Accepting | None = None,
    ) -> None:
        """``sockets``: see `App`. ``tell`` sends a message to what has started this process.

        ``number``: that among the processes of the server; for ``accepting`` see `Listener`.
        ``beginning`` is None if it is not the first process since the server was started. Raises ConfigError.
        """
        self._config, self._tell, self._beginning, self._number = config, tell, beginning, number
        self._told_to_stop = asyncio.Event()
        self.app = App(config, database_of(config), sockets, features=load(config.without), accepting=accepting)

    def stop(self) -> None:
        """Have it end soon."""
        if not self._told_to_stop.is_set():
            self._told_to_stop.set()
            end_in_time(PROCESS_ENDS_SECONDS)

    async def run(self) -> None:
        """Serve until `stop`, or the end of a drain.

        Raises ConfigError, NotSaved, OSError, HostKeyError if it cannot start.
        """
        config, app, beginning, background = self._config, self.app, self._beginning, BackgroundTasks()
        if beginning is not None and beginning.folder_is_shared and not config.may_share_log:
            raise ConfigError(SHARED_ALONE.format(config.data))
        if config.database and not await self._reached():
            return
        ready = Ready([*await app.start(), *_ready_lines(app, config, beginning)], app.log_folder, VERSION)
        app.serve(partial(self._tell, Stop()), self._number)
        self._tell(ready)
        background.repeat(self._beat, BEAT_SECONDS, "giving signs of life")
        background.begin(_load_the_rest(), "loading what the first login does not need")
        background.begin(self._stop_when_drained(), "waiting for the end of a drain")
        await self._told_to_stop.wait()
        try:  # to stop in time, whatever holds it up
            async with asyncio.timeout(STOP_SECONDS):
                await app.stop()
        except TimeoutError:
            log.error("stopped before everything was closed")  # noqa: TRY400 - no traceback helps here
            os._exit(1)
        await background.stop()

    async def _beat(self) -> None:
        self._tell(Alive(self.app.health()))

    async def _stop_when_drained(self) -> None:
        await self.app.drained.wait()
        self._tell(Drained())
        self.stop()

    async def _reached(self) -> bool:
        """Wait until the database can be opened, with a line a minute. Returns whether it can be.

        Raises NotSaved, and ConfigError if another server uses it and may not.
        """
        config, tries = self._config, 0
        store = database_of(config, application="quatch, starting")
        while not self._told_to_stop.is_set():
            try:
                await store.open()
            except DatabaseAway as error:
                if tries % WAITS_TOLD == 0:
                    log.warning("waiting for the database", problem=str(error))
                tries += 1
                with suppress(TimeoutError):
                    async with asyncio.timeout(WAIT_SECONDS):
                        await self._told_to_stop.wait()
            else:
                is_shared = not config.may_share_log and await store.is_used()
                await store.close()
                if is_shared:
                    raise ConfigError(SHARED_ALONE.format(store.name))
                return True
        return False


async def _load_the_rest() -> None:
    with suppress(OSError):  # it loads with the first screen if no file can be opened now
        await asyncio.to_thread(import_module, LOADED_LATE)
    gc_tuning.freeze_startup_objects()


def _ready_lines(app: App, config: Config, beginning: Beginning | None) -> list[str]:
    """What the host reads of this process, besides where it listens."""
    data, key, rules = (Path(folder).resolve() for folder in (config.data, config.hostkeys, config.rules_dir))
    kept = app.lobby.store.name if config.database else data
    lines = [f"data in {kept}, host key in {key}, house rules in {rules}"]
    if beginning is None:
        return lines
    if beginning.folder_is_shared:
        log.info("another server uses the same folder", folder=config.data)
        lines.append(SHARED.format(config.data))
    return lines + [line for service in app.lobby.services for line in service.poster(beginning.screen)]


class OneProcess:
    """The process as what keeps it and as what a page shows; see `main_process.Processes` and `Measurable`."""

    def __init__(self, config: Config, stop_server: Callable[[], None]) -> None:
        self.page = self.health = ""
        """See `Measurable`."""
        self._config, self._stop_server = config, stop_server
        self._ready: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()
        self._process: ServerProcess
        self._serving: asyncio.Task[None]
        self._pages: list[Page] = []

    async def start(self, beginning: Beginning) -> Ready:
        """See `Processes`. Raises ConfigError, NotSaved, OSError, HostKeyError."""
        places = self._config.listens_at()
        sockets = await open_all(places)
        theirs = []
        for each in sockets:
            if page := await open_page(each, places, lambda: [(self, True)]):
                self._pages.append(page)
            else:
                theirs.append(each)
        self._process = ServerProcess(self._config, by_carrier(theirs), self._hear, beginning)
        self._serving = asyncio.create_task(self._process.run())
        await asyncio.wait((self._ready, self._serving), return_when=asyncio.FIRST_COMPLETED)
        if not self._ready.done():
            close_all(sockets)
            self._serving.result()
        self._serving.add_done_callback(lambda _: self._stop_server())
        ready = await self._ready
        return Ready([each.ready_line for each in sockets] + ready.lines, ready.log_folder)

    async def reload(self, *, is_hang_up: bool) -> None:
        """A newer program cannot take the place of the process that runs it."""
        if not is_hang_up:
            problem = f"stop it and start it again, for {ONE_PROCESS}"
            log.error("not reloaded, the server goes on as before", problem=problem)

    async def stop(self) -> int:
        """See `Processes`."""
        for page in self._pages:
            page.close()
        self._process.stop()
        await asyncio.wait([self._serving])
        if error := self._serving.exception():
            log.error("the server has failed", exc_info=error)
        return 1 if error else 0

    def print_stacks(self) -> None:
        """There is no other process."""

    def _hear(self, said: ProcessNews) -> None:
        """Note what the process says of itself; its end is noticed anyway."""
        match said:
            case Ready():
                self._ready.set_result(said)
            case Alive(health):
                self.health = health
            case Stop():
                self._stop_server()

    async def measure(self) -> None:
        """See `Measurable`."""
        self.page = await self._process.app.measure()
