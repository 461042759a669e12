"""Writes and reads the log of one table. A change counts only after it has been written.

Several processes may keep a journal of the same table. The log accepts an entry only on top of the entry that its
writer knows as the last one, so their tables never differ.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from time import perf_counter
from typing import Final, NoReturn, Self, TypeAlias

import structlog
from msgspec import structs

from engine.errors import InputError
from engine.events import Event
from server.clean_text import clean
from server.process.counters import UNREAD, Counters
from server.records.results import result_text
from server.storage.database import EMPTY, Conflict, Database, FinishedGame, Head, LogEntry, NotSaved, OutcomeUnknown
from server.table.apply_changes import apply, follow, last_beginning, read_log
from server.table.entries import (
    Abandoned,
    Change,
    Dealt,
    Forgotten,
    Moved,
    TableSettings,
    read_change,
    without_name,
    write_change,
)
from server.table.finished_game import finished_game, is_kept
from server.table.listed import write_listed
from server.table.seats import taken_seats
from server.table.state import TableState

HEADS_KEPT: Final = 8
"""See `Journal.recent_heads`."""
CLOCK_SLACK: Final = 1.0
"""Seconds by which a table may close too early, as no two clocks agree."""

ATTEMPTS: Final = 5
"""How often a change is decided anew because another process has written first."""
FAILURES: Final = frozenset({"not_saved", "unknown", "closed", "too_many"})
"""The codes of errors that do not depend on what other processes have written."""
Decide: TypeAlias = Callable[[TableState], Change | None]
"""Returns the change that a state of the table calls for; None if none, as if it only checks. Raises InputError."""

log = structlog.get_logger("quatch.journal")


def cannot_go_on(table: int, reason: str) -> str:
    """What the players are told of a table whose log cannot be read here. It stays for a program that can read it."""
    return f"Table {table} cannot go on here: {clean(reason)}. Its cards and seats are kept in the log."


class Closed(Exception):
    """The log of this table has been dropped; another table may have its number."""


class Journal:
    """The log of one table, and its `state` as of the last entry."""

    def __init__(
        self, store: Database, entries: Sequence[LogEntry], wall: Callable[[], float], counters: Counters = UNREAD
    ) -> None:
        """Use `begin` or `load`. ``wall`` gives the time in seconds since 1970. Raises ValueError as `read_log`."""
        self.counters = counters
        self.number = entries[0].table
        self.events: list[Event]
        """Those of the game that is played, or was played last."""
        self._news: list[Event] = []
        """Those that nobody has been shown yet."""
        self.is_open = True
        """Whether the table can go on, as far as is known here."""
        self.problem = ""
        """Why the table cannot go on, although its log exists."""
        self.recent_heads: tuple[Head, ...] = ()
        """The newest first; enough to know again what this process wrote before it reads which tables have changed."""
        self.on_change: Callable[[], None] = lambda: None
        """Called whenever the state has changed, by whatever was written or read."""
        self.on_kept: Callable[[FinishedGame], None] = lambda _: None
        """Called with each game that this process has kept."""
        self._store = store
        self._wall = wall
        self._beginning = 0
        """The number of the last entry with which the log could begin: a deal, or the opening."""
        self._read_all(entries)

    @classmethod
    async def begin(
        cls,
        store: Database,
        number: int,
        settings: TableSettings,
        wall: Callable[[], float],
        counters: Counters = UNREAD,
        openers: Sequence[str] = (),
    ) -> Self:
        """Open a table, which counts for ``openers``.

        Raises Conflict if the number is taken, InputError if it is not possible or not saved.
        """
        state = TableState.of(settings)
        entry = LogEntry(number, 1, state.digest(), wall(), write_change(settings))
        entries = [entry]
        try:
            await store.append(EMPTY, entry, openers=openers, listing=write_listed(number, 1, state))
        except OutcomeUnknown as failure:
            counters.log_failures["unknown"].inc()
            try:
                entries = await store.read(number)
            except NotSaved:
                raise _unknown() from None
            if not entries:
                _refuse_write(failure, counters)
            if all(each.data != entry.data for each in entries):
                raise Conflict(f"table {number} was opened by another process") from None
        except NotSaved as error:
            _refuse_write(error, counters)
        return cls(store, entries, wall, counters)

    @classmethod
    async def load(cls, store: Database, number: int, wall: Callable[[], float], counters: Counters = UNREAD) -> Self:
        """Load a table that is open. Raises Closed, NotSaved, and ValueError if this program cannot read its log."""
        entries = await store.read(number)
        if not entries:
            raise Closed
        return cls(store, entries, wall, counters)

    @property
    def decision_age(self) -> float:
        """Seconds since the pending decision began; at most its clock, since the time of day may jump."""
        return min(max(0.0, self._wall() - self.state.since), self.state.clock or 0.0)

    def take_news(self) -> tuple[Event, ...]:
        """Take the events that are new since the last call."""
        news, self._news = tuple(self._news), []
        return news

    async def write(self, decide: Decide) -> Change | None:
        """Write the change that the newest state calls for, if any, apply it and return it.

        If another process has written first, its entries are read, and ``decide`` is asked again, a few times at most.
        It is also asked again if it refuses and another process has written. Raises the InputError of its last refusal,
        or InputError if nothing can be saved.
        """
        for attempts_left in reversed(range(ATTEMPTS)):
            head = self.head
            try:
                change = decide(self.state)
                return None if change is None else await self._write(change)
            except InputError as error:
                if error.code in FAILURES or not attempts_left:
                    raise
                if self.head == head:
                    await self.read_on()
                if self.head == head:
                    raise
        raise AssertionError("the last attempt returns or raises")

    async def _write(self, change: Change) -> Change:
        """Write a change to the log, and apply it. Raises InputError, with "stale" if another process wrote first.

        A deal gets a checkpoint. The log keeps the game before it and this one: another process that is less than a
        game behind reads on without a gap.
        """
        keep_from = 0
        if isinstance(change, Dealt):
            change, keep_from = structs.replace(change, checkpoint=self.state.checkpoint()), self._beginning
        at = self._wall()
        state, events = apply(self.state, change, at)
        entry = LogEntry(self.number, self.head.seq + 1, state.digest(), at, write_change(change))
        result = state.result if self.state.result is None else None
        game = None if result is None else self._finished(state, at)
        seats = None if state.seats is self.state.seats else taken_seats(state)
        is_row_the_same = isinstance(change, Moved) and result is None
        listing = None if is_row_the_same else write_listed(self.number, entry.seq, state)
        began = perf_counter()
        try:
            await self._store.append(self.head, entry, game, keep_from=keep_from, seats=seats, listing=listing)
        except (Conflict, OutcomeUnknown) as failure:
            if isinstance(failure, OutcomeUnknown):
                self.counters.log_failures["unknown"].inc()
            if not await self._catch_up_to(entry, failure):
                if isinstance(failure, OutcomeUnknown) and self.head.seq < entry.seq:
                    _refuse_write(failure, self.counters)
                raise stale() from None
        except NotSaved as error:
            _refuse_write(error, self.counters)
        else:
            self.counters.append_seconds.observe(perf_counter() - began)
            if result is not None:
                self.counters.games.inc()
                if not state.is_alone:
                    title = state.occasion and state.occasion.title
                    log.info("game over", table=self.number, occasion=title, result=result_text(result))
            if game is not None:
                self.on_kept(game)
            self._advance(state, events, entry)
            self.on_change()
        seat = self.state.seats[change.seat] if isinstance(change, Moved) else None
        if seat is not None:
            self.counters.moves["ai" if seat.played_by_ai else seat.player.kind].inc()
        return change

    async def forget(self, player_id: str, names: Collection[str]) -> None:
        """Take the name of a player who has no seat any more out of the log; ``names`` are such as it is known to be.

        Other processes read the log again as it is then. Raises InputError.
        """
        for _ in range(ATTEMPTS):
            await self.catch_up()
            try:
                entries = await self._store.read(self.number)
                rewritten = without_name({entry.seq: entry.data for entry in entries}, player_id, names)
                if not rewritten:
                    return
                at, listing = self._wall(), write_listed(self.number, self.head.seq + 1, self.state)
                told = LogEntry(self.number, self.head.seq + 1, self.state.digest(), at, write_change(Forgotten()))
                await self._store.append(self.head, told, listing=listing, rewritten=rewritten)
                await self._read_again()
            except Conflict:
                continue
            except OutcomeUnknown:
                raise _unknown() from None
            except NotSaved as error:
                _refuse_write(error, self.counters)
            else:
                return
        raise stale()

    def must_be_writable(self) -> None:
        """Raises InputError while nothing can be saved, as far as is known."""
        if problem := self._store.problem:
            raise _not_saved(problem)

    async def catch_up(self) -> list[LogEntry]:
        """Read and return what other processes have written. Raises InputError, with "closed" if the log is gone."""
        try:
            # The last known entry is read again. If it is not there any more, the log has gone on for more than a game
            # or was set back, or this is another table.
            entries = await self._store.read(self.number, self.head.seq - 1)
            if not entries or entries[0].head != self.head:
                return await self._read_again()
            try:
                for entry in entries[1:]:
                    self._advance(*follow(self.state, entry), entry)
                if any(isinstance(read_change(entry.data), Forgotten) for entry in entries[1:]):
                    await self._read_again()
            finally:
                if self.head != entries[0].head:
                    self.on_change()
            return entries[1:]
        except NotSaved as error:
            log.error("log not read", table=self.number, problem=str(error))  # noqa: TRY400 - it says what is wrong
            problem = f"the table cannot be read now ({error}): try again in a moment"
            raise InputError("not_saved", problem) from None
        except (Closed, ValueError) as error:
            self.is_open = False
            if isinstance(error, ValueError):
                log.error("table cannot be read", table=self.number, problem=str(error))  # noqa: TRY400 - it is told
                self.problem = cannot_go_on(self.number, str(error))
            raise InputError("closed", self.problem or f"table {self.number} has closed") from error

    async def read_on(self) -> None:
        """As `catch_up`, but a log that cannot be read now is no error. Raises InputError if the table is closed."""
        try:
            await self.catch_up()
        except InputError as error:
            if error.code != "not_saved":
                raise

    async def put_to_sleep(self, seconds: float) -> None:
        """Note in the log that the table is empty, and closes in so many seconds unless somebody comes.

        Raises Conflict if another process has written to the log, InputError if that is not saved.
        """
        await self._saved(self._store.put_to_sleep(self.number, self.head, self._wall() + seconds))

    async def wake(self) -> None:
        """Note in the log that somebody comes. Raises InputError, with "closed" if the log is gone."""
        try:
            await self._saved(self._store.wake(self.number))
        except Conflict:
            self.is_open = False
            raise InputError("closed", f"table {self.number} has closed") from None

    def seconds_until(self, at: float) -> float:
        """Seconds until a time in seconds since 1970."""
        return at - self._wall()

    async def close(self) -> None:
        """Drop the log of a table that has slept until it was due; a running game is kept as one without a result.

        Raises Conflict if another process has written to the log or has woken the table, InputError if that is not
        saved.
        """
        now = self._wall()
        is_broken_off = self.state.playing and not (self.state.occasion and self.state.occasion.practice)
        game = self._finished(apply(self.state, Abandoned(), now)[0], now) if is_broken_off else None
        await self._saved(self._store.delete(self.number, self.head, game, due_by=now + CLOCK_SLACK))
        self.is_open = False
        if game is not None:
            self.on_kept(game)

    async def _saved(self, writing: Awaitable[None]) -> None:
        try:
            await writing
        except NotSaved as error:
            _refuse_write(error, self.counters)
        except OutcomeUnknown:
            self.counters.log_failures["unknown"].inc()
            raise _unknown() from None

    def _finished(self, state: TableState, ended: float) -> FinishedGame | None:
        """The game that has just ended; None if it is not kept, or cannot be, since it has to end all the same."""
        try:
            return finished_game(state, ended) if is_kept(state) else None
        except Exception:
            log.exception("game not kept", table=self.number)
            return None

    async def _catch_up_to(self, entry: LogEntry, failure: Conflict | OutcomeUnknown) -> bool:
        """Catch up; return whether the log has the entry after all. Raises InputError if that cannot be told."""
        try:
            entries = await self.catch_up()
        except InputError as error:
            raise _unknown() if error.code == "not_saved" and isinstance(failure, OutcomeUnknown) else error from None
        if entries and entries[0].seq > entry.seq and isinstance(failure, OutcomeUnknown):
            raise _unknown()  # other processes have finished the game since, so the entry may have been deleted
        return any(each.data == entry.data for each in entries)

    async def _read_again(self) -> list[LogEntry]:
        """Read the whole log, if the last known entry is gone. Raises Closed if it is no longer this table's log.

        If another game is on, its events are news; those of the games between are in their records.
        """
        game, secret = self.state.game_id, self.state.settings.secret
        entries = await self._store.read(self.number)
        self._read_all(entries, secret)
        if self.state.game_id != game:
            self._news += self.events
        self.on_change()
        return entries

    def _read_all(self, entries: Sequence[LogEntry], secret: str | None = None) -> None:
        """Read a log from the last entry on with which it could begin. Raises Closed if it is another table's.

        ``secret``: that of the table, if it is known.
        """
        if not entries:
            raise Closed
        index = last_beginning(entries)
        state, events = read_log(entries[index:])
        if secret not in {None, state.settings.secret}:
            raise Closed
        self.state, self.events = state, events
        self.head, self._beginning = entries[-1].head, entries[index].seq
        self.recent_heads = (self.head, *self.recent_heads[: HEADS_KEPT - 1])

    def _advance(self, state: TableState, events: list[Event], entry: LogEntry) -> None:
        if state.deal != self.state.deal:
            self.events = []
            self._beginning = entry.seq
        self.state, self.head = state, entry.head
        self.recent_heads = (self.head, *self.recent_heads[: HEADS_KEPT - 1])
        self.events += events
        self._news += events


def _refuse_write(error: NotSaved | OutcomeUnknown, counters: Counters) -> NoReturn:
    """Log and count a write that was not made. Raises InputError."""
    log.error("not saved", problem=str(error))
    counters.log_failures["not_saved"].inc()
    raise _not_saved(str(error)) from None


def _not_saved(problem: str) -> InputError:
    return InputError("not_saved", f"nothing can be saved now ({problem}), so nothing was done: try again in a moment")


def stale() -> InputError:
    """The refusal of a request that came too late."""
    return InputError("stale", "the table has moved on: look again")


def _unknown() -> InputError:
    return InputError("unknown", "it is not known whether that was saved: look again in a moment")
