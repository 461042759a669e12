"""The append-only log that every table is computed from: its interface.

An entry is accepted only directly behind the entry that its writer read last: number and hash must agree. So everybody
who reads the entries gets the same table. Several processes may share one log.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a table's log: its number, and the hash of the table after it."""

    seq: int = 0
    hash: bytes = b""


EMPTY: Final = Head()
"""The head of a log without entries."""
DELETIONS_KEPT: Final = 100_000
"""A deletion of a text stays known for so many changes; other processes read it within seconds."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of one table's log."""

    table: int
    seq: int
    """From 1 on, without gaps. The first entries may have been deleted."""
    hash: bytes
    """Eight bytes: the digest of the table after this entry."""
    at: float
    """When it was written, in seconds since 1970."""
    data: bytes = field(repr=False)
    """The change as JSON, with an id by which a writer recognises its entry."""

    @property
    def head(self) -> Head:
        """The head of the log after this entry."""
        return Head(self.seq, self.hash)


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game, which is kept after its table has closed."""

    id: str
    rules: str
    at: float
    """When it ended, in seconds since 1970."""
    result: str
    """As JSON."""
    record: str
    """The game as text."""


class TextRow(NamedTuple):
    """The last change of the text under one key."""

    number: int
    """The number of the change. Later changes of any text have greater numbers."""
    key: str
    text: str | None
    """None if the text was deleted."""


class StandingRow(NamedTuple):
    """The standing of one player under one set of rules."""

    rules: str
    """Empty for a row that is in no list of the best."""
    key: str
    strength: float
    text: str
    """As JSON."""


class TableChange(NamedTuple):
    """The last change of a table: its log went on, it fell asleep, it was woken, or it closed."""

    number: int
    """Later changes of any table have greater numbers."""
    table: int
    head: Head
    """`EMPTY` if the table has closed."""
    due: float | None
    """If the table is asleep: when it is closed unless somebody comes, in seconds since 1970. None if it is awake."""


class TakenSeat(NamedTuple):
    """A seat of a person or a bot, by which its player and their name are found without reading the table's log."""

    player_id: str
    name: str
    looks: tuple[str, ...]
    """What other names must not look like."""


class Conflict(Exception):
    """The log is not as the writer expected: another writer was faster. Read, and decide again."""


class OutcomeUnknown(Exception):
    """It is not known whether the entry was written. Read the log and look for the entry."""


class NotSaved(Exception):
    """Nothing was written, or nothing can be read; the message says why, for example that the disk is full."""


class DatabaseAway(NotSaved):
    """The database cannot be reached or written now. It is worth while to wait for it."""


class TableLog(Protocol):
    """The logs of all tables, finished games, standings, texts. A write is durable once its call returns."""

    changed: Callable[[], None]
    """Called in the event loop when another process may have written. The call may come late, twice, or not at all."""
    heard: Callable[[str], None]
    """Called in the event loop with each message that another process has sent while the log was open here.

    It must not raise. The message may come from anybody who can write to the database.
    """

    @property
    def problem(self) -> str:
        """Why nothing can be saved, as far as the last write has shown; empty if nothing is wrong."""

    @property
    def clock_ahead(self) -> float:
        """By how many seconds this machine's clock is ahead of the one that all processes with this log go by."""

    async def open(self) -> None:
        """Open the log. Raises NotSaved with a line that says what is wrong and what would be right."""

    async def close(self) -> None:
        """Write what is waiting, and close the log."""

    async def append(
        self,
        head: Head,
        entry: LogEntry,
        game: FinishedGame | None = None,
        *,
        keep_from: int = 0,
        seats: Sequence[TakenSeat] | None = None,
        openers: Sequence[str] = (),
    ) -> None:
        """Append an entry behind ``head``, with the game that it ends. The table is awake then.

        The table's entries before number ``keep_from`` are deleted with it, ``seats`` replace those that were taken,
        and a new table counts for ``openers``: all of this is done, or nothing. Raises Conflict, OutcomeUnknown,
        NotSaved.
        """

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        """The entries of a table after this number, oldest first; none if it has closed. Raises NotSaved."""

    async def delete(
        self, table: int, head: Head, game: FinishedGame | None = None, *, due_by: float | None = None
    ) -> None:
        """Delete the log of a table, and keep its game. The table must be asleep and due by this time, if one is given.

        Raises Conflict if ``head`` is not its head or it is not due; OutcomeUnknown, NotSaved.
        """

    # Messages between the processes that have the log open.

    def send(self, message: str) -> None:
        """Send a message to the other processes that have this log open now. Returns at once.

        Each of them hears it once or not at all, and the messages of one process in their order. A message is lost if
        the log cannot be written, if too many wait, and for a process that does not look for some seconds. It is kept
        for seconds only. Raises ValueError as `message_check.check_message` does.
        """

    # All tables. What follows takes no longer if a hundred thousand of them are asleep.

    async def changes(self, after: int) -> list[TableChange]:
        """The last change of each table after this number, oldest first. Raises NotSaved."""

    async def last_change(self) -> int:
        """The number of the last change of any table; 0 at first. Raises NotSaved."""

    async def awake(self) -> list[int]:
        """The tables that are not asleep, by number. Raises NotSaved."""

    async def put_to_sleep(self, table: int, head: Head, due: float, seats: Sequence[TakenSeat]) -> None:
        """Note that no player is at this table. It is closed at this time unless a player comes.

        ``seats`` are those that are taken. Raises Conflict if ``head`` is not its head, OutcomeUnknown, NotSaved.
        """

    async def wake(self, table: int) -> None:
        """Note that somebody comes to this table. Raises Conflict if it has closed, OutcomeUnknown, NotSaved."""

    async def due(self, by: float, limit: int) -> list[int]:
        """The sleeping tables to be closed by this time, those that have waited longest first. Raises NotSaved."""

    async def is_seat_name(self, looks: Sequence[str], besides: str) -> bool:
        """Whether a player besides this one has a seat under a name with one of these looks. Raises NotSaved."""

    async def opened_by(self, opener: str) -> list[tuple[int, float | None]]:
        """The tables that count for this opener, and when they are due, None if they are awake. Raises NotSaved."""

    async def free_number(self, after: int) -> int:
        """The lowest number greater than this one that no table has. Raises NotSaved."""

    # Finished games, standings, texts.

    async def game(self, game_id: str) -> FinishedGame | None:
        """The finished game with this id; None if there is none. Raises NotSaved."""

    async def games(self, after: int = 0, limit: int = 1000) -> list[tuple[int, FinishedGame]]:
        """Finished games after this number, oldest first, with their numbers, without records. Raises NotSaved."""

    async def latest(self, limit: int) -> list[FinishedGame]:
        """The last finished games, newest first; without records. Raises NotSaved."""

    async def delete_games(self, before: float, up_to: int, limit: int) -> int:
        """Delete the oldest games that ended before this time (seconds since 1970), at most ``limit`` of them.

        Games after number ``up_to`` stay, and so does the last game of all, so that no number is used twice.
        Returns how many were deleted. Raises OutcomeUnknown, NotSaved.
        """

    async def counted(self) -> int:
        """The number of the last finished game that the standings contain; 0 at first. Raises NotSaved."""

    async def put_standings(self, before: int, after: int, rows: Sequence[StandingRow]) -> None:
        """Save standings that contain the games up to number ``after``, in place of older ones of these players.

        Raises Conflict if the standings do not contain exactly the games up to ``before``; OutcomeUnknown, NotSaved.
        """

    async def standing(self, rules: str, key: str) -> str | None:
        """A player's standing under one set of rules as JSON; None if there is none. Raises NotSaved."""

    async def standings_of(self, key: str) -> list[str]:
        """All standings of a player as JSON, in the order of the names of rules. Raises NotSaved."""

    async def best(self, rules: str | None, limit: int) -> list[str]:
        """The strongest standings under one set of rules, or under all, as JSON, best first. Raises NotSaved."""

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        """Save a text in place of an older one; None deletes it. Raises OutcomeUnknown, NotSaved."""

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        """The last change of each text of this kind after this number, oldest first. Raises NotSaved."""

    async def oldest_texts(self, kind: str, limit: int) -> list[TextRow]:
        """The texts of this kind that were saved longest ago, oldest first; none that was deleted. Raises NotSaved."""

    # What each login asks takes no longer if there is very much.

    async def seats_of(self, player_id: str) -> list[tuple[int, str]]:
        """The tables at which a player has a seat, and the name on it. Raises NotSaved."""

    async def count_asleep(self) -> int:
        """How many tables are asleep. Raises NotSaved."""

    async def text(self, kind: str, key: str) -> str | None:
        """The text of this kind under this key; None if there is none. Raises NotSaved."""

    async def count_texts(self, kind: str) -> int:
        """How many texts of this kind there are. Raises NotSaved."""

    async def linked_keys(self, account: str) -> list[str]:
        """The keys of the texts of the kind `account` that hold this account, oldest first. Raises NotSaved."""

    async def name_owners(self, looks: Iterable[str]) -> list[str]:
        """For each of these looks that some name has: the key of the oldest text of the kind `name` with this look.

        Raises NotSaved.
        """

    async def put_name(self, key: str, name: str, looks: Sequence[str]) -> None:
        """Save a text of the kind `name` as `put_text` does, to be found by its looks.

        The write decides between two who claim a name at once: raises Conflict if another key owns one of these looks
        (see `name_owners`). Else it raises as `put_text` does.
        """

    async def size(self) -> int:
        """The bytes that all of this takes on the disk; 0 in memory."""
