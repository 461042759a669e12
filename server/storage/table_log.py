"""The append-only log that every table is a fold of: its interface, and an implementation that lasts with the process.

An entry is accepted by comparing content, not only a number: it must stand directly on an entry with the hash that its
writer folded to. Whoever reads the entries again gets the same table. Several processes may share one log.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Head:
    """Where a log stands: the seq of its last entry and the hash of the table after it."""

    seq: int = 0
    hash: bytes = b""


EMPTY: Final = Head()
"""The head of a log that has not begun."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event of one table, as written."""

    table: int
    seq: int
    """From 1 on, without gaps."""
    hash: bytes
    """Eight bytes: the digest of the table after this entry."""
    at: float
    """When it was written, in seconds since 1970."""
    data: bytes = field(repr=False)
    """The change as JSON; holds an id of its own, so that a writer knows its entry again."""

    @property
    def head(self) -> Head:
        """Where the log stands after this entry."""
        return Head(self.seq, self.hash)


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game, kept when its table has long closed."""

    id: str
    rules: str
    at: float
    """When it ended, in seconds since 1970."""
    result: str
    """Who played and what became of it, as JSON."""
    record: str
    """The game as text."""


class TextRow(NamedTuple):
    """What was last remembered under a key."""

    number: int
    """Which change of all texts it was: these only grow."""
    key: str
    text: str | None
    """None where it was forgotten."""


class Conflict(Exception):
    """The log does not stand where the writer thought: somebody appended first, so read and decide again."""


class OutcomeUnknown(Exception):
    """It is not known whether the entry was written: read, and look for it by its content."""


class NotSaved(Exception):
    """It was certainly not written: the disk is full, the file is read-only or locked; the message says which."""


class TableLog(Protocol):
    """The log of all tables, the finished games, and what is remembered of people. Durable once a call returns."""

    changed: Callable[[], None]
    """Called in the event loop when another process may have written. A bell: it may ring late, twice or never."""

    async def open(self) -> None:
        """Make it ready. Raises NotSaved with a line that says what is wrong and what would be right."""

    async def close(self) -> None:
        """Write what waits, let go."""

    async def append(self, head: Head, entry: LogEntry, game: FinishedGame | None = None) -> None:
        """Append an entry to its table's log where that stands at ``head``, and a finished game with it, or neither.

        Raises Conflict, Unknown, NotSaved.
        """

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        """The entries of a table past this seq, oldest first; none where it has closed. Raises NotSaved."""

    async def heads(self) -> dict[int, Head]:
        """Every table's number and where its log stands. Raises NotSaved."""

    async def delete(self, table: int, head: Head) -> None:
        """Drop the log of a table that closes where it stands at ``head``. Raises Conflict, Unknown, NotSaved."""

    async def game(self, game_id: str) -> FinishedGame | None:
        """A finished game. Raises NotSaved."""

    async def games(self, after: int = 0, limit: int = 1000) -> list[tuple[int, FinishedGame]]:
        """Finished games past this number, oldest first, with their numbers, which only grow; without records.

        Raises NotSaved.
        """

    async def latest(self, limit: int) -> list[FinishedGame]:
        """The last finished games, newest first; without records. Raises NotSaved."""

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        """Keep a text under a kind and a key in place of what was there; None forgets it.

        Raises Unknown, NotSaved.
        """

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        """What of this kind was remembered or forgotten past this number, each key once, oldest first.

        Raises NotSaved.
        """


class MemoryLog:
    """A log that lasts as long as the process."""

    def __init__(self) -> None:
        self.changed: Callable[[], None] = lambda: None
        self._entries: dict[int, list[LogEntry]] = {}
        self._games: dict[str, FinishedGame] = {}
        self._texts: dict[tuple[str, str], tuple[int, str | None]] = {}
        self._last_text = 0

    async def open(self) -> None:
        """See `TableLog`."""

    async def close(self) -> None:
        """See `TableLog`."""

    async def append(self, head: Head, entry: LogEntry, game: FinishedGame | None = None) -> None:
        """See `TableLog`."""
        self._must_stand_at(entry.table, head)
        self._entries.setdefault(entry.table, []).append(entry)
        if game is not None:
            self._games.setdefault(game.id, game)

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        """See `TableLog`."""
        return self._entries.get(table, [])[after:]

    async def heads(self) -> dict[int, Head]:
        """See `TableLog`."""
        return {table: entries[-1].head for table, entries in self._entries.items()}

    async def delete(self, table: int, head: Head) -> None:
        """See `TableLog`."""
        self._must_stand_at(table, head)
        self._entries.pop(table, None)

    async def game(self, game_id: str) -> FinishedGame | None:
        """See `TableLog`."""
        return self._games.get(game_id)

    async def games(self, after: int = 0, limit: int = 1000) -> list[tuple[int, FinishedGame]]:
        """See `TableLog`."""
        games = list(enumerate(self._games.values(), 1))[after : after + limit]
        return [(number, replace(game, record="")) for number, game in games]

    async def latest(self, limit: int) -> list[FinishedGame]:
        """See `TableLog`."""
        return [replace(game, record="") for game in list(self._games.values())[: -limit - 1 : -1]]

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        """See `TableLog`."""
        self._last_text += 1
        self._texts.pop((kind, key), None)
        self._texts[kind, key] = self._last_text, value

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        """See `TableLog`."""
        texts = self._texts.items()
        return [TextRow(number, key, text) for (its, key), (number, text) in texts if its == kind and number > after]

    def _must_stand_at(self, table: int, head: Head) -> None:
        entries = self._entries.get(table)
        current = entries[-1].head if entries else EMPTY
        if current != head:
            raise Conflict(f"table {table} stands at {current.seq}, not at {head.seq}")
