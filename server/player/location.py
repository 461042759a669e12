"""Where a player is, and what they look at in front of it. What a player sees and may do follows from these two."""

from collections.abc import Sequence
from typing import ClassVar, Protocol, TypeAlias

from msgspec import Struct

from engine.moves import Move
from server.records.record import Record
from server.render.scene import Progress
from server.table.place import Place
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
