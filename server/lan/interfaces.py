"""The network interfaces of this machine, and those of them over which guests in the same room can come."""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address
from typing import Final, NamedTuple

from server.joining.join_lines import EVERY_ADDRESS

VIRTUAL: Final = (
    *("lo", "docker", "br-", "veth", "virbr", "vmnet", "vboxnet"),
    *("tun", "tap", "wg", "utun", "tailscale", "zt"),
)
"""How the names of interfaces begin that lead to no room: those of containers, virtual machines and tunnels."""


class Interface(NamedTuple):
    """One IPv4 address of this machine."""

    name: str
    """That of its interface, as in `eth0`."""
    address: IPv4Address
    prefix: int
    """The length of its network, in bits."""


def system_interfaces() -> list[Interface]:
    """The IPv4 addresses of this machine; none if they cannot be read.

    That is so without the optional package ifaddr, on which zeroconf depends, and in a service without netlink sockets.
    """
    try:
        import ifaddr  # noqa: PLC0415 - an optional package

        adapters = [*ifaddr.get_adapters()]
    except (ImportError, OSError):
        return []
    return [
        Interface(str(adapter.nice_name), IPv4Address(ip.ip), ip.network_prefix)
        for adapter in adapters
        for ip in adapter.ips
        if isinstance(ip.ip, str)
    ]


def guest_interfaces(found: Iterable[Interface], hosts: Sequence[str], named: Sequence[str]) -> list[Interface]:
    """Those over which guests can come, the best first.

    ``hosts``: where the server listens. ``named``: the names or addresses that the host of the server has chosen; if it
    is empty, the private addresses of interfaces that may lead to a room. Announcing on all of them would tell the
    networks of containers and tunnels, too, and give guests addresses that they cannot reach.
    """
    heard = [each for each in found if EVERY_ADDRESS in hosts or str(each.address) in hosts]
    if named:
        return [each for name in named for each in heard if name in {each.name, str(each.address)}]
    usual = [each for each in heard if each.address.is_private and not each.name.startswith(VIRTUAL)]
    return sorted(usual, key=lambda each: each.address.is_link_local)
