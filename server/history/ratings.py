"""How one finished game changes the standings of its players. Pure.

Ratings are openskill's (Plackett-Luce), which handles ties and more than two players. Guests have none, and are left
out of the comparison. All AI players of one level are one player. A player whose rating is settled is compared with
others of whom this is true: keys cost nothing, and with many that lose on purpose any rating could be had.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from msgspec.structs import replace
from openskill.models import PlackettLuce, PlackettLuceRating

from server.records.results import Finish, Result, ai_level
from server.typed_json import Versioned

SETTLED: Final = 10
"""With fewer games than this a rating is provisional."""

_MODEL: Final = PlackettLuce()


class Standing(Versioned, frozen=True):
    """One player's results and rating under one set of rules."""

    key: str
    """The fingerprint of a proven key, or the key of an AI player's level."""
    rules: str
    name: str = ""
    """The name used last; AI players of one level share one."""
    games: int = 0
    """Games played. An AI level that fills several seats has played one game in each."""
    wins: int = 0
    """Games won alone."""
    draws: int = 0
    """Drawn games with a shared rank."""
    places: tuple[int, ...] = ()
    """How many games the player has finished at rank 1, how many at rank 2, and so on."""
    streak: int = 0
    """Games won in a row, up to the last one."""
    best_streak: int = 0
    mu: float = _MODEL.mu
    """The estimated strength."""
    sigma: float = _MODEL.sigma
    """The uncertainty of the estimate."""

    @property
    def ordinal(self) -> float:
        """A strength that is almost certain: mu - 3 sigma. It starts at 0 and cannot be high after few games."""
        return self.mu - 3 * self.sigma

    @property
    def rating(self) -> int:
        """The ordinal on a familiar scale: 1000 for a newcomer, about 1500 for an average player with many games."""
        return round(1000 + 25 * self.ordinal)

    @property
    def provisional(self) -> bool:
        """Whether there are too few games for a reliable rating."""
        return self.games < SETTLED

    @property
    def level(self) -> str | None:
        """The level, if these are AI players."""
        return ai_level(self.key)


def rated(before: Mapping[str, Standing], result: Result) -> list[Standing]:
    """The standings of the rated players of a game, by their keys, after this game. Guests are not compared."""
    finishes = [finish for finish in result.finishes if finish.key in before]
    settled = [finish for finish in finishes if not before[finish.key].provisional]
    among_all, among_settled = _ratings(before, finishes), _ratings(before, settled)
    after = []
    for key, standing in before.items():
        rating = (among_all if standing.provisional else among_settled).get(key)
        counted = _counted(standing, result)
        after.append(counted if rating is None else replace(counted, mu=rating.mu, sigma=rating.sigma))
    return after


def unrated(before: Mapping[str, Standing], result: Result) -> list[Standing]:
    """The standings of the same players after a game that is not rated."""
    return [_counted(standing, result) for standing in before.values()]


def _counted(standing: Standing, result: Result) -> Standing:
    """A standing with this game, except the rating."""
    tied = Counter(finish.rank for finish in result.finishes)
    for finish in result.finishes:
        if finish.key == standing.key:
            standing = _after(standing, finish, tied=tied[finish.rank] > 1, drawn=result.drawn)
    return standing


def _ratings(before: Mapping[str, Standing], finishes: Sequence[Finish]) -> dict[str, PlackettLuceRating]:
    """The ratings after a game of these players alone, by their keys; none of a player alone."""
    keys = [finish.key for finish in finishes]
    if len({*keys}) < 2:
        return {}
    teams = [[_MODEL.rating(before[key].mu, before[key].sigma)] for key in keys]
    ratings = _MODEL.rate(teams, ranks=[float(finish.rank) for finish in finishes])
    copies = {key: [rating for (rating,), its in zip(ratings, keys, strict=True) if its == key] for key in keys}
    # The mean of copies, not their sum: three seats at a table must not move a level faster than one.
    return {key: _MODEL.rating(fmean(r.mu for r in its), fmean(r.sigma for r in its)) for key, its in copies.items()}


def _after(before: Standing, finish: Finish, *, tied: bool, drawn: bool) -> Standing:
    """A standing with one more game, except the rating."""
    level = ai_level(finish.key)
    won = finish.rank == 1 and not tied
    places = [*before.places, *(0,) * (finish.rank - len(before.places))]
    places[finish.rank - 1] += 1
    streak = before.streak + 1 if won else 0
    return replace(
        before,
        name=finish.name if level is None else f"{level} AI player",
        games=before.games + 1,
        wins=before.wins + won,
        draws=before.draws + (drawn and tied),
        places=tuple(places),
        streak=streak,
        best_streak=max(streak, before.best_streak),
    )
