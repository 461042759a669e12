"""What the big board shows of a server, before it is drawn. It holds nothing that a spectator may not know."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from msgspec import Struct

from server.cells import Row
from server.lobby.competitions import Competition
from server.table.snapshot import Snapshot


class BoardSize(IntEnum):
    """How much a board shows at once. Its terminal's font decides: the larger the letters, the fewer there are."""

    SMALL = 0
    """One thing at a time, to be read from far away: a table, the standings, or how to join."""
    MEDIUM = 1
    """A page of tables, or one table drawn large; from 60x18."""
    LARGE = 2
    """The tables, the standings, the news and how to join, all at once; from 110x36."""

    @classmethod
    def of(cls, columns: int, rows: int) -> Self:
        """The size of a terminal of so many columns and rows."""
        fitting = [size for size, (width, height) in LEAST.items() if columns >= width and rows >= height]
        return cls(max(fitting, default=BoardSize.SMALL))


LEAST: Final = {BoardSize.MEDIUM: (60, 18), BoardSize.LARGE: (110, 36)}
"""The least columns and rows of each size."""
Kind: TypeAlias = Literal["tables", "table", "standings", "people", "join", "clock", "call"]


class Shown(NamedTuple):
    """What a board shows now. A large board always shows the standings, the people and how to join as well."""

    kind: Kind
    at: int = 0
    """The page of tables or of a call, from 0, or the number of the table."""


class BoardTable(Struct, frozen=True):
    """One table as its spectators see it."""

    snapshot: Snapshot
    left: int | None = None
    """Seconds left for the present decision; None if there is no clock."""
    log: tuple[str, ...] = ()
    """What has happened there, the newest line last."""


class Board(Struct, frozen=True):
    """All that boards show."""

    title: str
    time: str
    """The time of day, as 20:41."""
    join: str = ""
    """What to type to come here; empty if there is no way."""
    code: tuple[Row, ...] = ()
    """The QR code of a link that comes here; empty if there is none."""
    page: str = ""
    """The address to which it leads, if any browser opens that; otherwise empty."""
    key: str = ""
    """The beginning of the host key's fingerprint, and all of it in words; empty if nobody can come."""
    tables: Sequence[BoardTable] = ()
    """The public tables, in the order of their numbers."""
    private: int = 0
    """How many private tables are in use."""
    people: tuple[tuple[str, str], ...] = ()
    """The players on the server, each with where they are, in words."""
    news: tuple[str, ...] = ()
    """The headlines of all tables, the newest last."""
    talk: tuple[str, ...] = ()
    """What was said in the lobby, if the host of the server wants that to be shown."""
    message: str = ""
    """What an op has announced just now."""
    competition: Competition | None = None
    """What goes on, or has just ended."""

    def table(self, number: int) -> BoardTable | None:
        """The table of this number; None if it is not shown."""
        return next((each for each in self.tables if each.snapshot.table == number), None)
