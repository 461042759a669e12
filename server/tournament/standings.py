"""Standings, always computed anew from results: places, and what decided them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from server.tournament.results import Credit, TableResult, Tally, tallies

LISTED_FROM: Final = 5
"""With fewer games a player of an open night is not listed yet."""
PODIUM: Final = 3
PODIUM_SECONDS: Final = 40 * 60
"""On the podium stand only players who have finished a game so long before the end of the night, or later."""
OPPONENT_FLOOR: Final = 4
"""The least that an opponent counts for in the tie-break, so that nobody loses by meeting a beginner."""

Decided: TypeAlias = Literal["", "final", "firsts", "opponents", "lasts", "small tables", "left early"]
"""What decided a place, if the points did not: the first tie-break that tells a player from the next one.

``left early``: the player of an open night would stand on the podium, but had stopped playing.
"""


class Row(Struct, frozen=True):
    """A player in the standings."""

    player: str
    place: int
    """1 is best; 0 if not listed yet."""
    shared: bool
    """Whether others have the same place."""
    points: int
    house: Fraction
    """The house score, 0 to 12; compared as it is, shown with one decimal."""
    games: int
    firsts: int
    met: int
    """How many of the people they have met."""
    decided: Decided = ""


_Values: TypeAlias = tuple[int | Fraction, ...]
"""What players are compared by, the most important first; greater is better."""


def swiss_standings(
    entrants: Iterable[str], results: Sequence[TableResult], credited: Iterable[Credit] = ()
) -> tuple[Row, ...]:
    """The standings of a Swiss, the best first.

    By points; then more first places; then better opponents, by their mean score; then fewer last places; then fewer
    small tables. Players who are still equal share a place. The final table decides the places of its players alone.
    """
    found = tallies(entrants, results, credited)
    final = {
        player: -rank
        for result in results
        if result.final
        for player, rank in zip(result.seats, result.ranks, strict=True)
    }
    counts_for = {player: max(tally.mean_score, Fraction(OPPONENT_FLOOR)) for player, tally in found.items()}
    words: tuple[Decided, ...] = ("", "firsts", "opponents", "lasts", "small tables")

    def key(tally: Tally) -> _Values:
        return tally.points, tally.firsts, _opponents(tally, counts_for), -tally.lasts, -tally.short

    def final_key(tally: Tally) -> _Values:
        return final[tally.player], *key(tally)

    finalists = [tally for tally in found.values() if tally.player in final]
    others = [tally for tally in found.values() if tally.player not in final]
    return _ranked(finalists, final_key, ("final", *words)) + _ranked(others, key, words, len(finalists))


def open_standings(entrants: Iterable[str], results: Sequence[TableResult], *, over: bool = False) -> tuple[Row, ...]:
    """The standings of an open night, the best house score first; players with few games come last, without a place.

    ``over``: the night has ended, with its last game. Then only players who have finished a game in its last 40 minutes
    are on the podium; the others come after it, from place 4 on.
    """
    found = sorted(tallies(entrants, results).values(), key=lambda tally: (-tally.games, tally.player))
    listed = [tally for tally in found if tally.games >= LISTED_FROM]
    new = [_row(tally) for tally in found if tally.games < LISTED_FROM]
    if not over:
        return *_ranked(listed, _by_house), *new
    late = max((result.ended for result in results), default=0.0) - PODIUM_SECONDS
    stayed = _ranked([tally for tally in listed if tally.last_ended >= late], _by_house)
    podium = [row for row in stayed if row.place <= PODIUM]
    standing = {row.player for row in podium}
    after = _ranked(
        [tally for tally in listed if tally.player not in standing], _by_house, first=max(PODIUM, len(podium))
    )
    least = podium[-1].house if podium else Fraction(0)
    return *podium, *(replace(row, decided="left early") if row.house > least else row for row in after), *new


def _by_house(tally: Tally) -> _Values:
    return (tally.house,)


def _opponents(tally: Tally, counts_for: Mapping[str, Fraction]) -> Fraction:
    """What the opponents of a player count for, on average."""
    means = [counts_for[other] for other in tally.met if other in counts_for]
    return sum(means, Fraction(0)) / (len(means) or 1)


def _ranked(
    found: Iterable[Tally], key: Callable[[Tally], _Values], words: Sequence[Decided] = ("",), first: int = 0
) -> tuple[Row, ...]:
    """Rows from place ``first`` + 1 on; ``words`` says of each value of a key what it decides."""
    best_first = [(key(tally), tally) for tally in sorted(found, key=lambda tally: tally.player)]
    best_first.sort(key=itemgetter(0), reverse=True)
    groups = [(values, [tally for _, tally in group]) for values, group in groupby(best_first, itemgetter(0))]
    rows, place = list[Row](), first + 1
    for at, (values, group) in enumerate(groups):
        beside = [groups[other][0] for other in (at - 1, at + 1) if 0 <= other < len(groups)]
        decided: Decided = next((word for other in beside if (word := _difference(values, other, words))), "")
        rows += [_row(tally, place, shared=len(group) > 1, decided=decided) for tally in group]
        place += len(group)
    return tuple(rows)


def _difference(values: _Values, others: _Values, words: Sequence[Decided]) -> Decided:
    return next(word for word, one, other in zip(words, values, others, strict=True) if one != other)


def _row(tally: Tally, place: int = 0, *, shared: bool = False, decided: Decided = "") -> Row:
    return Row(
        tally.player, place, shared, tally.points, tally.house, tally.games, tally.firsts, len(set(tally.met)), decided
    )
