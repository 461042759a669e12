"""What the processes of one server tell each other besides the log, as JSON in the log's short-lived messages.

A message may be lost, and it may come from anybody who can write to the database: so names and lines are cleaned, and
other values checked, where they are used. Clocks of two processes are never compared: messages tell ages.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct, json

from server.addresses import address_text, read_optional_address
from server.clean_text import clean, clean_name
from server.config import is_fingerprint
from server.limits import NAME_LENGTH, TALK_LENGTH
from server.people.players import Caller, Kind, Player
from server.storage.message_check import MESSAGE_BYTES
from server.table.recent_talk import Said

ROOM_BYTES: Final = MESSAGE_BYTES - 400
"""Room for people in a message: the rest is for what stands around them."""
LINE_LENGTH: Final = 2 * TALK_LENGTH
"""Cells in a line for a player: what another says, with the words that a command puts before it."""
ID_LENGTH: Final = 80
Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=1e9)]
"""A time that can be told to players; a message with another one is ignored, as one with another part of a roster."""
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
        return _caller(self.wished, self.key, self.address)


class Line(Struct, frozen=True):
    """Something that was said."""

    name: str
    line: str
    player_id: str = ""
    address: str | None = None
    age: Seconds = 0.0
    """Seconds since it was said."""
    to_spectators: bool = False

    @classmethod
    def of(cls, said: Said, *, to_spectators: bool = False) -> "Line":
        """What was said; ``to_spectators`` if no player in a seat may hear it."""
        age = max(0.0, asyncio.get_running_loop().time() - said.at)
        return cls(said.name, said.line, said.player_id, address_text(said.address), age, to_spectators)

    @property
    def said(self) -> Said:
        """What was said, cleaned. Raises ValueError if the address is none."""
        address = read_optional_address(self.address)
        at = asyncio.get_running_loop().time() - max(0.0, self.age)
        line = clean(self.line, LINE_LENGTH)
        return Said(clean(self.name, NAME_LENGTH), line, clean(self.player_id, ID_LENGTH), address, at)


class Message(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What one process tells the others."""


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


class LobbyTalk(Message, frozen=True, tag="talk"):
    """Something was said in the lobby."""

    said: Line


class Announcement(Message, frozen=True, tag="announcement"):
    """Something for all players."""

    line: str


class TableTold(Message, frozen=True, tag="table"):
    """What happened at a table and is not in its log; each field is left out if there is nothing new."""

    table: int
    kept: list[Line] = []
    """What was said lately, for a process that has just loaded the table."""
    talk: Line | None = None
    event: dict[str, Any] = {}
    """An event of the table, as JSON."""
    pace: float | None = None
    ai_level: str = ""
    """Together with ``pace``, how AI players play."""
    warning: str = ""
    """A line for the host of the table."""


class AskTable(Message, frozen=True, tag="ask-table"):
    """The sender has loaded a table, and does not know what is not in its log."""

    table: int


class AskLobby(Message, frozen=True, tag="ask-lobby"):
    """The sender has started, and does not know what was said in the lobby."""


class LobbyKept(Message, frozen=True, tag="lobby"):
    """What was said in the lobby, for process ``to``."""

    to: str
    talk: list[Line]


class SanctionsChanged(Message, frozen=True, tag="sanctions"):
    """A ban or a mute was imposed or lifted: it is to be read in the log."""


class TournamentOpened(Message, frozen=True, tag="tournament"):
    """A tournament was opened: it is to be read in the log."""


class CallerSentAway(Message, frozen=True, tag="away"):
    """An op has kicked a player: what is shown to callers with this key, or without one from this address, ends."""

    key: str | None = None
    address: str | None = None


class Penalty(Message, frozen=True, tag="penalty"):
    """An address waits so many seconds longer for its next connection."""

    address: str
    seconds: Seconds


class WrongSecret(Message, frozen=True, tag="wrong-secret"):
    """A caller has tried a wrong secret: the word of a table, or a code."""

    wished: str
    key: str | None
    address: str | None
    table: int | None

    @property
    def caller(self) -> Caller:
        """Who tried. Raises ValueError if the address or the key is none."""
        return _caller(self.wished, self.key, self.address)


class DrainAsked(Message, frozen=True, tag="drain"):
    """These processes stop when their games are over, after so many seconds at the latest; None: they go on."""

    processes: list[str]
    seconds: Seconds | None
    is_part: bool = False
    """Whether others go on."""


AnyMessage: TypeAlias = (
    Beat
    | Changed
    | Roster
    | AskRoster
    | Ended
    | Private
    | Dismissal
    | LobbyTalk
    | Announcement
    | TableTold
    | AskTable
    | AskLobby
    | LobbyKept
    | SanctionsChanged
    | TournamentOpened
    | CallerSentAway
    | Penalty
    | WrongSecret
    | DrainAsked
)
DECODER: Final = json.Decoder(AnyMessage)


def _caller(wished: str, key: str | None, address: str | None) -> Caller:
    if key is not None and not is_fingerprint(key):
        raise ValueError(f"{key[:60]!r} is no fingerprint")
    return Caller(clean_name(wished), key, read_optional_address(address))


def lines_of(talk: Sequence[tuple[Said, bool]]) -> list[Line]:
    """The latest talk, as `RecentTalk.kept` has it, as far as it fits into a message."""
    lines, room = list[Line](), ROOM_BYTES
    for said, to_spectators in reversed(talk):
        line = Line.of(said, to_spectators=to_spectators)
        if (room := room - len(json.encode(line)) - 1) < 0:
            break
        lines.insert(0, line)
    return lines


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
