"""Tables with which this program cannot go on, for example after a return to an older release.

Their logs stay as they are, for a program that can read them. Their players are told, as far as they can be known.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Self

import msgspec
from msgspec import Struct

from server.clean_text import clean
from server.storage.database import Head, LogEntry


class UnreadableTable(Struct, frozen=True):
    """A table that is kept in the log and cannot be played here."""

    number: int
    head: Head
    """The head of its log when it could not be read."""
    message: str
    """What its players are told."""
    player_ids: frozenset[str]

    @classmethod
    def of(cls, entries: list[LogEntry], reason: str) -> Self:
        """The table of these entries, of which there is at least one."""
        return cls(entries[-1].table, entries[-1].head, cannot_go_on(entries[-1].table, reason), _player_ids(entries))


def cannot_go_on(table: int, reason: str) -> str:
    """What the players of a table are told."""
    return f"Table {table} cannot go on here: {clean(reason)}. Its cards and seats are kept in the log."


def _player_ids(entries: Iterable[LogEntry]) -> frozenset[str]:
    """The ids of the players who have a seat, as far as the entries can be read, of whatever format they are."""
    seats: dict[int, str] = {}
    for entry in entries:
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            match msgspec.json.decode(entry.data):
                case {"kind": "sat", "seat": int(seat), "player": {"id": str(player_id)}}:
                    seats[seat] = player_id
                case {"kind": "left", "seat": int(seat)}:
                    seats.pop(seat, None)
                case {"kind": "dealt", "checkpoint": {"seats": [*taken]}}:
                    seats = {number: _player_id(seat) for number, seat in enumerate(taken)}
    return frozenset(filter(None, seats.values()))


def _player_id(seat: object) -> str:
    match seat:
        case {"player": {"id": str(player_id)}}:
            return player_id
    return ""
