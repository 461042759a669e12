"""Where a player is, and what they look at in front of it. What a player sees and may do follows from these two."""

from collections.abc import Sequence
from typing import ClassVar, Final, Protocol, TypeAlias

from msgspec import Struct

from engine.errors import InputError
from engine.legality import legal_moves
from engine.moves import Move, PickUp, Play
from engine.view import View
from server.records.record import Record
from server.render.scene import Progress
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
        """Take a move that the player has typed; returns the lines of the answer. Raises InputError."""


class InLobby(Struct, frozen=True):
    """In the lobby."""

    tables: tuple[Listing, ...] = ()
    people: tuple[Presence, ...] = ()
    """All players on the server."""
    table: ClassVar[None] = None
    snapshot: ClassVar[None] = None


class AtTable(Struct, frozen=True):
    """At a table."""

    table: Table
    snapshot: Snapshot | None = None
    """The newest that the table has sent; None before the first."""
    tables: ClassVar[tuple[Listing, ...]] = ()
    people: ClassVar[tuple[Presence, ...]] = ()
    """No player at a table keeps these lists: they would be most of a session."""


Location: TypeAlias = InLobby | AtTable

BIG_PILE: Final = 8
"""A player who could play has to confirm that they pick up a pile of so many cards."""


class Located:
    """A player's location and side view, and what follows from them."""

    def __init__(self) -> None:
        self.location: Location = InLobby()
        self.side_view: SideView | None = None
        """What the player looks at in front of their location; changed by `set_side_view`."""
        self.to_confirm = ""
        """The move or command that the player was asked to type again, as a slip would cost much; empty for none."""

    def set_side_view(self, side_view: SideView | None) -> None:
        """Show this in front of the player's location, or the location itself; what was shown before is stopped."""
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
        table = self.location.table
        if table is None:
            raise InputError("bad_request", "you are in the lobby: type play, or sit N for a table")
        return table

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
    def view(self) -> View | None:
        """The game that the player sees, as they may know it."""
        snapshot = self.snapshot
        return snapshot.view if snapshot else None

    @property
    def game(self) -> str:
        """The id of the game that the player sees; empty if there is none."""
        snapshot = self.snapshot
        return snapshot.game if snapshot else ""

    @property
    def looked_at(self) -> object:
        """What the player looks at: a side view, or a game at a table. Another value means something newer."""
        return self.side_view, self.location.table, self.location.snapshot and self.location.snapshot.game

    @property
    def may_replay(self) -> bool:
        """Whether the player can look at a finished game: not in an exercise, nor while a game goes on at the table."""
        snapshot = self.location.snapshot
        return self.place.kind != "exercise" and not (snapshot and snapshot.playing)

    @property
    def in_game(self) -> bool:
        """Whether the player has a seat in a running game, and cards in it still; not while a side view is shown."""
        view = None if self.side_view else self.view
        return view is not None and view.phase != "over" and view.seat is not None and view.seat not in view.places

    def confirm_or_ask(self, what: str) -> bool:
        """Note that the player is asked to type this again; returns whether they were asked before, and now have."""
        confirmed = self.to_confirm == what
        self.to_confirm = "" if confirmed else what
        return confirmed

    def is_costly(self, move: PickUp) -> bool:
        """Whether the player would pick up a big pile although they could play."""
        view = self.view
        if view is None or view.seat is None or len(view.pile) < BIG_PILE:
            return False
        legal = legal_moves(view, view.seat)
        return move in legal and any(isinstance(other, Play) for other in legal)

    def must_be_in_lobby(self) -> None:
        """Raises InputError at a table and in a side view."""
        if self.place != LOBBY:
            where = self.place.works if self.side_view else f"at table {self.table.number}"
            raise InputError("bad_request", f"you are {where}: type leave first")

    def must_be_at_no_table(self) -> None:
        """Raises InputError at a table, to which the player may have been called meanwhile."""
        if self.location.table is not None:
            raise InputError("bad_request", f"you are at table {self.table.number}: type leave first")

    def must_be_between_games(self) -> None:
        """Raises InputError in an exercise, and at a table with a running game."""
        if self.place.kind == "exercise":
            self.must_be_in_lobby()
        if not self.may_replay:
            raise InputError("bad_request", "a game is going on here: type leave first, or wait for its end")

    def close_side_view(self) -> str:
        """Look at the table or the lobby again; which of them it is, in words."""
        self.set_side_view(None)
        return f"at table {self.table.number}" if self.at_table else "in the lobby"
