"""Standings and side honours, always computed anew from results: places, what decided them, one line beside them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, groupby, permutations
from operator import itemgetter
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from server.records.results import LISTED_FROM, house_score, table_scores
from server.tournament.pairing import AI_SEAT, Seated

For: TypeAlias = Literal["people met", "longest night", "comebacks", "giant-killer"]
"""What an honour is for: to have met the most people; to have played for longest, from the first to the last game; to
have been first right after a last place most often; to have been ahead of the winner most often."""
CREDIT: Final = 4
"""The points for a round that a player was excused from."""
CALL_SECONDS: Final = 15.0
"""How long after its players are called the cards of a board are dealt."""
GAME_SECONDS: Final = 600.0
"""How long a game may last; the host can give more time."""


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a round as it is published."""

    seats: Seated
    """The ids of the entrants by seat, also if others play for them; empty for AI players. One alone has no table."""
    table: int = 0
    """The number of its table."""
    game: str = ""
    """The id of its game."""


class PlayedBoard(Board, frozen=True, kw_only=True):
    """A board of a round, and how its game ended."""

    ranks: tuple[int, ...] = ()
    """By seat: 1 is best, equal ranks tie. Empty while it is played."""
    ended: float = 0.0
    """When, in seconds since 1970."""
    short: bool = False
    """Whether fewer people sit here than at other boards of the round."""
    final: bool = False
    """Whether it is the final table, which decides the places of its players and gives no points."""
    round: int = 0
    number: int = 0
    """In its round, from 0 on."""
    void: bool = False
    is_fixed: bool = False
    """Whether the host has corrected its result."""
    called_at: float = 0.0
    """When its players were called to its table. A pause moves it on by as long as it lasts."""
    extended: float = 0.0
    """The seconds that the host has added."""

    @property
    def deals_at(self) -> float:
        """When its cards are dealt."""
        return self.called_at + CALL_SECONDS

    @property
    def ends_at(self) -> float:
        """When its game is ended by the clock."""
        return self.deals_at + GAME_SECONDS + self.extended

    @property
    def is_over(self) -> bool:
        """Whether its game has ended, or is void, or a player sits there alone."""
        return bool(self.ranks)

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of its entrants."""
        return tuple(player for player in self.seats if player != AI_SEAT)


Decided: TypeAlias = Literal["", "final", "firsts", "opponents", "lasts", "small tables", "left early"]
"""What decided a place, if the points did not: the first tie-break that tells a player from the next one.

``left early``: the player of an open night would stand on the podium, but had stopped playing.
"""


class Row(Struct):
    """A player in the standings: what they have done at all tables but the final one, and their place."""

    player: str
    points: int = 0
    games: int = 0
    score: int = 0
    """The points without credits."""
    firsts: int = 0
    lasts: int = 0
    """How often first or last alone, at tables with another person."""
    short: int = 0
    """How often at a table with fewer people than others had, or with AI players."""
    met: tuple[str, ...] = ()
    """The people at these tables, once for each meeting."""
    last_ended: float = 0.0
    place: int = 0
    """1 is best; 0 if not listed yet."""
    shared: bool = False
    """Whether others have the same place."""
    decided: Decided = ""

    @property
    def house(self) -> Fraction:
        """The house score of an open night, 0 to 12; compared as it is, shown with one decimal."""
        return house_score(self.score, self.games)


def _counted(entrants: Iterable[str], results: Iterable[PlayedBoard]) -> dict[str, Row]:
    """What each entrant has done. Results of others count for nobody."""
    found = {player: Row(player) for player in entrants}
    for result in (each for each in results if not each.final):
        people = result.people
        for player, rank, score in zip(result.seats, result.ranks, table_scores(result.ranks), strict=True):
            if (row := found.get(player)) is None:
                continue
            alone = result.ranks.count(rank) == 1 and len(people) > 1
            row.points += score
            row.score += score
            row.games += 1
            row.firsts += alone and rank == min(result.ranks)
            row.lasts += alone and rank == max(result.ranks)
            row.short += result.short or len(people) < len(result.seats)
            row.met += tuple(other for other in people if other != player)
            row.last_ended = max(row.last_ended, result.ended)
    return found


PODIUM: Final = 3
PODIUM_SECONDS: Final = 40 * 60
"""On the podium stand only players who have finished a game so long before the end of the night, or later."""
OPPONENT_FLOOR: Final = 4
"""The least that an opponent counts for in the tie-break, so that nobody loses by meeting a beginner."""

_Values: TypeAlias = tuple[int | Fraction, ...]
"""What players are compared by, the most important first; greater is better."""


def swiss_standings(
    entrants: Iterable[str], results: Sequence[PlayedBoard], credited: Mapping[str, int] = MappingProxyType({})
) -> tuple[Row, ...]:
    """The standings of a Swiss, the best first. ``credited``: for how many rounds players get points without a game.

    By points; then more first places; then better opponents, by their mean score; then fewer last places; then fewer
    small tables. Players who are still equal share a place. The final table decides the places of its players alone.
    """
    found = _counted(entrants, results)
    for player, rounds in credited.items():
        found[player].points += CREDIT * rounds
    final = {
        player: -rank
        for result in results
        if result.final
        for player, rank in zip(result.seats, result.ranks, strict=True)
    }
    floor = Fraction(OPPONENT_FLOOR)
    counts_for = {player: max(Fraction(row.score, row.games or 1), floor) for player, row in found.items()}
    words: tuple[Decided, ...] = ("", "firsts", "opponents", "lasts", "small tables")

    def key(row: Row) -> _Values:
        means = [counts_for[other] for other in row.met if other in counts_for]
        return row.points, row.firsts, sum(means, Fraction(0)) / (len(means) or 1), -row.lasts, -row.short

    finalists = [row for row in found.values() if row.player in final]
    others = [row for row in found.values() if row.player not in final]
    first = _ranked(finalists, lambda row: (final[row.player], *key(row)), ("final", *words))
    return first + _ranked(others, key, words, len(finalists))


def open_standings(entrants: Iterable[str], results: Sequence[PlayedBoard], *, over: bool = False) -> tuple[Row, ...]:
    """The standings of an open night, the best house score first; players with few games come last, without a place.

    ``over``: the night has ended, with its last game. Then only players who have finished a game in its last 40 minutes
    are on the podium; the others come after it, from place 4 on.
    """
    found = sorted(_counted(entrants, results).values(), key=lambda row: (-row.games, -row.house, row.player))
    listed = [row for row in found if row.games >= LISTED_FROM]
    new = [row for row in found if row.games < LISTED_FROM]
    if not over:
        return *_ranked(listed, _by_house), *new
    late = max((result.ended for result in results), default=0.0) - PODIUM_SECONDS
    stayed = _ranked([row for row in listed if row.last_ended >= late], _by_house)
    podium = [row for row in stayed if row.place <= PODIUM]
    after = _ranked([row for row in listed if row not in podium], _by_house, first=max(PODIUM, len(podium)))
    for row in after:
        if podium and row.house > podium[-1].house:
            row.decided = "left early"
    return *podium, *after, *new


def _by_house(row: Row) -> _Values:
    return (row.house,)


def _ranked(
    found: Iterable[Row], key: Callable[[Row], _Values], words: Sequence[Decided] = ("",), first: int = 0
) -> tuple[Row, ...]:
    """The rows in their places, from ``first`` + 1 on; ``words`` says of each value of a key what it decides."""
    best_first = [(key(row), row) for row in sorted(found, key=lambda row: row.player)]
    best_first.sort(key=itemgetter(0), reverse=True)
    groups = [(values, [row for _, row in group]) for values, group in groupby(best_first, itemgetter(0))]
    place = first + 1
    for at, (values, group) in enumerate(groups):
        beside = [groups[other][0] for other in (at - 1, at + 1) if 0 <= other < len(groups)]
        decided: Decided = next((word for other in beside if (word := _difference(values, other, words))), "")
        for row in group:
            row.place, row.shared, row.decided = place, len(group) > 1, decided
        place += len(group)
    return tuple(row for _, row in best_first)


def _difference(values: _Values, others: _Values, words: Sequence[Decided]) -> Decided:
    return next(word for word, one, other in zip(words, values, others, strict=True) if one != other)


# Side honours: one line each.


class Honour(Struct, frozen=True):
    """One honour, with everybody who has it."""

    kind: For
    players: tuple[str, ...]
    value: int
    """People, seconds (of whole minutes), or how often."""


def honours(results: Sequence[PlayedBoard], winners: Sequence[str]) -> tuple[Honour, ...]:
    """The honours that somebody has earned, except those that everybody has."""
    results = sorted(results, key=lambda result: result.ended)
    counts: dict[For, Mapping[str, int]] = {
        "people met": {player: len(met) for player, met in meetings(results).items()},
        "longest night": _longest(results),
        "comebacks": _comebacks(results),
        "giant-killer": _giant_killers(results, winners),
    }
    everybody = {player for result in results for player in result.people}
    found = list[Honour]()
    for kind, count in counts.items():
        most = max(count.values(), default=0)
        players = tuple(sorted(player for player in count if count[player] == most))
        if most > 0 and len(players) < len(everybody):
            found.append(Honour(kind, players, most))
    return tuple(found)


def meetings(boards: Iterable[PlayedBoard]) -> dict[str, Counter[str]]:
    """How often each player has met each other one at a table."""
    found = dict[str, Counter[str]]()
    for one, other in chain(*(permutations(board.people, 2) for board in boards)):
        found.setdefault(one, Counter())[other] += 1
    return found


def _longest(results: Sequence[PlayedBoard]) -> Mapping[str, int]:
    ends = dict[str, list[float]]()
    for result in results:
        for player in result.people:
            ends.setdefault(player, []).append(result.ended)
    return {player: int(max(times) - min(times)) // 60 * 60 for player, times in ends.items()}


def _comebacks(results: Sequence[PlayedBoard]) -> Mapping[str, int]:
    count, was_last = Counter[str](), set[str]()
    for result in results:
        if len({*result.ranks}) == 1:
            continue  # the game is void, or the player sat out
        for player, rank in zip(result.seats, result.ranks, strict=True):
            if rank == 1 and player in was_last:
                count[player] += 1
            (was_last.add if rank == max(result.ranks) > 1 else was_last.discard)(player)
    count.pop(AI_SEAT, None)
    return count


def _giant_killers(results: Sequence[PlayedBoard], winners: Sequence[str]) -> Mapping[str, int]:
    count = Counter[str]()
    for result in results:
        rank_of = dict(zip(result.seats, result.ranks, strict=True))
        best = min((rank_of[player] for player in winners if player in rank_of), default=0)
        count.update(player for player in result.people if rank_of[player] < best and player not in winners)
    return count
