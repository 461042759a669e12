"""Who comes to a table, sits down, goes, returns, and is put there or away by its host: requests, one after the other.

What was asked for is so when a method returns; else it raises InputError. What becomes of the game is the table's.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from engine.errors import InputError
from server.people.ai_players import sits_down
from server.people.players import Player
from server.table.broadcaster import Stage
from server.table.entries import Barred, Returned, Sat
from server.table.schedule import Schedule
from server.table.snapshot import Subscriber
from server.table.state import Seat, TableState

ATTEMPTS: Final = 5
"""How often a table tries what must be done, where other processes are faster."""


class Seating:
    """The seats of one table, and who is there. Only the table's own task may ask it for anything."""

    def __init__(self, stage: Stage, schedule: Schedule, grace: float) -> None:
        """``grace``: seconds until an AI player plays on for who has lost the connection."""
        self._stage = stage
        self._schedule = schedule
        self._grace = grace
        self._number = stage.journal.number

    # Coming and going.

    async def join(self, subscriber: Subscriber, player: Player, word: str) -> None:
        """Be at the table: in the seat one holds, which is one's own again, else watching."""
        seat = self._facts.seat_of(player.id)
        if seat is None and word != self._facts.settings.word:
            raise InputError("private", f"table {self._number} is private: say its word behind the number")
        came = self._stage.come(subscriber, player.id)
        self._stage.recall(subscriber)
        if seat is not None and self.sitting(seat).away:
            try:
                await self._return(subscriber)
            except Exception:
                if came:
                    self._stage.go(subscriber)
                raise
        elif seat is not None and came:
            self._stage.note(f"{player.name} is back.", subscriber)
        self._stage.show()

    async def sit(self, subscriber: Subscriber, player: Player, word: str) -> None:
        """Take the first free seat, or again the one that was kept."""
        if self._facts.seat_of(player.id) is not None:
            await self.join(subscriber, player, word)
            return
        if player.id in self._facts.barred:
            raise InputError("barred", f"the host of table {self._number} does not want you to sit there")
        free = next((number for number in range(len(self._facts.seats)) if self._is_free(number)), None)
        if free is None:
            raise InputError("table_full", self._full_words())
        came = self._stage.subscribers.id_of(subscriber) is None
        if came:
            await self.join(subscriber, player, word)
        try:
            await self._stage.change(Sat(free, player))
        except Exception:
            if came:
                self._stage.go(subscriber)
            raise

    def _full_words(self) -> str:
        """What somebody can do who finds no free seat."""
        watch = f"say watch {self._number} to look on"
        if any(seat and seat.player.kind == "ai" for seat in self._facts.seats):
            return (
                f"table {self._number} has no free seat in this game: {watch}; when it is over sit takes an AI player's"
            )
        return f"table {self._number} has no free seat: {watch}, or open one with new"

    async def leave(self, subscriber: Subscriber, *, for_good: bool) -> None:
        """Go away; who does not do so for good keeps their seat."""
        seat = self._stage.seat_of(subscriber)
        player_id = self._stage.go(subscriber)
        if seat is None or player_id is None or self._stage.subscribers.present(player_id):
            # A spectator, or somebody who is here from another terminal as well.
            self._stage.show()
        elif for_good:
            await self._insist(lambda: self._give_up(player_id))
        else:
            self._stage.note(self._lost_words(self.sitting(seat)))
            self._stage.show()

    async def _give_up(self, player_id: str) -> None:
        seat = self._facts.seat_of(player_id)
        if seat is not None:
            await self._schedule.give_up(seat)

    def _lost_words(self, sitting: Seat) -> str:
        lost = f"{sitting.player.name} has lost the connection"
        if sitting.away or not self._facts.playing:
            return f"{lost}."
        return f"{lost}: in {self._grace:.0f} seconds an AI player plays on until they are back."

    async def back(self, subscriber: Subscriber) -> None:
        """Take one's seat back from the AI player that has played it."""
        seat = self.seat_of(subscriber, "you have no seat here: say sit to take one")
        if not self.sitting(seat).away:
            raise InputError("bad_request", "your seat is yours already")
        await self._return(subscriber)

    async def _return(self, subscriber: Subscriber) -> None:
        async def act() -> None:
            seat = self._stage.seat_of(subscriber)
            if seat is not None and self.sitting(seat).away:
                await self.take_back(seat)

        await self._insist(act)

    async def take_back(self, seat: int) -> None:
        """Somebody returns to this seat, and decides from the next decision on."""
        await self._stage.change(Returned(seat))

    # What hosts do, of the table or of the server.

    async def add(self, subscriber: Subscriber, level: str, style: str) -> None:
        """Have an AI player take an empty seat."""
        self.must_be_host(subscriber)
        seats = self._facts.seats
        free = next((number for number, seat in enumerate(seats) if seat is None), None)
        if free is None:
            raise InputError("table_full", "there is no free seat for an AI player")
        ai_player = self._schedule.new_ai_player(level, style)
        await self._stage.change(Sat(free, ai_player))
        self._stage.note(sits_down(ai_player))

    async def remove(self, subscriber: Subscriber, number: int) -> None:
        """Free somebody else's seat."""
        self.must_be_host(subscriber)
        sitting = self._facts.seats[number] if 0 <= number < len(self._facts.seats) else None
        if sitting is None or number == self._stage.seat_of(subscriber):
            raise InputError("bad_request", "name the seat of somebody else, as in remove 2 for the second one")
        if sitting.player.kind != "ai":
            await self._expel(sitting.player.id)
            return
        if self._facts.playing:
            raise InputError("wrong_phase", "AI players are removed between games")
        await self._schedule.give_up(number)

    async def expel(self, player_id: str) -> None:
        """Free the seat of this player, who may not sit here again, whoever else is writing."""
        await self._insist(lambda: self._expel(player_id))

    async def _expel(self, player_id: str) -> None:
        if self._facts.seat_of(player_id) is not None:
            await self._stage.change(Barred(player_id))
            await self._give_up(player_id)

    async def _insist(self, act: Callable[[], Awaitable[None]]) -> None:
        """Do what depends on nothing that anybody saw: where another process was faster, do it on what is so now."""
        for _ in range(ATTEMPTS - 1):
            try:
                return await act()
            except InputError as error:
                if error.code != "stale":
                    raise
        return await act()

    # What is known of a seat.

    def seat_of(self, subscriber: Subscriber, otherwise: str) -> int:
        """The seat that a member has; who has none is told what to do."""
        seat = self._stage.seat_of(subscriber)
        if seat is None:
            raise InputError("bad_request", otherwise)
        return seat

    def sitting(self, number: int) -> Seat:
        """Who sits there."""
        seat = self._facts.seats[number]
        if seat is None:
            raise InputError("bad_request", f"nobody sits in seat {number + 1}")
        return seat

    def must_be_host(self, subscriber: Subscriber) -> None:
        """Raises InputError where this member is not the host of the table."""
        seat = self.seat_of(subscriber, "only the host of the table can do that")
        if self.sitting(seat).player.id != self._facts.host:
            raise InputError("bad_request", "only the host of the table can do that")

    def _is_free(self, number: int) -> bool:
        """Whether somebody may sit down here: nobody has it, or between games an AI player does."""
        seat = self._facts.seats[number]
        return seat is None or (not self._facts.playing and seat.player.kind == "ai")

    @property
    def _facts(self) -> TableState:
        return self._stage.state
