"""Ratings: a fold of the finished games in their order, for each proven key and each level of AI player.

Ratings are openskill's (Plackett-Luce), which handles ties and more than two players. A game counts if two or more
different players took part. All AI players of one level are one player; each guest is another player.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import chain
from statistics import fmean
from time import perf_counter
from typing import Final

import structlog
from msgspec import Struct, convert
from openskill.models import PlackettLuce, PlackettLuceRating

from engine.errors import InputError
from server.cells import cut, pad
from server.limits import NAME_LENGTH
from server.records.results import GUEST, Finish, Result, ai_level, read_result
from server.storage.table_log import FinishedGame, TableLog

SETTLED: Final = 10
"""With fewer games than this a rating is provisional."""
_CHUNK: Final = 500
"""Games read at once."""
_AT_ONCE_SECONDS: Final = 0.002
"""How long to fold games before other tasks get their turn."""
_COLUMNS: Final = 78

_MODEL: Final = PlackettLuce()

log = structlog.get_logger("quatch.standings")


@dataclass(frozen=True, slots=True)
class Standing:
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
    """How often first, how often second, and so on."""
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


class BestPlayer(Struct, kw_only=True):
    """A `Standing` as `top --json` lists it. It has no key: no player can see whose key is whose."""

    place: int = 0
    name: str
    level: str | None
    you: bool = False
    rules: str
    rating: int
    provisional: bool
    games: int
    wins: int
    draws: int
    places: tuple[int, ...]
    streak: int
    best_streak: int


_NEWCOMER: Final = Standing(GUEST, "")
"""The rating that every player starts with, and a guest has in every game."""


class Standings:
    """All standings up to the last game that was read."""

    def __init__(self) -> None:
        self._by_rules: dict[str, dict[str, Standing]] = {}
        """By rules, then by key."""
        self._last = 0
        """The number of the last game that was read."""
        self._reading = asyncio.Lock()

    async def catch_up(self, games: TableLog) -> None:
        """Count the games finished since the last call, with pauses for other tasks. Raises NotSaved."""
        async with self._reading:
            rested = perf_counter()
            while chunk := await games.games(self._last, _CHUNK):
                for number, game in chunk:
                    self._last = number
                    self._read(game)
                    if perf_counter() - rested > _AT_ONCE_SECONDS:
                        await asyncio.sleep(0)
                        rested = perf_counter()

    def add(self, rules: str, result: Result) -> None:
        """Count one more game, if two or more different players took part."""
        finishes = result.finishes
        guests = sum(finish.key == GUEST for finish in finishes)
        keys = {finish.key for finish in finishes} - {GUEST}
        if guests + len(keys) < 2:
            return
        known = self._by_rules.setdefault(rules, {})
        ratings = _rated([known.get(finish.key, _NEWCOMER) for finish in finishes], finishes)
        tied = Counter(finish.rank for finish in finishes)
        for key in keys:
            standing = known.get(key) or Standing(key, rules)
            for finish in finishes:
                if finish.key == key:
                    standing = _after(standing, finish, tied=tied[finish.rank] > 1, drawn=result.drawn)
            # The mean of copies, not their sum: three seats at a table must not move a level faster than one.
            copies = [rating for rating, finish in zip(ratings, finishes, strict=True) if finish.key == key]
            mu, sigma = fmean(copy.mu for copy in copies), fmean(copy.sigma for copy in copies)
            known[key] = replace(standing, mu=mu, sigma=sigma)

    def top(self, rules: str | None, limit: int) -> list[Standing]:
        """The best under one set of rules, or under all: then a player is listed once for each set."""
        asked = self._by_rules.values() if rules is None else [self._by_rules.get(rules, {})]
        everybody = chain.from_iterable(by_key.values() for by_key in asked)
        return nlargest(limit, everybody, key=lambda standing: (standing.ordinal, standing.games, standing.key))

    def of(self, key: str) -> list[Standing]:
        """A player's standing under each set of rules that they have played."""
        return [by_key[key] for by_key in self._by_rules.values() if key in by_key]

    def _read(self, game: FinishedGame) -> None:
        try:
            result = read_result(game.result)
        except InputError as error:
            log.warning("game not counted", game=game.id, error=error.message)
        else:
            self.add(game.rules, result)


def top_lines(title: str, standings: Sequence[Standing], you: str | None = None, *, drawn: bool = True) -> list[str]:
    """Standings as plain text, best first; the row of the key ``you`` is marked.

    ``drawn``: as a table with no line wider than 78 cells; otherwise as sentences, for a screen reader.
    """
    if not standings:
        return [cut(f"{title}: no finished games yet.", _COLUMNS)]
    mixed = len({standing.rules for standing in standings}) > 1
    if not drawn:
        return [title, *(_spoken(n, standing, you, mixed=mixed) for n, standing in enumerate(standings, 1))]
    lines = [title]
    for place, standing in enumerate(standings, 1):
        name = pad(standing.name + (" (you)" if standing.key == you else ""), NAME_LENGTH + len(" (you)"))
        rating = f"{standing.rating:>5}{'?' if standing.provisional else ' '}"
        last = f"at {standing.rules}" if mixed else f"best streak {standing.best_streak}"
        lines.append(f"{place:>3}. {name} {rating} {standing.games:>6} games, {standing.wins:>5} won, {last}")
    if any(standing.provisional for standing in standings):
        lines.append(f"A question mark: fewer than {SETTLED} games so far.")
    return [cut(line, _COLUMNS) for line in lines]


def _spoken(place: int, standing: Standing, you: str | None, *, mixed: bool) -> str:
    name = f"{standing.name}{', you' if standing.key == you else ''}{f', at {standing.rules}' if mixed else ''}"
    rating = f"{standing.rating}{', from few games' if standing.provisional else ''}"
    games = "1 game" if standing.games == 1 else f"{standing.games} games"
    return f"{place}. {name}: rating {rating}; {games}, {standing.wins} won."


def standings_note(standings: Sequence[Standing], you: str | None) -> list[str]:
    """Why the player who asks is not listed, and that AI players of a level share a row, if either needs saying."""
    levels = any(standing.level for standing in standings)
    shared = ["All AI players of one level share a row."] if levels else []
    if you is None:
        return [*shared, "Guests are not listed; with an ssh key you would be."]
    if any(standing.key == you for standing in standings):
        return shared
    return [*shared, "You are not listed: these are the best players only."]


def best_players(standings: Sequence[Standing], you: str | None = None) -> list[BestPlayer]:
    """Standings as JSON, best first; the player with the key ``you`` is marked."""
    found = convert(standings, list[BestPlayer], from_attributes=True)
    for place, (player, standing) in enumerate(zip(found, standings, strict=True), 1):
        player.place, player.you = place, standing.key == you
    return found


def _rated(before: Sequence[Standing], finishes: Sequence[Finish]) -> list[PlackettLuceRating]:
    """The ratings after a game, seat by seat."""
    teams = [[_MODEL.rating(standing.mu, standing.sigma)] for standing in before]
    rated = _MODEL.rate(teams, ranks=[float(finish.rank) for finish in finishes])
    return [rating for (rating,) in rated]


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
