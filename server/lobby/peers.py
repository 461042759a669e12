"""The other processes of this server, as the lobby knows them: through `Peers`.

Without a feature that gives `OneServer` there are none: a server is one process.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar

from msgspec import Meta, Struct

from server.addresses import Address
from server.lobby.visitor import Visitor
from server.storage.database import Database
from server.table.recent_talk import Said
from server.table.table_events import UnloggedNews

Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=1e9)]
"""A time that can be told to players; a message with another one is ignored."""
PayerName: TypeAlias = Annotated[str, Meta(max_length=100)]
"""The payer of a use (`Ledger.payer`)."""


class Message(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What one process tells the others besides the log.

    It may be lost, and it may come from anybody who can write to the database: so values are checked where they are
    used. Its texts can be shown. Clocks of two processes are never compared: messages tell ages.

    If it has a field ``to``, it is for the process of that name alone.
    """


M = TypeVar("M", bound=Message)


class Origin(NamedTuple):
    """Where a message comes from."""

    process: str
    at: float
    """When it was sent, by a clock of that process which nothing puts back."""


class OtherProcess(Struct, eq=False):
    """Another process of this server. All times are those of the event loop here."""

    name: str
    began: float
    node: str = ""
    """The name of the node that it belongs to."""
    stops_at: float | None = None
    """When it stops at the latest; None if it is not about to stop."""
    people: Mapping[int, Visitor] = MappingProxyType({})
    """The sessions there."""


class Peers:
    """The other processes of this server; here there are none, as for a game without a server and for most tests."""

    def __init__(self, node: str) -> None:
        """``node`` is the name of the node that this process belongs to."""
        self.node = node
        self.process = ""
        """The name of this process among the others."""
        self.began = 0.0
        """When this process began, in the event loop's time."""

    @property
    def others(self) -> Sequence[OtherProcess]:
        """The others, as far as they are known."""
        return ()

    @property
    def turn(self) -> int:
        """The place of this process, from 0, in an order that all know: the first one does what one alone should do."""
        return 0

    def join(self, lobby: Any) -> None:  # noqa: ANN401
        """Belong to this `Lobby`, which has these as its `peers`; called before it opens."""

    async def check_host_key(self, fingerprint: str, *, only_look: bool = False) -> None:
        """Note the host key, unless this is to ``only_look``. Raises HostKeyError if players know another, NotSaved."""

    def open(self) -> None:
        """Begin to hear the others, and to tell them who is here."""
        self.began = asyncio.get_running_loop().time()

    async def close(self) -> None:
        """Hear the others no more. They are told that this process stops, and need not wait for its silence."""

    def on(self, kind: type[M], handler: Callable[[Origin, M], object]) -> None:
        """Handle messages of this kind. If ``handler`` raises ValueError, the message is ignored."""

    def tell(self, message: Message) -> None:
        """Send a message to all others, if any are known."""

    def send(self, message: Message) -> None:
        """Send a message to all others, also to those that are not known yet."""

    def tell_of_talk(self, said: Said) -> None:
        """Tell what was said in the lobby."""

    def at(self, table: int) -> frozenset[str]:  # noqa: ARG002 - others need it, here and below
        """The ids of the players who are at a table in other processes, as far as is known."""
        return frozenset()

    def sessions_from(self, address: Address) -> int:  # noqa: ARG002
        """How many sessions an address has in other processes, as far as is known."""
        return 0

    def loaded(self, table: int) -> None:
        """A table was loaded or opened here."""

    def tell_of_table(self, table: int, news: UnloggedNews) -> None:
        """Tell what has happened at a table here and is not in its log."""

    def nodes(self) -> list[str]:
        """The names of all nodes, this one's among them."""
        return sorted({self.node, *(each.node for each in self.others)})

    def of(self, node: str) -> list[OtherProcess]:
        """The others of a node, or all if it is empty."""
        return [each for each in self.others if node in {"", each.node}]


class OneServer(Struct, frozen=True):
    """That a feature makes one server of all processes that share a log."""

    peers: Callable[[Database, str], Peers]
    """Makes the `Peers` of a process, from its log and the name of its node."""
