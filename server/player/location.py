"""Where a player is: one value of three forms. What a player sees and may do follows from it.

All forms have the attributes ``table``, ``snapshot`` and ``side_view``, which are None if there is no such thing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, Protocol, TypeAlias

from engine.errors import InputError
from engine.view import View
from server.render.scene import Progress
from server.table.coordinator import Table
from server.table.snapshot import Listing, Snapshot

Place: TypeAlias = Literal["lobby", "table", "watching", "replay", "lesson"]
"""Where a player is, in a word; "table" if they have a seat there, else "watching"."""


class SideView(Protocol):
    """A finished game or a lesson that a player looks at, in the lobby or between games at a table."""

    place: ClassVar[Place]
    snapshot: Snapshot
    """What is looked at, as a table shows it."""
    log: Sequence[str]
    """What led to it, in sentences."""
    is_over: bool
    """Whether there is nothing left to look at."""

    @property
    def progress(self) -> Progress:
        """How far it has come."""


@dataclass(frozen=True, slots=True)
class InLobby:
    """In the lobby."""

    tables: tuple[Listing, ...] = ()
    people: tuple[str, ...] = ()
    """The names of everybody on the server."""
    table: ClassVar[None] = None
    snapshot: ClassVar[None] = None
    side_view: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class AtTable:
    """At a table."""

    table: Table
    snapshot: Snapshot | None = None
    """The newest that the table has sent; None before the first."""
    side_view: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class Looking:
    """Looking at a finished game or a lesson."""

    side_view: SideView
    home: InLobby | AtTable
    """Where the player is meanwhile, and is again after it."""

    @property
    def table(self) -> Table | None:
        """The table that the player is at meanwhile."""
        return self.home.table

    @property
    def snapshot(self) -> Snapshot:
        """The position in the side view."""
        return self.side_view.snapshot


Location: TypeAlias = InLobby | AtTable | Looking

_WORDS: Final = {"replay": "at a replay", "lesson": "in a lesson"}


class Whereabouts:
    """A player's location, and what follows from it."""

    def __init__(self) -> None:
        self.location: Location = InLobby()

    @property
    def home(self) -> InLobby | AtTable:
        """The lobby or the table, also behind a side view."""
        return self.location.home if isinstance(self.location, Looking) else self.location

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
    def side_view(self) -> SideView | None:
        """The finished game or the lesson that the player looks at."""
        return self.location.side_view

    @property
    def place(self) -> Place:
        """Where the player is, in a word."""
        match self.location:
            case Looking(side_view):
                return side_view.place
            case AtTable(_, snapshot):
                return "watching" if snapshot is None or snapshot.seat is None else "table"
        return "lobby"

    @property
    def snapshot(self) -> Snapshot | None:
        """What the player sees: their table, or what the side view shows; None in the lobby."""
        return self.location.snapshot

    @property
    def view(self) -> View | None:
        """The game that the player sees, as they may know it."""
        snapshot = self.location.snapshot
        return snapshot.view if snapshot else None

    @property
    def game(self) -> str:
        """The id of the game that the player sees; empty if there is none."""
        snapshot = self.location.snapshot
        return snapshot.game if snapshot else ""

    @property
    def in_game(self) -> bool:
        """Whether the player has a seat in a running game, and cards in it still; not while a side view is shown."""
        view = self.view if isinstance(self.location, AtTable) else None
        return view is not None and view.phase != "over" and view.seat is not None and view.seat not in view.places

    def must_be_in_lobby(self) -> None:
        """Raises InputError at a table and in a side view."""
        if not isinstance(self.location, InLobby):
            where = _WORDS.get(self.place, "at a table")
            raise InputError("bad_request", f"you are {where}: type leave first")

    def must_be_between_games(self) -> None:
        """Raises InputError in a lesson, and at a table with a running game."""
        if self.place == "lesson":
            self.must_be_in_lobby()
        if isinstance(self.location, AtTable) and self.location.snapshot and self.location.snapshot.playing:
            raise InputError("bad_request", "a game is going on here: type leave first, or wait for its end")

    def close_side_view(self) -> str:
        """Look at the table or the lobby again; which of them it is, in words."""
        home = self.location = self.home
        return f"at table {home.table.number}" if isinstance(home, AtTable) else "in the lobby"
