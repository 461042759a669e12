"""What telnet gives to the server."""

from typing import Final

from server.extension import Feature
from server.telnet.acceptor import TelnetAcceptor
from server.transport.carrier import Carrier

FEATURE: Final = Feature("telnet", (Carrier("telnet", TelnetAcceptor),))
