"""What one table does by itself, when it is due: see `deadlines`.

It deals, lets AI players move, has them play for players who are missed, and lets the table sleep and close.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol

import structlog

from engine.ai.hesitation import hesitation
from engine.errors import InputError, Refused
from server.addresses import mark_of
from server.ai.pool import AIPool, Question, Thought, any_moves
from server.config import Config
from server.fair_queue import PAYER, Payer
from server.ledger import Ledger
from server.limits import GAMES_KEPT, PAGE_BYTES, PAGES_KEPT
from server.people.players import Player
from server.records.fairness import new_game_id
from server.storage.database import Conflict, FinishedGame, Head
from server.table import occasion_game, seats
from server.table.deadlines import WAKING_SECONDS, Action, Deadline, Duty, Think, TimeOut, deadlines, kept_seconds
from server.table.entries import Away, Change, Committed, CutsClosed, Dealt, Moved
from server.table.finished_game import counts_for_a_person
from server.table.inbox import Inbox
from server.table.journal import Decide, Journal, stale
from server.table.state import TableState
from server.table.table_events import UnloggedNews
from server.table.unlogged_state import UnloggedState


class Sleep:
    """What the log says about the sleep of one table; `runtime` knows it, too.

    A player who comes wakes the table in the log first, here or in another process. A table closes only while the log
    says that it is asleep and due, so a player who returns at that moment is faster. A player may have come to another
    process just before the table fell asleep: that process has `WAKING_SECONDS` to wake it.
    """

    def __init__(self, journal: Journal, runtime: UnloggedState, config: Config, now: Callable[[], float]) -> None:
        """``now`` returns the event loop's time."""
        self._journal = journal
        self._runtime = runtime
        self._config = config
        self._now = now

    async def begin(self, *, within: float | None = None) -> None:
        """Note that the table is empty and closes when it is due, or ``within`` so many seconds. Raises InputError."""
        if within is not None:
            closes_at = self._now() + within
        else:
            closes_at = max(self._now(), self._runtime.empty_since + self._kept_seconds)
            if self._runtime.ends_at is not None:
                closes_at = min(closes_at, self._runtime.ends_at)
        await self._write(self._journal.put_to_sleep(closes_at - self._now()))
        self._note_closing(closes_at)

    async def end(self) -> None:
        """Note that somebody comes. Raises InputError, with "closed" if the table has closed."""
        if self._runtime.closes_at is not None:
            await self._journal.wake()
        self._wake()

    async def close(self) -> None:
        """Close a table that is due; a running game is kept as one that came to no end. Raises InputError."""
        await self._write(self._journal.close())

    async def follow(self, due: float | None) -> None:
        """Note when the table is due by the log; None if somebody has woken it. Wakes it if somebody is here."""
        if due is None:
            self._wake()
            return
        self._note_closing(self._now() + self._journal.seconds_until(due))
        if self._runtime.here:
            await self.end()

    async def _write(self, writing: Awaitable[None]) -> None:
        """Write to the log. Raises InputError if somebody came in another process, or if nothing can be saved."""
        try:
            await writing
        except Conflict:
            self._wake()
            await self._journal.catch_up()
            raise stale() from None

    @property
    def _kept_seconds(self) -> float:
        return kept_seconds(self._journal.state, self._config)

    def _note_closing(self, closes_at: float) -> None:
        """Note when the table closes; a little later if other processes would have no time to wake it."""
        waking = min(WAKING_SECONDS, self._kept_seconds)
        self._runtime.closes_at = max(closes_at, self._now() + waking)

    def _wake(self) -> None:
        self._runtime.closes_at = None
        self._runtime.empty_since = self._runtime.needless_since = self._now()


RETRY_SECONDS: Final = 1.0
"""How soon something due that failed is tried again."""

log = structlog.get_logger("quatch.table")


class AroundTable(Protocol):
    """What is around a table: the settings, AI players, the other tables, people and processes."""

    config: Config
    ai_pool: AIPool
    ledger: Ledger

    def new_seed(self) -> str:
        """Makes the seed of a deal."""

    def must_allow_games(self) -> None:
        """Raises InputError if no game may begin."""

    def elsewhere(self, number: int, /) -> frozenset[str]:
        """The ids of the players who are at this table in other processes."""

    def tell_others(self, number: int, news: UnloggedNews, /) -> None:
        """Tell the other processes what has happened at this table and is not in its log."""

    def table_changed(self, number: int) -> None:
        """The listing of this table has changed."""

    def are_looked_at(self) -> bool:
        """Whether somebody in this process looks at all tables."""

    def is_a_persons_name(self, name: str) -> bool:
        """Whether a person who is here, or has a seat at another table, has a name that looks like this one."""


class OwnWork:
    """What is due at one table, done in turn with the requests that its inbox carries out."""

    def __init__(self, journal: Journal, runtime: UnloggedState, around: AroundTable) -> None:
        """Nothing is done before the inbox serves."""
        self._journal = journal
        journal.on_kept = self._charge_kept
        self._deals_payer: Payer | None = None
        """The payer of the last deal here. They also pay for its game if it is kept, even if another player ends it."""
        self._runtime = runtime
        self._around = around
        self._now = asyncio.get_running_loop().time
        self.inbox = Inbox(f"table {journal.number} has closed", self._end_or_next_due, self._do_due)
        self.sleep = Sleep(journal, runtime, around.config, self._now)
        self._thought: asyncio.Future[Thought] | None = None
        """The AI player's move that `runtime.thinking` is about, as soon as it is found."""
        self._is_loaded = True
        self._failed: tuple[Head, str] | None = None
        """The last failure of something due, and at which entry: it is logged once, though it is tried again."""

    def _end_or_next_due(self) -> float | None:
        """When something is due, in the event loop's time; None if nothing ever is, as after the end of the table."""
        if not (self._journal.is_open and self._is_loaded):
            self.inbox.end()
            return None
        first = self._look_what_is_due()
        return None if first is None else first.when

    def _look_what_is_due(self) -> Deadline | None:
        """What is due first, after a look at who is missed, at the AI player's thought and at who looks on."""
        state, runtime, now = self._journal.state, self._runtime, self._now()
        runtime.is_looked_at = self._around.are_looked_at()
        if state.occasion is not None and (ends := state.occasion.ends) is not None:
            runtime.ends_at = now + self._journal.seconds_until(ends)
        runtime.note_missed(state, now)
        if self._thought is not None and self._thought.done():
            runtime.found = self._thought.result()
        return next(iter(deadlines(state, runtime, self._around.config)), None)

    async def _do_due(self) -> None:
        """Do what is due, if anything is. If it fails it is tried again a little later: the table never stalls."""
        while (first := self._look_what_is_due()) is not None and first.when <= self._now():
            try:
                await self._do(first.what)
            except Exception as error:
                if not isinstance(error, InputError) and self._failed != (failure := (self._journal.head, repr(error))):
                    self._failed = failure
                    log.exception("not done", table=self._journal.number, action=first.what)
                self._runtime.retry_at = self._now() + RETRY_SECONDS
            if not isinstance(first.what, Think):  # quick levels have found their move at once
                return

    async def _do(self, action: Action) -> None:
        match action:
            case Duty.FALL_ASLEEP:
                await self.sleep.begin()
            case Duty.UNLOAD:
                await self.unload()
            case Duty.CLOSE:
                await self.sleep.close()
            case Duty.COMMIT_DEAL:
                await self._append(self.committed())
            case Duty.DEAL:
                await self.write_all(partial(self.next_to_deal, seals_are_due=self._journal.state.opening))
            case Duty.END:
                await self.sleep.begin(within=0)
                await self.sleep.close()
            case Think(seat):
                self._begin_thought(seat)
            case TimeOut(numbers):
                self._journal.must_be_writable()
                await self._time_out(numbers)
            case Moved() as moved:
                await self._append_ai_move(moved)
            case change:
                await self._append(change)

    async def _append_ai_move(self, moved: Moved) -> None:
        """Make the move of an AI player. If the rules refuse it, make another one, so that the table goes on."""
        try:
            await self._append(moved)
        except Refused as refused:
            await self._append(self._other_move(moved, refused))

    async def _time_out(self, numbers: tuple[int, ...]) -> None:
        for seat in numbers:
            await self._append(Away(seat, "clock"))
            if not self._journal.state.arranging and seat in self._journal.state.deciding:
                # At once: coming back just now must be no way to get a second clock.
                move = self._around.ai_pool.think_at_once(self._question(seat))
                await self._append_ai_move(Moved(seat, str(move)))

    def _begin_thought(self, seat: int) -> None:
        """Let the AI player of a seat think; the table looks again when it has found its move."""
        question = self._question(seat)
        self._runtime.hesitation = hesitation(question.view) if self._runtime.pace else 0.0
        thought = self._around.ai_pool.think(question)
        if not thought.done():
            thought.add_done_callback(lambda _: self.inbox.look_again())
        self._thought, self._runtime.thinking = thought, seat

    def drop_thought(self) -> None:
        """Think no more about the decision that was pending."""
        if self._thought is not None:
            self._thought.cancel()
        self._thought = self._runtime.thinking = self._runtime.found = None

    def _other_move(self, moved: Moved, refused: Refused) -> Moved:
        """Another move in place of one that the rules refuse, so that the table goes on; the same if there is none."""
        view = self._question(moved.seat).view
        problem, number = refused.message, self._journal.number
        log.warning("AI move refused", table=number, move=moved.move, problem=problem, position=view)
        others = (str(move) for move in any_moves(view, moved.seat) if str(move) != moved.move)
        return Moved(moved.seat, next(others, moved.move))

    def _question(self, seat: int) -> Question:
        return self._journal.state.question(self._journal.head.seq, seat)

    async def unload(self) -> None:
        """Forget the table if no player is here or about to come; if none is anywhere, the log says that it sleeps."""
        if self._runtime.deserted and self._runtime.closes_at is None:
            await self.sleep.begin()
        self._is_loaded = bool(self._runtime.here) or not self.inbox.is_empty

    async def _append(self, change: Change) -> None:
        """Write a change that this state calls for and no other. Raises InputError, with "stale" for another state."""
        known = self._journal.state

        def decide(state: TableState) -> Change:
            if state is not known:
                raise stale()
            return change

        await self._journal.write(decide)

    async def write_all(self, next_of: Decide) -> None:
        """Write the changes that the newest state calls for, one after the other, until it calls for none.

        A deal is charged to the payer of what is done now.
        """
        while (change := await self._journal.write(next_of)) is not None:
            if isinstance(change, Dealt):
                self._deals_payer, ledger = PAYER.get(), self._around.ledger
                if change.source:
                    ledger.charge_used(PAGES_KEPT, self._deals_payer.address.share, 1.0)
                if change.source and not counts_for_a_person(self._journal.state):
                    ledger.charge_used(GAMES_KEPT, self._deals_payer.address.share, 1.0)

    async def prepare(self, player: Player | None = None) -> None:
        """Do all that comes before the first decision on an occasion, unless that is done; ``player`` has come."""
        is_a_persons_name = self._around.is_a_persons_name
        await self.write_all(lambda state: occasion_game.next_preparation(state, player, is_a_persons_name))

    def committed(self) -> Committed:
        """A commitment to the next deal."""
        return Committed(new_game_id(), self._around.new_seed())

    def next_to_deal(self, state: TableState, *, seals_are_due: bool = False) -> Change | None:
        """The next change on the way to a deal; None if the cards are dealt, or if sealed cuts are being opened.

        AI players take the empty seats, and play for players who have been absent too long, or who have not agreed to
        another game in time: that counts for nobody who was not there. Sealed cuts are closed.
        ``seals_are_due``: they are open, or their time is up.
        """
        is_a_persons_name = self._around.is_a_persons_name
        if state.playing or (state.opening and not seals_are_due):
            return None
        if renamed := seats.rename_ai_player(state, is_a_persons_name):
            return renamed
        if None in state.seats:
            return seats.add_ai_player(state, is_a_persons_name, self._runtime.ai_level)
        if state.next_deal is not None and state.next_deal.is_sealed and not state.opening:
            return CutsClosed()
        for number in self._runtime.missed_since_before(state, self._now() - self._around.config.grace):
            return Away(number, "gone")
        late = self._runtime.undecided(state) if self._runtime.agreed else ()
        for number, seat in enumerate(state.seats):
            if seat and seat.player.id in late and not seat.away:
                return Away(number, "clock")
        if state.next_deal is None:
            return self.committed()
        return Dealt(state.next_dealer, source="" if state.others_wait else self._source_of_deal(state))

    def _source_of_deal(self, state: TableState) -> str | None:
        """What `Dealt.source` says if the payer of what is done now deals; None if their games are kept no more."""
        share, ledger = PAYER.get().address.share, self._around.ledger
        is_full = ledger.wait(PAGES_KEPT, share) or (not counts_for_a_person(state) and ledger.wait(GAMES_KEPT, share))
        return None if is_full else mark_of(share)

    def _charge_kept(self, game: FinishedGame) -> None:
        """Charge the bytes of a game that is kept. The first page was charged at the deal."""
        if pages := (len(game.record) + len(game.result)) // PAGE_BYTES:
            self._around.ledger.charge_used(PAGES_KEPT, (self._deals_payer or PAYER.get()).address.share, pages)
