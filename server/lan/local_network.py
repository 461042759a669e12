"""Keeps a server to be found on the local network: watches the addresses of the machine, and has them announced."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING, Final

import structlog

from server import VERSION
from server.cells import BOLD, PAPER, PLAIN
from server.features import Feature
from server.joining import SSH_PORT, JoinLines, code_of, own_join_lines
from server.lan import LanSettings
from server.lan.announcement import LISTED, Announcement, name_of
from server.lan.interfaces import NO_LIBRARY, Interface, guest_interfaces, obstacle, system_interfaces
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service, Serving
from server.terminal.painter import sgr

if TYPE_CHECKING:
    from server.lan.announcer import Announcer

INDENT: Final = "    "
POLL_SECONDS: Final = 10.0
"""How often to look."""
WAKE_SECONDS: Final = 30.0
"""If so much time lies between two looks, the machine has slept."""
NO_NETWORK: Final = (
    "no address in a private network was found: name the interface or its address under lan_interfaces if there is one"
)
SYSTEM_PORT: Final = "port 22 is not announced, since other machines have their ssh there: use another port"
LONELY_SECONDS: Final = 180.0
LONELY: Final = (
    "nobody from another machine is here after three minutes. If guests cannot connect, the Wi-Fi may keep its guests "
    "apart, or a firewall here blocks the port"
)

log = structlog.get_logger("quatch.lan")


def poster(join: JoinLines, size: tuple[int, int] | None) -> list[str]:
    """What a host shows to guests: the lines to type, a QR code if it fits on the terminal, and the key in words.

    ``size``: columns and rows of the terminal; None if the lines go elsewhere.
    """
    first, *others = join.lines
    key = f"The key of this server is {join.key}"
    rows = code_of(join.link)
    if size is None or not rows or size[1] <= len(rows) or size[0] <= rows[0].width:
        return [f"guests type: {first}", *(f"or: {line}" for line in others), join.on_phones, key]
    big = _in_style(BOLD, first)
    return ["", f"Guests type:  {big}", *(f"{'or:':>12}  {line}" for line in others), "",
            *(INDENT + _in_style(PAPER, row.text) for row in rows), "", f"The code is {join.link}", key]  # fmt: skip


def _in_style(style: str, text: str) -> str:
    return sgr(style, colour=True) + text + sgr(PLAIN, colour=True)


class InterfaceWatch:
    """Compares what is found at each look. An address that comes and goes changes nothing before it stays for two."""

    def __init__(self, now: float, found: Sequence[Interface]) -> None:
        """``now``: the time on the wall, since other clocks stand still while a machine sleeps."""
        self.current = self._last = list(found)
        """The addresses that count, and those of the last look."""
        self._at = now
        self._slept = False

    def look(self, now: float, found: Sequence[Interface]) -> bool:
        """Note what there is now.

        Returns whether the machine has slept: others may have forgotten it, even if its addresses are the same.
        """
        self._slept |= now - self._at > WAKE_SECONDS
        has_woken = self._slept and bool(found)  # right after a sleep there is often no network yet
        self._slept &= not has_woken
        self._at = now
        before, self._last = found if has_woken else self._last, list(found)
        # An address counts if two of the last three looks have it.
        seen = found, before, self.current
        kept = [each for each in dict.fromkeys(chain(*seen)) if sum(each in addresses for addresses in seen) > 1]
        self.current = kept if {*kept} != {*self.current} else self.current
        return has_woken


def problem_here(named: Sequence[str]) -> str:
    """Why nothing can be announced from this machine; empty if something can.

    ``named``: the interfaces that the host has named, who knows then what they lead to.
    """
    if find_spec("zeroconf") is None:
        return NO_LIBRARY
    return "" if named else obstacle()


class LocalNetwork(Service):
    """What one process does for the local network. Each knows what guests type; the first announces the server."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._config, self._wall = lobby, lobby.config, lobby.wall
        self._settings = lobby.config.of(LanSettings)
        self.invites = self._settings.lan
        self._ports: Mapping[str, int] = {}
        self._watch: InterfaceWatch
        self._begun = 0.0
        self._may_announce = False
        self._announcer: Announcer | None = None
        self._told = set[str]()
        """The problems that the host was told, each once."""
        self._had_guests = False
        """Whether somebody from another machine has been here."""
        self._going: asyncio.Task[None] | None = None
        """Tells the network that the server is gone."""

    def listens(self, ports: Mapping[str, int], _: Collection[object]) -> None:
        """Find all ways to this server."""
        if self.invites:
            self._ports = ports
            self._watch = InterfaceWatch(self._wall(), self._found())
            self._lobby.join_lines = self._join_lines()

    def poster(self, screen: tuple[int, int] | None) -> Sequence[str]:
        """What guests type or scan."""
        return poster(self._lobby.join_lines, screen) if self.invites else ()

    def serve(self, serving: Serving) -> None:
        """Begin to watch the addresses and, in the first process, to announce the server."""
        if not self.invites:
            return
        self._begun = self._wall()
        if serving.process == 0:
            problem = SYSTEM_PORT if self._ports["ssh"] == SSH_PORT else problem_here(self._settings.lan_interfaces)
            self._may_announce = not problem
            if problem:
                self._tell(problem)
        self._background.repeat(self.look, POLL_SECONDS, "looking at the local network")

    async def retire(self, farewell: str) -> None:  # noqa: ARG002 - nobody reads it
        """A newer process announces itself."""
        await self.close()

    def end(self, farewell: str) -> None:  # noqa: ARG002 - nobody reads it
        """Tell the network that the server is gone while its sessions end."""
        self._going = self._going or asyncio.create_task(self._go())

    @property
    def tasks(self) -> Collection[asyncio.Task[None]]:
        """See `Service.tasks`."""
        return [] if self._going is None else [self._going]

    async def close(self) -> None:
        """Watch no more, and tell the network that the server is gone; see `end`."""
        self.end("")
        await asyncio.gather(*self.tasks)

    async def _go(self) -> None:
        await super().close()
        announcer, self._announcer = self._announcer, None
        if announcer is not None:
            await announcer.end()

    async def look(self) -> None:
        """Look once at the addresses and at who is here, and announce what has changed."""
        has_woken = self._watch.look(self._wall(), self._found())
        join = self._join_lines()
        if join != self._lobby.join_lines:
            self._lobby.join_lines = join
            log.info("the addresses have changed", guests_type=join.lines)
        if not self._may_announce:
            return
        callers = (each.caller.address for each in self._lobby.visitors.everybody())
        self._had_guests |= any(address is not None and not address.is_loopback for address in callers)
        if not self._watch.current:
            self._tell(NO_NETWORK)
        elif not (self._had_guests or self._config.allow_file) and self._wall() > self._begun + LONELY_SECONDS:
            self._tell(LONELY)
        await self._announce(again=has_woken)

    def _join_lines(self) -> JoinLines:
        fingerprint, only_others = self._lobby.join_lines.fingerprint, bool(self._settings.lan_interfaces)
        return own_join_lines(self._config, self._ports, fingerprint, self._addresses, only_others=only_others)

    @property
    def _addresses(self) -> list[str]:
        """Those over which guests come, the best first."""
        return [str(each.address) for each in self._watch.current]

    async def _announce(self, *, again: bool) -> None:
        wanted = self._announcement(), tuple(self._addresses)
        if self._announcer is not None:
            await self._announcer.change(*wanted, again=again)
        elif wanted[1]:
            from server.lan.announcer import Announcer  # noqa: PLC0415 - its library is an optional package

            try:
                self._announcer = Announcer(*wanted, self._tell)
            except OSError as error:
                self._tell(str(error))
            else:
                self._background.begin(self._announcer.begin(), "announcing the server")

    def _announcement(self) -> Announcement:
        config, lobby, port = self._config, self._lobby, self._ports["ssh"]
        key, chosen = lobby.join_lines.fingerprint, self._settings.lan_name or f"Quatch on {config.node_name}"
        people = [each.player.name for each in lobby.visitors.everybody() if each.player.kind == "person"]
        return Announcement(
            name_of(chosen, key, config.node_name, port),
            port,
            key,
            VERSION,
            "open" if lobby.drain.seconds_left is None else "closing",
            len(people),
            () if config.allow_file else tuple(people[:LISTED]),
            tuple(lobby.rulebook.names),
        )

    def _found(self) -> list[Interface]:
        return guest_interfaces(system_interfaces(), self._config.host, self._settings.lan_interfaces)

    def _tell(self, problem: str) -> None:
        """Tell the host, once; the lines to type work in any case."""
        if problem not in self._told:
            self._told.add(problem)
            log.warning("local network", problem=problem, guests_type=self._lobby.join_lines.lines)


FEATURE: Final = Feature("lan", (Runs(LocalNetwork),))
