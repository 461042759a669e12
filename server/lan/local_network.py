"""Keeps a server to be found on the local network: watches the addresses of the machine, and has them announced."""

import asyncio
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from importlib.util import find_spec
from time import time
from typing import Final

import structlog
from msgspec import json

from server.joining.interfaces import Interface, guest_interfaces, system_interfaces
from server.joining.join_lines import JoinLines, own_join_lines
from server.lan.announcement import LISTED, Announcement, Report, Wanted
from server.lan.command_line import LanSettings
from server.lan.finder import NO_LIBRARY
from server.lan.interface_watch import POLL_SECONDS, Change, InterfaceWatch
from server.lan.obstacles import obstacle
from server.lobby.lobby import Lobby
from server.lobby.service import Service, Serving
from server.process.background_tasks import BackgroundTasks
from server.version import VERSION

ANNOUNCER: Final = (sys.executable, "-m", "server.lan.announcer")
GOODBYE_SECONDS: Final = 1.0
"""How long the announcer may take to tell the network that the server is gone."""
RESTART_SECONDS: Final = 60.0
"""After so long an announcer that has ended is started again."""
NO_NETWORK: Final = (
    "no address in a private network was found: name the interface or its address under lan_interfaces if there is one"
)
LONELY_SECONDS: Final = 180.0
LONELY: Final = (
    "nobody from another machine is here after three minutes. If guests cannot connect, the Wi-Fi may keep its guests "
    "apart, or a firewall here blocks the port"
)

log = structlog.get_logger("quatch.lan")


class LocalNetwork(Service):
    """What one process does for the local network. Each knows what guests type; the first announces the server."""

    def __init__(
        self,
        lobby: Lobby,
        interfaces: Callable[[], list[Interface]] = system_interfaces,
        wall: Callable[[], float] = time,
    ) -> None:
        """``wall``: the time in seconds since 1970."""
        self._config = lobby.config
        self._settings = lobby.config.of(LanSettings)
        self.invites = self._settings.lan
        self._lobby = lobby
        self._port = 0
        self._interfaces = interfaces
        self._wall = wall
        self._announces = False
        self._watch: InterfaceWatch
        self._begun = 0.0
        self._process: asyncio.subprocess.Process | None = None
        self._start_at = 0.0
        """When the process may be started, in time on the wall."""
        self._wanted: Wanted | None = None
        """What the process was told last."""
        self._told = set[str]()
        """The problems that the host was told, each once."""
        self._had_guests = False
        """Whether somebody from another machine has been here."""
        self._background = BackgroundTasks()
        self._going: asyncio.Task[None] | None = None
        """Tells the network that the server is gone."""

    def listens(self, port: int) -> None:
        """Find all ways to this server."""
        if self.invites:
            self._port = port
            self._watch = InterfaceWatch(self._wall(), self._found())
            self._lobby.join_lines = self._join_lines()

    def serve(self, serving: Serving) -> None:
        """Begin to watch the addresses and, in the first process, to announce the server."""
        if not self.invites:
            return
        self._begun = self._wall()
        announces = serving.process == 0
        problem = self._obstacle() if announces else ""
        if problem:
            self._tell(problem)
        self._announces = announces and not problem
        self._background.repeat(self.look, POLL_SECONDS, "looking at the local network")

    async def retire(self, farewell: str) -> None:  # noqa: ARG002 - nobody reads it
        """A newer process announces itself."""
        await self.close()

    def end(self, farewell: str) -> None:  # noqa: ARG002 - nobody reads it
        """Tell the network that the server is gone while its sessions end."""
        self._going = asyncio.create_task(self.close())

    @property
    def tasks(self) -> Collection[asyncio.Task[None]]:
        """See `Service.tasks`."""
        return [] if self._going is None else [self._going]

    async def close(self) -> None:
        """Watch no more, and tell the network that the server is gone."""
        await self._background.stop()
        if (process := self._process) is None:
            return
        self._process = None
        _input_of(process).close()
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                await process.wait()
                return
        with suppress(ProcessLookupError):
            process.kill()

    async def look(self) -> None:
        """Look once at the addresses and at who is here, and announce what has changed."""
        change = self._watch.look(self._wall(), self._found())
        if change is not Change.NONE:
            before = self._lobby.join_lines
            join = self._join_lines()
            if join != before:
                self._lobby.join_lines = join
                log.info("the addresses have changed", guests_type=join.lines)
        if not self._announces:
            return
        self._had_guests = self._had_guests or self._has_guests()
        if not self._watch.current:
            self._tell(NO_NETWORK)
        elif not (self._had_guests or self._config.allow_file) and self._wall() > self._begun + LONELY_SECONDS:
            self._tell(LONELY)
        await self._announce(again=change is Change.WOKE)

    def _join_lines(self) -> JoinLines:
        others = [str(each.address) for each in self._watch.current]
        only_others = bool(self._settings.lan_interfaces)
        return own_join_lines(
            self._config, self._port, self._lobby.join_lines.fingerprint, others, only_others=only_others
        )

    async def _announce(self, *, again: bool) -> None:
        addresses = tuple(str(each.address) for each in self._watch.current)
        wanted = Wanted(self._announcement(), addresses, again)
        if self._process is None and addresses and self._wall() >= self._start_at:
            self._process = await asyncio.create_subprocess_exec(
                *ANNOUNCER, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
            self._background.begin(self._read(self._process), "reading what the announcer says")
        elif wanted == self._wanted:
            return
        if self._process is not None:
            self._wanted = wanted
            _input_of(self._process).write(json.encode(wanted) + b"\n")

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Log what the announcer says, until it ends; then another one is started after a while."""
        while process.stdout is not None and (line := await process.stdout.readline()):
            report = json.decode(line, type=Report)
            if report.name:
                log.info("announced on the local network", name=report.name)
            if report.problem:
                self._tell(report.problem)
        self._process = None
        self._start_at = self._wall() + RESTART_SECONDS

    def _announcement(self) -> Announcement:
        config, lobby = self._config, self._lobby
        people = [each.player.name for each in lobby.visitors.everybody() if each.player.kind == "person"]
        return Announcement(
            self._settings.lan_name or f"Quatch on {config.node_name}",
            config.node_name,
            self._port,
            lobby.join_lines.fingerprint,
            VERSION,
            "open" if lobby.drain.seconds_left is None else "closing",
            len(people),
            () if config.allow_file else tuple(people[:LISTED]),
            tuple(lobby.rulebook.names),
        )

    def _obstacle(self) -> str:
        """Why nothing can be announced here; empty if something can."""
        if find_spec("zeroconf") is None:
            return NO_LIBRARY
        return "" if self._settings.lan_interfaces else obstacle()

    def _has_guests(self) -> bool:
        """Whether somebody from another machine is here."""
        addresses = [each.caller.address for each in self._lobby.visitors.everybody()]
        return any(address is not None and not address.is_loopback for address in addresses)

    def _found(self) -> list[Interface]:
        return guest_interfaces(self._interfaces(), self._config.host, self._settings.lan_interfaces)

    def _tell(self, problem: str) -> None:
        """Tell the host, once; the lines to type work in any case."""
        if problem not in self._told:
            self._told.add(problem)
            log.warning("local network", problem=problem, guests_type=self._lobby.join_lines.lines)


def _input_of(process: asyncio.subprocess.Process) -> asyncio.StreamWriter:
    """The standard input of a process that was started with a pipe for it."""
    if process.stdin is None:
        raise TypeError("started without a pipe")
    return process.stdin
