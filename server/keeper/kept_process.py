"""One of the processes of a server: it gets its settings and its sockets from the keeper."""

import asyncio
import signal
import socket
from collections.abc import Sequence

import structlog
from msgspec import msgpack

from server.app.run_process import ServerProcess
from server.app.signals_and_exit import print_stacks_on_request
from server.config import Config
from server.keeper.accept_turns import ConnectionCounts
from server.keeper.link import KeeperLink, Measured, Welcome
from server.keeper.wind_down import retire
from server.process import logs
from server.process.background_tasks import BackgroundTasks


def serve_players(link: KeeperLink) -> None:
    """Serve until SIGTERM, the end of the keeper, the end of a drain, or SIGUSR2 and the end of the last session.

    Raises ConfigError, NotSaved, OSError, HostKeyError if it cannot start.
    """
    welcome, descriptors = link.wait_for_welcome()
    config = msgpack.decode(welcome.settings, type=Config)
    logs.configure(config.log_level)
    asyncio.run(_serve(welcome, descriptors, config, link))


async def _serve(welcome: Welcome, descriptors: Sequence[int], config: Config, link: KeeperLink) -> None:
    loop, background = asyncio.get_running_loop(), BackgroundTasks()
    loop.set_exception_handler(logs.log_loop_error)
    if config.processes > 1:
        structlog.contextvars.bind_contextvars(process=welcome.number)
    counts, *listening = descriptors
    sockets = [socket.socket(fileno=each) for each in listening]
    carried = [*zip(welcome.carriers, sockets, strict=True)]
    accepting = ConnectionCounts(counts, welcome.number)
    process = ServerProcess(config, carried, link.tell, welcome.beginning, welcome.number, accepting)

    async def end_at_good_moments() -> None:
        await retire(process.app)
        process.stop()

    # Before the ready lines: from then on the keeper may ask for it.
    loop.add_signal_handler(signal.SIGTERM, process.stop)
    loop.add_signal_handler(signal.SIGUSR2, lambda: background.begin(end_at_good_moments(), "retiring"))
    print_stacks_on_request()
    async with link.followed(process.app.measure, process.stop):
        await process.run()
        await background.stop()
        if any(each.answers for each in config.listens_at()):
            link.tell(Measured(await process.app.measure()))
