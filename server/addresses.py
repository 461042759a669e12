"""IP addresses and networks: from the system, from a host's settings, from an op's commands. Pure."""

from collections.abc import Iterable
from hashlib import blake2b
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

PRIVATE: Final = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
"""The networks whose addresses lead nowhere from outside."""
SHARES: Final = 4
"""The shares that an IPv6 network of 48 bits has."""


class AddressSet:
    """A set of addresses and networks, as a host lists them."""

    def __init__(self, listed: Iterable[str]) -> None:
        """Raises ValueError for anything else."""
        self._networks = [ip_network(text, strict=False) for text in listed]

    def add(self, listed: Iterable[str]) -> None:
        """Raises ValueError for anything but addresses and networks."""
        self._networks += map(ip_network, listed)

    def __contains__(self, address: Address) -> bool:
        return any(address in network for network in self._networks)


def read_address(text: str) -> Address:
    """Parse an address from the system, without its zone and with IPv4 inside IPv6 as IPv4. Raises ValueError."""
    address = ip_address(text.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


def read_optional_address(text: str | None) -> Address | None:
    """The address in a message; None if it has none. Raises ValueError."""
    return read_address(text) if text else None


def address_text(address: Address | None) -> str | None:
    """What `read_optional_address` reads."""
    return None if address is None else str(address)


def share_of(address: Address) -> str:
    """What limits count as one: an IPv4 address, a private IPv6 address, or else a share of an IPv6 network of 48 bits.

    Such a network has four; all addresses of a network of 64 bits, which is what one customer has at least, have one.
    """
    if isinstance(address, IPv6Address) and not address.is_private:
        network = IPv6Network((address, 48), strict=False)
        return f"{network} part {(int(address) >> 64) % SHARES + 1}"
    return str(address)


def mark_of(share: str) -> str:
    """What the games of one share have in common, so that lists are fair: one of 65,536, which tells of nobody."""
    return blake2b(share.encode(), digest_size=2).hexdigest() if share else ""


def network_of(address: Address) -> IPv4Address | IPv6Address | IPv6Network:
    """What a ban is against: an IPv4 address, a private IPv6 address, or else the IPv6 network of 64 bits."""
    if isinstance(address, IPv6Address) and not address.is_private:
        return IPv6Network((address, 64), strict=False)
    return address


def read_network(text: str) -> Network | None:
    """A typed network, or the one that a typed address counts for (`network_of`); None for anything else."""
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        return None
    return network if "/" in text else ip_network(network_of(network.network_address))
