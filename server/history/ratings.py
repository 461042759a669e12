"""The standings of players, for each proven key and each level of AI player, and what one game changes in them.

Ratings are openskill's (Plackett-Luce), which handles draws and more than two players. Guests have none, and are left
out of the comparison. All AI players of one level are one player. A player whose rating is settled is compared with
players whose rating is settled, too: keys cost nothing, and with many that lose on purpose any rating could be had. The
log keeps the standings; every finished game is counted once, in their order.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Final

import structlog
from msgspec import UNSET, Struct
from msgspec.structs import replace
from openskill.models import PlackettLuce, PlackettLuceRating

from server.records.results import GUEST, Finish, Result, ai_level, are_rated, read_result
from server.storage import sql
from server.storage.database import Conflict, Database, FinishedGame, NotSaved, OutcomeUnknown, Steps
from server.typed_json import Versioned, read_versioned, readable, write_versioned

SETTLED: Final = 10
"""With fewer games than this a rating is provisional."""
PIECE: Final = 50
"""How many games are counted in one transaction."""
UNRATED: Final = ""
"""Instead of the name of a rule set: the standing that counts a player's games that were not rated."""
_AT_ONCE_SECONDS: Final = 0.002
"""How long to count without a pause; the pause is as long."""
_MODEL: Final = PlackettLuce()

log = structlog.get_logger("quatch.standings")


class Standing(Versioned, frozen=True):
    """One player's results and rating under one set of rules."""

    key: str
    """The id of an account, or the key of an AI player's level."""
    rules: str
    name: str = ""
    """The name used last; AI players of one level share one."""
    games: int = 0
    """Games played. An AI level that fills several seats has played one game, which its best seat stands for."""
    wins: int = 0
    """Games won alone."""
    draws: int = 0
    """Drawn games with a shared rank."""
    places: tuple[int, ...] = ()
    """How many games the player has finished at rank 1, how many at rank 2, and so on."""
    streak: int = 0
    """Games won in a row, up to the last one."""
    best_streak: int = 0
    change: int = 0
    """What the last game has added to the rating."""
    game: str = ""
    """The last game that counted, by its id."""
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
    among_all, among_settled = (_ratings(before, each, is_drawn=result.drawn) for each in (finishes, settled))
    after = []
    for key, standing in before.items():
        rating = (among_all if standing.provisional else among_settled).get(key)
        counted = _counted(standing, result)
        if rating is not None:
            counted = replace(counted, mu=rating.mu, sigma=rating.sigma)
        after.append(replace(counted, change=counted.rating - standing.rating))
    return after


def unrated(before: Mapping[str, Standing], result: Result) -> list[Standing]:
    """The standings of the same players after a game that is not rated."""
    return [_counted(standing, result) for standing in before.values()]


def _counted(standing: Standing, result: Result) -> Standing:
    """A standing with this game, except the rating."""
    tied = Counter(finish.rank for finish in result.finishes)
    finish = min((each for each in result.finishes if each.key == standing.key), key=lambda each: each.rank)
    return _after(standing, finish, tied=tied[finish.rank] > 1, drawn=result.drawn)


def _ratings(
    before: Mapping[str, Standing], finishes: Sequence[Finish], *, is_drawn: bool
) -> dict[str, PlackettLuceRating]:
    """The ratings after a game of these players alone, by their keys; none of a player alone."""
    keys = [finish.key for finish in finishes]
    if len({*keys}) < 2:
        return {}
    teams = [[_MODEL.rating(before[key].mu, before[key].sigma)] for key in keys]
    ranks = [float(finish.rank) for finish in finishes]
    if is_drawn or len({*ranks}) == len(ranks):
        ratings = [rating for (rating,) in _MODEL.rate(teams, ranks=ranks)]
    else:
        ratings = _of_pairs(teams, ranks)
    copies = {key: [rating for rating, its in zip(ratings, keys, strict=True) if its == key] for key in keys}
    # The mean of copies, not their sum: three seats at a table must not move a level faster than one.
    return {key: _MODEL.rating(fmean(r.mu for r in its), fmean(r.sigma for r in its)) for key, its in copies.items()}


def _of_pairs(teams: Sequence[Sequence[PlackettLuceRating]], ranks: Sequence[float]) -> list[PlackettLuceRating]:
    """The ratings after a game that says nothing of players with the same rank: the others are compared in pairs.

    If they counted as tied, a player who has lost beside a stronger one would gain. The pairs of one game depend on
    each other. Among equal players a pair of n says 2/n of what a game of two says, so its changes have that weight.
    """
    after = [_MODEL.rating(rating.mu, rating.sigma) for (rating,) in teams]
    weight = 2 / len(teams)
    for pair in combinations(range(len(teams)), 2):
        if len({ranks[seat] for seat in pair}) > 1:
            found = _MODEL.rate([[*teams[seat]] for seat in pair], ranks=[ranks[seat] for seat in pair])
            for seat, (rating,) in zip(pair, found, strict=True):
                after[seat].mu += (rating.mu - teams[seat][0].mu) * weight
                after[seat].sigma *= (rating.sigma / teams[seat][0].sigma) ** weight
    return after


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


class RatedApart(Struct, frozen=True):
    """A name of a feature's own under which games are rated; it has a slash, as in "feature/name"."""

    name: str
    listed: str
    """What a player who asks for the best under it is told: another command lists them."""

    @property
    def feature(self) -> str:
        """The part of the name before the slash."""
        return self.name.partition("/")[0]


class Standings:
    """The standings that a log keeps. Several processes may count its games: each game is counted once."""

    def __init__(self, games: Database) -> None:
        self._log = games
        self._counting = asyncio.Lock()

    async def count_all(self) -> None:
        """Count the games that have finished since, with pauses for other tasks. Raises NotSaved, OutcomeUnknown."""
        while not await self._count_piece():
            pass

    async def count_some(self) -> bool:
        """Count the games that have just finished. Returns whether all are counted; no if that fails."""
        try:
            return await self._count_piece()
        except (NotSaved, OutcomeUnknown):
            return False

    async def top(self, rules: str | None, limit: int) -> list[Standing]:
        """The best under one set of rules, or under all: then a player is listed once for each set. Raises NotSaved.

        What features rate under names of their own, as in "feature/name", is not among these.
        """
        most = limit
        while True:
            asked = (sql.BEST, most) if rules is None else (sql.BEST_UNDER, rules, most)
            rows = await self._log.select(*asked)
            found = [each for each in _standings_in(rows) if rules is not None or "/" not in each.rules]
            if len(found) >= limit or len(rows) < most:
                return found[:limit]
            most *= 4

    async def of(self, key: str) -> list[Standing]:
        """A player's standing under each set of rules under which they have played a rated game. Raises NotSaved."""
        return [standing for standing in await self.every(key) if standing.rules != UNRATED]

    async def every(self, key: str) -> list[Standing]:
        """These, and the one that counts the player's other games. Raises NotSaved."""
        return _standings_in(await self.rows_of(key))

    async def rows_of(self, key: str) -> list[tuple[str]]:
        """The same as JSON, in the order of the names of rules; also what cannot be read here. Raises NotSaved."""
        return await self._log.select(sql.STANDINGS_OF, key)

    async def counted(self) -> int:
        """The number of the last finished game that the standings contain; 0 at first. Raises NotSaved."""
        return await self._log.number(sql.COUNTED)

    async def put(self, before: int, after: int, standings: Iterable[Standing]) -> None:
        """Save standings that contain the games up to number ``after``, in place of older ones of these players.

        Raises Conflict if the standings do not contain exactly the games up to ``before``; NotSaved, OutcomeUnknown.
        """
        rows = [(each.rules, each.key, each.ordinal, write_versioned(each)) for each in standings]

        def write() -> Steps:
            ((number,),) = yield (sql.COUNTED,)
            if number != before:
                raise Conflict(f"the standings contain the games up to {number}, not to {before}")
            yield sql.PUT_COUNTED, after
            yield sql.PUT_STANDING, rows

        await self._log.write(write)

    async def _count_piece(self) -> bool:
        """Count some of the games that are not counted yet. Returns whether all are counted."""
        async with self._counting:
            counted = await self.counted()
            if not (games := await self._log.games(counted, PIECE)):
                return True
            changed = await self._changed_by(game for _, game in games)
            try:
                await self.put(counted, games[-1][0], changed.values())
            except Conflict:
                return False  # another process has counted them
            return len(games) < PIECE

    async def _changed_by(self, games: Iterable[FinishedGame]) -> dict[tuple[str, str], Standing]:
        """The standings that these games change, by rules and key; with pauses for other tasks."""
        now = asyncio.get_running_loop().time
        rested = now()
        changed: dict[tuple[str, str], Standing] = {}
        for game in games:
            await self._count(game, changed)
            if now() - rested > _AT_ONCE_SECONDS:
                await asyncio.sleep(_AT_ONCE_SECONDS)
                rested = now()
        return changed

    async def _count(self, game: FinishedGame, changed: dict[tuple[str, str], Standing]) -> None:
        """Count one more game; ``changed`` has the standings that are not saved yet, by rules and key.

        A game that cannot be counted is left out with a line in the log. Raises NotSaved, OutcomeUnknown.
        """
        try:
            result = read_result(game.result)
            rules = game.rules if result.rated_as is UNSET else result.rated_as
            keys = [finish.key for finish in result.finishes]
            rules = rules if are_rated(keys) else UNRATED
            before = {
                key: changed.get((rules, key)) or await self._standing(rules, key) for key in keys if key != GUEST
            }
            after = rated(before, result) if rules else unrated(before, result)
        except (NotSaved, OutcomeUnknown):
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a game, the next one counts
            log.warning("game not counted", game=game.id, error=str(error))
        else:
            changed |= {(rules, each.key): replace(each, game=game.id) for each in after}

    async def _standing(self, rules: str, key: str) -> Standing:
        rows = await self._log.select(sql.STANDING, rules, key)
        return read_versioned(rows[0][0], Standing) if rows else Standing(key, rules)


def _standings_in(rows: Sequence[tuple[str]]) -> list[Standing]:
    """The standings that can be read, as those of a newer version cannot."""
    return [each for (text,) in rows if (each := readable(text, Standing, standing=text[:200]))]
