"""What carries players to a server besides ssh: where it listens, and what takes its connections."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from server.config import Config
from server.net.listener import Acceptor
from server.process.metrics import Metrics
from server.terminal.terminal import Welcome


class ListensAt(NamedTuple):
    """Where a carrier listens, and the settings that say so."""

    addresses: tuple[str, ...]
    port: int
    address_setting: str
    port_setting: str


@dataclass(frozen=True, slots=True)
class Carrier:
    """A carrier that a feature gives."""

    listens_at: Callable[[Config], ListensAt | None]
    """None if it is not wanted."""
    acceptor: Callable[[Welcome, Metrics], Acceptor]
    """Takes the connections."""
