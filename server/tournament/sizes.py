"""How many people sit at each table of a round, and where AI players fill up."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4
"""The least and the most seats that the tables of a tournament may have."""
LEAST_WITH_AI: Final = 3
"""The seats of a table that AI players join, if so many are allowed."""

Fill: TypeAlias = Literal["default", "full", "none"]
"""Where AI players fill up.

``default``: only where people alone cannot be divided. ``full``: every table to its most seats. ``none``: nowhere, so
that a player who is left over sits out.
"""


class TableSize(Struct, frozen=True):
    """Who sits at a table: so many people, so many AI players. One person alone sits out."""

    people: int
    ai: int = 0

    @property
    def seats(self) -> int:
        """All seats."""
        return self.people + self.ai


def table_sizes(people: int, seats: int = MAX_SEATS, fill: Fill = "default") -> tuple[TableSize, ...]:
    """The tables for so many people, those with most people first.

    Tables have ``seats`` people, or one less. Only one, two or five people at tables of four, or one that is left over,
    cannot be divided so: they are spread as evenly as possible, and AI players fill up as ``fill`` says.

    >>> table_sizes(5)
    (TableSize(people=3, ai=0), TableSize(people=2, ai=1))
    """
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"seats: {MIN_SEATS} to {MAX_SEATS}, not {seats}")
    tables = -(-people // seats)
    return tuple(_filled((people + tables - 1 - table) // tables, seats, fill) for table in range(tables))


def _filled(people: int, seats: int, fill: Fill) -> TableSize:
    wanted = {"default": min(LEAST_WITH_AI, seats), "full": seats, "none": 0}[fill]
    if fill == "default" and people >= max(seats - 1, MIN_SEATS):
        wanted = people
    return TableSize(people, max(0, wanted - people))


def rounds_for(people: int) -> int:
    """How many rounds a Swiss has if its host names no number: 3 to 6, as in 4 for 8 people and 5 for 16."""
    return min(max((people - 1).bit_length() + 1, 3), 6)
