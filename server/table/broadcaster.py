"""A table as it is logged and shown: every change is written first, then every member is shown their own view of it."""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.errors import InputError
from server.storage.store import Conflict
from server.table.entries import Change
from server.table.journal import Journal
from server.table.projections import public_snapshot, snapshot_for
from server.table.snapshot import Snapshot, Subscriber
from server.table.state import TableState
from server.table.subscribers import Subscribers

Changed = Callable[[], None]


class Stage:
    """The log of one table and the members who look at it. Only the table's own task may change it."""

    def __init__(self, journal: Journal, changed: Changed) -> None:
        """``changed`` is called whenever the lobby's listing of the table has changed."""
        self.journal = journal
        self.subscribers = Subscribers()
        self.is_open = True
        self.now: Final = asyncio.get_running_loop().time
        self.moved_at = self.now()
        """When the table last changed."""
        self.decision_began = self.now() - journal.decision_age
        """When what is to be decided began to be, in the event loop's time: only at first by the time of day."""
        self.empty_since = self.now()
        """When the last member left, here or in another process; where nobody has been yet, when it was loaded."""
        self.elsewhere = frozenset[str]()
        """The ids of those who are at the table in other processes."""
        self._changed = changed
        self._shown = journal.head
        self._since = journal.state.since

    @property
    def state(self) -> TableState:
        """The whole truth about the table."""
        return self.journal.state

    # Who is here.

    def come(self, subscriber: Subscriber, player_id: str) -> bool:
        """Somebody is here; whether they were not before. Nobody's clock has run while nobody was here."""
        if not self.subscribers:
            self.moved_at = self.decision_began = self.now()
        came = self.subscribers.id_of(subscriber) is None
        self.subscribers.add(subscriber, player_id)
        return came

    def go(self, subscriber: Subscriber) -> str | None:
        """Somebody goes; the id of their player, None where they were not here."""
        player_id = self.subscribers.remove(subscriber)
        if not self.subscribers:
            self.empty_since = self.now()
        return player_id

    def meet(self, elsewhere: frozenset[str]) -> None:
        """These are at the table in other processes."""
        if self.elsewhere and not elsewhere:
            self.empty_since = self.now()
        self.elsewhere = elsewhere

    def present(self, player_id: str) -> bool:
        """Whether this player is at the table, here or elsewhere."""
        return self.subscribers.present(player_id) or player_id in self.elsewhere

    def seat_of(self, subscriber: Subscriber) -> int | None:
        """The seat that a member has; None for spectators."""
        player_id = self.subscribers.id_of(subscriber)
        return None if player_id is None else self.state.seat_of(player_id)

    @property
    def asleep(self) -> bool:
        """Whether nobody is at the table, neither here nor elsewhere."""
        return not (self.subscribers or self.elsewhere)

    @property
    def watching(self) -> int:
        """How many look on."""
        return sum(self.state.seat_of(player_id) is None for player_id in self.subscribers.ids())

    @property
    def deadline(self) -> float | None:
        """When the time of those who have something to decide is up, in the event loop's time."""
        clock = self.state.clock
        return None if clock is None else self.decision_began + clock

    # What changes, and what is shown.

    async def change(self, change: Change) -> None:
        """Log a change; only then is it so, and only then does anybody see it. Raises InputError."""
        try:
            await self.journal.add(change)
        except InputError as error:
            self.is_open = error.code != "closed"
            raise
        finally:
            self._show_change()

    async def catch_up(self) -> None:
        """Read what another process has written. Raises InputError where the table is no more."""
        try:
            if await self.journal.catch_up():
                self.empty_since = self.now()
        except InputError as error:
            self.is_open = error.code != "closed"
            raise
        finally:
            self._show_change()

    async def close(self) -> None:
        """Drop the table, or go on with it where another process has. Raises NotSaved, Unknown."""
        try:
            await self.journal.close()
        except Conflict:
            await self.catch_up()
        else:
            self.is_open = False

    def note(self, line: str, about: Subscriber | None = None) -> None:
        """Tell everybody here, but for whom it is about, what nobody needs to know who comes later."""
        self.subscribers.tell(lambda subscriber: None if subscriber is about else subscriber.note(line))

    def _public(self) -> Snapshot:
        """What all members may know: the same for each of them, so put together once."""
        return public_snapshot(self.state, self.journal.number, self.watching, self.deadline, self.journal.tally)

    def show(self) -> None:
        """Give every member the newest view of their own, and what they may know of what happened."""
        news, public = self.journal.take_news(), self._public()

        def push(subscriber: Subscriber) -> None:
            seat = self.seat_of(subscriber)
            viewpoint = self.state.viewpoint(seat)
            subscriber.push(snapshot_for(public, self.state, seat), tuple(event.seen_by(viewpoint) for event in news))

        self.subscribers.tell(push)
        self._changed()

    def recall(self, subscriber: Subscriber) -> None:
        """Show a member who has just come what happened before."""
        seat = self.seat_of(subscriber)
        viewpoint = self.state.viewpoint(seat)
        subscriber.recall(
            snapshot_for(self._public(), self.state, seat),
            tuple(event.seen_by(viewpoint) for event in self.journal.happened),
        )

    def _show_change(self) -> None:
        if self._shown != self.journal.head:
            self._shown = self.journal.head
            self.moved_at = self.now()
            if self._since != self.state.since:
                self._since = self.state.since
                self.decision_began = self.now()
            self.show()
