"""One table: its coordinator is the only writer of its log and decides in which order things happen.

Everything that changes the table goes through a bounded inbox and is appended to the log before anybody sees it. The
coordinator moves for the AI players, and for persons who are away; without a person present it sleeps, then closes.
"""

import asyncio
import secrets
from collections.abc import Callable
from random import Random
from typing import Final

import structlog

from engine.errors import InputError
from engine.events import Event
from engine.moves import Move
from server.ai_seats import choose, new_ai_player
from server.facts import Change, Dealt, Facts, Left, Moved, Returned, Sat, Seat, apply, fold, write_change
from server.inbox import Inbox
from server.members import Members
from server.players import Opened, Player
from server.store import EMPTY, Conflict, Head, TableLog
from server.update import Listing, Member, Sitter, Update

RETRY_SECONDS: Final = 1.0
"""How soon a move that could not be logged is tried again."""

log = structlog.get_logger("quatch.table")


class Table:
    """A table and the task that runs it."""

    def __init__(
        self,
        number: int,
        opened: Opened,
        store: TableLog,
        *,
        pace: float,
        keep: float,
        changed: Callable[[], None],
        seed: str | None = None,
    ) -> None:
        """Set a table up; raises InputError where its rules or seats cannot be. `run` makes it live.

        Args:
            number: what it is called by.
            opened: what is played, by how many.
            store: where its log goes.
            pace: seconds an AI player takes for show.
            keep: seconds it is kept when everybody has left.
            changed: called whenever the lobby's listing of it has changed.
            seed: makes every deal and every choice of the AI players the same again; None draws them from nowhere.
        """
        self.number = number
        self._facts = Facts.opened(opened)
        self._opened = opened
        self._store = store
        self._head: Head = EMPTY
        self._pace = pace
        self._keep = keep
        self._changed = changed
        self._members = Members()
        self._inbox = Inbox(f"table {number} has closed")
        self._seed = seed
        self._chance = Random(secrets.randbits(64) if seed is None else seed)
        self._ai_due: float | None = None

    # What members ask for. Each waits its turn in the inbox and raises InputError where it cannot be.

    async def join(self, member: Member, player: Player) -> None:
        """Be at the table: in the seat one holds, else watching."""
        await self._inbox.ask(lambda: self._join(member, player))

    async def sit(self, member: Member, player: Player) -> None:
        """Take a free seat, or again the one that was kept."""
        await self._inbox.ask(lambda: self._sit(member, player))

    async def leave(self, member: Member, *, for_good: bool) -> None:
        """Go away; never refused. An AI player plays a running game on, and who did not leave for good may return."""
        await self._inbox.ask(lambda: self._leave(member, for_good=for_good), may_refuse=False)

    async def start(self, member: Member) -> None:
        """Begin a game; AI players take the empty seats."""
        await self._inbox.ask(lambda: self._start(member))

    async def move(self, member: Member, ply: int, move: Move) -> None:
        """Make a move, bound to the ply at which its player saw the game."""
        await self._inbox.ask(lambda: self._move(member, ply, move))

    def say(self, line: str) -> None:
        """Let everybody at the table hear something."""
        self._members.tell(lambda member: member.hear(line))

    def listing(self) -> Listing:
        """The table as the lobby lists it."""
        facts = self._facts
        sitters = tuple(map(self._sitter, facts.seats))
        return Listing(self.number, facts.rules.title, sitters, facts.playing, facts.ply, self._watching())

    def seat_name(self, player_id: str) -> str | None:
        """The name on the seat that this player has here; None where they have none."""
        seat = self._facts.seat_of(player_id)
        sitting = None if seat is None else self._facts.seats[seat]
        return None if sitting is None else sitting.player.name

    def names(self) -> dict[str, str]:
        """The names on the seats that persons have, by their ids."""
        return {seat.player.id: seat.player.name for seat in self._facts.seats if seat and seat.player.kind == "person"}

    # The task.

    async def run(self) -> None:
        """Run until nobody is left. Whatever goes wrong in one request, the table lives on."""
        try:
            self._head = await self._store.append(self.number, EMPTY, self._facts.digest(), write_change(self._opened))
            while await self._serve_or_move():
                pass
        finally:
            self._inbox.close()
            self._members.tell(lambda member: member.closed())
        await self._store.forget(self.number)

    async def _serve_or_move(self) -> bool:
        """Carry out the next request, or move for a seat whose time has come; whether the table goes on."""
        seat = self._ai_to_move()
        try:
            async with asyncio.timeout_at(self._wake_at(seat)):
                request = await self._inbox.next()
        except TimeoutError:
            if seat is not None:
                await self._move_for(seat)
            return bool(self._members)
        await self._inbox.serve(request)
        return bool(self._members) or self._keeps_a_seat()

    def _wake_at(self, seat: int | None) -> float | None:
        """When to stop waiting for requests: to move for a seat, or to close a table that everybody left."""
        now = asyncio.get_running_loop().time()
        if not self._members:
            return now + self._keep
        if seat is None:
            self._ai_due = None
        elif self._ai_due is None:
            self._ai_due = now + (0 if self._arranging() else self._pace)
        return self._ai_due

    # Requests.

    async def _join(self, member: Member, player: Player) -> None:
        seat = self._facts.seat_of(player.id)
        if seat is not None:
            await self._become(member, player, Returned(seat), f"{player.name} is back.")
        else:
            self._members.add(member, player.id)
            self._publish(())

    async def _sit(self, member: Member, player: Player) -> None:
        if self._facts.seat_of(player.id) is not None:
            await self._join(member, player)
            return
        seat = next((n for n, seat in enumerate(self._facts.seats) if self._is_open(seat)), None)
        if seat is None:
            raise InputError("table_full", f"table {self.number} has no free seat: say watch {self.number} to look on")
        await self._become(member, player, Sat(seat, player), f"{player.name} sits down.")

    async def _become(self, member: Member, player: Player, change: Change, note: str) -> None:
        """Make somebody a member with a seat: both, or neither."""
        came = self._members.id_of(member) is None
        self._members.add(member, player.id)
        try:
            await self._change(change, note)
        except Exception:
            if came:
                self._members.remove(member)
            raise

    async def _leave(self, member: Member, *, for_good: bool) -> None:
        player_id = self._members.remove(member)
        seat = None if player_id is None else self._facts.seat_of(player_id)
        sitting = None if seat is None else self._facts.seats[seat]
        if seat is None or sitting is None or self._members.present(sitting.player.id):
            # A spectator, or somebody who is here from another terminal as well.
            self._publish(())
            return
        name = sitting.player.name
        if not self._facts.playing:
            await self._change(Left(seat, held=False), f"{name} leaves.")
        elif for_good or sitting.player.identity is None:
            ai_player = self._new_ai_player()
            await self._change(Sat(seat, ai_player), f"{name} leaves; {ai_player.name} plays on.")
        else:
            await self._change(Left(seat, held=True), f"{name} is gone and may come back; an AI player plays on.")

    async def _start(self, member: Member) -> None:
        if self._seat_of(member) is None:
            raise InputError("bad_request", "only those who sit can start the game: say sit to take a seat")
        if self._facts.playing:
            raise InputError("wrong_phase", "the game is going on already")
        for number, seat in enumerate(self._facts.seats):
            if seat is None or seat.away:
                await self._change(Sat(number, self._new_ai_player()), "")
        seed = secrets.token_hex(32) if self._seed is None else f"{self._seed} {self._chance.getrandbits(64)}"
        await self._change(Dealt(seed, self._next_dealer()), "A new game: the cards are dealt.")

    def _next_dealer(self) -> int:
        """The deal goes round; where a last winner matters they are the dealer, since the start is left of them."""
        game, seats = self._facts.game, len(self._facts.seats)
        if game is None or self._facts.dealer is None:
            return self._chance.randrange(seats)
        if self._facts.rules.start_who == "random" and game.places:
            return game.places[0]
        return (self._facts.dealer + 1) % seats

    async def _move(self, member: Member, ply: int, move: Move) -> None:
        seat = self._seat_of(member)
        if seat is None:
            raise InputError("bad_request", "you are watching: say sit between games to take a seat")
        if ply != self._facts.ply and not self._arranging():
            raise InputError("stale", "the table has moved on since you typed that: look again")
        await self._change(Moved(seat, str(move)), "")

    # AI players.

    def _arranging(self) -> bool:
        return self._facts.game is not None and self._facts.game.phase == "arrange"

    def _ai_to_move(self) -> int | None:
        """A seat that an AI player has to decide for; none while nobody is present to see it."""
        game = self._facts.game
        if game is None or not self._members or game.phase == "over":
            return None
        waiting = [game.to_move] if game.phase == "play" else [n for n, ready in enumerate(game.ready) if not ready]
        return next((n for n in waiting if n is not None and self._is_ai_played(self._facts.seats[n])), None)

    def _is_ai_played(self, seat: Seat | None) -> bool:
        """Whether an AI player decides for a seat: its own, or one whose person is not here."""
        return seat is not None and (seat.played_by_ai or not self._members.present(seat.player.id))

    async def _move_for(self, number: int) -> None:
        """Move for a seat. When that fails it is tried again a little later: the table never stalls for good."""
        self._ai_due = None
        seat, view = self._facts.seats[number], self._facts.view(number)
        if seat is None or view is None:
            return
        level = seat.player.level or self._facts.level
        try:
            await self._change(Moved(number, str(choose(level, view, number, self._chance))), "")
        except Exception:
            log.exception("AI player's move was not made", table=self.number, level=level)
            self._ai_due = asyncio.get_running_loop().time() + RETRY_SECONDS

    def _new_ai_player(self) -> Player:
        return new_ai_player((seat.player.name for seat in self._facts.seats if seat), self._facts.level)

    # The log, and what members see of it.

    async def _change(self, change: Change, note: str) -> None:
        """Append a change; only then is it so, and only then does anybody see it."""
        facts, events = apply(self._facts, change)
        try:
            self._head = await self._store.append(self.number, self._head, facts.digest(), write_change(change))
        except Conflict:
            self._facts, self._head = fold(await self._store.read(self.number))
            self._publish(())
            raise InputError("stale", "the table has moved on: look again") from None
        self._facts = facts
        if note:
            self._members.tell(lambda member: member.note(note))
        self._publish(tuple(events))

    def _publish(self, events: tuple[Event, ...]) -> None:
        """Give every member the newest view of their own, and what they may know of what happened."""
        facts, watching = self._facts, self._watching()
        sitters = tuple(map(self._sitter, facts.seats))

        def push(member: Member) -> None:
            seat = self._seat_of(member)
            update = Update(self.number, facts.rules.title, seat, sitters, facts.view(seat), facts.ply, watching)
            member.push(update, tuple(event.seen_by(seat) for event in events))

        self._members.tell(push)
        self._changed()

    def _seat_of(self, member: Member) -> int | None:
        player_id = self._members.id_of(member)
        return None if player_id is None else self._facts.seat_of(player_id)

    def _watching(self) -> int:
        return sum(self._facts.seat_of(player_id) is None for player_id in self._members.ids())

    def _is_open(self, seat: Seat | None) -> bool:
        """Whether somebody may sit down here: nobody has it, or between games an AI player does."""
        return seat is None or (not self._facts.playing and self._is_ai_played(seat))

    def _keeps_a_seat(self) -> bool:
        """Whether a running game keeps a seat for somebody who can prove to be its person when they return."""
        return self._facts.playing and any(seat and seat.away for seat in self._facts.seats)

    def _sitter(self, seat: Seat | None) -> Sitter | None:
        if seat is None:
            return None
        level = (seat.player.level or self._facts.level) if seat.played_by_ai else None
        return Sitter(seat.player.name, level, seat.away)
