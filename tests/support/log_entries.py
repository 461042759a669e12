"""Entries, games and texts that tests write to a log."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypedDict

from server.storage.database import EMPTY, Database, FinishedGame, Head, LogEntry, TakenSeat

Logs: TypeAlias = tuple[Database, Database]
"""A log to write to and one to read from."""


class Along(TypedDict, total=False):
    """What `Database.append` may be given besides."""

    keep_from: int
    seats: Sequence[TakenSeat] | None
    openers: Sequence[str]
    listing: str | None
    rewritten: Mapping[int, bytes]


def entry(table: int, seq: int, state: bytes = b"12345678", data: bytes = b"{}") -> LogEntry:
    """An entry of which nothing but the given matters."""
    return LogEntry(table, seq, state, 1_750_000_000.123456, data)


def finished(name: str) -> FinishedGame:
    """A game that has ended."""
    return FinishedGame(name, "quatch", 1_750_000_000.5, '{"won": "Ана"}', "the record\n")


async def grow(log: Database, table: int, entries: int) -> Head:
    """Append so many entries to a new log; where it stands then."""
    head = EMPTY
    for seq in range(1, entries + 1):
        following = entry(table, seq, state=b"%8d" % seq)
        await log.append(head, following)
        head = following.head
    return head


async def texts_of(log: Database, kind: str) -> dict[str, str]:
    """All texts of a kind that there are, in order."""
    return {row.key: row.text for row in await log.read_texts(kind) if row.text is not None}


async def heads(log: Database) -> dict[int, Head]:
    """The head of every open table's log."""
    rows = await log.select("SELECT DISTINCT table_id FROM entry ORDER BY table_id")
    return {state.table: state.head for state in await log.states(rows)}


def heard_by(log: Database) -> list[str]:
    """What this log hears from now on."""
    heard = list[str]()
    log.tell_message = heard.append
    return heard
