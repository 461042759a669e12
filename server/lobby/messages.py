"""What the processes of one server tell each other besides the log, as far as the lobby and those above it tell it.

A message may be lost, and it may come from anybody who can write to the database: so names and lines are cleaned, and
other values checked, where they are used. Clocks of two processes are never compared: messages tell ages.
"""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct, json

from server.addresses import address_text, read_optional_address
from server.clean_text import clean
from server.limits import NAME_LENGTH, TALK_LENGTH
from server.storage.database import MESSAGE_BYTES
from server.table.recent_talk import Said

ROOM_BYTES: Final = MESSAGE_BYTES - 400
"""Room for lines or people in a message: the rest is for what stands around them."""
LINE_LENGTH: Final = 2 * TALK_LENGTH
"""Cells in a line for a player: what another says, with the words that a command puts before it."""
ID_LENGTH: Final = 80
Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=1e9)]
"""A time that can be told to players; a message with another one is ignored."""


class Message(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What one process tells the others."""


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
