"""What the processes of a server tell each other of their players, and what is known here of another one."""

from math import inf
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from server.addresses import address_text, read_optional_address, share_of
from server.cluster.channel import loop_time
from server.config import is_fingerprint
from server.lobby.peers import Message, OtherProcess, Peers, Seconds
from server.lobby.visitor import LocalVisitor
from server.people.players import Caller, Kind, Player

Part: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]
Invitation: TypeAlias = Annotated[str, Meta(pattern=r"^((sit|watch) [0-9]{1,9}( .{1,32})?)?$")]
"""The line that goes to a table, with its word; empty for none. Enter alone is to do this and nothing else."""


class Person(Struct, frozen=True):
    """A session of a player in the sender's process."""

    id: str
    name: str
    """Empty if the session has ended, and its table has not noted that yet."""
    kind: Kind = "person"
    key: str | None = None
    address: str | None = None
    wished: str = ""
    came: Seconds = 0.0
    """By the sender's clock, as `Origin.at`."""
    table: int | None = None
    watching: bool = False
    """Whether the player is at the table without a seat."""

    def __post_init__(self) -> None:
        """Raises ValueError if the address or the key is none, so that the message is ignored."""
        read_optional_address(self.address)
        if self.key is not None and not is_fingerprint(self.key):
            raise ValueError(f"{self.key[:60]!r} is no fingerprint")

    @classmethod
    def of(cls, visitor: LocalVisitor, came: float, table: int | None) -> "Person":
        """A session here, which has come at this time and is at this table."""
        player, caller = visitor.player, visitor.caller
        who = player.id, player.name, player.kind
        connection = caller.key, address_text(caller.address), caller.wished_name
        return cls(*who, *connection, came, table, watching=table is not None and visitor.is_watching)


class Beat(Message, frozen=True, tag="beat"):
    """The process runs. Said every few seconds."""

    node: str
    """The name of its node."""
    up: Seconds
    """Seconds since its start."""
    number: int
    """The number of the last change of its people."""
    draining: Seconds | None = None
    """In how many seconds it stops at the latest; None if it is not about to stop."""


class Changed(Message, frozen=True, tag="changed"):
    """Some of the sender's sessions are new, have changed, or have gone (None)."""

    number: int
    """One more than that of the change before."""
    people: dict[int, Person | None]


class Roster(Message, frozen=True, tag="roster"):
    """All sessions of the sender after one of its changes, in several parts."""

    number: int
    part: Part
    parts: Part
    people: dict[int, Person | None]


class AskRoster(Message, frozen=True, tag="ask-roster"):
    """The sender does not know all sessions of a process, and asks for them."""

    to: str = field(name="of")


class Ended(Message, frozen=True, tag="ended"):
    """The process stops now."""


class Private(Message, frozen=True, tag="private"):
    """A line for one session."""

    to: str
    session: int
    name: str
    line: str
    invitation: Invitation = ""


class Dismissal(Message, frozen=True, tag="dismissal"):
    """A session is to end."""

    to: str
    session: int
    farewell: str


class RemoteVisitor(Struct, eq=False):
    """A session of a player in another process. What is done to it is sent there."""

    peers: Peers
    process: str
    number: int
    """Under which its process knows it."""
    player: Player = Player("", "")
    caller: Caller = Caller()
    came: float = 0.0
    """When the player came, by the clock of the event loop here."""
    table_number: int | None = None
    is_watching: bool = False

    def become(self, person: Person, at: float) -> None:
        """Note what was told of the session at this time there."""
        self.player = Player(person.id, person.name, person.kind)
        self.caller = Caller(person.wished, person.key, read_optional_address(person.address))
        self.came = self.came or loop_time() - max(0.0, at - person.came)
        self.table_number, self.is_watching = person.table, person.watching

    @property
    def places(self) -> list[object]:
        """Where the session counts: at its table, and for its address."""
        address = self.caller.address
        return [each for each in (self.table_number, address and share_of(address)) if each is not None]

    def hear(self, name: str, line: str, invitation: str = "") -> None:
        self.peers.tell(Private(self.process, self.number, name, line, invitation))

    def dismiss(self, farewell: str) -> None:
        self.peers.tell(Dismissal(self.process, self.number, farewell))


class Process(OtherProcess, eq=False):
    """Another process of this server."""

    heard_at: float = -inf
    number: int = 0
    """The last change of its people that is known here; before its first change it has told of nobody."""
    is_behind: bool = False
    """Whether there are later ones."""
    asked_at: float = -inf
    people: dict[int, RemoteVisitor] = field(default_factory=dict)
    parts: dict[tuple[int, int], dict[int, Person | None]] = field(default_factory=dict)
    """The parts of a roster that have come so far, by its number and theirs."""
