"""In which order the players of a table sit: seats, the first seat and neighbours are spread over the rounds."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
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


AI_SEAT: Final = ""
"""What stands for an AI player, in place of the id of a player."""
FIRST_SEAT_WEIGHT: Final = 6
NEIGHBOUR_WEIGHT: Final = 4
"""How much the first seat, and a neighbour met again, weigh against a seat taken again, which weighs 1."""

Seated: TypeAlias = tuple[str, ...]
"""The players of a table by seat: ids, and `AI_SEAT` for AI players. One alone sits out."""
Round: TypeAlias = tuple[Seated, ...]
"""The tables of a round; in an open night, of a departure."""


class SeatsBefore:
    """Where players have sat in earlier rounds, and their neighbours."""

    def __init__(self, past: Iterable[Round]) -> None:
        """Count the seats of all earlier rounds."""
        self._seats = Counter[tuple[str, int]]()
        self._lefts = Counter[tuple[str, str]]()
        for table in (table for tables in past for table in tables if len(table) > 1):
            self._seats.update((player, seat) for seat, player in enumerate(table))
            self._lefts.update(left_neighbours(table))

    def cost(self, table: Seated, *, first_seat: bool) -> int:
        """How bad this order is for the players of a table: 0 is best."""
        seats = sum(
            (2 * self._seats[player, seat] + 1) * (1 + FIRST_SEAT_WEIGHT * (first_seat and seat == 0))
            for seat, player in enumerate(table)
            if player != AI_SEAT
        )
        return seats + NEIGHBOUR_WEIGHT * sum(self._lefts[pair] for pair in left_neighbours(table))


def left_neighbours(table: Seated) -> list[tuple[str, str]]:
    """Each player with the one to the left, who plays next. None at a table of two, where all are neighbours."""
    if len(table) < 3:
        return []
    pairs = zip(table, table[1:] + table[:1], strict=True)
    return [pair for pair in pairs if AI_SEAT not in pair]


def seated(players: Sequence[str], before: SeatsBefore, *, first_seat: bool = True) -> Seated:
    """The players of a table, and `AI_SEAT` for each AI player, in the best order.

    ``first_seat``: whether the first seat is to be spread. It needs not if the cards decide who starts.
    """
    return min(permutations(players), key=lambda table: before.cost(table, first_seat=first_seat))
