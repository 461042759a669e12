"""What telnet gives to the server."""

from typing import Final

from server.config import Config
from server.extension import Feature
from server.telnet.acceptor import TelnetAcceptor
from server.telnet.command_line import TelnetSettings
from server.transport.carrier import Carrier, ListensAt


def listens_at(config: Config) -> ListensAt | None:
    """Where telnet listens. It is not encrypted, so it leaves this machine only if the host says so."""
    settings = config.of(TelnetSettings)
    if settings.telnet_port is None:
        return None
    if settings.telnet_host:
        return ListensAt(settings.telnet_host, settings.telnet_port, "telnet_host", "telnet_port")
    addresses = ("127.0.0.1",) if config.host == Config().host else config.host
    return ListensAt(addresses, settings.telnet_port, "host", "telnet_port")


FEATURE: Final = Feature("telnet", (Carrier(listens_at, TelnetAcceptor),))
