"""What carries players to a server besides ssh. Where it listens is in the settings; see `command_line.ListensAt`."""

from collections.abc import Callable

from msgspec import Struct

from server.config import Config
from server.net.listener import Acceptor
from server.process.counters import Counters
from server.terminal.terminal import Welcome


class Carrier(Struct, frozen=True):
    """A carrier that a feature gives."""

    name: str
    """As in `ListensAt.carrier`."""
    acceptor: Callable[[Config, Welcome, Counters], Acceptor]
    """Takes the connections. It is made only if the server listens for them."""
