"""One player's visit: where they are, what they are told, and their moves. Knows nothing of terminals.

A visit is a member of the table it is at and a visitor of the lobby; whoever shows it to a person passes ``tell``.
"""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from engine.errors import InputError
from engine.events import Event
from engine.moves import Move
from engine.view import View
from server.limits import (
    ACTS_AT_ONCE,
    ACTS_PER_SECOND,
    LINK_TRIES,
    LINK_TRIES_PER_SECOND,
    TALK_AT_ONCE,
    TALK_PER_SECOND,
)
from server.lobby.lobby import Lobby
from server.people.names import skeleton
from server.people.players import Caller, Player, guest_id, new_word
from server.player import resume_text as farewell
from server.player.confirmation import Confirmation, is_costly
from server.player.location import Location
from server.player.review_task import ReviewTask
from server.player.side_view import SideView
from server.player.table_feed import TableFeed
from server.rate import Rate
from server.render.scene import Scene
from server.table.coordinator import Table
from server.table.snapshot import Listing, Snapshot


class PlayerSession:
    """A player in the lobby or at a table."""

    def __init__(
        self,
        lobby: Lobby,
        caller: Caller,
        tell: Callable[[list[str]], None],
        answer: Callable[[str, list[str]], None],
        call: Callable[[], None],
        end: Callable[[str], None],
    ) -> None:
        """A visit begins with `begin`.

        Args:
            lobby: where it takes place.
            caller: who has come in.
            tell: shows lines.
            answer: shows what was asked for and took its time, and the lines of the answer.
            call: calls somebody back who may be looking elsewhere: others wait for them.
            end: ends it all, saying why.
        """
        self.lobby = lobby
        self.caller = caller
        self._resume_word = new_word()
        """What a guest says to be known again."""
        self.player = self._who()
        self.scene = Scene(self.player.name, lobby.rulebook, lobby.settings_of(self.player))
        self._show_word()
        self.reminder = ""
        """That a seat waits for somebody who may be this guest; empty where none does."""
        self.scene.is_op = caller.key in lobby.config.ops
        self.ignored: set[str] = set()
        """The looks of the names that this player does not want to hear from."""
        self._tell = tell
        self._end = end
        self._location = Location(lobby, self, outside="you are in the lobby: say play, or sit N for a table")
        self.confirmation = Confirmation()
        self.side_view = SideView(self.scene, tell, self._be_in_lobby)
        """The finished game that the player looks at, or the lesson they take."""
        self.review_task = ReviewTask(lobby.ai_pool, self.scene, answer)
        self.feed = TableFeed(self.scene, tell, call)
        self._acts = Rate(ACTS_AT_ONCE, ACTS_PER_SECOND)
        self._talk = Rate(TALK_AT_ONCE, TALK_PER_SECOND)
        self.words_tried = Rate(LINK_TRIES, LINK_TRIES_PER_SECOND)
        """How often they may try whether a word links their key."""

    async def begin(self) -> None:
        """Come in, and take again the seat that a table has kept."""
        self.lobby.enter(self)
        kept = self._location.kept_seat()
        name = None if kept or self.player.identity else self.lobby.seat_kept_for(self.caller)
        self.reminder = f"A seat is kept for {name}: say resume WORD to take it." if name else ""
        if kept is not None:
            self.feed.tips.known()
            try:
                await self.enter(*kept)
            except InputError as error:
                self._tell([error.sentence])

    async def finish(self) -> None:
        """Go; a seat in a running game is kept."""
        self.lobby.leave(self)
        await self.leave_table(for_good=False)

    async def resume(self, word: str) -> None:
        """Be again the guest who was told this word. Raises InputError where no seat is kept for them."""
        player_id = guest_id(word)
        table = self.lobby.kept_seat(player_id)
        name = table and table.seat_name(player_id)
        if player_id == self.player.id:
            raise InputError("bad_request", "that is your own word: it is for coming in again")
        if self.player.identity or not name:
            raise InputError(
                "bad_request", "no seat is kept under that word: look at it again, or the game has been given up since"
            )
        if self.at_table and self.in_game and set(self.table.names()) - {self.player.id}:
            raise InputError("bad_request", "you play with others here: say leave first")
        await self.leave_table(for_good=True)
        self._resume_word = word
        await self._come_in_as(Player(player_id, name))

    async def come_in_again(self) -> None:
        """The key counts as another account now: be who one is by that."""
        player = self._who()
        self.scene.settings = self.lobby.settings_of(player)
        await self._come_in_as(player)

    async def _come_in_as(self, player: Player) -> None:
        self.lobby.leave(self)
        self.player = player
        self.scene.name = player.name
        self._show_word()
        await self.begin()

    def _who(self) -> Player:
        player_id = self.lobby.accounts.of(self.caller.key) or guest_id(self._resume_word)
        return Player(player_id, self.lobby.name_for(player_id, self.caller.wished_name))

    async def rename(self, name: str) -> None:
        """Go by another name, this time and the next."""
        self.player = replace(self.player, name=name)
        self.scene.name = name
        await self.lobby.names.remember(self.player)
        self.lobby.changed()

    async def has_finished_a_game(self) -> bool:
        """Whether they have come to the end of a game: guests in this visit, others ever."""
        return self.feed.finished > 0 or await self.lobby.has_finished(self.player)

    async def choose(self, key: str, value: str) -> str:
        """Change a setting, for this time and the next; where it does not count yet. Raises InputError."""
        self.scene.settings = settings = self.scene.settings.changed(key, value)
        await self.lobby.remember_settings(self.player, settings)
        if key == "pace" and settings.pace is not None and self.at_table:
            try:
                await self.table.set_pace(self, settings.pace)
            except InputError:
                return ", for tables that you open: this one is somebody else's"
        return ""

    @property
    def view(self) -> View | None:
        """The game as the player knows it; None where they are at none."""
        return self.scene.snapshot.view if self.scene.snapshot else None

    @property
    def ply(self) -> int:
        """Where the game stands as the player sees it."""
        return self.scene.snapshot.ply if self.scene.snapshot else 0

    @property
    def game(self) -> str:
        """The game that the player sees."""
        return self.scene.snapshot.game if self.scene.snapshot else ""

    async def move(self, move: Move, text: str, ply: int, game: str) -> list[str]:
        """Make a move, bound to the game and the ply at which the line was typed. A costly slip is asked about first.

        Raises InputError where it cannot be.
        """
        if self.view is not None and is_costly(move, self.view) and not self.confirmation.is_meant(str(move)):
            return [f"You can play, and the pile would be yours: type {text} again to take it."]
        await self.table.move(self, ply, move, game)
        return []

    async def wait_for_turn(self) -> None:
        """Who changes things without a pause has to wait."""
        await asyncio.sleep(self._acts.take())

    def must_be_free_to_talk(self) -> None:
        """Raises InputError where the player may not say one more thing now."""
        address = None if self.player.identity else self.caller.address
        if mute := self.lobby.mutes.on((self.player.id,), address):
            raise InputError("muted", f"the host of this server has muted you {mute.words}")
        if not self._talk.take_if_free():
            raise InputError("too_fast", "you talk too fast: wait a few seconds")

    # Where they are.

    @property
    def at_table(self) -> bool:
        """Whether the player is at a table, else in the lobby."""
        return self._location.at_table

    @property
    def in_game(self) -> bool:
        """Whether they have a seat in a game that is going on, and cards in it still."""
        snapshot = self.scene.snapshot
        view = snapshot.view if snapshot and self.at_table and self.side_view.showing is None else None
        return view is not None and view.phase != "over" and view.seat is not None and view.seat not in view.places

    @property
    def table(self) -> Table:
        """The table the player is at. Raises InputError in the lobby."""
        return self._location.table

    def must_be_in_lobby(self) -> None:
        """Raises InputError at a table, at a replay or in a lesson."""
        if self.at_table or self.side_view.showing is not None:
            where = self.side_view.where or "at a table"
            raise InputError("bad_request", f"you are {where}: say leave first")

    def must_be_between_games(self) -> None:
        """Raises InputError in a lesson, and at a table where a game is going on."""
        if self.side_view.is_lesson:
            self.must_be_in_lobby()
        if self.scene.snapshot is not None and self.side_view.showing is None and self.scene.snapshot.playing:
            raise InputError("bad_request", "a game is going on here: say leave first, or wait for its end")

    def look_up(self) -> str:
        """Look at the finished game or the lesson no more; where one is then."""
        where = self.side_view.look_up()
        self.feed.watch_clock()
        return where

    async def enter(self, table: Table, enter: Callable[[], Awaitable[None]]) -> None:
        """Go to a table in this way. Raises InputError where that cannot be: then the player is in the lobby still."""
        self.review_task.stop()
        self.scene.log.clear()
        self.scene.talk.clear()
        self.scene.reason = ""
        try:
            await self._location.enter(table, enter)
        except InputError:
            self._be_in_lobby()
            raise
        # What the lobby looked like just now: kept by everybody at a table, it would be most of what they take.
        self.scene.tables, self.scene.people = (), ()

    async def leave_table(self, *, for_good: bool) -> None:
        """Go back to the lobby."""
        self.review_task.stop()
        was_at_table = self.at_table
        self._be_in_lobby()
        await self._location.leave(for_good=for_good)
        if was_at_table:
            self.lobby_changed(self.lobby.tables(), self.lobby.people())

    def tell_resume_word(self) -> None:
        """Tell a guest how to be known again."""
        if self.player.identity is None:
            self.note(self.return_words)

    @property
    def return_words(self) -> str:
        """How to have one's seat again after the connection was lost."""
        return farewell.return_words(self.player, self._resume_word)

    @property
    def kept_words(self) -> str:
        """What becomes of the seat of who hangs up."""
        return farewell.kept_words(self.player, self._resume_word)

    def parting_words(self) -> list[str]:
        """What is told to who goes, where a seat is kept for them."""
        here = self in self.lobby.visitors and self.in_game
        return farewell.parting_words(self.player, self._resume_word) if here else []

    def _show_word(self) -> None:
        self.scene.resume_word = "" if self.player.identity is not None else self._resume_word

    def _be_in_lobby(self) -> None:
        self.side_view.forget()
        self.scene.snapshot = self.scene.progress = None
        self.scene.talk.clear()
        self.feed.watch_clock()

    # What tables and the lobby tell.

    def push(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """See `snapshot.Subscriber`."""
        if not self.at_table:
            return
        if not self.side_view.hides(snapshot):
            self.feed.push(snapshot, events)

    def recall(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """See `snapshot.Subscriber`."""
        self.feed.recall(snapshot, events)

    def note(self, line: str) -> None:
        """See `snapshot.Subscriber`."""
        if not self.at_table:
            return
        self.side_view.note(line)
        self._tell([line])

    def hear(self, name: str, line: str) -> None:
        """See `snapshot.Subscriber`."""
        if skeleton(name) in self.ignored:
            return
        said = f"{name}: {line}"
        self.scene.talk.append(said)
        self._tell([said])

    def closed(self) -> None:
        """See `snapshot.Subscriber`."""
        if not self.at_table:
            return
        self._location.forget()
        self._be_in_lobby()
        self._tell(["The table has closed; you are in the lobby."])

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[str, ...]) -> None:
        """See `lobby.Visitor`."""
        self.scene.tables, self.scene.people = tables, people
        self._tell([])

    def dismiss(self, farewell: str) -> None:
        """See `lobby.Visitor`."""
        self._end(farewell)

    def taken_over(self) -> None:
        """See `lobby.Visitor`."""
        self._end("You have come in from another terminal; this one is let go.")
