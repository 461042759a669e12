"""What was said lately, at a table or in the lobby, as the processes of one server tell each other."""

import asyncio
from collections.abc import Sequence
from typing import Final

from msgspec import Struct, json

from server.addresses import address_text, read_optional_address
from server.clean_text import clean
from server.cluster.channel import ID_LENGTH, ROOM_BYTES, Channel
from server.limits import NAME_LENGTH, TALK_LENGTH
from server.lobby.peers import Message, Origin, Seconds
from server.lobby.visitors import Visitors
from server.table.recent_talk import Said

LINE_LENGTH: Final = 2 * TALK_LENGTH
"""Cells in a line for a player: what another says, with the words that a command puts before it."""


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


def lines_of(talk: Sequence[tuple[Said, bool]]) -> list[Line]:
    """The latest talk, as `RecentTalk.kept` has it, as far as it fits into a message."""
    lines, room = list[Line](), ROOM_BYTES
    for said, to_spectators in reversed(talk):
        line = Line.of(said, to_spectators=to_spectators)
        if (room := room - len(json.encode(line)) - 1) < 0:
            break
        lines.insert(0, line)
    return lines


class LobbyTalk(Message, frozen=True, tag="talk"):
    """Something was said in the lobby."""

    said: Line


class AskLobby(Message, frozen=True, tag="ask-lobby"):
    """The sender has started, and does not know what was said in the lobby."""


class LobbyKept(Message, frozen=True, tag="lobby"):
    """What was said in the lobby, for process ``to``."""

    to: str
    talk: list[Line]


class LobbyTalkElsewhere:
    """Tells other processes what is said in the lobby here, and hears what is said there."""

    def __init__(self, channel: Channel, visitors: Visitors) -> None:
        self._channel, self._visitors = channel, visitors
        channel.on(LobbyTalk, lambda _, told: visitors.hear_talk(told.said.said))
        channel.on(AskLobby, self._hear_question)
        channel.on(LobbyKept, self._hear_kept_talk)

    def tell(self, said: Said) -> None:
        """Tell what was said here."""
        self._channel.tell(LobbyTalk(Line.of(said)))

    def _hear_question(self, origin: Origin, _: AskLobby) -> None:
        if talk := self._visitors.recent_talk.kept():
            self._channel.tell(LobbyKept(origin.process, lines_of(talk)))

    def _hear_kept_talk(self, _: Origin, kept: LobbyKept) -> None:
        if kept.to == self._channel.process:
            self._visitors.recent_talk.add_earlier((line.said, line.to_spectators) for line in kept.talk)
