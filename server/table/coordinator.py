"""One table: its coordinator is the only one here who writes to its log and decides in which order things happen.

Everything that members ask for goes through a bounded inbox; between requests the coordinator does what is due.
"""

from collections.abc import Callable

from engine.errors import InputError
from engine.moves import READY, Move
from server.ai.pool import AIPool
from server.config import Config
from server.limits import ARRANGING_MOVES
from server.people.players import Player
from server.storage.store import Head
from server.table.ai_turns import AITurns
from server.table.broadcaster import Changed, Stage
from server.table.entries import Cut, Dealt, Moved, Sat
from server.table.inbox import Inbox
from server.table.journal import Journal
from server.table.projections import listing
from server.table.schedule import Schedule
from server.table.seating import Seating
from server.table.snapshot import Listing, Subscriber
from server.table.state import TableState


class Table:
    """A table and the task that runs it."""

    def __init__(
        self,
        journal: Journal,
        config: Config,
        *,
        changed: Changed,
        new_seed: Callable[[], str],
        elsewhere: frozenset[str] = frozenset(),
        ai_pool: AIPool | None = None,
        may_begin: Callable[[], None] = lambda: None,
    ) -> None:
        """`run` makes it live.

        Args:
            journal: its log, begun or loaded.
            config: the pace of AI players, and how long what is kept.
            changed: called whenever the lobby's listing of it has changed.
            new_seed: where the seeds of its deals come from.
            elsewhere: the ids of the players who are at it in other processes.
            ai_pool: where its AI players think; None for here and at once.
            may_begin: raises InputError where no game may begin.
        """
        self.number = journal.number
        self._may_begin = may_begin
        self._stage = Stage(journal, changed)
        self._stage.meet(elsewhere)
        self._inbox = Inbox(f"table {self.number} has closed")
        ai_turns = AITurns(self._stage, ai_pool or AIPool(), self._inbox.wake)
        self._schedule = Schedule(self._stage, config, new_seed, ai_turns)
        self._seating = Seating(self._stage, self._schedule, config.grace)

    # What members ask for. Each waits its turn in the inbox and raises InputError where it cannot be.

    async def join(self, subscriber: Subscriber, player: Player, word: str = "") -> None:
        """Be at the table: in the seat one holds, else watching."""
        await self._inbox.ask(lambda: self._seating.join(subscriber, player, word))

    async def sit(self, subscriber: Subscriber, player: Player, word: str = "") -> None:
        """Take a free seat, or again the one that was kept."""
        await self._inbox.ask(lambda: self._seating.sit(subscriber, player, word))

    async def leave(self, subscriber: Subscriber, *, for_good: bool) -> None:
        """Go away; never refused. Who does not leave for good may return to their seat."""
        await self._inbox.ask(lambda: self._seating.leave(subscriber, for_good=for_good), may_refuse=False)

    async def start(self, subscriber: Subscriber) -> None:
        """Begin a game; AI players take the empty seats, and play for those who are away."""
        await self._inbox.ask(lambda: self._start(subscriber))

    async def move(self, subscriber: Subscriber, ply: int, move: Move, game: str | None = None) -> None:
        """Make a move, bound to the ply at which its player saw the game, and to that game: None for the one now."""
        deal = self._facts.deal
        seen = game if game is not None or deal is None else deal.game
        asked = self._stage.now()
        await self._inbox.ask(lambda: self._move(subscriber, seen or "", ply, move, asked))

    async def back(self, subscriber: Subscriber) -> None:
        """Take one's seat back from the AI player that has played it."""
        await self._inbox.ask(lambda: self._seating.back(subscriber))

    async def cut(self, subscriber: Subscriber, text: str) -> None:
        """Cut the cards of the next deal."""
        await self._inbox.ask(lambda: self._cut(subscriber, text))

    async def add(self, subscriber: Subscriber, level: str = "", style: str = "") -> None:
        """Have an AI player take a free seat; for the host of the table. Without a level it has the table's."""
        await self._inbox.ask(lambda: self._seating.add(subscriber, level, style))

    async def remove(self, subscriber: Subscriber, number: int) -> None:
        """Free a seat; for the host of the table."""
        await self._inbox.ask(lambda: self._seating.remove(subscriber, number))

    async def expel(self, player_id: str) -> None:
        """Free the seat of this player, who may not sit here again: the host of the server wants it so."""
        await self._inbox.ask(lambda: self._seating.expel(player_id), may_refuse=False)

    async def set_pace(self, subscriber: Subscriber, seconds: float) -> None:
        """Have AI players here take so long for show; for the host of the table."""

        async def request() -> None:
            self._seating.must_be_host(subscriber)
            self._schedule.pace = seconds

        await self._inbox.ask(request)

    async def catch_up(self) -> None:
        """Another process has written to the log: read on."""
        await self._inbox.ask(self._stage.catch_up, may_refuse=False)

    async def meet(self, elsewhere: frozenset[str]) -> None:
        """The players with these ids are at the table in other processes."""

        async def meet() -> None:
            self._stage.meet(elsewhere)

        if elsewhere != self._stage.elsewhere:
            await self._inbox.ask(meet, may_refuse=False)

    def say(self, subscriber: Subscriber, name: str, line: str) -> None:
        """Talk: to everybody at the table, but while a game goes on spectators are heard by spectators alone."""
        stage = self._stage
        hushed = self._facts.playing and stage.seat_of(subscriber) is None
        said = f"(watching) {line}" if hushed else line
        stage.subscribers.tell(
            lambda other: None if hushed and stage.seat_of(other) is not None else other.hear(name, said)
        )

    # What the lobby asks.

    @property
    def head(self) -> Head:
        """Where its log stands, as far as is known here."""
        return self._stage.journal.head

    @property
    def word(self) -> str:
        """What one has to say to come in; for its host."""
        return self._facts.settings.word

    def listing(self) -> Listing:
        """The table as the lobby lists it."""
        return listing(self.number, self._facts, self._stage.watching, asleep=self._stage.asleep)

    def seat_name(self, player_id: str) -> str | None:
        """The name on the seat that this player has here; None where they have none."""
        return self.names().get(player_id)

    def names(self) -> dict[str, str]:
        """The names on the seats that persons and bots have, by their ids."""
        return {seat.player.id: seat.player.name for seat in self._facts.seats if seat and seat.player.kind != "ai"}

    def present(self) -> frozenset[str]:
        """The ids of those who are here."""
        return frozenset(self._stage.subscribers.ids())

    # The task.

    async def run(self) -> None:
        """Run until it closes. Whatever goes wrong in one request, the table lives on."""
        try:
            while self._stage.is_open:
                due = self._schedule.next()
                await self._inbox.serve_next(None if due is None else due.when)
                if self._stage.is_open:
                    await self._schedule.run_due()
        finally:
            self._inbox.close()
            self._stage.subscribers.tell(lambda subscriber: subscriber.closed())

    # Requests to the game; those to the seats are `Seating`'s.

    async def _start(self, subscriber: Subscriber) -> None:
        self._seating.seat_of(subscriber, "only those who sit can start the game: say sit to take a seat")
        if self._facts.playing:
            raise InputError("wrong_phase", "the game is going on already")
        self._may_begin()
        for number, seat in enumerate(self._facts.seats):
            if seat is None:
                await self._stage.change(Sat(number, self._schedule.new_ai_player()))
        await self._schedule.play_for_absent()
        if self._facts.next_deal is None:
            await self._schedule.commit()
        await self._stage.change(Dealt(self._next_dealer()))

    def _next_dealer(self) -> int | None:
        """The deal goes round; where a last winner matters they are the dealer, since the start is left of them."""
        state = self._facts
        last = state.view(None)
        if state.rules.start_who == "random" and last is not None and last.places:
            return last.places[0]
        return None if state.dealer is None else (state.dealer + 1) % len(state.seats)

    async def _move(self, subscriber: Subscriber, game: str, ply: int, move: Move, asked: float) -> None:
        seat = self._seating.seat_of(subscriber, "you are watching: say sit between games to take a seat")
        if self._seating.sitting(seat).away:
            await self._seating.take_back(seat)
            if seat not in self._facts.deciding:
                raise InputError("not_your_turn", "that came too late: an AI player has moved for you")
        state = self._facts
        # While arranging others move as well, which is nothing to one's own cards.
        in_time = ply <= state.ply if state.arranging else ply == state.ply
        if not in_time or game != (state.deal.game if state.deal else ""):
            raise InputError("stale", "the table has moved on since you typed that: look again")
        if state.arranging and move != READY and state.moves_of(seat) >= ARRANGING_MOVES:
            raise InputError("too_fast", f"you have arranged your cards {ARRANGING_MOVES} times: say ready")
        await self._stage.change(Moved(seat, str(move)))
        self._stage.journal.metrics.move_seconds.observe(self._stage.moved_at - asked)

    async def _cut(self, subscriber: Subscriber, text: str) -> None:
        player = self._seating.sitting(self._seating.seat_of(subscriber, "only those who sit can cut")).player
        if self._facts.next_deal is None:
            raise InputError("wrong_phase", "the cards are cut before they are dealt: wait for the next game")
        await self._stage.change(Cut(player.name, text, player.id))

    @property
    def _facts(self) -> TableState:
        return self._stage.state
