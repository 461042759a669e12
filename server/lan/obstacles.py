"""Why announcements do not leave this machine, or do not enter it, as far as that is known here."""

import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Final

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
    if "microsoft" in _text(root / "proc/sys/kernel/osrelease").lower():
        return WSL
    is_container = any((root / name).exists() for name in (".dockerenv", "run/.containerenv"))
    return CONTAINER if is_container and not _has_devices(root) else ""


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


def _has_devices(root: Path) -> bool:
    """Whether a network card is to be seen here, as with the network of the host; a virtual cable is none."""
    return any((each / "device").exists() for each in (root / "sys/class/net").glob("*"))


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
