"""The task of one table: the only writer to its log in this process. It serves requests and does what is due.

What is due is decided in `deadlines`; a change counts, and is shown, only after it has been written to the log.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

import structlog

from engine.errors import InputError, Refused
from server.ai.pool import AIPool
from server.config import Config
from server.people.players import Player
from server.records.fairness import new_game_id
from server.storage.table_log import Head
from server.table import occasion_game, seats
from server.table.ai_turns import AITurns
from server.table.broadcaster import Broadcaster
from server.table.deadlines import Action, Duty, Think, TimeOut, deadlines
from server.table.entries import Away, Change, Committed, CutsClosed, Dealt, Moved
from server.table.inbox import Inbox
from server.table.journal import Decide, Journal, stale
from server.table.sleep import Sleep
from server.table.snapshot import Subscriber
from server.table.state import TableState
from server.table.table_events import AIPlayersSet, UnloggedEvent, UnloggedNews
from server.table.unlogged_state import UnloggedState

RETRY_SECONDS: Final = 1.0
"""How soon a task that failed is tried again."""

log = structlog.get_logger("quatch.table")


class AroundTable(Protocol):
    """What is around a table: the other tables, people and processes."""

    def table_changed(self, number: int) -> None:
        """The listing of this table has changed."""

    def elsewhere(self, number: int) -> frozenset[str]:
        """The ids of the players who are at this table in other processes."""

    def tell_others(self, number: int, news: UnloggedNews) -> None:
        """Tell the other processes what has happened at this table and is not in its log."""

    def are_looked_at(self) -> bool:
        """Whether somebody in this process looks at all tables."""

    def is_a_persons_name(self, name: str) -> bool:
        """Whether a person who is here, or has a seat at another table, has a name that looks like this one."""


class TableTask:
    """The log of a table, its subscribers and its deadlines. Only `run` and the requests that it serves change them."""

    def __init__(
        self,
        journal: Journal,
        config: Config,
        around: AroundTable,
        new_seed: Callable[[], str],
        ai_pool: AIPool,
        *,
        is_due: bool = False,
    ) -> None:
        """``is_due``: the table has slept for as long as it is kept, so it closes unless somebody comes at once."""
        number = journal.number
        self.journal = journal
        self.inbox = Inbox(f"table {number} has closed")
        self.now = asyncio.get_running_loop().time
        self.config = config
        self.listing_changed = partial(around.table_changed, number)
        self.is_a_persons_name = around.is_a_persons_name
        self._are_looked_at = around.are_looked_at
        self._new_seed = new_seed
        now, pace = self.now(), journal.state.settings.pace
        self.runtime = UnloggedState(
            pace=config.pace if pace is None else pace,
            changed_at=now,
            decision_began=now - journal.decision_age,
            empty_since=now,
            needless_since=now,
            elsewhere=around.elsewhere(number),
            closes_at=now if is_due else None,
        )
        self.broadcaster = Broadcaster(journal, self.runtime, partial(around.tell_others, number))
        self._ai_turns = AITurns(journal, self.runtime, ai_pool, self.inbox)
        self.sleep = Sleep(journal, self.runtime, config, self.now, self.catch_up)
        self._is_loaded = True
        self._failed: tuple[Head, str] | None = None
        """The last failure of a due task, and at which entry: it is logged once, though it is tried again."""
        self._shown = journal.head
        self._decision = journal.state.since
        """When the pending decision began, by the log: it is another decision if that differs."""

    @property
    def state(self) -> TableState:
        """The state of the table, as of the last entry of its log."""
        return self.journal.state

    # The loop.

    async def run(self) -> None:
        """Run until the table closes or is unloaded. If a request or a due task fails, the table lives on."""
        try:
            while self.journal.is_open and self._is_loaded:
                self._observe()
                first = next(iter(deadlines(self.state, self.runtime, self.config)), None)
                if first is not None and first.when <= self.now():
                    await self._try(first.what)
                    if isinstance(first.what, Think):
                        # Quick levels have found their move, which may be due before the next request.
                        continue
                if self.journal.is_open and self._is_loaded:
                    await self.inbox.serve_next(until=first and first.when)
        finally:
            self._ai_turns.drop_thought()
            self.inbox.close()
            why = occasion_game.why_closed(self.state, self.journal.seconds_until)
            self.broadcaster.close(self.journal.problem, why)

    def _observe(self) -> None:
        """Note which players are missed, what the AI player has found, who looks on, and when the occasion ends."""
        self.runtime.is_looked_at = self._are_looked_at()
        if self.state.occasion is not None and (ends := self.state.occasion.ends) is not None:
            self.runtime.ends_at = self.now() + self.journal.seconds_until(ends)
        self.runtime.note_missed(self.state, self.now())
        self._ai_turns.note_found()

    async def _try(self, action: Action) -> None:
        """Do what is due. If it fails it is tried again a little later, so that the table never stalls."""
        try:
            await self._do(action)
        except Exception as error:
            if not isinstance(error, InputError) and self._failed != (failure := (self.journal.head, repr(error))):
                self._failed = failure
                log.exception("not done", table=self.journal.number, action=action)
            self.runtime.retry_at = self.now() + RETRY_SECONDS

    async def _do(self, action: Action) -> None:
        match action:
            case Duty.FALL_ASLEEP:
                await self.sleep.begin()
            case Duty.UNLOAD:
                await self.unload()
            case Duty.CLOSE:
                await self.sleep.close()
            case Duty.COMMIT_DEAL:
                await self.append(self.committed())
            case Duty.DEAL:
                await self.write_all(partial(self.next_to_deal, seals_are_due=True))
            case Duty.END:
                await self.sleep.begin(within=0)
                await self.sleep.close()
            case Think(seat):
                self._ai_turns.begin_thought(seat)
            case TimeOut(numbers):
                self.journal.must_be_writable()
                await self._time_out(numbers)
            case Moved() as moved:
                await self._append_ai_move(moved)
            case change:
                await self.append(change)

    async def _append_ai_move(self, moved: Moved) -> None:
        """Make the move of an AI player. If the rules refuse it, make another one, so that the table goes on."""
        try:
            await self.append(moved)
        except Refused as refused:
            await self.append(self._ai_turns.other_move(moved, refused))

    async def _time_out(self, numbers: tuple[int, ...]) -> None:
        for seat in numbers:
            await self.append(Away(seat, "clock"))
            if not self.state.arranging and seat in self.state.deciding:
                # At once: coming back just now must be no way to get a second clock.
                await self._append_ai_move(self._ai_turns.move_at_once(seat))

    async def unload(self) -> None:
        """End this task if no player is here or about to come; if none is anywhere, the log says that it is asleep."""
        if self.runtime.asleep and self.runtime.closes_at is None:
            await self.sleep.begin()
        self._is_loaded = bool(self.runtime.here) or not self.inbox.is_empty

    async def give_way(self) -> None:
        """Fall asleep although players are present, and send them to the lobby. Raises InputError if not saved."""
        self.runtime.empty_since = self.now()
        await self.sleep.begin()
        self.broadcaster.send_away()
        self.note_players(self.runtime.elsewhere)
        self.listing_changed()

    # The log.

    async def write(self, decide: Decide) -> Change | None:
        """Write the change that the newest state calls for, if any, show it and return it; see `Journal.write`."""

        def show_and_decide(state: TableState) -> Change | None:
            self.show_change()  # what was read is shown before anything is waited for
            return decide(state)

        try:
            return await self.journal.write(show_and_decide)
        finally:
            self.show_change()

    async def write_all(self, next_of: Decide) -> None:
        """Write the changes that the newest state calls for, one after the other, until it calls for none."""
        while await self.write(next_of) is not None:
            pass

    async def append(self, change: Change) -> None:
        """Write a change that this state calls for and no other. Raises InputError, with "stale" for another state."""
        known = self.state

        def decide(state: TableState) -> Change:
            if state is not known:
                raise stale()
            return change

        await self.write(decide)

    def committed(self) -> Committed:
        """A commitment to the next deal."""
        return Committed(new_game_id(), self._new_seed())

    async def prepare(self, player: Player | None = None) -> None:
        """Do all that comes before the first decision on an occasion, unless that is done; ``player`` has come."""
        await self.write_all(lambda state: occasion_game.next_preparation(state, player, self.is_a_persons_name))

    async def change_ai_level(self, level: str) -> None:
        """Let AI players have this level in the next game: those in seats and those who take one. Not during a game."""
        if self.state.playing or self.state.opening:
            return
        self.runtime.ai_level = level
        await self.write_all(lambda state: None if state.playing else seats.change_ai_level(state, level))
        self.show()
        self.tell_of_ai_players()

    def tell_of_ai_players(self) -> None:
        """Tell other processes how AI players are to play here."""
        self.broadcaster.tell_others(AIPlayersSet(self.runtime.pace, self.runtime.ai_level))

    def next_to_deal(self, state: TableState, *, seals_are_due: bool = False) -> Change | None:
        """The next change on the way to a deal; None if the cards are dealt, or if sealed cuts are being opened.

        AI players take the empty seats, and play for players who have been absent too long. Sealed cuts are closed.
        ``seals_are_due``: they are open, or their time is up.
        """
        if state.playing or (state.opening and not seals_are_due):
            return None
        if filled := self._fill_seat(state):
            return filled
        if state.next_deal is not None and state.next_deal.is_sealed and not state.opening:
            return CutsClosed()
        for number in self.runtime.missed_since_before(state, self.now() - self.config.grace):
            return Away(number, "gone")
        return self.committed() if state.next_deal is None else Dealt(state.next_dealer)

    def _fill_seat(self, state: TableState) -> Change | None:
        """An AI player takes a seat that is empty, or another name if a person has its name; None if none need."""
        if renamed := seats.rename_ai_player(state, self.is_a_persons_name):
            return renamed
        has_room = None in state.seats
        return seats.add_ai_player(state, self.is_a_persons_name, self.runtime.ai_level) if has_room else None

    async def read_on(self) -> None:
        """Read what other processes have written, if the log can be read. Raises InputError if the table is closed."""
        try:
            await self.journal.read_on()
        finally:
            self.show_change()

    async def catch_up(self) -> None:
        """Read what another process has written. Raises InputError if that is not possible or the table is closed."""
        try:
            await self.journal.catch_up()
        finally:
            self.show_change()

    def show_change(self) -> None:
        """Show the table if its log has gone on, whatever became of the attempt to write or read it."""
        if self._shown == self.journal.head:
            return
        self._shown = self.journal.head
        # A table with a new entry is awake: somebody is there, or was just now.
        self.runtime.changed_at = self.runtime.empty_since = self.now()
        self.runtime.closes_at = None
        if self._decision != self.state.since:
            self._decision = self.state.since
            self.runtime.decision_began = self.now()
        self._ai_turns.drop_thought()
        self.show()

    # The subscribers and observers.

    def attach(self, subscriber: Subscriber, player_id: str) -> None:
        """Add a subscriber for this player. A new one is shown what has happened before."""
        is_new = subscriber not in self.broadcaster.player_ids
        self.broadcaster.player_ids[subscriber] = player_id
        self.note_players(self.runtime.elsewhere)
        if is_new:
            self.broadcaster.recall(subscriber, self.runtime.decision_deadline(self.state))

    def detach(self, subscriber: Subscriber) -> str | None:
        """Remove a subscriber; returns the id of its player, None if it was not here."""
        player_id = self.broadcaster.player_ids.pop(subscriber, None)
        self.note_players(self.runtime.elsewhere)
        return player_id

    def show(self, *unlogged: UnloggedEvent) -> None:
        """Push the newest snapshot to every subscriber, with these events, and have the lobby list the table anew."""
        self.broadcaster.show(self.runtime.decision_deadline(self.state), *unlogged)
        self.listing_changed()

    def note_players(self, elsewhere: frozenset[str]) -> None:
        """Note who is present: the players of the subscribers here, and these in other processes."""
        self.runtime.note_players(frozenset(self.broadcaster.player_ids.values()), elsewhere, self.now())
