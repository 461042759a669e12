"""The log of one tournament, as this process has read it. What counts is decided by the order of the log alone."""

import secrets
from collections.abc import Callable

import structlog

from engine.errors import InputError
from server.storage.key_value_store import save
from server.storage.table_log import TableLog
from server.tournament import events
from server.tournament.events import Event, Opened, events_of, read_event, write_event
from server.tournament.fold import after, apply
from server.tournament.state import MOST_EVENTS, Tournament

log = structlog.get_logger("quatch.tournaments")


class TournamentLog:
    """One tournament: its `state` as of the last event that was read."""

    def __init__(self, store: TableLog, tournament: str, opened: Opened) -> None:
        self.state = Tournament(tournament, opened, last_at=opened.at)
        self.happened: Callable[[Tournament, Event], None] = lambda _, __: None
        """Called for each event that counts, with the tournament after it."""
        self._store = store
        self._kind = events_of(tournament)
        self._read = 0
        self._ignored: dict[str, InputError] = {}
        """Why events of this process that were written just now are ignored, by their keys."""
        self._written = set[str]()
        """The keys of events that this process is writing."""

    async def read(self) -> None:
        """Read what has been written. Raises NotSaved."""
        rows = await self._store.read_texts(self._kind, self._read)
        news = [row for row in rows if row.number > self._read]  # another reader may have been faster
        for row in news:
            self._read = row.number
            if row.text is None:
                continue
            try:
                event = read_event(row.text)
            except ValueError as error:
                log.warning("event of a tournament ignored", tournament=self.state.id, problem=str(error))
                continue
            self.state, ignored = after(self.state, event)
            if ignored is None:
                self.happened(self.state, event)
            elif row.key in self._written:
                self._ignored[row.key] = ignored

    async def write(self, event: Event) -> None:
        """Write an event. Raises InputError if it is not possible, if it cannot be saved, or if others were faster."""
        await self.read()
        apply(self.state, event)
        is_players = isinstance(event, events.Entered | events.Left | events.SatOut | events.Called)
        most = MOST_EVENTS // 2 if is_players else MOST_EVENTS
        # Without the results of games that go on it could never end.
        if self.state.events >= most and not isinstance(event, events.Finished | events.Closed):
            raise InputError("too_many", f"{self.state.name} has {most} entries in its log, so it can only end")
        key = secrets.token_hex(8)
        self._written.add(key)
        try:
            await save(self._store, self._kind, key, write_event(event))
            await self.read()
            if (ignored := self._ignored.pop(key, None)) is not None:
                raise ignored
        finally:
            self._written.discard(key)
