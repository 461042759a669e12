"""The append-only log that every table is a fold of, and its first implementation, in memory.

An entry is accepted by comparing content, not only a number: it must stand directly on an entry with the hash that its
writer folded to. Whoever reads the entries again gets the same table.
"""

from dataclasses import dataclass
from typing import Final, Protocol


@dataclass(frozen=True, slots=True)
class Head:
    """Where a log stands: the seq of its last entry and the hash of the table after it."""

    seq: int = 0
    hash: bytes = b""


EMPTY: Final = Head()
"""The head of a log that has not begun."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of one table, as written."""

    table: int
    seq: int
    hash: bytes
    data: bytes


class Conflict(Exception):
    """The log does not stand where the writer thought: somebody appended first, so read and decide again."""


class TableLog(Protocol):
    """The log of all tables."""

    async def append(self, table: int, head: Head, state_hash: bytes, data: bytes) -> Head:
        """Append to a table's log where it stands at ``head``; durable when it returns. Raises Conflict."""

    async def read(self, table: int, after: int = 0) -> list[Entry]:
        """The entries of a table past this seq, oldest first."""

    async def forget(self, table: int) -> None:
        """Drop the log of a table that has closed."""


class MemoryLog:
    """A log that lasts as long as the process."""

    def __init__(self) -> None:
        self._entries: dict[int, list[Entry]] = {}

    async def append(self, table: int, head: Head, state_hash: bytes, data: bytes) -> Head:
        """See `TableLog`."""
        entries = self._entries.setdefault(table, [])
        current = Head(entries[-1].seq, entries[-1].hash) if entries else EMPTY
        if current != head:
            raise Conflict(f"table {table} stands at {current.seq}, not at {head.seq}")
        entries.append(Entry(table, head.seq + 1, state_hash, data))
        return Head(head.seq + 1, state_hash)

    async def read(self, table: int, after: int = 0) -> list[Entry]:
        """See `TableLog`."""
        return self._entries.get(table, [])[after:]

    async def forget(self, table: int) -> None:
        """See `TableLog`."""
        self._entries.pop(table, None)
