"""The addresses over which guests can come, when they change, and what keeps announcements inside."""

from pathlib import Path

import pytest

from server.config import Config
from server.lan.interfaces import CONTAINER, WSL, Interface, guest_interfaces, obstacle, send_problem
from server.lan.local_network import POLL_SECONDS, InterfaceWatch
from tests.server.lan.machine import CABLE, WIFI, interface
from tests.support.each import for_each

MACHINE = [
    interface("lo", "127.0.0.1", 8),
    interface("docker0", "172.17.0.1", 16),
    interface("br-1234", "172.18.0.1", 16),
    interface("veth12", "172.19.0.1", 16),
    interface("virbr0", "192.168.122.1"),
    interface("wg0", "10.8.0.2"),
    interface("tun0", "10.9.0.2"),
    interface("eth1", "169.254.7.7", 16),
    interface("ppp0", "93.184.216.34", 32),
    WIFI,
    CABLE,
]


@for_each(
    ("listens_at", "named", "chosen"),
    [
        (Config().host, [], ["wlan0", "eth0", "eth1"]),
        (Config().host, ["10.0.0.5", "lo", "wlan7"], ["eth0", "lo"]),
        (["192.168.1.23", "127.0.0.1"], [], ["wlan0"]),
        (["::"], [], []),
    ],
)
def test_interfaces_are_chosen_that_lead_to_a_room(listens_at: list[str], named: list[str], chosen: list[str]) -> None:
    """None of containers, virtual machines and tunnels, and only where the server listens by IPv4.

    An address without a router comes last. A host may name others, in their order; what does not exist is left out.
    """
    assert [each.name for each in guest_interfaces(MACHINE, listens_at, named)] == chosen


class Machine:
    """A machine whose addresses are looked at every ten seconds."""

    def __init__(self, *found: Interface) -> None:
        self.now = 1e9
        self.watch = InterfaceWatch(self.now, found)

    def look(self, *found: Interface, after: float = POLL_SECONDS) -> str:
        """What a look finds so many seconds later, when it has these: that it woke, other addresses, or nothing."""
        self.now += after
        before = self.watch.current
        has_woken = self.watch.look(self.now, found)
        return "woke" if has_woken else "addresses" if self.watch.current != before else ""


def test_an_address_that_comes_and_goes_keeps_no_other_one_waiting() -> None:
    """It counts or not as before, while another one comes and goes for good."""
    machine, flaps = Machine(WIFI), interface("eth7", "192.168.7.7")
    assert machine.look(WIFI, flaps) == ""
    assert machine.look(WIFI, CABLE) == ""
    assert machine.look(WIFI, CABLE, flaps) == "addresses"
    assert machine.watch.current == [WIFI, CABLE]
    assert machine.look(CABLE) == ""
    assert machine.look(CABLE, flaps) == "addresses"
    assert machine.watch.current == [CABLE]


def test_a_new_address_counts_when_it_has_stayed() -> None:
    """At the second look; then nothing more changes."""
    machine = Machine(WIFI)
    assert machine.look(WIFI) == ""
    assert machine.look(WIFI, CABLE) == ""
    assert machine.watch.current == [WIFI]
    assert machine.look(WIFI, CABLE) == "addresses"
    assert machine.watch.current == [WIFI, CABLE]
    assert machine.look(WIFI, CABLE) == ""


def test_an_address_that_flaps_changes_nothing() -> None:
    """Nor does one that is back at the second look."""
    machine = Machine(WIFI)
    for _ in range(20):
        assert machine.look() == ""
        assert machine.look(WIFI) == ""
    for _ in range(20):
        assert machine.look(WIFI, CABLE) == ""
        assert machine.look(WIFI) == ""
    assert machine.watch.current == [WIFI]


def test_after_a_sleep_the_first_address_counts_at_once() -> None:
    """The network may have forgotten this machine, even if its address is the same."""
    machine = Machine(WIFI)
    assert machine.look(WIFI, after=3600) == "woke"
    assert machine.look(WIFI) == ""
    assert machine.look(CABLE, after=3600) == "woke"
    assert machine.watch.current == [CABLE]


def test_after_a_sleep_the_network_may_come_late() -> None:
    """A laptop that wakes has no address for a while; that it has slept is not forgotten."""
    machine = Machine(WIFI)
    assert machine.look(after=3600) == ""
    assert machine.look(WIFI) == "woke"
    assert machine.look(WIFI) == ""


def test_a_network_that_is_gone_counts_as_gone() -> None:
    """And comes back."""
    machine = Machine(WIFI)
    assert [machine.look(), machine.look(), machine.look()] == ["", "addresses", ""]
    assert machine.watch.current == []
    assert [machine.look(WIFI), machine.look(WIFI)] == ["", "addresses"]


@pytest.mark.parametrize(
    ("files", "kept_inside"),
    [
        ({}, ""),
        ({"proc/sys/kernel/osrelease": "6.8.0-45-generic"}, ""),
        ({"proc/sys/kernel/osrelease": "5.15.167.4-microsoft-standard-WSL2"}, WSL),
        ({".dockerenv": "", "sys/class/net/eth0/mtu": "1500"}, CONTAINER),
        ({".dockerenv": "", "sys/class/net/eth0/device/vendor": ""}, ""),
    ],
)
def test_wsl_and_containers_keep_announcements_inside(tmp_path: Path, files: dict[str, str], kept_inside: str) -> None:
    """A usual machine does not, nor a container with the network of its host, where a real network card is seen."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert obstacle(tmp_path) == kept_inside


def test_an_address_from_which_nothing_can_be_sent_is_named() -> None:
    """Here one that this machine does not have."""
    assert send_problem(["127.0.0.1"]) == ""
    assert send_problem(["127.0.0.1", "192.0.2.77"]).startswith("multicast cannot be sent from 192.0.2.77: ")
