"""Places that equals share, the points of a table, and the house score. Pure."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

SCORES: Final[Mapping[int, tuple[int, ...]]] = {4: (12, 8, 4, 0), 3: (12, 6, 0), 2: (10, 2), 1: (6,)}
"""The points of each place, by the seats of the table; a player who sits alone gets the average. They are whole
numbers, also if equals share those of their places."""
AVERAGE: Final = 6
"""What a seat gets on average, whatever the size of the table."""
HOUSE_GAMES: Final = 6
"""How many average games the house score adds to those of each player, so that one lucky game wins no night."""
LISTED_FROM: Final = 5
"""With fewer games a house score is provisional."""


def table_scores(ranks: Sequence[int]) -> tuple[int, ...]:
    """The points by seat, from the ranks by seat: 1 is best, and equal ranks share the points of their places.

    >>> table_scores((1, 2, 2, 4))
    (12, 6, 6, 0)
    """
    scores = SCORES[len(ranks)]
    by_place = sorted(ranks)
    shared = {rank: (by_place.index(rank), by_place.count(rank)) for rank in ranks}
    return tuple(sum(scores[first : first + many]) // many for first, many in map(shared.__getitem__, ranks))


def ranks_at_cap(out: Sequence[int], cards_left: Mapping[int, int]) -> tuple[int, ...]:
    """The ranks by seat of a game that was ended by the clock.

    Args:
        out: The seats that went out, the first one first.
        cards_left: For every other seat, how many cards it has left in all its zones: fewer are better.

    >>> ranks_at_cap(out=[2], cards_left={0: 9, 1: 4, 3: 4})
    (4, 2, 1, 2)
    """
    left = {**cards_left, **{seat: place - len(out) for place, seat in enumerate(out)}}  # less than no cards
    return shared_places([left[seat] for seat in range(len(left))])


def shared_places(values: Sequence[Any]) -> tuple[int, ...]:
    """The place of each value among them, the least first; equals share theirs.

    >>> shared_places((7, 3, 7, 9))
    (2, 1, 2, 4)
    """
    return tuple(1 + sum(other < value for other in values) for value in values)


def house_score(points: int, games: int) -> Fraction:
    """The house score, 0 to 12: the mean points of games, as if there had been some average games more."""
    return Fraction(points + HOUSE_GAMES * AVERAGE, games + HOUSE_GAMES)
