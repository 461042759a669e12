"""One table: its coordinator is the only one here who writes to its log and decides in which order things happen.

Everything that members ask for goes through a bounded inbox; between requests the coordinator does what is due.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from engine.errors import InputError
from engine.moves import READY, Move
from server.ai_seats import sits_down
from server.ai_turns import AITurns
from server.changes import Barred, Cut, Dealt, Moved, Returned, Sat
from server.config import Config
from server.facts import Facts, Seat
from server.inbox import Inbox
from server.journal import Journal
from server.limits import ARRANGING_MOVES
from server.players import Player
from server.schedule import Schedule
from server.showing import listing
from server.stage import Changed, Stage
from server.store import Head
from server.thinking import Thinker
from server.update import Listing, Member

ATTEMPTS: Final = 5
"""How often a table tries what must be done, where other processes are faster."""


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
        thinker: Thinker | None = None,
        may_begin: Callable[[], None] = lambda: None,
    ) -> None:
        """`run` makes it live.

        Args:
            journal: its log, begun or loaded.
            config: the pace of AI players, and how long what is kept.
            changed: called whenever the lobby's listing of it has changed.
            new_seed: where the seeds of its deals come from.
            elsewhere: the ids of the players who are at it in other processes.
            thinker: where its AI players think; None for here and at once.
            may_begin: raises InputError where no game may begin.
        """
        self.number = journal.number
        self._config = config
        self._may_begin = may_begin
        self._stage = Stage(journal, changed)
        self._stage.meet(elsewhere)
        self._inbox = Inbox(f"table {self.number} has closed")
        ai_turns = AITurns(self._stage, thinker or Thinker(), self._inbox.wake)
        self._schedule = Schedule(self._stage, config, new_seed, ai_turns)

    # What members ask for. Each waits its turn in the inbox and raises InputError where it cannot be.

    async def join(self, member: Member, player: Player, word: str = "") -> None:
        """Be at the table: in the seat one holds, else watching."""
        await self._inbox.ask(lambda: self._join(member, player, word))

    async def sit(self, member: Member, player: Player, word: str = "") -> None:
        """Take a free seat, or again the one that was kept."""
        await self._inbox.ask(lambda: self._sit(member, player, word))

    async def leave(self, member: Member, *, for_good: bool) -> None:
        """Go away; never refused. Who does not leave for good may return to their seat."""
        await self._inbox.ask(lambda: self._leave(member, for_good=for_good), may_refuse=False)

    async def start(self, member: Member) -> None:
        """Begin a game; AI players take the empty seats, and play for those who are away."""
        await self._inbox.ask(lambda: self._start(member))

    async def move(self, member: Member, ply: int, move: Move, game: str | None = None) -> None:
        """Make a move, bound to the ply at which its player saw the game, and to that game: None for the one now."""
        deal = self._facts.deal
        seen = game if game is not None or deal is None else deal.game
        asked = self._stage.now()
        await self._inbox.ask(lambda: self._move(member, seen or "", ply, move, asked))

    async def back(self, member: Member) -> None:
        """Take one's seat back from the AI player that has played it."""
        await self._inbox.ask(lambda: self._back(member))

    async def cut(self, member: Member, text: str) -> None:
        """Cut the cards of the next deal."""
        await self._inbox.ask(lambda: self._cut(member, text))

    async def add(self, member: Member, level: str = "", manner: str = "") -> None:
        """Have an AI player take a free seat; for the host of the table. Without a level it has the table's."""
        await self._inbox.ask(lambda: self._add(member, level, manner))

    async def remove(self, member: Member, number: int) -> None:
        """Free a seat; for the host of the table."""
        await self._inbox.ask(lambda: self._remove(member, number))

    async def expel(self, player_id: str) -> None:
        """Free the seat of this player, who may not sit here again: the host of the server wants it so."""
        await self._inbox.ask(lambda: self._insist(lambda: self._expel(player_id)), may_refuse=False)

    async def set_pace(self, member: Member, seconds: float) -> None:
        """Have AI players here take so long for show; for the host of the table."""

        async def request() -> None:
            self._must_be_host(member)
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

    def say(self, member: Member, name: str, line: str) -> None:
        """Talk: to everybody at the table, but while a game goes on spectators are heard by spectators alone."""
        stage = self._stage
        hushed = self._facts.playing and stage.seat_of(member) is None
        said = f"(watching) {line}" if hushed else line
        stage.members.tell(
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
        return self._facts.opened.word

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
        return frozenset(self._stage.members.ids())

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
            self._stage.members.tell(lambda member: member.closed())

    # Requests.

    async def _join(self, member: Member, player: Player, word: str) -> None:
        seat = self._facts.seat_of(player.id)
        if seat is None and word != self._facts.opened.word:
            raise InputError("private", f"table {self.number} is private: say its word behind the number")
        came = self._stage.come(member, player.id)
        self._stage.recall(member)
        if seat is not None and self._sitting(seat).away:
            try:
                await self._insist(lambda: self._return(member))
            except Exception:
                if came:
                    self._stage.go(member)
                raise
        elif seat is not None and came:
            self._stage.note(f"{player.name} is back.", member)
        self._stage.show()

    async def _sit(self, member: Member, player: Player, word: str) -> None:
        if self._facts.seat_of(player.id) is not None:
            await self._join(member, player, word)
            return
        if player.id in self._facts.barred:
            raise InputError("barred", f"the host of table {self.number} does not want you to sit there")
        free = next((number for number in range(len(self._facts.seats)) if self._is_free(number)), None)
        if free is None:
            raise InputError("table_full", self._full_words())
        came = self._stage.members.id_of(member) is None
        if came:
            await self._join(member, player, word)
        try:
            await self._stage.change(Sat(free, player))
        except Exception:
            if came:
                self._stage.go(member)
            raise

    def _full_words(self) -> str:
        """What somebody can do who finds no free seat."""
        watch = f"say watch {self.number} to look on"
        if any(seat and seat.player.kind == "ai" for seat in self._facts.seats):
            return (
                f"table {self.number} has no free seat in this game: {watch}; when it is over sit takes an AI player's"
            )
        return f"table {self.number} has no free seat: {watch}, or open one with new"

    async def _leave(self, member: Member, *, for_good: bool) -> None:
        seat = self._stage.seat_of(member)
        player_id = self._stage.go(member)
        if seat is None or player_id is None or self._stage.members.present(player_id):
            # A spectator, or somebody who is here from another terminal as well.
            self._stage.show()
        elif for_good:
            await self._insist(lambda: self._give_up(player_id))
        else:
            self._stage.note(self._lost_words(self._sitting(seat)))
            self._stage.show()

    async def _insist(self, act: Callable[[], Awaitable[None]]) -> None:
        """Do what depends on nothing that anybody saw: where another process was faster, do it on what is so now."""
        for _ in range(ATTEMPTS - 1):
            try:
                return await act()
            except InputError as error:
                if error.code != "stale":
                    raise
        return await act()

    async def _give_up(self, player_id: str) -> None:
        seat = self._facts.seat_of(player_id)
        if seat is not None:
            await self._schedule.give_up(seat)

    def _lost_words(self, sitting: Seat) -> str:
        lost = f"{sitting.player.name} has lost the connection"
        if sitting.away or not self._facts.playing:
            return f"{lost}."
        return f"{lost}: in {self._config.grace:.0f} seconds an AI player plays on until they are back."

    async def _start(self, member: Member) -> None:
        self._seat_of(member, "only those who sit can start the game: say sit to take a seat")
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
        facts = self._facts
        last = facts.view(None)
        if facts.rules.start_who == "random" and last is not None and last.places:
            return last.places[0]
        return None if facts.dealer is None else (facts.dealer + 1) % len(facts.seats)

    async def _move(self, member: Member, game: str, ply: int, move: Move, asked: float) -> None:
        seat = self._seat_of(member, "you are watching: say sit between games to take a seat")
        if self._sitting(seat).away:
            await self._take_back(seat)
            if seat not in self._facts.deciding:
                raise InputError("not_your_turn", "that came too late: an AI player has moved for you")
        facts = self._facts
        # While arranging others move as well, which is nothing to one's own cards.
        in_time = ply <= facts.ply if facts.arranging else ply == facts.ply
        if not in_time or game != (facts.deal.game if facts.deal else ""):
            raise InputError("stale", "the table has moved on since you typed that: look again")
        if facts.arranging and move != READY and facts.moves_of(seat) >= ARRANGING_MOVES:
            raise InputError("too_fast", f"you have arranged your cards {ARRANGING_MOVES} times: say ready")
        await self._stage.change(Moved(seat, str(move)))
        self._stage.journal.metrics.move_seconds.observe(self._stage.moved_at - asked)

    async def _back(self, member: Member) -> None:
        seat = self._seat_of(member, "you have no seat here: say sit to take one")
        if not self._sitting(seat).away:
            raise InputError("bad_request", "your seat is yours already")
        await self._take_back(seat)

    async def _return(self, member: Member) -> None:
        seat = self._stage.seat_of(member)
        if seat is not None and self._sitting(seat).away:
            await self._take_back(seat)

    async def _take_back(self, seat: int) -> None:
        """Whoever returns decides from the next decision on."""
        await self._stage.change(Returned(seat))

    async def _cut(self, member: Member, text: str) -> None:
        player = self._sitting(self._seat_of(member, "only those who sit can cut")).player
        if self._facts.next_deal is None:
            raise InputError("wrong_phase", "the cards are cut before they are dealt: wait for the next game")
        await self._stage.change(Cut(player.name, text, player.id))

    async def _add(self, member: Member, level: str, manner: str) -> None:
        self._must_be_host(member)
        seats = self._facts.seats
        free = next((number for number, seat in enumerate(seats) if seat is None), None)
        if free is None:
            raise InputError("table_full", "there is no free seat for an AI player")
        ai_player = self._schedule.new_ai_player(level, manner)
        await self._stage.change(Sat(free, ai_player))
        self._stage.note(sits_down(ai_player))

    async def _remove(self, member: Member, number: int) -> None:
        own = self._must_be_host(member)
        sitting = self._facts.seats[number] if 0 <= number < len(self._facts.seats) else None
        if sitting is None or number == own:
            raise InputError("bad_request", "name the seat of somebody else, as in: remove 2")
        if sitting.player.kind != "ai":
            await self._expel(sitting.player.id)
            return
        if self._facts.playing:
            raise InputError("wrong_phase", "AI players are removed between games")
        await self._schedule.give_up(number)

    async def _expel(self, player_id: str) -> None:
        if self._facts.seat_of(player_id) is not None:
            await self._stage.change(Barred(player_id))
            await self._give_up(player_id)

    # What requests need to know.

    @property
    def _facts(self) -> Facts:
        return self._stage.facts

    def _seat_of(self, member: Member, otherwise: str) -> int:
        """The seat that a member has; who has none is told what to do."""
        seat = self._stage.seat_of(member)
        if seat is None:
            raise InputError("bad_request", otherwise)
        return seat

    def _sitting(self, number: int) -> Seat:
        seat = self._facts.seats[number]
        if seat is None:
            raise InputError("bad_request", f"nobody sits in seat {number + 1}")
        return seat

    def _must_be_host(self, member: Member) -> int:
        seat = self._seat_of(member, "only the host of the table can do that")
        if self._sitting(seat).player.id != self._facts.host:
            raise InputError("bad_request", "only the host of the table can do that")
        return seat

    def _is_free(self, number: int) -> bool:
        """Whether somebody may sit down here: nobody has it, or between games an AI player does."""
        seat = self._facts.seats[number]
        return seat is None or (not self._facts.playing and seat.player.kind == "ai")
