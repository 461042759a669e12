"""The finished games of a night or a month, summed up: who played, and who did best.

Nothing of it is stored: it is computed from the finished games, which are numbered in the order in which they ended. So
each process reads the games of a period once, and then what is new. A night is a day from 05:00 to 05:00 by the
server's clock, so that no evening is cut in two.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

import structlog
from msgspec import UNSET, Struct

from engine.errors import InputError
from server.history.when_a_day_begins import begin_of, night_at
from server.lobby.service import Service
from server.records.results import GUEST, Result, ai_level, read_result
from server.records.scoring import SCORES, house_score, table_scores
from server.storage.database import Database, FinishedGame

PIECE: Final = 100
"""After so many games others have their turn."""
REMEMBERED: Final = 40
"""How many periods are remembered: the ones that were asked for last."""
NIGHTS_READ: Final = 30
"""How many nights are read at most to find some with games that count."""
GUESTS_NOTED: Final = 500
"""How many guests of a period are noted by name."""

log = structlog.get_logger("quatch.periods")


class PeriodPlayer(Struct):
    """What a player with a key has done in a period, in games that count for its list of the best."""

    key: str
    name: str = ""
    """The name used last."""
    games: int = 0
    wins: int = 0
    """Games won alone."""
    points: int = 0
    """12 for a table, shared by place."""

    @property
    def score(self) -> Fraction:
        """The house score, 0 to 12, see `server.records.scoring.house_score`."""
        return house_score(self.points, self.games)


class Period:
    """The games that ended in a span of time, as far as they are read. Times are in seconds since 1970."""

    def __init__(self, store: Database, begins: float, ends: float) -> None:
        self.begins, self.ends = begins, ends
        self.games = 0
        """How many were finished; none that all left, or that were played alone."""
        self._people = Counter[tuple[str, str]]()
        """How many games each person or bot has played: by key, or by name for the first `GUESTS_NOTED` guests."""
        self._players = dict[tuple[str, str], PeriodPlayer]()
        """What each player has done, by the name of the rule set and the key."""
        self._names = dict[str, str]()
        self._guests = set[str]()
        self._store = store
        self._last: int | None = None
        """The number of the last game that was read."""
        self._reading = asyncio.Lock()

    @property
    def date(self) -> str:
        """The date on which it began, as in 2026-11-22."""
        return night_at(self.begins).isoformat()

    def people(self, most: int | None = None) -> list[tuple[str, int]]:
        """The name of each person or bot, and in how many games they have played: those with most games first."""
        return [(self._names.get(key, name), games) for (key, name), games in self._people.most_common(most)]

    async def read(self) -> None:
        """Read the games that are new. Raises NotSaved."""
        async with self._reading:
            if self._last is None:
                self._last = await last_before(self._store, self.begins)
            while games := await self._store.games(self._last, PIECE):
                for number, game in games:
                    if game.at >= self.ends:
                        return
                    self._last = number
                    if game.at >= self.begins:
                        self._count(game)
                await asyncio.sleep(0)

    def best(self, rules: str | None) -> list[PeriodPlayer]:
        """The players of games that count, best first: by one set of rules, or by all together."""
        found = dict[str, PeriodPlayer]()
        for (name, key), player in self._players.items():
            if rules in {None, name}:
                whole = found.setdefault(key, PeriodPlayer(key, self._names[key]))
                whole.games += player.games
                whole.wins += player.wins
                whole.points += player.points
        return sorted(found.values(), key=lambda player: (-player.score, -player.games, player.name))

    def _count(self, game: FinishedGame) -> None:
        try:
            result = read_result(game.result)
        except InputError as error:
            log.warning("game not counted", game=game.id, error=str(error))
            return
        if not result.finishes or result.abandoned is True or (result.occasion and result.occasion.alone):
            return
        self.games += 1
        self._note_people(result)
        keys = {finish.key for finish in result.finishes if finish.key != GUEST and ai_level(finish.key) is None}
        rules = game.rules if result.rated_as is UNSET else result.rated_as
        if rules and len(keys) > 1 and len(result.finishes) in SCORES:
            self._note_scores(rules, result)

    def _note_people(self, result: Result) -> None:
        for finish in result.finishes:
            if finish.key == GUEST:
                if len(self._guests) >= GUESTS_NOTED and finish.name not in self._guests:
                    continue
                self._guests.add(finish.name)
                self._people[GUEST, finish.name] += 1
            elif ai_level(finish.key) is None:
                self._names[finish.key] = finish.name
                self._people[finish.key, ""] += 1

    def _note_scores(self, rules: str, result: Result) -> None:
        ranks = [finish.rank for finish in result.finishes]
        for seat, (finish, score) in enumerate(zip(result.finishes, table_scores(ranks), strict=True)):
            if finish.key != GUEST and ai_level(finish.key) is None:
                player = self._players.setdefault((rules, finish.key), PeriodPlayer(finish.key))
                player.games += 1
                player.wins += seat == result.winner
                player.points += score


async def last_before(store: Database, at: float) -> int:
    """The number of the last game that ended before this time; 0 if there is none. Raises NotSaved."""
    low, high = 0, await store.counted()
    while low < high:
        middle = (low + high + 1) // 2
        found = await store.games(middle - 1, 1)
        if found and found[0][1].at < at:
            low = found[0][0]
        else:
            high = middle - 1
    return low


class Periods(Service):
    """Tonight, this month, and past nights."""

    def __init__(self, store: Database, wall: Callable[[], float]) -> None:
        """``wall`` returns the time in seconds since 1970."""
        self._store, self._wall = store, wall
        self._periods = OrderedDict[tuple[float, float], Period]()

    def forget(self, account: str) -> None:  # noqa: ARG002 - all periods are read anew
        """Count from the log again, which has the player's games under no name."""
        self._periods.clear()

    async def tonight(self) -> Period:
        """The night that it is now. Raises NotSaved."""
        return await self.night(night_at(self._wall()))

    async def month(self) -> Period:
        """The month that it is now. Raises NotSaved."""
        first = night_at(self._wall()).replace(day=1)
        return await self._between(first, (first + timedelta(days=31)).replace(day=1))

    async def night(self, day: date) -> Period:
        """The night that began on this date. Raises NotSaved."""
        return await self._between(day, day + timedelta(days=1))

    async def nights(self, most: int) -> list[Period]:
        """The last nights with finished games, tonight first. Raises NotSaved."""
        found = list[Period]()
        period = await self.tonight()
        for _ in range(NIGHTS_READ):
            if period.games:
                found.append(period)
            number = await last_before(self._store, period.begins)
            earlier = await self._store.games(number - 1, 1) if number else []
            if len(found) >= most or not earlier or earlier[0][1].at >= period.begins:
                break
            period = await self.night(night_at(earlier[0][1].at))
        return found

    async def _between(self, first: date, end: date) -> Period:
        key = (begin_of(first), begin_of(end))
        period = self._periods.setdefault(key, Period(self._store, *key))
        self._periods.move_to_end(key)
        if len(self._periods) > REMEMBERED:
            self._periods.popitem(last=False)
        await period.read()
        return period
