"""What standings are computed from: how tables ended, and what players were credited with."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from msgspec import Struct

from server.records.scoring import house_score, table_scores
from server.tournament.seating import AI_SEAT, Seated

CREDIT: Final = 4
"""The points for a round that a player was excused from."""


class TableResult(Struct, frozen=True):
    """How a table of a tournament ended."""

    round: int
    seats: Seated
    """The entrants that the table was published with, by seat, also if others played for them."""
    ranks: tuple[int, ...]
    """By seat: 1 is best, equal ranks tie."""
    ended: float = 0.0
    """When, in seconds since 1970."""
    short: bool = False
    """Whether fewer people sat here than at other tables of the round, see `at_smaller_tables`."""
    final: bool = False
    """Whether it is the final table, which decides the places of its players and gives no points."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The points by seat."""
        return table_scores(self.ranks)


class Credit(Struct, frozen=True):
    """Points without a table: for sitting out, or for a round before the player came."""

    round: int
    player: str
    points: int


class Tally(Struct):
    """What one player has done at all tables but the final one."""

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

    @property
    def mean_score(self) -> Fraction:
        """The points of a game, on average; 0 without a game."""
        return Fraction(self.score, self.games or 1)

    @property
    def house(self) -> Fraction:
        """The house score of an open night."""
        return house_score(self.score, self.games)


def tallies(
    entrants: Iterable[str], results: Iterable[TableResult], credited: Iterable[Credit] = ()
) -> dict[str, Tally]:
    """What each entrant has done. Results and credits of others count for nobody."""
    found = {player: Tally(player) for player in entrants}
    for result in results:
        if not result.final:
            _count(found, result)
    for credit in credited:
        if credit.player in found:
            found[credit.player].points += credit.points
    return found


def _count(found: dict[str, Tally], result: TableResult) -> None:
    people = [player for player in result.seats if player != AI_SEAT]
    for player, rank, score in zip(result.seats, result.ranks, result.scores, strict=True):
        if player not in found:
            continue
        tally, alone = found[player], result.ranks.count(rank) == 1 and len(people) > 1
        tally.points += score
        tally.score += score
        tally.games += 1
        tally.firsts += alone and rank == min(result.ranks)
        tally.lasts += alone and rank == max(result.ranks)
        tally.short += result.short or len(people) < len(result.seats)
        tally.met += tuple(other for other in people if other != player)
        tally.last_ended = max(tally.last_ended, result.ended)
