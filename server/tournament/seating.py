"""In which order the players of a table sit: seats, the first seat and neighbours are spread over the rounds."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Final, TypeAlias

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
