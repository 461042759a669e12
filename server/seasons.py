"""Seasons: the best of tonight, of this week and of this month, and what past nights were.

`Periods` sums up finished games. Nothing of it is stored: each process reads the finished games of a period once, and
then what is new. The best are ranked by the house score of an open night, which needs few games; rated games of two
keys or more count. With `keep_games` older games are missing.
What it must not know: running tables, and other features: they tell what was held in a night (`NightEvents`).
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from textwrap import wrap
from typing import Final, Literal, TypeAlias

import structlog
from msgspec import UNSET, Struct

from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import listed, quantity
from server.cells import MEASURE
from server.commands.games import NightEvent, NightEvents, TopList
from server.commands.registry import Answer, Command, Context, MoreDetails, declared_in
from server.features import Feature
from server.history.ratings import Standings
from server.history.top import GUESTS_NOT_LISTED, Best, best_lines
from server.history.when_a_day_begins import begin_of, night_at
from server.lobby.lobby import Runs
from server.lobby.service import Service
from server.records.results import GUEST, LISTED_FROM, SCORES, Result, ai_level, house_score, read_result, table_scores
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
        """The house score, 0 to 12, see `server.records.results.house_score`."""
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
    low, high = 0, await Standings(store).counted()
    while low < high:
        middle = (low + high + 1) // 2
        found = await store.games(middle - 1, 1)
        if found and found[0][1].at < at:
            low = found[0][0]
        else:
            high = middle - 1
    return low


class Periods(Service):
    """Tonight, this week, this month, and past nights: who played in them, and who did best.

    A night is a day from 05:00 to 05:00 by the server's clock, so that no evening is cut in two.
    """

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

    async def week(self) -> Period:
        """The week that it is now, from Monday on. Raises NotSaved."""
        tonight = night_at(self._wall())
        first = tonight - timedelta(days=tonight.weekday())
        return await self._between(first, first + timedelta(days=7))

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


LISTED: Final = 20
NIGHTS: Final = 10
PEOPLE: Final = 200

PeriodName: TypeAlias = Literal["tonight", "week", "month"]
WHEN: Final[Mapping[PeriodName, str]] = {"tonight": "Tonight", "week": "This week", "month": "This month"}
SCORED: Final = (
    "A game gives up to 12 points, by the cards left. The score is your mean, as if with six more games of 6."
)


HELP_TOP: Final = (
    "top tonight    the most points since 05:00 by the server's clock",
    "top week       the most points since Monday; top month: of this month; also top tonight life, for one rule set",
    "nights         past nights",
    SCORED,
)


class BestOfPeriod(Best, kw_only=True):
    """A `PeriodPlayer` as JSON. Equal scores share a place."""

    score: float
    """Rounded; places come from the exact scores."""


def _periods(context: Context) -> Periods:
    return context.lobby.service(Periods)


async def _top(name: PeriodName, context: Context, rest: str) -> Answer:
    """The best players of tonight, this week or this month, by one set of rules or by all together."""
    lobby, periods = context.lobby, _periods(context)
    rules = lobby.rulebook.find(rest) if rest else None
    period = await {"tonight": periods.tonight, "week": periods.week, "month": periods.month}[name]()
    best = period.best(lobby.rulebook.name_of(rules) if rules else None)[:LISTED]
    for each in best:
        each.name = await lobby.profiles.name_of(each.key) or each.name  # they may have another one since
    shown = best_of_period(best, context.player.account)
    others = [each.key for each in lobby.features.all(NightEvents)]
    also = f", also those of {listed(others, 'and')}" if others else ""
    title = f"{WHEN[name]}, {rules.title if rules else 'all rule sets'}, since {period.date} 05:00"
    lines = [
        *period_lines(title, shown, drawn=context.scene.drawn),
        *wrap(SCORED, MEASURE),
        *wrap(f"Rated games of two players with keys or more count{also}.", MEASURE),
    ]
    if context.player.account is None:
        lines.append(GUESTS_NOT_LISTED)
    # Since: the date on which it began, at 05:00 by the server's clock.
    return Answer(lines, {"period": name, "since": period.date, "top": shown})


@Command("nights [DATE]", on_server=True, pages=(), read_only=True, ssh="answer")
async def nights(context: Context, rest: str) -> Answer:
    """List past nights: who played, who won."""
    if rest:
        return await _night(context, rest)
    found = await _periods(context).nights(NIGHTS)
    if not found:
        return Answer(["No night has a finished game yet."], {"nights": []})
    lines, values = ["A night goes from 05:00 to 05:00 by the server's clock. The last ones:"], list[object]()
    for night in found:
        events, value = await _events(context, night)
        lines += [*wrap(night_line(night), MEASURE), *(f"  {each.line}" for each in events)]
        values.append({**_json(context, night), **value})
    lines.append(f"nights {found[0].date} tells more of that night.")
    return Answer(lines, {"nights": values})


async def _night(context: Context, text: str) -> Answer:
    try:
        night = await _periods(context).night(date.fromisoformat(text))
    except (ValueError, OverflowError):
        raise InputError("bad_request", f"a night is a date, as in nights 2026-11-22, not {text[:20]!r}") from None
    events, of_events = await _events(context, night)
    value = {"nights": [{**_json(context, night), **of_events}]}
    if not night.games:
        return Answer([f"No finished game of {night.date} is kept."], value)
    people = ", ".join(f"{name} {games}" for name, games in night.people(PEOPLE))
    lines = [
        *wrap(night_line(night), MEASURE),
        *wrap(f"Games of each: {people}", MEASURE, subsequent_indent="  "),
        *(f"{each.line}: {each.way}" for each in events),
        *period_lines("The best", _best(context, night), drawn=context.scene.drawn),
    ]
    return Answer(lines, value)


async def _events(context: Context, night: Period) -> tuple[list[NightEvent], dict[str, Json]]:
    """What was held in a night, and what programs are told of it."""
    kinds = context.lobby.features.all(NightEvents)
    found = {each.key: await each.of(context, night.begins, night.ends) for each in kinds}
    value: dict[str, Json] = {key: [dict(event.value) for event in events] for key, events in found.items()}
    return [event for events in found.values() for event in events], value


def _json(context: Context, night: Period) -> Mapping[str, object]:
    """A night as programs are told of it; the players with most games come first."""
    players = [{"name": name, "games": games} for name, games in night.people(PEOPLE)]
    return {"date": night.date, "games": night.games, "players": players, "top": _best(context, night)}


def _best(context: Context, night: Period) -> list[BestOfPeriod]:
    return best_of_period(night.best(None)[:LISTED], context.player.account)


def best_of_period(players: Sequence[PeriodPlayer], you: str | None) -> list[BestOfPeriod]:
    """Players as JSON, best first; the player with the key ``you`` is marked."""
    return [
        BestOfPeriod(
            place=1 + sum(other.score > player.score for other in players),
            name=player.name,
            you=player.key == you,
            score=round(float(player.score), 1),
            provisional=player.games < LISTED_FROM,
            games=player.games,
            wins=player.wins,
        )
        for player in players
    ]


def period_lines(title: str, best: Sequence[BestOfPeriod], *, drawn: bool = True) -> list[str]:
    """The best players of a period, see `best_lines`."""
    scores = [f"{each.score:>5.1f}" if drawn else str(each.score) for each in best]
    return best_lines(title, best, scores, [""] * len(best), LISTED_FROM, drawn=drawn)


def night_line(night: Period) -> str:
    """A night in one sentence: how much was played, by how many, and who was best."""
    people = quantity(len(night.people()), "player")
    settled = [player for player in night.best(None) if player.games >= LISTED_FROM]
    best = [player.name for player in settled if player.score == settled[0].score]
    score = f"; best: {', '.join(best)} ({float(settled[0].score):.1f})" if settled else ""
    return f"{night.date}: {quantity(night.games, 'game')}, {people}{score}"


FEATURE: Final = Feature(
    "seasons",
    (
        *declared_in(__name__),
        Runs(lambda lobby: Periods(lobby.store, lobby.wall)),
        *(TopList(each, partial(_top, each)) for each in WHEN),
        MoreDetails("top", HELP_TOP),
    ),
    asked={"nights": b" night "},
)
