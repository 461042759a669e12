"""A server that is one process, which is its main process, too."""

import asyncio
from collections.abc import Callable

import structlog

from server.app.main_process import Alive, Beginning, Page, ProcessNews, Ready, Stop, open_page
from server.app.run_process import ServerProcess
from server.config import ONE_PROCESS, Config
from server.net.listening_sockets import by_carrier, close_all, open_all

log = structlog.get_logger("quatch.server")


class OneProcess:
    """The process as what keeps it and as what a page shows; see `main_process.Processes` and `Measured`."""

    def __init__(self, config: Config, stop_server: Callable[[], None]) -> None:
        self.page = self.health = ""
        """See `Measured`."""
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

    async def renew(self) -> None:
        """A newer program cannot take the place of the process that runs it."""
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
        """See `Measured`."""
        self.page = await self._process.app.measure()
