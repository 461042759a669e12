"""A server on the local network, with addresses, a clock and an announcer of our own."""

import asyncio
import sys
from collections.abc import AsyncIterator
from ipaddress import ip_address
from pathlib import Path
from unittest.mock import Mock

import pytest
from msgspec import json
from structlog.testing import capture_logs
from structlog.typing import EventDict

from server.config import Config, ConfigError
from server.joining.interfaces import Interface
from server.joining.join_lines import join_lines
from server.lan import local_network
from server.lan.announcement import Wanted
from server.lan.command_line import LanSettings
from server.lan.finder import NO_LIBRARY
from server.lan.interface_watch import POLL_SECONDS
from server.lan.local_network import LONELY, NO_NETWORK, LocalNetwork
from server.lan.obstacles import WSL
from server.lobby.lobby import Lobby
from server.lobby.service import Serving
from server.people.players import Caller, Player
from server.storage.memory_log import MemoryLog
from tests.support.interfaces import CABLE, KEY, WIFI

SCRIPT = """
import sys
print('{"name": "it"}', flush=True)
with open(sys.argv[1], "ab", 0) as told:
    for line in sys.stdin.buffer:
        told.write(line)
    told.write(b"gone")
"""
"""An announcer that notes what it is told, and its end."""


class Machine:
    """A machine in a network, with a server."""

    def __init__(self, lobby: Lobby, folder: Path) -> None:
        self.lobby = lobby
        self.found = [WIFI]
        self.now = 1e9
        self.file = folder / "told"
        lobby.join_lines = join_lines(["192.168.1.23"], 2222, KEY)
        self.network = LocalNetwork(lobby, lambda: self.found, lambda: self.now)

    async def look(self, *found: Interface) -> None:
        """Look ten seconds later, when there are these interfaces."""
        self.found, self.now = [*found], self.now + POLL_SECONDS
        await self.network.look()

    async def told(self) -> list[Wanted]:
        """What the announcer was told until its end."""
        await self.network.close()
        assert self.file.read_bytes().endswith(b"gone")
        return [json.decode(line, type=Wanted) for line in self.file.read_bytes().splitlines()[:-1]]


@pytest.fixture
async def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Machine]:
    """One that is announced over Wi-Fi."""
    monkeypatch.setattr(local_network, "ANNOUNCER", (sys.executable, "-S", "-c", SCRIPT, str(tmp_path / "told")))
    monkeypatch.setattr(local_network, "find_spec", lambda _: "there")
    monkeypatch.setattr(local_network, "obstacle", lambda: "")
    settings = {"lan": True, "lan_name": "Ana's night", "host": ["192.168.1.23", "10.0.0.5"]}
    lobby = Lobby(Config.load(None, {}, settings), MemoryLog())
    await lobby.open()
    machine = Machine(lobby, tmp_path)
    yield machine
    await machine.network.close()
    await lobby.close()


async def begin(machine: Machine, logs: list[EventDict]) -> None:
    """Have the server announced, or the host told why not."""
    machine.network.listens(2222)
    machine.network.serve(Serving(0, lambda: None))
    while not logs:
        await asyncio.sleep(0.01)


async def test_what_changes_is_announced_and_the_end_too(machine: Machine) -> None:
    """Only what changes: an address that stays, a sleep; not each look."""
    with capture_logs() as logs:
        await begin(machine, logs)
        for found in ([WIFI], [WIFI, CABLE], [WIFI, CABLE], [WIFI, CABLE]):
            await machine.look(*found)
        machine.now += 3600
        await machine.look(WIFI, CABLE)
        told = await machine.told()
    both = ("192.168.1.23", "10.0.0.5")
    assert [(each.addresses, each.again) for each in told] == [(both[:1], False), (both, False), (both, True)]
    assert told[0].announcement.name == "Ana's night"
    assert machine.lobby.join_lines.lines == ["ssh -p 2222 192.168.1.23", "ssh -p 2222 10.0.0.5"]
    assert [each["name"] for each in logs if each["event"] == "announced on the local network"] == ["it"]


async def test_only_one_process_of_a_server_announces_it(machine: Machine) -> None:
    """The others know what guests type all the same."""
    machine.network.listens(2222)
    machine.network.serve(Serving(1, lambda: None))
    for _ in range(2):
        await machine.look(CABLE)
    assert "ssh -p 2222 10.0.0.5" in machine.lobby.join_lines.lines
    assert not machine.file.exists()


@pytest.mark.parametrize(
    ("library", "inside", "problem"), [(None, "", NO_LIBRARY), ("there", WSL, WSL)], ids=["no library", "wsl"]
)
async def test_where_nothing_can_be_announced_the_host_is_told_once(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, library: str | None, inside: str, problem: str
) -> None:
    """In one line, with the line to type, which works in any case."""
    monkeypatch.setattr(local_network, "find_spec", lambda _: library)
    monkeypatch.setattr(local_network, "obstacle", lambda: inside)
    with capture_logs() as logs:
        await begin(machine, logs)
        await machine.look(WIFI)
    assert [(each["problem"], each["guests_type"]) for each in logs] == [(problem, ["ssh -p 2222 192.168.1.23"])]
    assert not machine.file.exists()


async def test_without_a_network_the_server_waits_for_one(machine: Machine) -> None:
    """And is announced as soon as there is one."""
    machine.found = []
    with capture_logs() as logs:
        await begin(machine, logs)
        assert not machine.file.exists()
        await machine.look(WIFI)
        await machine.look(WIFI)
    assert logs[0]["problem"] == NO_NETWORK
    assert [each.addresses for each in await machine.told()] == [("192.168.1.23",)]


async def test_a_host_who_stays_alone_is_told_what_may_be_wrong(machine: Machine) -> None:
    """After three minutes, once: Wi-Fi for guests often keeps them apart."""
    with capture_logs() as logs:
        await begin(machine, logs)
        for _ in range(30):
            await machine.look(WIFI)
    assert [each["problem"] for each in logs if "problem" in each] == [LONELY]


async def test_a_host_whose_guests_have_gone_is_told_nothing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """They could connect. Of many people only some are announced."""
    guest = Mock(caller=Caller("bo", address=ip_address("192.168.1.9")), player=Player("", "bo"))
    here = [guest] * 5000
    monkeypatch.setattr(machine.lobby.visitors, "everybody", lambda: here)
    with capture_logs() as logs:
        await begin(machine, logs)
        here.clear()
        for _ in range(30):
            await machine.look(WIFI)
        told = await machine.told()
    assert not [each for each in logs if "problem" in each]
    assert [(each.announcement.people, len(each.announcement.who)) for each in told] == [(5000, 30), (0, 0)]


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
