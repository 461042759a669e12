"""What only the room of the other processes tells and hears: who is where, what no log has, and who is to stop."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct, field, json

from server.clean_text import clean, clean_name
from server.lobby.messages import ID_LENGTH, ROOM_BYTES, Line, Message, Seconds, read_caller
from server.people.players import Caller, Kind, Player

Part: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]


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

    @property
    def player(self) -> Player:
        """The player, cleaned."""
        return Player(clean(self.id, ID_LENGTH), clean_name(self.name), self.kind)

    @property
    def caller(self) -> Caller:
        """Their connection. Raises ValueError if the address or the key is none."""
        return read_caller(self.wished, self.key, self.address)


class Beat(Message, frozen=True, tag="beat"):
    """The process runs. Said every few seconds."""

    node: str
    """The name of its node."""
    up: Seconds
    """Seconds since its start."""
    number: int
    """That of the last change of its people."""
    draining: Seconds | None = None
    """In how many seconds it stops at the latest; None if it is not about to stop."""


class Changed(Message, frozen=True, tag="changed"):
    """Some of the sender's sessions are new, have changed, or have gone (None)."""

    number: int
    """One more than that of the change before."""
    people: dict[int, Person | None]


class Roster(Message, frozen=True, tag="roster"):
    """All sessions of the sender, as of a change, in several parts."""

    number: int
    part: Part
    parts: Part
    people: dict[int, Person | None]


class AskRoster(Message, frozen=True, tag="ask-roster"):
    """The sender does not know all sessions of process ``of``, which is to tell them again."""

    of: str


class Ended(Message, frozen=True, tag="ended"):
    """The process stops now."""


class Private(Message, frozen=True, tag="private"):
    """A line for one session of process ``to``."""

    to: str
    session: int
    name: str
    line: str


class Dismissal(Message, frozen=True, tag="dismissal"):
    """A session of process ``to`` is to end."""

    to: str
    session: int
    farewell: str


class TableTold(Message, frozen=True, tag="table"):
    """What happened at a table and is not in its log; each field is left out if there is nothing new."""

    table: int
    kept: list[Line] = field(default_factory=list)
    """What was said lately, for a process that has just loaded the table."""
    talk: Line | None = None
    event: dict[str, Any] = field(default_factory=dict)
    """An event of the table, as JSON."""
    pace: float | None = None
    ai_level: str = ""
    """Together with ``pace``, how AI players play."""
    warning: str = ""
    """A line for the host of the table."""


class AskTable(Message, frozen=True, tag="ask-table"):
    """The sender has loaded a table, and does not know what is not in its log."""

    table: int


class DrainAsked(Message, frozen=True, tag="drain"):
    """These processes stop when their games are over, after so many seconds at the latest; None: they go on."""

    processes: list[str]
    seconds: Seconds | None
    is_part: bool = False
    """Whether others go on."""


def chunks(people: Mapping[int, Person | None]) -> list[dict[int, Person | None]]:
    """People in parts that fit into a message each."""
    parts: list[dict[int, Person | None]] = []
    room = 0
    for number, person in people.items():
        size = len(json.encode(person)) + 24
        if size > room:
            parts.append({})
            room = ROOM_BYTES
        parts[-1][number] = person
        room -= size
    return parts
