"""The ways to this server, from its settings and the addresses of the machine."""

import socket
from collections.abc import Callable, Iterable, Sequence

from server.config import Config
from server.lan.interfaces import EVERY_ADDRESS, Interface, guest_interfaces, system_interfaces
from server.lan.join_lines import JoinLines, join_lines


def find_join_lines(
    config: Config, port: int, fingerprint: str, interfaces: Callable[[], Iterable[Interface]] = system_interfaces
) -> JoinLines:
    """The ways to this server, which listens on this port: one, or if it is announced all in the local network."""
    usual = config.public_host or _usual_address(config.host)
    found = guest_interfaces(interfaces(), config.host, config.lan_interfaces) if config.lan else []
    others = [str(each.address) for each in found]
    # Guests most probably reach the address that this machine uses itself; the host knows better.
    hosts = others if config.lan_interfaces and others and not config.public_host else [usual, *others]
    return join_lines([*dict.fromkeys(hosts)], config.public_port or port, fingerprint)


def _usual_address(hosts: Sequence[str]) -> str:
    """An address under which guests on the same network probably reach this server."""
    if not {EVERY_ADDRESS, "::"} & set(hosts):
        return hosts[0]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing; it only picks the address that would be used.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
