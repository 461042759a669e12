"""One table: its coordinator is the only writer of its log and decides in which order things happen.

Everything that changes the table goes through a bounded inbox and is appended to the log before anybody sees it. The
coordinator moves for the AI players, and for persons who are away; without a person present it sleeps, then closes.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final, TypeVar

import structlog

from engine.ai import LEVELS
from engine.errors import InputError
from engine.events import Event
from engine.legality import legal_moves
from engine.moves import Move
from engine.view import View
from server.facts import Change, Dealt, Facts, Left, Moved, Opened, Player, Returned, Sat, Seat, apply, write_change
from server.limits import REQUESTS_PER_TABLE
from server.store import EMPTY, Head, TableLog
from server.update import Member, Sitter, TableInfo, Update

T = TypeVar("T")

AI_NAMES: Final = ("Fox", "Owl", "Hex", "Ivy", "Bea", "Max", "Ada", "Sol", "Kit", "Zoe")

RETRY_SECONDS: Final = 1.0
"""How soon a move that could not be logged is tried again."""

log = structlog.get_logger("quatch.table")


class Table:
    """A table and the task that runs it."""

    def __init__(self, number: int, opened: Opened, store: TableLog, *, pace: float, keep: float) -> None:
        """Set a table up; raises InputError where its rules or seats cannot be. `run` makes it live."""
        self.number = number
        self._facts = Facts.opened(opened)
        self._opened = opened
        self._store = store
        self._head: Head = EMPTY
        self._pace = pace
        self._keep = keep
        self._members: dict[Member, str] = {}
        self._inbox: asyncio.Queue[tuple[Callable[[], Awaitable[object]], asyncio.Future[object]]] = asyncio.Queue(
            REQUESTS_PER_TABLE
        )
        self._chance = Random(secrets.randbits(64))
        self._ai_due: float | None = None
        self._closed = False

    # What sessions ask for. Each waits its turn in the inbox and raises InputError where it cannot be.

    async def join(self, member: Member, player: Player) -> None:
        """Be at the table: in the seat one holds, else watching."""
        await self._ask(lambda: self._join(member, player))

    async def sit(self, member: Member, player: Player) -> None:
        """Take a free seat."""
        await self._ask(lambda: self._sit(member, player))

    async def leave(self, member: Member, *, for_good: bool) -> None:
        """Go away. In a running game the seat is kept for its person, and an AI player plays it meanwhile."""
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        if not self._closed:
            # However busy the table is, going away is never refused.
            await self._inbox.put((lambda: self._leave(member, for_good=for_good), answer))
            await answer

    async def start(self, member: Member) -> None:
        """Begin a game; AI players take the empty seats."""
        await self._ask(lambda: self._start(member))

    async def move(self, member: Member, ply: int, move: Move) -> None:
        """Make a move, bound to the ply at which its player saw the game."""
        await self._ask(lambda: self._move(member, ply, move))

    def say(self, line: str) -> None:
        """Tell everybody at the table something."""
        for member in self._members:
            member.hear(line)

    def info(self) -> TableInfo:
        """The table as the lobby lists it."""
        return TableInfo(
            self.number,
            self._facts.rules.title,
            tuple(self._sitter(seat) for seat in self._facts.seats),
            self._facts.playing,
            self._facts.ply,
            self._watching(),
        )

    def holds_seat_for(self, player_id: str) -> bool:
        """Whether this player has a seat here."""
        return self._facts.seat_of(player_id) is not None

    # The task.

    async def run(self) -> None:
        """Run until nobody is left. Whatever goes wrong in one request, the table lives on."""
        try:
            self._head = await self._store.append(self.number, EMPTY, self._facts.digest(), write_change(self._opened))
            await self._run_until_left()
        finally:
            self._closed = True
            while not self._inbox.empty():
                _, answer = self._inbox.get_nowait()
                if not answer.done():
                    answer.set_exception(_closed_error(self.number))
        await self._store.forget(self.number)

    async def _run_until_left(self) -> None:
        while True:
            seat = self._ai_to_move()
            try:
                async with asyncio.timeout_at(self._wake_at(seat)):
                    request, answer = await self._inbox.get()
            except TimeoutError:
                if not self._members:
                    return
                if seat is not None:
                    await self._move_for(seat)
            else:
                await self._serve(request, answer)
                if not self._members and not self._kept_seats():
                    return

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

    async def _ask(self, request: Callable[[], Awaitable[object]]) -> None:
        if self._closed:
            raise _closed_error(self.number)
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        try:
            self._inbox.put_nowait((request, answer))
        except asyncio.QueueFull:
            raise InputError("too_fast", "the table is busy: try again in a moment") from None
        await answer

    async def _serve(self, request: Callable[[], Awaitable[object]], answer: "asyncio.Future[object]") -> None:
        try:
            result = await request()
        except InputError as error:
            if not answer.done():
                answer.set_exception(error)
        except Exception:
            log.exception("request failed", table=self.number)
            if not answer.done():
                answer.set_exception(InputError("internal", "that went wrong here and is logged; the table goes on"))
        else:
            if not answer.done():
                answer.set_result(result)

    async def _join(self, member: Member, player: Player) -> None:
        self._members[member] = player.id
        seat = self._facts.seat_of(player.id)
        if seat is not None:
            await self._change(Returned(seat), f"{player.name} is back.")
        else:
            self._publish(())

    async def _sit(self, member: Member, player: Player) -> None:
        if self._facts.seat_of(player.id) is not None:
            raise InputError("bad_request", "you have a seat here already")
        if self._facts.playing or None not in self._facts.seats:
            raise InputError("table_full", f"table {self.number} has no free seat: say watch {self.number} to look on")
        self._members[member] = player.id
        await self._change(Sat(self._facts.seats.index(None), player), f"{player.name} sits down.")

    async def _leave(self, member: Member, *, for_good: bool) -> None:
        player_id = self._members.pop(member, None)
        seat = None if player_id is None else self._facts.seat_of(player_id)
        sitting = None if seat is None else self._facts.seats[seat]
        if seat is None or sitting is None:
            self._publish(())
            return
        name = sitting.player.name
        if not self._facts.playing:
            await self._change(Left(seat, held=False), f"{name} leaves.")
        else:
            stays = "" if for_good else " and may come back"
            await self._change(Left(seat, held=True), f"{name} leaves{stays}; an AI player plays on.")

    async def _start(self, member: Member) -> None:
        if self._seat_of(member) is None:
            raise InputError("bad_request", "only those who sit can start the game")
        if self._facts.playing:
            raise InputError("wrong_phase", "the game is going on already")
        for number, seat in enumerate(self._facts.seats):
            if seat is not None and seat.away:
                await self._change(Left(number, held=False), f"{seat.player.name}'s seat is free.")
        for number, seat in enumerate(self._facts.seats):
            if seat is None:
                await self._change(Sat(number, self._new_ai_player()), "")
        await self._change(Dealt(secrets.token_hex(32), self._next_dealer()), "A new game: the cards are dealt.")

    def _next_dealer(self) -> int | None:
        """The deal goes round; where a last winner matters they are the dealer, since the start is left of them."""
        game, seats = self._facts.game, len(self._facts.seats)
        if game is None:
            return None
        if self._facts.rules.start_who == "random" and game.places:
            return game.places[0]
        return None if self._facts.dealer is None else (self._facts.dealer + 1) % seats

    async def _move(self, member: Member, ply: int, move: Move) -> None:
        seat = self._seat_of(member)
        if seat is None:
            raise InputError("bad_request", "you are watching: say sit to play the next game")
        if ply != self._facts.ply and not self._arranging():
            raise InputError("stale", "the table has moved on since you saw it: look again")
        await self._change(Moved(seat, str(move)), "")

    def _arranging(self) -> bool:
        return self._facts.game is not None and self._facts.game.phase == "arrange"

    # AI players.

    def _ai_to_move(self) -> int | None:
        """A seat that an AI player has to decide for; none while nobody is present to see it."""
        game = self._facts.game
        if game is None or not self._members or game.phase == "over":
            return None
        waiting = [game.to_move] if game.phase == "play" else [n for n, ready in enumerate(game.ready) if not ready]
        return next(
            (n for n in waiting if n is not None and (seat := self._facts.seats[n]) and seat.played_by_ai), None
        )

    async def _move_for(self, number: int) -> None:
        """Move for a seat. When that fails, it is tried again a little later: the table never stalls for good."""
        self._ai_due = None
        seat, view = self._facts.seats[number], self._facts.view(number)
        if seat is None or view is None:
            return
        level = seat.player.level or self._facts.level
        try:
            await self._change(Moved(number, str(self._choose(level, view, number))), "")
        except Exception:
            log.exception("AI player's move was not made", table=self.number, level=level)
            self._ai_due = asyncio.get_running_loop().time() + RETRY_SECONDS

    def _choose(self, level: str, view: View, number: int) -> Move:
        try:
            return LEVELS[level](view, self._chance)
        except Exception:
            log.exception("AI player failed", table=self.number, level=level)
            return legal_moves(view, number)[0]

    def _new_ai_player(self) -> Player:
        taken = {seat.player.name for seat in self._facts.seats if seat}
        name = next(name for name in AI_NAMES if name not in taken)
        return Player(f"ai:{name}", name, "ai", self._facts.level)

    # The log, and what members see of it.

    async def _change(self, change: Change, told: str) -> None:
        """Append a change; only then is it so, and only then does anybody see it."""
        facts, events = apply(self._facts, change)
        self._head = await self._store.append(self.number, self._head, facts.digest(), write_change(change))
        self._facts = facts
        if told:
            for member in self._members:
                member.note(told)
        self._publish(tuple(events))

    def _publish(self, events: tuple[Event, ...]) -> None:
        sitters = tuple(self._sitter(seat) for seat in self._facts.seats)
        watching = self._watching()
        for member, player_id in self._members.items():
            seat = self._facts.seat_of(player_id)
            member.push(
                Update(
                    self.number,
                    self._facts.rules.title,
                    seat,
                    sitters,
                    self._facts.view(seat),
                    self._facts.ply,
                    watching,
                ),
                tuple(event.seen_by(seat) for event in events),
            )

    def _seat_of(self, member: Member) -> int | None:
        player_id = self._members.get(member)
        return None if player_id is None else self._facts.seat_of(player_id)

    def _watching(self) -> int:
        return sum(self._facts.seat_of(player_id) is None for player_id in self._members.values())

    def _kept_seats(self) -> bool:
        """Whether a running game keeps a seat for somebody who can prove to be its person when they return."""
        return self._facts.playing and any(seat and seat.player.identity for seat in self._facts.seats)

    def _sitter(self, seat: Seat | None) -> Sitter | None:
        if seat is None:
            return None
        level = (seat.player.level or self._facts.level) if seat.played_by_ai else None
        return Sitter(seat.player.name, level, seat.away)


def _closed_error(number: int) -> InputError:
    return InputError("no_such_table", f"table {number} has closed")
