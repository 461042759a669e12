"""Over which addresses of a machine guests can come."""

from server.config import Config
from server.lan.interfaces import guest_interfaces
from tests.server.lan.machine import CABLE, WIFI, interface

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


def test_only_interfaces_that_lead_to_a_room_are_chosen() -> None:
    """None of containers, virtual machines and tunnels; an address without a router comes last."""
    names = [each.name for each in guest_interfaces(MACHINE, Config().host, [])]
    assert names == ["wlan0", "eth0", "eth1"]


def test_the_host_chooses_interfaces_by_name_or_address() -> None:
    """In their order; what does not exist is left out."""
    found = guest_interfaces(MACHINE, Config().host, ["10.0.0.5", "lo", "wlan7"])
    assert [each.name for each in found] == ["eth0", "lo"]


def test_an_address_at_which_the_server_does_not_listen_is_none_for_guests() -> None:
    """Of IPv4, too."""
    assert guest_interfaces(MACHINE, ["192.168.1.23", "127.0.0.1"], []) == [WIFI]
    assert guest_interfaces(MACHINE, ["::"], []) == []
