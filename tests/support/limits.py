"""Connection limits, and sessions without a limit, for tests."""

import socket
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address

from server.addresses import Address, AddressSet
from server.ledger import Rate, RateLimit
from server.net.connection_limits import AdmittedConnection, ConnectionLimits
from server.process.counters import UNREAD, Counters
from server.session.terminal_session import TerminalSession
from tests.support.people import RunningServer
from tests.support.resources import settled


class Limits:
    """Connection limits, and the numbers of the connections that were evicted."""

    def __init__(
        self,
        connections: int = 1000,
        per_address: int = 20,
        exempt: tuple[str, ...] = (),
        denial: Callable[[Address], str] = lambda _: "",
        counters: Counters = UNREAD,
        processes: int = 1,
    ) -> None:
        exempted = AddressSet(exempt)
        self.connection_limits = ConnectionLimits(connections, per_address, exempted, denial, counters, processes)
        self.cut: list[int] = []
        self._count = 0

    def admit(self, address: str = "192.0.2.1") -> AdmittedConnection:
        """Admit one more connection; they are numbered from 1."""
        self._count += 1
        number = self._count
        return self.connection_limits.admit(ip_address(address), lambda: self.cut.append(number))


def nth_address(number: int) -> str:
    """An address for each number."""
    return f"10.{number // 65536}.{number // 256 % 256}.{number % 256}"


def let_flood(server: RunningServer, reader: TerminalSession, stuck_seconds: float) -> None:
    """Let a session carry out lines as fast as they come, and cut it off after so long without a reader.

    The system holds little of what the server sends on the connections that are open.
    """
    for connection in server.app.listener._open:  # noqa: SLF001
        held = connection._transport.get_extra_info("socket")  # noqa: SLF001
        held.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)
    reader.line_rate = Rate(RateLimit(20_000, 50.0))
    reader.terminal.stuck_seconds = stuck_seconds


async def asking_on(ask: Callable[[], object], done: Callable[[], bool]) -> None:
    """Let a client that does not read ask on until this holds: the system may take some of the answers at any time."""

    def asked() -> bool:
        with suppress(BrokenPipeError):
            ask()
        return done()

    await settled(asked)
