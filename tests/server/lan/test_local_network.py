"""A server on the local network, with addresses, a clock and an announcer of our own."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from ipaddress import ip_address
from typing import Self
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from server.config import Config, ConfigError
from server.joining import join_lines
from server.lan import LanSettings, local_network
from server.lan.announcement import Announcement
from server.lan.interfaces import WSL, Interface
from server.lan.local_network import LONELY, NO_NETWORK, POLL_SECONDS, LocalNetwork
from server.lobby.lobby import Lobby
from server.lobby.service import Serving
from server.people.players import Caller, Player
from server.storage.sqlite_database import MemoryDatabase
from tests.server.lan.machine import CABLE, KEY, WIFI
from tests.support.emulator import opened


class Announcer:
    """Notes what is to be announced, and where, and the end."""

    def __init__(self) -> None:
        self.told: list[tuple[Announcement, tuple[str, ...], bool]] = []
        self.problem = ""
        self.is_gone = False

    def __call__(self, announcement: Announcement, addresses: tuple[str, ...], _: Callable[[str], None]) -> Self:
        """In place of the real one."""
        if self.problem:
            raise OSError(self.problem)
        self.told.append((announcement, addresses, False))
        return self

    async def begin(self) -> None:
        """See `announcer.Announcer`."""

    async def change(self, announcement: Announcement, addresses: tuple[str, ...], *, again: bool) -> None:
        """See `announcer.Announcer`."""
        if again or (announcement, addresses) != self.told[-1][:2]:
            self.told.append((announcement, addresses, again))

    async def end(self) -> None:
        """See `announcer.Announcer`."""
        await asyncio.sleep(0.05)
        self.is_gone = True


class Machine:
    """A machine in a network, with a server."""

    def __init__(self, lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lobby = lobby
        self.found = [WIFI]
        self.now = 1e9
        self.problem = ""
        self.announcer = Announcer()
        lobby.join_lines = join_lines(["192.168.1.23"], 2222, KEY)
        monkeypatch.setattr(lobby, "wall", lambda: self.now)
        monkeypatch.setattr(local_network, "system_interfaces", lambda: self.found)
        monkeypatch.setattr(local_network, "problem_here", lambda _: self.problem)
        monkeypatch.setitem(sys.modules, "server.lan.announcer", Mock(Announcer=self.announcer))
        self.network = LocalNetwork(lobby)

    async def begin(self) -> None:
        """Serve players, and have a first look."""
        self.network.listens({"ssh": 2222}, ())
        self.network.serve(Serving(0, lambda: None))
        await self.network.look()

    async def look(self, *found: Interface) -> None:
        """Look ten seconds later, when there are these interfaces."""
        self.found, self.now = [*found], self.now + POLL_SECONDS
        await self.network.look()

    async def told(self) -> list[tuple[Announcement, tuple[str, ...], bool]]:
        """What the announcer was told until its end."""
        await self.network.close()
        assert self.announcer.is_gone
        return self.announcer.told


@pytest.fixture
async def machine(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Machine]:
    """One that is announced over Wi-Fi."""
    settings = {"lan": True, "lan_name": "Ana's night", "host": ["192.168.1.23", "10.0.0.5"]}
    async with opened(Lobby(Config.load(None, {}, settings), MemoryDatabase())) as lobby:
        machine = Machine(lobby, monkeypatch)
        yield machine
        await machine.network.close()


async def test_what_changes_is_announced_and_the_end_too(machine: Machine) -> None:
    """Only what changes: an address that stays, a sleep; not each look."""
    await machine.begin()
    for found in ([WIFI], [WIFI, CABLE], [WIFI, CABLE], [WIFI, CABLE]):
        await machine.look(*found)
    machine.now += 3600
    await machine.look(WIFI, CABLE)
    told = await machine.told()
    both = ("192.168.1.23", "10.0.0.5")
    assert [(addresses, again) for _, addresses, again in told] == [(both[:1], False), (both, False), (both, True)]
    assert told[0][0].name.startswith("Ana's night (")
    assert machine.lobby.join_lines.lines == ["ssh -p 2222 192.168.1.23", "ssh -p 2222 10.0.0.5"]


async def test_a_server_that_stops_is_gone_from_the_network_while_its_sessions_end(machine: Machine) -> None:
    """They may take seconds, in which somebody would still find it."""
    await machine.begin()
    machine.network.end("")
    await asyncio.gather(*machine.network.tasks)
    assert machine.announcer.is_gone


async def test_closing_waits_until_the_network_knows_of_the_end(machine: Machine) -> None:
    """Also if telling it has begun before."""
    await machine.begin()
    machine.network.end("")
    await asyncio.sleep(0)
    await machine.network.close()
    assert machine.announcer.is_gone


async def test_a_host_whose_laptop_wakes_is_not_told_of_a_missing_network(machine: Machine) -> None:
    """It has none for a moment. One that stays away is told of."""
    with capture_logs() as logs:
        await machine.begin()
        machine.now += 3600
        await machine.look()
        await machine.look(WIFI)
        assert NO_NETWORK not in [each.get("problem") for each in logs]
        await machine.look()
        await machine.look()
    assert NO_NETWORK in [each.get("problem") for each in logs]


async def test_only_one_process_of_a_server_announces_it(machine: Machine) -> None:
    """The others know what guests type all the same."""
    machine.network.listens({"ssh": 2222}, ())
    machine.network.serve(Serving(1, lambda: None))
    for _ in range(2):
        await machine.look(CABLE)
    assert "ssh -p 2222 10.0.0.5" in machine.lobby.join_lines.lines
    assert not machine.announcer.told


async def test_where_nothing_can_be_announced_the_host_is_told_once(machine: Machine) -> None:
    """In one line, with the line to type, which works in any case."""
    machine.problem = WSL
    with capture_logs() as logs:
        await machine.begin()
        await machine.look(WIFI)
    assert [(each["problem"], each["guests_type"]) for each in logs] == [(WSL, ["ssh -p 2222 192.168.1.23"])]
    assert not machine.announcer.told


async def test_a_port_that_cannot_be_used_is_tried_again_at_each_look(machine: Machine) -> None:
    """The host is told once."""
    machine.announcer.problem = "UDP port 5353, that of mDNS, cannot be used: Address already in use"
    with capture_logs() as logs:
        await machine.begin()
        await machine.look(WIFI)
        assert not machine.announcer.told
        machine.announcer.problem = ""
        await machine.look(WIFI)
    assert len(machine.announcer.told) == 1
    assert len([each for each in logs if "problem" in each]) == 1


async def test_without_a_network_the_server_waits_for_one(machine: Machine) -> None:
    """And is announced as soon as there is one."""
    machine.found = []
    with capture_logs() as logs:
        await machine.begin()
        assert not machine.announcer.told
        await machine.look(WIFI)
        await machine.look(WIFI)
    assert logs[0]["problem"] == NO_NETWORK
    assert [addresses for _, addresses, _ in await machine.told()] == [("192.168.1.23",)]


async def test_a_host_who_stays_alone_is_told_what_may_be_wrong(machine: Machine) -> None:
    """After three minutes, once: Wi-Fi for guests often keeps them apart."""
    with capture_logs() as logs:
        await machine.begin()
        for _ in range(30):
            await machine.look(WIFI)
    assert [each["problem"] for each in logs if "problem" in each] == [LONELY]


async def test_a_host_whose_guests_have_gone_is_told_nothing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """They could connect. Of many people only some are announced."""
    guest = Mock(caller=Caller("bo", address=ip_address("192.168.1.9")), player=Player("", "bo"))
    here = [guest] * 5000
    monkeypatch.setattr(machine.lobby.visitors, "everybody", lambda: here)
    with capture_logs() as logs:
        await machine.begin()
        here.clear()
        for _ in range(30):
            await machine.look(WIFI)
        told = await machine.told()
    assert not [each for each in logs if "problem" in each]
    assert [(announced.people, len(announced.who)) for announced, _, _ in told] == [(5000, 30), (0, 0)]


def test_lan_is_a_setting_that_is_true_or_false() -> None:
    """In a file, the environment, and on the command line."""
    assert [
        Config.load(None, {"QUATCH_LAN": text}, {}).of(LanSettings).lan for text in ("true", "1", "no", "False")
    ] == [
        *(True, True),
        *(False, False),
    ]
    with pytest.raises(ConfigError, match="lan: must be true or false, not 'maybe'"):
        Config.load(None, {"QUATCH_LAN": "maybe"}, {})
