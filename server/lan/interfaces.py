"""The network interfaces of this machine over which guests in the same room can come, and what keeps them from it."""

import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final, NamedTuple

from server.joining import EVERY_ADDRESS

VIRTUAL: Final = (
    *("lo", "docker", "br-", "veth", "virbr", "vmnet", "vboxnet"),
    *("tun", "tap", "wg", "utun", "tailscale", "zt"),
)
"""How the names of interfaces begin that lead to no room: those of containers, virtual machines and tunnels."""


class Interface(NamedTuple):
    """One IPv4 address of this machine."""

    name: str
    """The name of its interface, as in `eth0`."""
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
    """The interfaces over which guests can come, the best first.

    ``hosts``: where the server listens. ``named``: the names or addresses that the host of the server has chosen; if it
    is empty, the private addresses of interfaces that may lead to a room. Announcing on all of them would tell the
    networks of containers and tunnels, too, and give guests addresses that they cannot reach.
    """
    heard = [each for each in found if EVERY_ADDRESS in hosts or str(each.address) in hosts]
    if named:
        return [each for name in named for each in heard if name in {each.name, str(each.address)}]
    usual = [each for each in heard if each.address.is_private and not each.name.startswith(VIRTUAL)]
    return sorted(usual, key=lambda each: each.address.is_link_local)


MULTICAST: Final = ("224.0.0.251", 5353)
"""The address and port of mDNS (RFC 6762, 3)."""
QUERY: Final = b"\0\0\0\0\0\1\0\0\0\0\0\0\7_quatch\4_tcp\5local\0\0\x0c\0\1"
"""A question for our type of service: what any guest asks."""
NO_LIBRARY: Final = "announcements need the packages zeroconf and segno: pip install zeroconf segno, or make setup"
WSL: Final = "this is WSL, which announcements do not leave or enter"
CONTAINER: Final = (
    "this is a container with a network of its own, which announcements do not leave or enter; "
    "with the network of the host (--network host) they do"
)


def obstacle(root: Path = Path("/")) -> str:
    """Why announcements go nowhere, in one line; empty if nothing is known. ``root``: of the file system."""
    with suppress(OSError):
        if "microsoft" in (root / "proc/sys/kernel/osrelease").read_text("utf-8", "replace").lower():
            return WSL
    is_container = any((root / name).exists() for name in (".dockerenv", "run/.containerenv"))
    # With the network of the host a network card is to be seen here; a virtual cable is none.
    has_card = any((each / "device").exists() for each in (root / "sys/class/net").glob("*"))
    return CONTAINER if is_container and not has_card else ""


def send_problem(addresses: Iterable[str]) -> str:
    """Why multicast cannot be sent from one of these addresses; empty if it can, as far as this machine knows."""
    for address in addresses:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
                probe.sendto(QUERY, MULTICAST)
            except OSError as error:
                return f"multicast cannot be sent from {address}: {error.strerror}"
    return ""
