"""One player on the server, a person or a bot: their account, their location, and how they come and go.

The session is a subscriber of the table it is at and a visitor of the lobby. It knows neither terminals nor wire
formats: its front end shows it to the player.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final, TypeAlias

from engine.errors import InputError
from engine.events import Event
from engine.moves import Move, PickUp
from server import limits
from server.lobby.lobby import Lobby
from server.people.guess_limits import WRONG
from server.people.players import Caller, Kind, Player
from server.player.front_end import FrontEnd
from server.player.informed import Informed
from server.player.location import AtTable, InLobby
from server.player.review_task import ReviewTask
from server.rate_limit import Rate
from server.table.snapshot import Listing, Presence, Snapshot, Subscriber
from server.table.table import Table

SAVING: Final = "Saving..."
SAVING_SECONDS: Final = 1.0
"""What a player is told if a move has not been saved after so many seconds, since the database is slow or away."""
WayIn: TypeAlias = Callable[[Subscriber, Player, str], Awaitable[None]]
"""How to go to a table: its method `sit` or `join`."""


class PlayerSession(Informed):
    """One player from `begin` to `finish`."""

    def __init__(self, lobby: Lobby, caller: Caller, front_end: FrontEnd, kind: Kind = "person") -> None:
        super().__init__(lobby, caller, front_end, kind)
        self.reminder = ""
        """How a guest takes a seat that may be kept for them; empty if there is no such seat."""
        self.invited: dict[str, float] = {}
        """The ids of the players whom the player has invited to tables, and when, in the event loop's time."""
        self.review_task = ReviewTask(lobby.tables.ai_pool, front_end, self, self._note_anywhere)
        self._has_quit = False
        self._requests = Rate(limits.PLAYER_REQUESTS)

    async def begin(self) -> InputError | None:
        """Come in, and take the seat again that a table has kept. Returns why that is not possible now, if so."""
        self.lobby.note_visit(self.player)
        self.lobby.visitors.enter(self)
        self.reminder, refusal = "", None
        try:
            if own := self.own_seats:
                table = await self.lobby.kept_table(self.lobby.tournaments.first_of(own, self.player.id), self.caller)
                self.feed.tips.known()
                await self.enter(table, table.join)
                for other in sorted(own.keys() - {table.number}):
                    self.note(f"Your seat at table {other} is kept, too: sit {other}")
            else:
                self.lobby.tables.refuse_if_unreadable(self.player.id)
                if not self.player.account and (name := await self.lobby.seat_kept_for(self.caller)):
                    self.reminder = f"A seat is kept for {name}: type resume CODE to take it."
        except InputError as error:
            refusal, self.reminder = error, error.sentence  # for the greeting
            self.front_end.told([error.sentence])
        if not self.at_table:
            self.talk.recall_lobby()
        return refusal

    async def finish(self) -> None:
        """Go; a seat in a running game is kept."""
        self.review_task.stop()
        self.lobby.visitors.leave(self)
        await self._leave(for_good=False)

    async def come_in_again(self) -> None:
        """Become the player that the key stands for now: it was linked to another account, or unlinked."""
        await self.become(await self._find_player(), self.seats_read)

    def _be_called(self, name: str) -> None:
        super()._be_called(name)
        self.lobby.visitors.renamed(self)

    async def become(self, player: Player, seats: Mapping[int, str], resume_code: str = "") -> None:
        """Go on as another player, who has these seats; a guest with their resume code."""
        self.lobby.visitors.leave(self)
        self.player, self.seats_read = player, seats
        self._resume_code = resume_code or self._resume_code
        await self.begin()

    async def read_seats(self) -> None:
        """Read again which seats the player has; a screen shows it."""
        self.seats_read = await self.lobby.tables.seats_of(self.player.id)
        self.front_end.told([])

    # Coming and going.

    async def sit_at_new(self, table: Table, word: str) -> None:
        """Sit down at a table that the player has just opened with this word. Raises InputError as `enter` does."""
        await self._enter(table, table.sit, word)

    async def enter(self, table: Table, way_in: WayIn, word: str = "") -> None:
        """Go from the lobby to a table, whose word the player has named if it has one.

        Raises InputError if the table refuses, or if too many words were wrong: the player is in the lobby then.
        """
        if not word:
            await self._enter(table, way_in)
            return
        with self.lobby.guess_limits.attempt(self.caller, table.number):
            try:
                await self._enter(table, way_in, word)
            except InputError as error:
                if error.code in WRONG:
                    table.note_wrong_word()
                raise

    async def be_brought_to(self, table: Table, to: str) -> None:
        """Go to a table at which the player has a seat, from wherever they are. Raises InputError.

        ``to``: what those are told whom they leave, as in "a tournament's table".
        """
        await self._leave(for_good=False, called=to)
        await self.enter(table, table.join)
        self.note(f"You are at table {table.number}.")

    async def _enter(self, table: Table, way_in: WayIn, word: str = "") -> None:
        self.must_be_at_no_table()
        before = self.player.name
        if self.player.id not in table.names():
            await self.claim_name()
        self.feed.begin()
        self.talk.go_to_table()
        self.location = AtTable(table)  # it sends a snapshot before it answers
        self.set_side_view(None)
        try:
            await way_in(self, self.player, word)
        except InputError:
            self._return_to_lobby()
            self._see_lobby()
            raise
        for line in self.review_task.stop():
            self.note(line)
        if self.player.name != before:
            self.note(f"Another player has taken the name {before} just before you: you are {self.player.name}.")

    async def leave_table(self, *, for_good: bool) -> None:
        """Go back to the lobby at once, whatever the table answers."""
        await self._leave(for_good=for_good)
        self._see_lobby()

    async def _leave(self, *, for_good: bool, called: str = "") -> None:
        table = self.location.table
        self._return_to_lobby()
        if table is not None:
            with suppress(InputError):
                await asyncio.shield(table.leave(self, for_good=for_good, hung_up=self._has_quit, called=called))

    def _return_to_lobby(self) -> None:
        self.location = InLobby()
        self.set_side_view(None)
        self.feed.stop_clock()
        self.talk.leave_table()

    def _see_lobby(self) -> None:
        self.lobby.read_seats(self)
        self.lobby.check_name(self)
        self.lobby_changed(self.lobby.tables.listings(), self.lobby.visitors.people())
        self.talk.recall_lobby()

    # What the player does.

    async def move(self, move: Move, text: str, seen: Snapshot | None) -> list[str]:
        """Make a move, typed so when the player saw this, or ask about a costly slip; the lines of the answer.

        In an exercise it is the answer. Raises InputError if the table refuses it.
        """
        if self.side_view is not None:
            return await self.side_view.move(move)
        if isinstance(move, PickUp) and self.is_costly(move) and not self.confirm_or_ask(str(move)):
            return [f"You can play, and the pile would be yours: type {text} again to take it."]
        if delay := self._requests.take():
            await asyncio.sleep(delay)
        saving = asyncio.get_running_loop().call_later(SAVING_SECONDS, self.front_end.answered, "", [SAVING])
        try:
            await self.table.move(self, seen.ply if seen else 0, move, seen.game if seen else "")
        finally:
            saving.cancel()
        return []

    async def wait_for_turn(self) -> None:
        """Wait as long as the rate of a player's requests demands."""
        await asyncio.sleep(self._requests.take())

    # What the table and the lobby tell; see `snapshot.Subscriber` and `visitors.Visitor`.

    def push(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """The table has changed. A side view stays in front of it until a game begins."""
        if (before := self.location).table is not None:
            self.location = AtTable(before.table, snapshot)
            if snapshot.playing:
                self.set_side_view(None)
            self.front_end.updated(before.snapshot, snapshot, events)

    def recall(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """What happened before the player came."""
        self.feed.recall(snapshot, events)
        self.front_end.told([])

    def closed(self, why: str = "the table has closed") -> None:
        """The table has closed, or sleeps."""
        if self.at_table:
            self._return_to_lobby()
            self.lobby.read_seats(self)
            self.front_end.table_closed(why)
            self.talk.recall_lobby()

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[Presence, ...]) -> None:
        """Tables or people have changed."""
        if not self.at_table:
            self.location = InLobby(tables, people)
            if self.side_view is None:
                self.front_end.told([])

    def dismiss(self, farewell: str) -> None:
        """The session ends, for this reason."""
        self.front_end.ended(farewell)

    def quit(self, farewell: str) -> None:
        """The player hangs up."""
        self._has_quit = True
        self.dismiss(farewell)
