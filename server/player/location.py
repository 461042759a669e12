"""Where a player is, and what they look at in front of it. What a player sees and may do follows from these two."""

from collections.abc import Sequence
from typing import ClassVar, Protocol

from msgspec import Struct

from engine.errors import InputError
from engine.moves import Move
from engine.view import View
from server.records.record import Record
from server.render.scene import Progress
from server.table.occasion import Occasion
from server.table.place import LOBBY, TABLE, WATCHING, Place
from server.table.snapshot import Listing, Presence, Snapshot
from server.table.table import Table


class SideView(Protocol):
    """What a player looks at in the lobby, or between games at a table: a finished game, an exercise."""

    place: ClassVar[Place]
    snapshot: Snapshot
    """The position that is shown, as a table would show it."""
    log: Sequence[str]
    """What led to it, in sentences."""
    is_over: bool
    """Whether there is nothing left to look at."""

    @property
    def record(self) -> Record | None:
        """The finished game that is looked at, if it is one."""

    @property
    def progress(self) -> Progress:
        """How far it has come."""

    @property
    def to_type(self) -> str:
        """What the player is asked to type now; empty if they find that out themselves."""

    def stop(self) -> bool:
        """Stop going on by itself. Returns whether it did so."""

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


class Whereabouts:
    """Where one player is. How they come and go is that of a `PlayerSession`."""

    location = Location()
    side_view: SideView | None = None
    """What the player looks at in front of their location; changed by `set_side_view`."""

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
        snapshot = self.location.snapshot
        return self.at_table and (snapshot is None or snapshot.seat is None)

    @property
    def place(self) -> Place:
        """Where the player is: a side view, or what is behind it."""
        if self.side_view is not None:
            return self.side_view.place
        if not self.at_table:
            return LOBBY
        return WATCHING if self.is_watching else TABLE

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
