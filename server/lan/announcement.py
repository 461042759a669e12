"""What a server tells the local network of itself by DNS-SD (RFC 6763), and what a guest makes of it.

Anybody in the network can announce anything, so what is read is cleaned and bounded, and a part that makes no sense is
left out. Pure: `announcer.py` sends, `local_servers.py` receives.
"""

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network
from typing import Final

from msgspec import Struct

from server.clean_text import clean
from server.config import is_fingerprint
from server.joining import SSH_PORT

SERVICE: Final = "_quatch._tcp.local."
"""The type of service that `quatch find` looks for."""
SSH_SERVICE: Final = "_ssh._tcp.local."
"""The type of any SSH server, which some SSH clients list."""
NAME_BYTES: Final = 63
"""The most bytes of a service's name (RFC 6763, 4.1.1)."""
LIST_BYTES: Final = 200
"""The most bytes of a list of names in an announcement; one text has 255 in all (RFC 6763, 6.1)."""
LISTED: Final = 30
"""The most names in a list that are read."""
STATES: Final = frozenset({"open", "closing"})
SEPARATOR: Final = ","


class Announcement(Struct, frozen=True):
    """What a server tells of itself."""

    name: str
    """The name of its service, see `name_of`. Anybody can take any name."""
    port: int
    fingerprint: str
    """The fingerprint of its host key, as it was told."""
    version: str
    state: str = "open"
    """`closing` if it stops when the running games are over."""
    people: int = 0
    who: tuple[str, ...] = ()
    """The names of the people who are there; the first ones if there are many."""
    rules: tuple[str, ...] = ()

    def texts(self) -> dict[str, str]:
        """What is told besides name, address and port, by key (RFC 6763, 6)."""
        return {
            "txtvers": "1",
            "v": self.version,
            "st": self.state,
            "people": str(self.people),
            "who": _list(self.who),
            "rules": _list(self.rules),
            "key": self.fingerprint,
        }


def name_of(chosen: str, fingerprint: str, node: str, port: int) -> str:
    """The name of a server's service: what its host has chosen, and four digits that are its own and stay the same."""
    # A dot would begin another part of the name.
    name = clean(chosen).replace(".", " ").encode()[: NAME_BYTES - 10].decode(errors="ignore").strip()
    return f"{name} ({hashlib.sha256(f'{fingerprint} {node} {port}'.encode()).hexdigest()[:4]})"


def host_of(name: str) -> str:
    """The name that the addresses of this service have: one of its own, for that of the machine is the system's."""
    return f"quatch-{hashlib.sha256(name.encode()).hexdigest()[:8]}.local."


class FoundServer(Announcement, frozen=True, kw_only=True):
    """A server that was announced, as far as it made sense."""

    address: str

    @property
    def alias(self) -> str:
        """The name under which ssh remembers the key, whatever address the server has."""
        return f"quatch-{base64.b64decode(self.fingerprint.removeprefix('SHA256:') + '=').hex()}"


def read_announcement(
    name: str, port: int, addresses: Iterable[str], texts: Mapping[bytes, bytes | None], near: Sequence[IPv4Network]
) -> FoundServer | None:
    """A server from what was announced; None if there is no key, or nothing in this network to connect to.

    ``near``: the networks of this machine. Addresses elsewhere and the port of ssh itself are what only a forger tells.
    """
    usable = [
        each for each in map(_address, addresses) if each is not None and any(each in network for network in near)
    ]
    shown = clean(name, NAME_BYTES)
    if not usable or not shown or not 1 <= port <= 65535 or port == SSH_PORT:
        return None
    values = {key: clean(value.decode(errors="replace"), 255) for key, value in texts.items() if value is not None}
    people, state, key = values.get(b"people", ""), values.get(b"st", ""), values.get(b"key", "")
    if not is_fingerprint(key):
        return None
    return FoundServer(
        shown,
        port,
        key,
        values.get(b"v", "")[:20],
        state if state in STATES else "",
        int(people) if people.isascii() and people.isdigit() and len(people) < 7 else 0,
        _names(values.get(b"who", "")),
        _names(values.get(b"rules", "")),
        address=str(usable[0]),
    )


def _list(names: Iterable[str]) -> str:
    """As many names as fit."""
    told = ""
    for name in names:
        longer = f"{told}{SEPARATOR}{name}" if told else name
        if len(longer.encode()) > LIST_BYTES:
            break
        told = longer
    return told


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for each in text.split(SEPARATOR)[:LISTED] if (name := each.strip()))


def _address(text: str) -> IPv4Address | None:
    try:
        address = IPv4Address(text)
    except ValueError:
        return None
    return None if address.is_multicast or address.is_unspecified or address.is_reserved else address
