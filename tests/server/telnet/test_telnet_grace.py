"""How long a telnet session waits for a silent client to say what it is, before it begins."""

import asyncio
from ipaddress import IPv4Address

import pytest

from server.addresses import AddressSet
from server.config import Config
from server.net.connection_limits import ConnectionLimits
from server.net.throttled_transport import ThrottledTransport
from server.process.counters import UNREAD
from server.telnet.acceptor import TELNET_GRACE, TELNET_GRACES, TelnetAcceptor
from server.telnet.protocol import DONT, IAC, WILL, WONT
from server.terminal.terminal import Terminal

pytestmark = pytest.mark.virtual_time


class Wire(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""

    def write(self, data: object) -> None:
        """Keep it."""
        assert isinstance(data, bytes)
        self.sent += data

    def get_extra_info(self, name: str, default: object = None) -> object:  # noqa: ARG002
        """No socket to be set up."""
        return self

    def setsockopt(self, *_: object) -> None:
        """Nothing to set."""

    def is_closing(self) -> bool:
        """Never by itself."""
        return False

    def get_write_buffer_size(self) -> int:
        """Everything is taken at once."""
        return 0

    def close(self) -> None:
        """Stay."""

    def abort(self) -> None:
        """Stay."""

    def resume_reading(self) -> None:
        """There is no rate to keep here."""

    pause_reading = resume_reading


async def begun(*said: tuple[float, bytes]) -> tuple[float, Terminal]:
    """When the session begins of a client that sends this data at these times, and the session's terminal."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[tuple[float, Terminal]] = loop.create_future()

    async def welcome(terminal: Terminal, *_: object) -> int:
        came.set_result((loop.time() - started, terminal))
        return 0

    started = loop.time()
    entry = ConnectionLimits(1, 1, AddressSet([])).admit(IPv4Address("192.0.2.1"), lambda: None)
    throttled = ThrottledTransport(lambda throttled: TelnetAcceptor(Config(), welcome, UNREAD).accept(throttled, entry))
    throttled.connection_made(Wire())
    for after, data in said:
        await asyncio.sleep(started + after - loop.time())
        throttled.data_received(data)
    found = await came
    throttled.connection_lost(None)
    return found


async def test_a_silent_client_waits_for_the_grace_and_no_longer() -> None:
    """It waits one second whatever it types meanwhile, and what it typed counts afterwards."""
    when, terminal = await begun((0.5, b"play\n"))
    assert when == pytest.approx(TELNET_GRACE, abs=0.01)
    typed = list[bytes]()
    terminal.attach(data=typed.append, input_end=lambda: None, drained=lambda: None)
    assert (terminal.is_tty, terminal.term, typed) == (False, "dumb", [b"play\r"])


async def test_a_session_begins_as_soon_as_the_client_has_answered() -> None:
    """When everything is known, there is nothing to wait for."""
    refuses = bytes((IAC, WONT, 24, IAC, WONT, 31, IAC, DONT, 42))
    when, _ = await begun((0.2, refuses))
    assert when == pytest.approx(0.2, abs=0.01)


async def test_a_slow_client_is_given_time_but_not_without_end() -> None:
    """Each answer starts the wait again, a few times."""
    when, who = await begun(
        *((0.9 * n, bytes((IAC, WILL, 24)) if n == 1 else bytes((IAC, WILL, 31))) for n in range(1, TELNET_GRACES + 3))
    )
    assert TELNET_GRACE * 2 < when <= TELNET_GRACE * TELNET_GRACES
    assert not who.is_tty
