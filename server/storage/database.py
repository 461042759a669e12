"""What is kept of tables, games, standings and texts: every read and write, once for all engines.

Every table is computed from its log, which is only appended to. An entry is accepted only directly behind the entry
that its writer read last: number and hash must agree. So everybody who reads the entries gets the same table. Several
processes may share one database.

A write is a generator: it yields statements with their values, and receives their rows. An engine carries it out in a
transaction, together with others. So a write raises `Conflict` before its first change, and has changed nothing then.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self, TypeAlias

from server.storage import sql


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a table's log: its number, and the hash of the table after it."""

    seq: int = 0
    hash: bytes = b""


EMPTY: Final = Head()
"""The head of a log without entries."""
WAS_MOVED: Final = "moved"
"""The kind of the text in a database that was moved; its key is the name of the new one."""
EVERY: Final = 2**63 - 1
"""No entry has a greater number."""


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
    accounts: tuple[str, ...] = ()
    """The accounts of its players, by which the game is found; empty in a game that was read."""


class TextRow(NamedTuple):
    """The last change of the text under one key."""

    number: int
    """The number of the change. Later changes of any text have greater numbers."""
    key: str
    text: str | None
    """None if the text was deleted."""


class TableChange(NamedTuple):
    """A table that has changed: its log went on, it fell asleep, it was woken, or it closed."""

    table: int
    head: Head = EMPTY
    """`EMPTY` if the table has closed."""
    due: float | None = None
    """If the table is asleep: when it is closed unless somebody comes, in seconds since 1970. None if it is awake."""
    listing: str = ""
    """The last ``listing`` that `Database.append` was given; empty at first, and after the table has closed."""


class TakenSeat(NamedTuple):
    """A seat of a person or a bot, by which its player and their name are found without reading the table's log."""

    player_id: str
    name: str
    looks: tuple[str, ...]
    """The looks of the name. No other player may have a name with one of them."""


class Conflict(Exception):
    """The log is not as the writer expected: another writer was faster. Read, and decide again."""


class OutcomeUnknown(Exception):
    """It is not known whether the entry was written. Read the log and look for the entry."""


class NotSaved(Exception):
    """Nothing was written, or nothing can be read; the message says why, for example that the disk is full."""


class DatabaseAway(NotSaved):
    """The database cannot be reached or written now. It is worth while to wait for it."""


MESSAGE_BYTES: Final = 7_000
"""The longest message in UTF-8. PostgreSQL carries a little more."""
MESSAGES_WAITING: Final = 256
"""Messages of one process that wait to be sent; with more, the oldest are lost."""

Value: TypeAlias = float | str | bytes | None
"""What a column holds; also an integer."""
Steps: TypeAlias = Generator[tuple[Any, ...], list[Any], None]
"""The statements of a write. A list in place of values holds those of many executions, which give no rows."""
Write: TypeAlias = Callable[[], Steps]


class Move(NamedTuple):
    """An entry to append, and the head that the log must have before it."""

    head: Head
    entry: LogEntry


class Database(ABC):
    """The logs of all tables, finished games, standings, accounts, texts. A write is durable once its call returns.

    Every call raises NotSaved if the database cannot be read or written. A write also raises OutcomeUnknown.
    """

    clock_ahead = 0.0
    """By how many seconds this machine's clock is ahead of the one that all processes with this log go by."""

    deletions_kept = 100_000
    """A deletion of a text stays known for so many changes of texts; other processes read it within seconds."""

    def __init__(self) -> None:
        self.written = 0
        """How many times something was written here."""
        self.tell_of_change: Callable[[], None] = lambda: None
        """Called in the event loop when another process may have written: perhaps late, twice, or never."""
        self.tell_message: Callable[[str], None] = lambda _: None
        """Called in the event loop with each message that another process has sent while the database was open here.

        It must not raise. The message may come from anybody who can write to the database.
        """
        self._is_open = False

    # What each engine does in its own way.

    name = ""
    """Where everything is kept: an address without a password, or a file; empty in memory."""
    how_to_copy = ""
    """What a host uses to copy it to FILE; empty if it is in a file, and this program does."""

    @property
    @abstractmethod
    def problem(self) -> str:
        """Why nothing can be saved, as far as the last write has shown; empty if nothing is wrong."""

    @abstractmethod
    async def open(self) -> None:
        """Open the log. Raises NotSaved with a line that says what is wrong and what would be right."""

    @abstractmethod
    async def close(self) -> None:
        """Write what is waiting, and close the log."""

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    @abstractmethod
    async def select(self, statement: str, *values: Value) -> list[Any]:
        """The rows of a statement of `sql`."""

    async def select_many(self, statement: str, values: Sequence[tuple[Value, ...]]) -> list[Any]:
        """The rows of a statement of `sql` for each of these values, one after the other."""
        return [row for each in values for row in await self.select(statement, *each)]

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        """The entries of a table after this number, oldest first; none if it has closed."""
        return [LogEntry(*row) for row in await self.select(sql.READ, table, after)]

    @abstractmethod
    async def append_move(self, move: Move) -> bool:
        """Append an entry to the log of a table that is awake. Returns whether the head was that of the log."""

    @abstractmethod
    async def write(self, write: Write, table: int | None = None) -> None:
        """Carry out a write, which concerns this table, if one is given. Raises what the write raises."""

    def send(self, message: str) -> None:
        """Send a message to the other processes that have this log open now, if the engine knows of any.

        Each of them hears it once or not at all, and the messages of one process in their order. A message is lost if
        the log cannot be written, if too many wait, and for a process that does not look for some seconds. It is kept
        for seconds only. Raises ValueError for one that it cannot send: it is too long, or holds a zero character.
        """
        if len(message.encode()) > MESSAGE_BYTES or "\0" in message:
            raise ValueError(f"no message of at most {MESSAGE_BYTES} bytes without a zero character: {message[:60]!r}")

    async def size(self) -> int:
        """How many bytes the database takes on the disk; 0 in memory."""
        return 0

    async def is_used(self) -> bool:
        """Whether a server has the database open, so that it may change."""
        return False

    # Tables. What follows takes no longer if a hundred thousand of them are asleep.

    async def append(
        self,
        head: Head,
        entry: LogEntry,
        game: FinishedGame | None = None,
        *,
        keep_from: int = 0,
        seats: Sequence[TakenSeat] | None = None,
        openers: Sequence[str] = (),
        listing: str | None = None,
        rewritten: Mapping[int, bytes] = MappingProxyType({}),
    ) -> None:
        """Append an entry behind ``head``, and keep the game that it ends. Afterwards the table is awake.

        The table's entries before number ``keep_from`` are deleted, ``seats`` replace those that were taken, a new
        table counts for ``openers``, ``listing`` is what others list the table by, and ``rewritten`` is other data for
        entries by their numbers. All of this is done, or nothing. An entry with nothing else costs least.
        Raises Conflict, OutcomeUnknown, NotSaved.
        """
        table = entry.table
        is_more = bool(game or keep_from or seats is not None or openers or listing is not None or rewritten)
        is_move = head != EMPTY and not is_more
        if is_move:
            if await self.append_move(Move(head, entry)):
                return
            if all(state.head != head for state in await self.states([(table,)])):
                raise Conflict(f"table {table} does not stand at {head.seq}")

        def write() -> Steps:
            due = yield from _must_stand_at(table, head)
            if head == EMPTY:
                yield sql.OPEN, table
            elif due is not None:
                yield sql.SLEEP, table, None
            yield sql.ADD_ENTRY, table, entry.seq, entry.hash, entry.at, entry.data
            if keep_from:
                yield sql.DELETE_ENTRIES, table, keep_from
            if seats is not None:
                yield from _put_seats(table, seats)
            if openers:
                yield sql.PUT_OPENER, [(opener, table) for opener in openers]
            if listing is not None:
                yield sql.PUT_LISTING, table, listing
            if rewritten:
                yield sql.REWRITE_ENTRY, [(table, seq, data) for seq, data in rewritten.items()]
            yield from _keep_game(game)

        await self.write(write, table)

    async def delete(
        self, table: int, head: Head, game: FinishedGame | None = None, *, due_by: float | None = None
    ) -> None:
        """Delete the log of a table, and keep its game. The table must be asleep and due by this time, if one is given.

        Raises Conflict if ``head`` is not its head or it is not due.
        """

        def write() -> Steps:
            due = yield from _must_stand_at(table, head)
            if due_by is not None and (due is None or due > due_by):
                raise Conflict(f"table {table} is not due")
            if head != EMPTY:
                yield sql.CLOSE, table
                yield sql.DELETE_ENTRIES, table, EVERY
                yield from _put_seats(table, ())
                yield sql.DELETE_OPENERS, table
                yield from _keep_game(game)

        await self.write(write, table)

    async def put_to_sleep(self, table: int, head: Head, due: float) -> None:
        """Note that no player is at this table. It is closed at this time unless a player comes.

        Raises Conflict if ``head`` is not its head.
        """

        def write() -> Steps:
            yield from _must_stand_at(table, head)
            if head != EMPTY:
                yield sql.SLEEP, table, due

        await self.write(write, table)

    async def wake(self, table: int) -> None:
        """Note that somebody comes to this table. Raises Conflict if it has closed."""

        def write() -> Steps:
            state = yield from _state(table)
            if state.head == EMPTY:
                raise Conflict(f"table {table} has closed")
            if state.due is not None:
                yield sql.SLEEP, table, None

        await self.write(write, table)

    async def place(self) -> str:
        """The end of the log as it is now, for `changes`."""
        ((place,),) = await self.select(sql.PLACE)
        return str(place)

    async def changes(self, place: str, known: Iterable[int] = ()) -> tuple[list[TableChange], str]:  # noqa: ARG002
        """The tables that have changed since a place in the log, as they are now, and the place that is reached.

        A reader that has not followed all of them asks again from the place before. ``known``: the tables that the
        reader takes for awake; all of them have changed if the log may have lost its end since.
        """
        reached = await self.place()
        return await self.states(await self.select(sql.CHANGED, place)), reached

    async def states(self, tables: Iterable[tuple[int]]) -> list[TableChange]:
        """The state of each of these tables, once. A table that was never opened counts as closed."""
        asked = [*dict.fromkeys(map(tuple, tables))]
        rows = await self.select_many(sql.STATE, asked)
        kept = {row[0]: _change_of(*row) for row in rows}
        return [kept.get(table) or TableChange(table) for (table,) in asked]

    async def awake(self) -> dict[int, str]:
        """The tables that are awake, by number, each with its listing."""
        return dict(await self.select(sql.AWAKE))

    async def due(self, by: float, limit: int) -> list[int]:
        """The sleeping tables to be closed by this time, those that have waited longest first."""
        return [table for (table,) in await self.select(sql.DUE, by, limit)]

    async def seats_of(self, player_id: str) -> list[tuple[int, str]]:
        """The tables at which a player has a seat, and the name on it."""
        # A name with two looks has two rows. Without DISTINCT the question, which each login asks, takes a fifth.
        return list(dict.fromkeys((table, name) for table, name in await self.select(sql.SEATS_OF, player_id)))

    async def seat_named(self, looks: Sequence[str], besides: str) -> str:
        """The id of a player besides this one with a seat under a name with one of these looks; empty for none."""
        rows = await self.select_many(sql.SEAT_NAMED, [(look, besides) for look in looks])
        return rows[0][0] if rows else ""

    async def opened_by(self, opener: str) -> list[tuple[int, float | None]]:
        """The tables that count for this opener, and when they are due, None if they are awake."""
        return [(table, due) for table, due in await self.select(sql.OPENED_BY, opener)]

    async def free_number(self, after: int, age: int = 20_000) -> int:
        """The lowest number greater than this one that no table has had for so many changes, usually some 200 games."""
        return await self.number(sql.FREE_NUMBER, after, age)

    # Finished games.

    async def game(self, game_id: str) -> FinishedGame | None:
        """The finished game with this id; None if there is none."""
        return next((FinishedGame(*row) for row in await self.select(sql.GAME, game_id)), None)

    async def games(self, after: int = 0, limit: int = 1000) -> list[tuple[int, FinishedGame]]:
        """Finished games after this number, oldest first, with their numbers, without records."""
        return [(number, FinishedGame(*row)) for number, *row in await self.select(sql.GAMES, after, limit)]

    async def latest(self, limit: int) -> list[FinishedGame]:
        """The last finished games, newest first; without records."""
        return [FinishedGame(*row) for row in await self.select(sql.LATEST, limit)]

    async def games_of(self, account: str, limit: int, before: int = EVERY) -> list[tuple[int, FinishedGame]]:
        """The last games of an account before this number, newest first, with their numbers, without records."""
        rows = await self.select(sql.GAMES_OF, account, before, limit)
        return [(number, FinishedGame(*row)) for number, *row in rows]

    # Texts. Each login asks for some, which takes no longer if there are very many.

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        """Save a text in place of an older one; None deletes it."""
        await self.write(lambda: self.put_text_steps(kind, key, value))

    def put_text_steps(self, kind: str, key: str, value: str | None) -> Steps:
        """What `put_text` does, as a part of another write."""
        rows = yield sql.TEXT, kind, key
        was_there = bool(rows) and rows[0][0] is not None
        if was_there or value is not None:
            yield sql.COUNT, "", 1
            yield sql.PUT_TEXT, kind, key, value
        if was_there != (value is not None):
            yield sql.COUNT, kind, -1 if was_there else 1
        if value is None:
            yield sql.DROP_OLD_DELETIONS, self.deletions_kept

    async def text(self, kind: str, key: str) -> str | None:
        """The text of this kind under this key; None if there is none."""
        return next((text for (text,) in await self.select(sql.TEXT, kind, key)), None)

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        """The last change of each text of this kind after this number, oldest first."""
        return [TextRow(*row) for row in await self.select(sql.TEXTS, kind, after)]

    async def oldest_texts(self, kind: str, limit: int) -> list[TextRow]:
        """The texts of this kind that were saved longest ago, oldest first; none that was deleted."""
        return [TextRow(*row) for row in await self.select(sql.OLDEST_TEXTS, kind, limit)]

    async def count_texts(self, kind: str) -> int:
        """How many texts of this kind there are."""
        return await self.number(sql.TOTAL, kind)

    async def execute(self, statement: str, *values: Value | Sequence[tuple[Value, ...]]) -> None:
        """Carry out one statement of `sql` as a write of its own."""

        def write() -> Steps:
            yield (statement, *values)

        await self.write(write)

    def _must_be_open(self) -> None:
        if not self._is_open:
            raise NotSaved("the database is closed")

    async def number(self, statement: str, *values: float | str) -> int:
        """The only number that a statement of `sql` returns."""
        ((number,),) = await self.select(statement, *values)
        return int(number)


def moved_to(name: str) -> str:
    """Why a database that was moved is not used."""
    return f"the database was moved to {name}, and what happened since is there; --although-moved uses this one"


def _change_of(table: int, seq: int, state: bytes, due: float | None, listing: str) -> TableChange:
    """What a row of `sql.STATE` tells."""
    return TableChange(table, Head(seq, state), due, listing)


def _state(table: int) -> Generator[tuple[Any, ...], list[Any], TableChange]:
    """The state of a table. One that was never opened counts as closed."""
    rows = yield sql.STATE, table
    return _change_of(*rows[0]) if rows else TableChange(table)


def _must_stand_at(table: int, head: Head) -> Generator[tuple[Any, ...], list[Any], float | None]:
    """Raises Conflict if this is not the head of the table's log. Returns when the table is due."""
    state = yield from _state(table)
    if state.head != head:
        raise Conflict(f"table {table} stands at {state.head.seq}, not at {head.seq}")
    return state.due


def _put_seats(table: int, seats: Sequence[TakenSeat]) -> Steps:
    yield sql.DELETE_SEATS, table
    yield sql.PUT_SEAT, [(table, look, seat.player_id, seat.name) for seat in seats for look in seat.looks]


def _keep_game(game: FinishedGame | None) -> Steps:
    if game is not None:
        yield sql.KEEP_GAME, game.id, game.rules, game.at, game.result, game.record
        if game.accounts:
            yield sql.PUT_GAME_PLAYER, [(account, game.id) for account in game.accounts]
