"""A process that runs alone becomes the supervisor of its successors at SIGHUP.

So its number, its terminal and its service stay the same. Its own sessions go on until their games end.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from functools import partial

from server.app.app import App
from server.app.health import HealthCheck
from server.app.merged_metrics import Family, counted, families_of
from server.app.ports import Ports
from server.app.signals_and_exit import print_stacks_on_request, process_command
from server.app.supervisor import Supervisor
from server.process.background_tasks import BackgroundTasks


class Succession:
    """A server that runs alone, and its successors. See `supervisor.OwnServer`."""

    def __init__(
        self,
        app: App,
        ports: Ports,
        stop_app: Callable[[], Awaitable[None]],
        on_drained: Callable[[], None],
    ) -> None:
        """``stop_app`` stops the server in time. ``on_drained``: see `Supervisor`."""
        self._app = app
        self._ports = ports
        self._stop_app = stop_app
        self._on_drained = on_drained
        self._supervisor: Supervisor | None = None
        self._background = BackgroundTasks()
        self._has_ended = False
        """Whether the server in this process has ended; its successors may still run."""
        self.health = HealthCheck(app.lobby)

    async def reload(self) -> None:
        """Start successors, with the program and the settings of now."""
        if self._supervisor is None:
            self._supervisor = Supervisor(process_command(), self._ports.hand_over(), self._on_drained, own=self)
            print_stacks_on_request(partial(self._supervisor.send_signal, signal.SIGUSR1))
        await self._supervisor.reload()

    async def stop(self) -> None:
        """Stop this server and its successors."""
        await self._background.stop()
        stopping = [self._supervisor.stop()] if self._supervisor is not None else []
        await asyncio.gather(*stopping, *([] if self._has_ended else [self._stop_app()]))

    def retire(self) -> None:
        """The successors listen: accept no more connections, and end when the sessions have ended."""
        self._background.begin(self._retire(), "retiring")

    def families(self) -> list[Family]:
        """The metrics of the server in this process; when it has ended, what it has counted."""
        families = families_of(self._app.metrics.registry)
        return counted(families) if self._has_ended else families

    async def _retire(self) -> None:
        await self._app.retire()
        await self._app.stop()
        self._has_ended = True
