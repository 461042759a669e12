"""One player on the server, a person or a bot: who they are, where they are, what they see, how they come and go.

The session is a subscriber of the table it is at and a visitor of the lobby. It knows neither terminals nor wire
formats: its front end shows it to the player.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import ClassVar, Final, Protocol, TypeAlias

from msgspec import Struct, structs

from engine.errors import InputError
from engine.events import Event
from engine.legality import legal_moves
from engine.moves import Move, PickUp, Play
from engine.view import View
from server import limits
from server.language.position_text import news_text
from server.language.table_list import in_order, unfolded
from server.ledger import Rate
from server.lobby.lobby import Lobby
from server.people.names import NAMELESS
from server.people.players import Caller, Kind, Player, come_in_again_text, guest_id, new_code, way_back_text
from server.people.settings import OwnLevel, Settings
from server.player.table_feed import TableFeed
from server.player.talk import TO_YOU, Talk
from server.records.record import Record
from server.render.scene import PLAY, AfterGame, LobbyHint, Offer, Page, Progress, Scene, Teaches
from server.table.inbox import Reply
from server.table.occasion import Occasion
from server.table.place import LOBBY, TABLE, WATCHING, Place
from server.table.recent_talk import Said
from server.table.snapshot import Listing, Notice, Presence, Snapshot, Subscriber
from server.table.table import Table
from server.table.table_events import HUNG_UP, LOST, TO_LOBBY, Leaving

WayIn: TypeAlias = Callable[[Subscriber, Player, str], Awaitable[None]]
"""How to go to a table: its method `sit` or `come`."""
NOT_KEPT: Final = "This game is in your terminal alone, and is lost when you quit."
BIG_PILE: Final = 8
"""A player who could play has to confirm that they pick up a pile of so many cards."""
KEY_SECONDS: Final = 10
"""A key that has to be pressed again counts only so soon after the question."""


class TypedAgain:
    """One player's open question: what they were asked to type again, since a slip would cost much."""

    def __init__(self) -> None:
        self.asked = ""
        """The move or command; empty for none."""
        self.proposed = ""
        """The line that was proposed instead of the last one, which Enter or yes gives; empty for none."""
        self.is_latest = True
        """Whether nobody has said anything since: else a yes may be an answer to them."""

    def confirm_or_ask(self, what: str) -> bool:
        """Note that the player is asked to type this again. Returns whether they now have, after they were asked."""
        confirmed, self.is_latest = self.asked == what, True
        self.asked = "" if confirmed else what
        return confirmed

    def confirm_nothing_but(self, *typed: str, keeps_talk: bool = False) -> None:
        """Forget what was proposed, unless it is talk to keep, and what was asked to be typed again, unless this."""
        if not (keeps_talk and self.proposed.startswith("'")):
            self.proposed, self.is_latest = "", True
        if self.asked not in typed:
            self.asked = ""


def is_costly(move: PickUp, view: View | None) -> bool:
    """Whether a player who sees this would pick up a big pile although they could play."""
    if view is None or view.seat is None or len(view.pile) < BIG_PILE:
        return False
    legal = legal_moves(view, view.seat)
    return move in legal and any(isinstance(other, Play) for other in legal)


class SideView(Protocol):
    """What a player looks at in the lobby, or between games at a table: a finished game, an exercise."""

    place: ClassVar[Place]
    snapshot: Snapshot
    """The position that is shown, as a table would show it."""
    log: Sequence[str] = ()
    """What led to it, in sentences."""
    is_over: bool = False
    """Whether there is nothing left to look at."""
    record: Record | None = None
    """The finished game that is looked at, if it is one."""
    to_type: str = ""
    """What the player is asked to type now; empty if they find that out themselves."""

    @property
    def progress(self) -> Progress:
        """How far it has come."""
        return Progress(0, 0, "")

    def stop(self) -> bool:
        """Stop going on by itself. Returns whether it did so."""
        return False

    async def move(self, move: Move) -> list[str]:
        """Take a move that the player has typed. Returns the lines of the answer. Raises InputError."""


class Location(Struct, frozen=True):
    """At a table; in the lobby if there is none. Who is at one keeps no lists: they would be most of a session."""

    table: Table | None = None
    snapshot: Snapshot | None = None
    """The newest that the table has sent; None before the first."""
    tables: tuple[Listing, ...] = ()
    people: tuple[Presence, ...] = ()
    """All players on the server."""

    @property
    def place(self) -> Place:
        """The lobby, or a table with or without a seat."""
        if self.table is None:
            return LOBBY
        return WATCHING if self.snapshot is None or self.snapshot.seat is None else TABLE


class FrontEnd:
    """Shows a player session to its player, and neither waits nor raises an error; this one shows nothing."""

    is_drawn = False
    """Whether the player sees a screen; if not, everything is told in lines."""
    is_busy = False
    """Whether a request of a program is being carried out: it may begin a game."""

    @property
    def said_before(self) -> Sequence[str]:
        """What the player had been told when they typed the present line, since the line before."""
        return ()

    @property
    def has_signs(self) -> bool:
        """Whether the player's terminal shows suit signs."""
        return False

    @property
    def can_answer(self) -> bool:
        """Whether there is a person who can answer a question."""
        return False

    @property
    def is_reading(self) -> bool:
        """Whether the player reads a page on the screen."""
        return False

    @property
    def screen_notes(self) -> Sequence[str]:
        """Why the player sees no screen; empty if they see one, or want none."""
        return ()

    def updated(self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """The table has changed. ``before`` is its last snapshot, None if this is the first."""

    def told(self, lines: list[str]) -> None:
        """Lines for the player; an empty list if something has changed that only a screen shows."""

    def refused(self, error: InputError) -> None:
        """The player has come in, and cannot take the seat again that a table has kept, or what else is kept."""
        self.told([error.sentence])

    def called(self) -> None:
        """Have the player notice that something waits for them."""

    def answered(self, asked: str, lines: list[str], *, number_means: str = "") -> None:
        """The answer to a command that took its time; ``asked`` is the command, ``number_means`` as for a `Page`."""

    def progressed(self, line: str, *, instead_of: str) -> None:
        """How far a slow command has come; a screen that shows something newer than ``instead_of`` keeps it."""

    def table_closed(self, why: str) -> None:
        """The player is in the lobby again, since their table has closed or sleeps: ``why`` is a phrase for them."""

    def ended(self, farewell: str) -> None:
        """The session ends; ``farewell`` says why."""


class Waiting(Protocol):
    """What takes its time, and that a player waits for while they go on with what they do."""

    def stop(self) -> list[str]:
        """Stop it. Returns what to say then."""


class PlayerSession:
    """One player from `begin` to `finish`.

    Who they are is read when they come in, so that no screen waits for the log. It is changed here first: a player has
    one session.
    """

    gives_way_to = frozenset[str]()
    """What the player waits for and knows that a game gives way to it; see `Notice.of`."""
    location = Location()
    side_view: SideView | None = None
    """What the player looks at in front of their location; changed by `set_side_view`."""

    def __init__(self, lobby: Lobby, caller: Caller, front_end: FrontEnd, kind: Kind = "person") -> None:
        """A guest until `identify`."""
        self.lobby, self.caller, self.front_end = lobby, caller, front_end
        self._resume_code = caller.token or new_code()
        self.player = Player(guest_id(self._resume_code), caller.wished_name or NAMELESS, kind)
        self.settings = Settings()
        self.seats_read: Mapping[int, str] = {}
        """The names on the player's seats, by table. They are read again when the player returns to the lobby, and when
        one of these tables is unloaded, or gets other players elsewhere (`Lobby.seats_changed`)."""
        self.asks_name = False
        """Whether a guest, or a player with a new key, is asked how they want to be called, until they have a name."""
        self.has_given_command = False
        """An unknown word alone is the name of a new player only before their first command."""
        self.typed_again = TypedAgain()
        self._after_game = lobby.features.all(AfterGame)
        self.feed = TableFeed(front_end.told, self._after_game)
        self.talk = Talk(lobby.visitors.said_after, front_end.told, self.ignores)
        self._heard_after = ""
        self.notice: Notice | None = None
        """What the player reads before all else."""
        self.reminder = ""
        """How a guest takes a seat that may be kept for them; empty if there is no such seat."""
        self.is_taught = False
        """Whether the player has gone through a lesson or a game, and needs no more words for newcomers."""
        self.offer = PLAY
        """What Enter alone does in the lobby; where else the player `may_go`, it is an invitation that Enter takes."""
        self._held: Offer | None = None
        """The offer that was seen to hold: what goes on in another process is known a little later."""
        self.waits_for: Waiting | None = None
        """What the player has asked for and waits for while they go on with what they do; None when it is done."""
        self._has_quit = False
        self._requests = Rate(limits.PLAYER_REQUESTS.share)

    # Who the player is.

    async def identify(self) -> None:
        """Find out who the player is. They come in at once then, while the name is still free. Raises NotSaved."""
        self.player = await self._find_player()

    async def _find_player(self) -> Player:
        """The player that the key stands for, whose settings and seats are read, too. Raises NotSaved."""
        account = await self.lobby.profiles.account_of(self.caller)
        kept = Settings.from_json(account.settings)
        self.settings = kept.ignoring({*kept.ignored, *self.settings.ignored})  # also whom they ignored as a guest
        self.asks_name = not (account.name or self.caller.token or self.caller.is_alone)
        player_id, new = account.id, self.player.id
        if not player_id:
            self._resume_code, player_id = await self.lobby.guests.come(self.caller, self._resume_code)
        # A guest's code is new, so no seat is kept for it.
        self.seats_read = await self.lobby.tables.seats_of(player_id) if player_id != new or self.caller.token else {}
        given = self.lobby.imposed.given_name(player_id, self.caller)
        wished = given.name if given else account.name or self.caller.wished_name
        name = await self.lobby.names.name_for(player_id, wished, self.seats_read, is_theirs=bool(account.name))
        return Player(player_id, name, self.player.kind)

    async def come_in_again(self) -> None:
        """Become the player that the key or the code stands for now: it was linked, or the host has said who it is."""
        await self.become(await self._find_player(), self.seats_read)
        self.front_end.answered("", [f"You are {self.player.name}."])

    async def become(self, player: Player, seats: Mapping[int, str], resume_code: str = "") -> None:
        """Go on as another player, who has these seats; a guest with their resume code."""
        self.lobby.visitors.leave(self)
        self.player, self.seats_read = player, seats
        self._resume_code = resume_code or self._resume_code
        await self.begin()

    def be_called(self, name: str) -> None:
        """See `LocalVisitor`."""
        self.player = structs.replace(self.player, name=name)
        self.lobby.visitors.renamed(self)

    async def change_setting(self, key: str, value: str) -> None:
        """Change a setting, for this session and the next. Raises InputError if there is no such setting or value."""
        self.settings = self.settings.changed(key, value)
        await self.lobby.profiles.remember_settings(self.player, self.settings)

    @property
    def own_seats(self) -> dict[int, str]:
        """The names on the player's seats, by table. Asks nothing of the log."""
        return self.lobby.tables.seats_now(self.player.id, self.seats_read)

    @property
    def resume_code(self) -> str:
        """What a guest types to be known again; empty for players with a key, and for guests with a token."""
        is_typed = not self.caller.token and self.caller.may_return and not self.player.account
        return self._resume_code if is_typed else ""

    @property
    def token(self) -> str:
        """What the guest's program shows the next time, as in `Caller`; empty if it keeps none."""
        return self._resume_code if self.caller.token else ""

    async def read_seats(self) -> None:
        """Read again which seats the player has; a screen shows it."""
        self.seats_read = await self.lobby.tables.seats_of(self.player.id)
        self.front_end.told([])

    def ignores(self, name: str) -> bool:
        """Whether the player wants to hear nothing from somebody with this name."""
        return self.settings.ignores(name)

    async def read_settings(self) -> None:
        """Read again what the player has chosen: it was changed outside this session. Raises NotSaved."""
        self.settings = Settings.from_json((await self.lobby.accounts.account(self.player.id)).settings)

    async def is_ignored(self, names: Collection[str]) -> bool:
        """Whether a player with one of these names ignores this one. Guests of other processes are not known to."""
        those_here = [each.settings for each in self.lobby.visitors.here if each.player.name in names]
        kept = [await self.lobby.profiles.settings_of(each) for each in names]
        return any(each.ignores(self.player.name) for each in (*those_here, *kept))

    # Coming in and going.

    async def begin(self) -> None:
        """Come in, and take the seat again that a table has kept. The front end is told if that is `refused`."""
        self.lobby.note_visit(self.player)
        self.settings = self.lobby.profiles.of_guests.get(self.player.id, self.settings)
        self.lobby.visitors.enter(self)
        self.reminder = ""
        try:
            if own := self.own_seats:
                table = await self.lobby.kept_table(self.lobby.tables.first_of(own), self.caller)
                self.feed.tips.known()
                if not self.at_table:  # or the player was brought to one meanwhile
                    await self.enter(table, table.come)
                    if self.in_game:
                        self.note(self.where)
                for other in sorted(own.keys() - {table.number}):
                    self.note(f"Your seat at table {other} is kept, too: sit {other}")
            elif not self.player.account and (kept := await self.lobby.guests.kept_for(self.caller, self.player.id)):
                if kept.by_enter:
                    self.offer = Offer(f"resume {kept.name}", f"go on as {kept.name}")
                self.reminder = kept.reminder
        except InputError as error:
            self.reminder = error.sentence  # for the greeting
            self.front_end.refused(error)
        if not self.at_table:
            self.lobby.names.rename_if_due(self)
            self.talk.recall_lobby()

    async def finish(self) -> None:
        """Go; a seat in a running game is kept."""
        self.stop_waiting()
        self.lobby.visitors.leave(self)
        await self._leave(HUNG_UP if self._has_quit else LOST)

    # Where the player is: at a table, or in the lobby; and what they look at in front of that.

    def set_side_view(self, side_view: SideView | None) -> None:
        """Show this in front of the player's location, or only the location. Stops what was shown before."""
        if self.side_view is not None:
            self.side_view.stop()
        self.side_view = side_view

    @property
    def at_table(self) -> bool:
        """Whether the player is at a table; if not, they are in the lobby."""
        return self.location.table is not None

    @property
    def table(self) -> Table:
        """The table the player is at. Raises InputError in the lobby."""
        if self.location.table is None:
            raise InputError("bad_request", "you are in the lobby: type play, or sit N for a table")
        return self.location.table

    @property
    def table_number(self) -> int | None:
        """The number of the table the player is at; None in the lobby."""
        return self.location.table.number if self.location.table else None

    @property
    def is_watching(self) -> bool:
        """Whether the player is at a table without a seat."""
        return self.location.place == WATCHING

    @property
    def place(self) -> Place:
        """Where the player is: a side view, or what is behind it."""
        return self.side_view.place if self.side_view is not None else self.location.place

    @property
    def snapshot(self) -> Snapshot | None:
        """What the player sees: their table, or what the side view shows; None in the lobby."""
        return self.side_view.snapshot if self.side_view else self.location.snapshot

    @property
    def occasion(self) -> Occasion | None:
        """The occasion of the table that the player is at; None in the lobby, and at a table without one."""
        return self.location.snapshot.occasion if self.location.snapshot else None

    @property
    def view(self) -> View | None:
        """The game that the player sees, as they may know it."""
        return self.snapshot.view if self.snapshot else None

    @property
    def game(self) -> str:
        """The id of the game that the player sees; empty if there is none."""
        return self.snapshot.game if self.snapshot else ""

    @property
    def may_look_back(self) -> bool:
        """Whether the player can look at a finished game: not in an exercise, nor while a game goes on at the table."""
        return self.place.kind != "exercise" and not (self.location.snapshot and self.location.snapshot.playing)

    @property
    def in_game(self) -> bool:
        """Whether the player has a seat in a running game, and cards in it still; not while a side view is shown."""
        view = None if self.side_view else self.view
        return view is not None and view.phase != "over" and view.seat is not None and view.seat not in view.places

    @property
    def is_dealt_in(self) -> bool:
        """Whether a game goes on in which the player has a seat, with or without cards, whatever they look at."""
        snapshot = self.location.snapshot
        return snapshot is not None and snapshot.playing and snapshot.seat is not None

    @property
    def is_asked(self) -> bool:
        """Whether another game waits until all who sit at the player's table agree."""
        snapshot = self.location.snapshot
        return snapshot is not None and snapshot.seat is not None and bool(snapshot.agreed)

    @property
    def where(self) -> str:
        """At which table the player is or, of a game that goes on, what it is and how they leave it."""
        if (occasion := self.occasion) and self.in_game:
            return f"This is {occasion.name}: leave goes to the lobby. {occasion.left}"
        ways = ": quit keeps your seat, leave gives it up" if self.in_game else ""
        return f"You {'watch' if self.is_watching else 'are at'} table {self.table.number}{ways}."

    @property
    def may_go(self) -> bool:
        """Whether the player may go to another table: unless others play with them, or wait for the first deal."""
        is_idle = self.place == TABLE and not (self.occasion or self.is_dealt_in)
        return self.place in {LOBBY, WATCHING} or (is_idle and (self.table.has_ended or len(self.table.names()) == 1))

    def must_be_in_lobby(self) -> None:
        """Raises InputError at a table and in a side view."""
        if self.place != LOBBY:
            where = self.place.works if self.side_view else f"at table {self.table.number}"
            raise InputError("bad_request", f"you are {where}: type leave first")

    def must_be_at_no_table(self) -> None:
        """Raises InputError at a table, to which the player may have been called meanwhile."""
        if self.at_table:
            raise InputError("bad_request", f"you are at table {self.table.number}: type leave first")

    # What the player sees, and what Enter alone does.

    @property
    def invitation(self) -> list[str]:
        """Says again what an invitation has come to; empty if there is none."""
        return [f"{self.offer.news}: {self.way_to_offer}."] if self.offer.news else []

    @property
    def takes_offer(self) -> bool:
        """Whether Enter and yes do what is offered to the player. What those at their own table ask comes first."""
        return self.offer is not PLAY and self.may_go and not self.is_asked

    @property
    def way_to_offer(self) -> str:
        """How the player takes what is offered, where they are."""
        takes_it = self.takes_offer and self.front_end.can_answer and not self.typed_again.proposed.startswith("'")
        enter = "press Enter or " if takes_it else ""
        if not (self.may_go or self.is_dealt_in):
            return f"type leave, then {self.offer.line}"
        return f"{'after this game ' if self.is_dealt_in else enter}type {self.offer.line}"

    @property
    def enter_line(self) -> str:
        """The line that Enter alone gives: what was proposed, or else the next step."""
        return self.typed_again.proposed or self.next_step

    @property
    def next_step(self) -> str:
        """The line that Enter alone stands for; never a move. Empty if it stands for none."""
        if self.side_view is not None:
            return ""
        snapshot = self.location.snapshot
        return self.offer.line if snapshot is None or self.takes_offer else snapshot.next_step

    @property
    def scene(self) -> Scene:
        """What the player sees, without the answer and the page on their terminal."""
        return self.scene_with()

    def scene_with(self, answer: str = "", page: Page | None = None) -> Scene:
        """What the player sees, with this answer and this page on their terminal."""
        side_view, drawn, proposed = self.side_view, self.front_end.is_drawn, self.typed_again.proposed
        snapshot, clock_left = self.snapshot, self.feed.clock_left
        shows_all_talk = page is None and (side_view is None or side_view.place.kind != "exercise")
        scene = Scene(
            name=self.player.name,
            rulebook=self.lobby.rulebook,
            settings=self.settings,
            resume_code=self.resume_code,
            snapshot=snapshot,
            people=self.location.people,
            log=side_view.log if side_view else self.feed.log,
            # An exercise needs the room, and a page: it shows what was said since it began.
            talk=self.talk.lines if shows_all_talk else self.talk.new_lines,
            heard_after=self._heard_after,
            drawn=drawn,
            alone=not self.caller.may_return,
            clock_left=clock_left if side_view is None or self.may_look_back else None,
            news=news_text(self.location.snapshot, clock_left, is_behind=bool(side_view or page)),
            answer=answer,
            reason=self.feed.refused or self.feed.reason,
            page=page,
            progress=side_view.progress if side_view else None,
            notice=self.notice,
            offer=self.offer if self.takes_offer else PLAY,
            invitation=self.offer.news,
            has_signs=self.front_end.has_signs,
            after_game=self._after_game,
        )
        if proposed:
            scene.offer = Offer(proposed, "say it to the others" if proposed.startswith("'") else proposed)
        if self.location.table is None:
            own = self.own_seats if drawn and side_view is None else {}
            hints = self.lobby.features.all(LobbyHint)
            read = ((each.own and each.own(self.lobby, self.player, own)) or each for each in hints)
            scene.hints = [each for each in read if each.text]
            if self.settings.own_level == OwnLevel() and not self.is_taught:  # they have met no AI players yet
                scene.teaches = next(iter(self.lobby.features.all(Teaches)), None)
            scene.tables = unfolded(in_order(self.location.tables, own), own)
            scene.kept_seats = tuple(sorted(own))
        return scene

    # Coming and going.

    async def sit(self, table: Table, word: str = "") -> None:
        """Take a seat at a table. Raises InputError as `enter` does, and if somebody there ignores the player."""
        await self._must_be_liked(table)
        if self.at_table:
            await table.sit(self, self.player)
        else:
            await self.enter(table, table.sit, word)

    async def leave_for(self, table: Table, word: str, *, to_sit: bool) -> None:
        """Leave the table that the player is at for this one. Raises InputError, and stays, if it refuses them."""
        if to_sit:
            await self._must_be_liked(table)
        with self.try_secret(table.number) if word else nullcontext():
            await table.must_admit(self.player, word, to_sit=to_sit)
        await self.leave_table()

    async def _must_be_liked(self, table: Table) -> None:
        seated = table.names()
        if self.player.id not in seated and await self.is_ignored(seated.values()):
            raise InputError("barred", "somebody there wants no seat beside you: new opens a table of your own")

    async def enter(self, table: Table, way_in: WayIn, word: str = "", *, is_own: bool = False) -> None:
        """Go from the lobby to a table, whose word the player has named if it has one.

        ``is_own``: the player has just opened it, with this word. Raises InputError if the table refuses, or if too
        many words were wrong: the player is in the lobby then.
        """
        with self.try_secret(table.number) if word and not is_own else nullcontext():
            before = self.player.name
            if self.player.id not in table.names():
                await self.lobby.names.keep(self)
            self.must_be_at_no_table()  # the player may have been brought to another one meanwhile
            self.feed.begin()
            self.talk.go_to_table()
            self.location = Location(table)  # it sends a snapshot before it answers
            self.set_side_view(None)
            try:
                await way_in(self, self.player, word)
            except InputError:
                self._return_to_lobby()
                self._see_lobby()
                raise
        self.offer = PLAY
        self.typed_again.confirm_nothing_but()
        if self.player.name != before:
            self.note(f"Another player has taken the name {before} just before you: you are {self.player.name}.")

    async def be_brought_to(self, table: Table, to: str) -> None:
        """Go to a table at which the player has a seat, from wherever they are. Raises InputError.

        ``to``: what those are told whom they leave, as in "the next table".
        """
        await self._leave(Leaving(to))
        await self.enter(table, table.come)
        self.front_end.answered("", [])  # the last answer is about where they were
        self.note(self.where)
        self.tell_way_back()

    def tell_way_back(self) -> None:
        """Tell a guest at a table how to be known again, unless their screen shows it as long as a game goes on."""
        if self.resume_code and not self.front_end.is_drawn:
            self.note(way_back_text(self.resume_code))

    async def leave_table(self) -> None:
        """Go back to the lobby for good, and at once, whatever the table answers."""
        await self._leave(TO_LOBBY)
        self._see_lobby()

    async def _leave(self, why: Leaving) -> None:
        table = self.location.table
        self._return_to_lobby()
        if table is not None:
            with suppress(InputError):
                await asyncio.shield(table.leave(self, why))

    def _return_to_lobby(self) -> None:
        self.location, self.asks_name = Location(), False
        self.set_side_view(None)
        self.feed.stop_clock()
        self.talk.leave_table()

    def _see_lobby(self) -> None:
        self.lobby.read_seats(self)
        self.lobby.names.rename_if_due(self)
        self.lobby.visitors.show_lobby(self)
        self.talk.recall_lobby()
        self.front_end.told(self.invitation)

    # What the player does.

    def move(self, move: Move, ply: int, game: str | None) -> "Reply | asyncio.Task[None]":
        """Make a move at the table that was typed when the player saw this game. A refusal is an InputError."""
        if delay := self._requests.take():
            return asyncio.create_task(self._move_later(delay, move, ply, game))
        return self.table.move(self, ply, move, game)

    async def _move_later(self, delay: float, move: Move, ply: int, game: str | None) -> None:
        await asyncio.sleep(delay)
        await self.table.move(self, ply, move, game)

    def be_awaited_if_reading(self) -> None:
        """Have another game at the table wait for the player's answer if they read something, or are about to."""
        if self.location.table is not None and (self.side_view or self.front_end.is_reading or self.waits_for):
            self.location.table.wait_for_reader(self)

    def stop_waiting(self) -> list[str]:
        """Stop what the player waits for, if there is anything. Returns what to say then."""
        waited_for, self.waits_for = self.waits_for, None
        return waited_for.stop() if waited_for is not None else []

    def try_secret(self, table: int | None = None) -> AbstractContextManager[None]:
        """A context in which the player tries the word of this table, or a code; see `Ledger.attempt`."""
        at_table = () if table is None else ((limits.WRONG_GUESSES_AT_TABLE, f"table {table}"),)
        return self.lobby.ledger.attempt((limits.WRONG_GUESSES, self.caller), *at_table)

    def take_turn_to_talk(self, line: str = "") -> None:
        """Use up one turn to talk, or to say this line. Raises InputError as `Talk.take_turn`, and if muted."""
        self.lobby.imposed.refuse_if_muted(self.player, self.caller)
        self.talk.take_turn(line)
        self.lobby.ledger.charge(limits.TALK_OF_ADDRESS, self.caller)
        self.talk.note_own(line)

    async def wait_for_turn(self) -> None:
        """Wait as long as the rate of a player's requests demands."""
        await asyncio.sleep(self._requests.take())

    # What the table and the lobby tell; see `snapshot.Subscriber` and `visitors.Visitor`.

    def note(self, line: str) -> None:
        """Tell the player something about their table that is not told again later."""
        if self.at_table:
            self.feed.note(line)
            self.front_end.told([line])

    def hear(self, name: str, line: str, invitation: str = "") -> None:
        """A player said something, or has invited the player. A screen shows an invitation as long as it holds."""
        if line.startswith(TO_YOU) and not self.ignores(name):
            self.talk.heard_from = name
        if invitation and not self.ignores(name):
            self.offer = Offer(invitation, line.removeprefix(TO_YOU), name, f"{name} invites you")
            self.typed_again.confirm_nothing_but(keeps_talk=True)
            self.typed_again.is_latest = False
            self._tell(f"{name}: {line}: {self.way_to_offer}")
            self.lobby.visitors.show_lobby(self)  # and what becomes of that table
        elif not invitation and self.talk.hear(name, line):
            self._heard_after = self.feed.log[-1] if self.feed.log else self._heard_after
            self.typed_again.is_latest = False

    def _tell(self, line: str) -> None:
        """Tell the player something that their screen also shows, in the log of a table or in the lobby."""
        self.note(line) if self.at_table else self.front_end.told([line])

    @property
    def follows_lobby(self) -> bool:
        """See `LocalVisitor`."""
        return not self.at_table or self.offer is not PLAY

    def recall_talk(self, said: Sequence[Said]) -> None:
        """What was said at the table before the player came."""
        self.talk.recall(said)

    def call(self) -> None:
        """Something waits for the player."""
        self.front_end.called()

    def show_first(self, notice: Notice | None) -> None:
        """There is something else to read first. In lines only an invitation is told: no clock runs there."""
        self.notice = notice
        self.front_end.told([notice.text] if notice and notice.invites and not self.front_end.is_drawn else [])

    def push(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """The table has changed. A side view stays in front of it."""
        if (before := self.location).table is not None:
            self.location = Location(before.table, snapshot)
            self.offer = PLAY if self.is_dealt_in and not self.offer.by else self.offer
            self.front_end.updated(before.snapshot, snapshot, events)
            if snapshot.agreed:  # others are still to be shown this
                asyncio.get_running_loop().call_soon(self.be_awaited_if_reading)

    def recall(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """What happened before the player came."""
        self.feed.recall(snapshot, events)
        self.front_end.told([])

    def closed(self, why: str = "the table has closed") -> None:
        """The table has closed, or sleeps."""
        if self.at_table:
            self.typed_again.confirm_nothing_but()
            self._return_to_lobby()
            self.front_end.table_closed(why)
            self._see_lobby()

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[Presence, ...]) -> None:
        """Tables or people have changed."""
        shown = Location(tables=tables, people=people)
        if self.offer.line.startswith(("sit ", "watch ")):
            self._follow_offer({each.number: each for each in tables})
        if not self.at_table and self.location != shown:
            self.location = shown
            if self.side_view is None:
                self.front_end.told([])

    def _follow_offer(self, tables: Mapping[int, Listing]) -> None:
        """Offer what can be done at the same table by now, and tell the player why Enter does something else."""
        (way, number, *word), by = self.offer.line.split(), self.offer.by
        table, giver = tables.get(int(number)), self.lobby.visitors.named(by)
        is_there = giver is not None and giver.table_number == int(number) if by else table is not None
        now = "sit" if table is not None and table.open_seats else "watch"
        if is_there and (table is None or way == now):
            self._held = self.offer
        elif self._held is self.offer and self.table_number == int(number):
            self.offer = PLAY
            self.front_end.told([])
        elif self._held is self.offer and is_there:
            free, dealt = f"Table {number} has a free seat", f"Table {number} has dealt without you"
            news = free if now == "sit" else dealt if table and table.playing else f"Table {number} is full now"
            what = f"{'sit down at' if now == 'sit' else 'watch'} table {number}"
            self.offer = self._held = Offer(" ".join([now, number, *word]), what, by, news)
            self._tell(f"{news}: {self.way_to_offer}")
        elif self._held is self.offer:
            news = f"{by} has left table {number}" if by else f"Table {number} has closed"
            self.offer = Offer("tables", "list the tables", news=news) if self.takes_offer else PLAY
            self._tell(f"{news}: {self.way_to_offer}" if self.takes_offer else f"{news}.")

    def dismiss(self, farewell: str) -> None:
        """The session ends, for this reason."""
        self.front_end.ended(farewell)

    def quit(self, farewell: str) -> None:
        """The player hangs up."""
        self._has_quit = True
        self.dismiss(farewell)


def kept_seat_text(session: PlayerSession) -> str:
    """What becomes of the seat of a player who hangs up."""
    if not session.caller.may_return:
        return NOT_KEPT
    kept = f"Your seat is kept: {come_in_again_text(session.resume_code)}."
    last = "you are last if you are away at the end, or if it makes over a third of your moves"
    cost = f"An AI player plays for you meanwhile; {last}."
    return kept if len(session.table.names()) == 1 else f"{cost} {kept}"


def parting_lines(session: PlayerSession) -> list[str]:
    """The last lines for a player whose seat is kept. They stay on the terminal when the screen is gone."""
    if not session.caller.may_return or session not in session.lobby.visitors.here:
        return []
    has_seat = session.at_table and session.player.id in session.table.names()  # an op may have freed it just now
    gave_way = not session.at_table and bool(session.own_seats)
    if not ((has_seat and (session.in_game or len(session.table.names()) > 1)) or gave_way):
        return []
    end = "" if session.resume_code else "."  # behind a code it would look like a part of it
    return [f"Your seat is kept for a while: {come_in_again_text(session.resume_code)}{end}"]


async def take_seat_back(session: PlayerSession, code: str) -> None:
    """Make this the session of the guest with this resume code. Raises InputError if no seat is kept for them."""
    lobby = session.lobby
    code, player_id = await lobby.guests.find(session.caller, code)
    if player_id == session.player.id:
        raise InputError("bad_request", "that code is for the next time: type the one that the table showed")
    with session.try_secret():
        seats = await lobby.tables.seats_of(player_id)
        name = lobby.kept_name(player_id, seats)
        if session.player.account or not name:
            raise InputError("bad_word", "no seat is kept for that code: check it; the game may have ended")
    if session.at_table and session.in_game and set(session.table.names()) - {session.player.id}:
        raise InputError("bad_request", "you play with others here: type leave first")
    await session.leave_table()
    await session.become(Player(player_id, name), seats, code)
