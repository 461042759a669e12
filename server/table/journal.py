"""One table's log and the table it comes to: nothing is so before it is written, and what others write is read.

Several processes may keep a journal of one table; the log takes an entry only where it stands, so they never part.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Self

import structlog

from engine.errors import InputError
from engine.events import Event
from server.ops.metrics import UNREAD, Metrics
from server.records.tally import SeatCounts, Tally, counted
from server.storage.table_log import EMPTY, Conflict, FinishedGame, LogEntry, NotSaved, OutcomeUnknown, TableLog
from server.table.entries import Change, Moved, TableSettings, write_change
from server.table.finished import finished_game
from server.table.fold import apply, fold, follow
from server.table.state import TableState

EVENTS_KEPT: Final = 80
"""Events of the running game that somebody who comes late is shown."""

log = structlog.get_logger("quatch.journal")


class Closed(Exception):
    """The log of this table is no more; another may have its number."""


class Journal:
    """Writes and reads one table's log; `state` is the table as of its last entry."""

    def __init__(
        self,
        store: TableLog,
        entries: Sequence[LogEntry],
        wall: Callable[[], float],
        metrics: Metrics = UNREAD,
    ) -> None:
        """What has been read of the log, or begins it: see `load` and `begin`. Raises ValueError where it cannot be.

        Args:
            store: the log of all tables.
            entries: those of this one, from the first.
            wall: the time in seconds since 1970.
            metrics: where what happens at the table is counted.
        """
        self.metrics = metrics
        self.number = entries[0].table
        self.happened: deque[Event] = deque(maxlen=EVENTS_KEPT)
        """What happened last in the game that is played, or was."""
        self._counts: tuple[SeatCounts, ...] = ()
        """What each seat has done in that game."""
        self._store = store
        self._wall = wall
        self._news: list[Event] = []
        self.state, happened = fold(entries)
        self.head = entries[-1].head
        self._note(happened)

    @classmethod
    async def begin(
        cls, store: TableLog, number: int, settings: TableSettings, wall: Callable[[], float], metrics: Metrics = UNREAD
    ) -> Self:
        """Open a table. Raises Conflict where the number is taken, InputError where it cannot be or is not saved."""
        entry = LogEntry(number, 1, TableState.of(settings).digest(), wall(), write_change(settings))
        try:
            await store.append(EMPTY, entry)
        except OutcomeUnknown:
            raise Conflict("whether the table is open is not known: try another number") from None
        except NotSaved as error:
            raise _not_saved(error) from None
        return cls(store, [entry], wall, metrics)

    @classmethod
    async def load(cls, store: TableLog, number: int, wall: Callable[[], float], metrics: Metrics = UNREAD) -> Self:
        """A table that is open. Raises Closed, NotSaved, ValueError where this program cannot go on with it."""
        entries = await store.read(number)
        if not entries:
            raise Closed
        return cls(store, entries, wall, metrics)

    @property
    def decision_age(self) -> float:
        """Seconds since what is to be decided began to be, by the time of day, which may jump: its clock at most."""
        return min(max(0.0, self._wall() - self.state.since), self.state.clock or 0.0)

    @property
    def tally(self) -> Tally | None:
        """The game in figures, as long as it is the last one and over."""
        state = self.state
        if state.game is None or state.playing:
            return None
        return Tally(tuple(player.name for player in state.dealt), self._counts)

    def take_news(self) -> tuple[Event, ...]:
        """What has happened since this was asked last."""
        news, self._news = tuple(self._news), []
        return news

    async def add(self, change: Change) -> None:
        """Write a change; only then is it so.

        Raises InputError where it cannot be: the rules are against it, the log has gone on, or nothing can be saved.
        """
        at = self._wall()
        state, events = apply(self.state, change, at)
        entry = LogEntry(self.number, self.head.seq + 1, state.digest(), at, write_change(change))
        game = self._finished(state, at) if not state.playing and self.state.playing else None
        try:
            with self.metrics.append_seconds.time():
                await self._store.append(self.head, entry, game)
        except (Conflict, OutcomeUnknown) as failure:
            if isinstance(failure, OutcomeUnknown):
                self.metrics.log_failures["unknown"].inc()
            if not await self._has(entry, failure):
                raise InputError("stale", "the table has moved on: look again") from None
        except NotSaved as error:
            self.metrics.log_failures["not_saved"].inc()
            raise _not_saved(error) from None
        else:
            self._go_on(state, events, entry)
        self._count(change)

    async def catch_up(self) -> list[bytes]:
        """Read what others have written; it, as written. Raises InputError where it cannot be read or is no more."""
        try:
            # The last entry known is read again: whether it still stands there is what tells this table from another.
            entries = await self._store.read(self.number, self.head.seq - 1)
            if not entries or entries[0].head != self.head:
                return [entry.data for entry in await self._read_again()]
            for entry in entries[1:]:
                self._go_on(*follow(self.state, entry), entry)
            return [entry.data for entry in entries[1:]]
        except NotSaved as error:
            raise _not_saved(error) from None
        except Closed:
            raise InputError("closed", f"table {self.number} has closed") from None
        except ValueError as error:
            log.exception("table cannot be read", table=self.number)
            raise InputError("closed", f"table {self.number} has closed") from error

    async def close(self) -> None:
        """Drop the log where nobody else has gone on with it. Raises Conflict, Unknown, NotSaved."""
        await self._store.delete(self.number, self.head)

    def _count(self, change: Change) -> None:
        seat = self.state.seats[change.seat] if isinstance(change, Moved) else None
        if seat is not None:
            self.metrics.moves["ai" if seat.played_by_ai else seat.player.kind].inc()

    def _finished(self, state: TableState, ended: float) -> FinishedGame | None:
        """The game that has just ended, to be kept; that it cannot be is no reason for it to go on for ever."""
        try:
            return finished_game(state, ended)
        except Exception:
            log.exception("game not kept", table=self.number)
            return None

    async def _has(self, entry: LogEntry, failure: Conflict | OutcomeUnknown) -> bool:
        """Whether the log has an entry after all; raises InputError where that cannot be read."""
        try:
            return entry.data in await self.catch_up()
        except InputError as error:
            if error.code == "not_saved" and isinstance(failure, OutcomeUnknown):
                raise InputError("unknown", "it is not known whether that was saved: look again in a moment") from None
            raise

    async def _read_again(self) -> list[LogEntry]:
        """Read all of a log that is not what it was: set back after a failure, or gone, its number perhaps taken."""
        entries = await self._store.read(self.number)
        if not entries:
            raise Closed
        state, happened = fold(entries)
        if state.settings != self.state.settings:
            raise Closed
        self.state, self.head = state, entries[-1].head
        self.happened.clear()
        self._note(happened)
        return entries

    def _go_on(self, state: TableState, events: list[Event], entry: LogEntry) -> None:
        if state.deal != self.state.deal:
            self.happened.clear()
        self.state, self.head = state, entry.head
        self._note(events)
        self._news.extend(events)

    def _note(self, events: list[Event]) -> None:
        """These things have happened in the game, or are all that has."""
        if not self.happened:
            self._counts = (SeatCounts(),) * len(self.state.seats)
        self._counts = counted(self._counts, events)
        self.happened.extend(events)


def _not_saved(error: NotSaved) -> InputError:
    log.error("not saved", problem=str(error))
    return InputError("not_saved", f"nothing can be saved now ({error}), so nothing was done: try again in a moment")
