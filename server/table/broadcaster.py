"""A table as it is logged and shown: every change is written first, then every member is shown their own view of it."""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.errors import InputError
from server.storage.store import Conflict
from server.table.entries import Change
from server.table.journal import Journal
from server.table.projections import public_snapshot, snapshot_for
from server.table.snapshot import Member, Snapshot
from server.table.state import Facts
from server.table.subscribers import Members

Changed = Callable[[], None]


class Stage:
    """The log of one table and the members who look at it. Only the table's own task may change it."""

    def __init__(self, journal: Journal, changed: Changed) -> None:
        """``changed`` is called whenever the lobby's listing of the table has changed."""
        self.journal = journal
        self.members = Members()
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
        self._since = journal.facts.since

    @property
    def facts(self) -> Facts:
        """The whole truth about the table."""
        return self.journal.facts

    # Who is here.

    def come(self, member: Member, player_id: str) -> bool:
        """Somebody is here; whether they were not before. Nobody's clock has run while nobody was here."""
        if not self.members:
            self.moved_at = self.decision_began = self.now()
        came = self.members.id_of(member) is None
        self.members.add(member, player_id)
        return came

    def go(self, member: Member) -> str | None:
        """Somebody goes; the id of their player, None where they were not here."""
        player_id = self.members.remove(member)
        if not self.members:
            self.empty_since = self.now()
        return player_id

    def meet(self, elsewhere: frozenset[str]) -> None:
        """These are at the table in other processes."""
        if self.elsewhere and not elsewhere:
            self.empty_since = self.now()
        self.elsewhere = elsewhere

    def present(self, player_id: str) -> bool:
        """Whether this player is at the table, here or elsewhere."""
        return self.members.present(player_id) or player_id in self.elsewhere

    def seat_of(self, member: Member) -> int | None:
        """The seat that a member has; None for spectators."""
        player_id = self.members.id_of(member)
        return None if player_id is None else self.facts.seat_of(player_id)

    @property
    def asleep(self) -> bool:
        """Whether nobody is at the table, neither here nor elsewhere."""
        return not (self.members or self.elsewhere)

    @property
    def watching(self) -> int:
        """How many look on."""
        return sum(self.facts.seat_of(player_id) is None for player_id in self.members.ids())

    @property
    def deadline(self) -> float | None:
        """When the time of those who have something to decide is up, in the event loop's time."""
        clock = self.facts.clock
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

    def note(self, line: str, about: Member | None = None) -> None:
        """Tell everybody here, but for whom it is about, what nobody needs to know who comes later."""
        self.members.tell(lambda member: None if member is about else member.note(line))

    def _public(self) -> Snapshot:
        """What all members may know: the same for each of them, so put together once."""
        return public_snapshot(self.facts, self.journal.number, self.watching, self.deadline, self.journal.tally)

    def show(self) -> None:
        """Give every member the newest view of their own, and what they may know of what happened."""
        news, public = self.journal.take_news(), self._public()

        def push(member: Member) -> None:
            seat = self.seat_of(member)
            eyes = self.facts.eyes(seat)
            member.push(snapshot_for(public, self.facts, seat), tuple(event.seen_by(eyes) for event in news))

        self.members.tell(push)
        self._changed()

    def recall(self, member: Member) -> None:
        """Show a member who has just come what happened before."""
        seat = self.seat_of(member)
        eyes = self.facts.eyes(seat)
        member.recall(
            snapshot_for(self._public(), self.facts, seat),
            tuple(event.seen_by(eyes) for event in self.journal.happened),
        )

    def _show_change(self) -> None:
        if self._shown != self.journal.head:
            self._shown = self.journal.head
            self.moved_at = self.now()
            if self._since != self.facts.since:
                self._since = self.facts.since
                self.decision_began = self.now()
            self.show()
