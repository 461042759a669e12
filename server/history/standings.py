"""Who plays how well: a fold of the finished games, in their order, for each proven key and each level of AI player.

Ratings are openskill's (Plackett and Luce), which knows ties and games of more than two. A game counts where two or
more different players took part: AI players of one level are one player, guests are as many as they are.
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
from openskill.models import PlackettLuce, PlackettLuceRating

from engine.rules import Json
from server.cells import cut, pad
from server.limits import NAME_LENGTH
from server.records.results import GUEST, Finish, Result, ai_level, read_result
from server.storage.store import Game, TableLog

SETTLED: Final = 10
"""Games from which on a rating is more than provisional."""
_CHUNK: Final = 500
"""Games read at once."""
_AT_ONCE_SECONDS: Final = 0.002
"""How long games are folded before everything else gets its turn."""
_COLUMNS: Final = 78

_MODEL: Final = PlackettLuce()

log = structlog.get_logger("quatch.standings")


@dataclass(frozen=True, slots=True)
class Standing:
    """How well one player does under one set of rules."""

    key: str
    """A proven key's fingerprint, or that of an AI player's level."""
    rules: str
    name: str = ""
    """The one that was last gone by; AI players of a level have one in common."""
    games: int = 0
    """Where an AI player fills several seats, each has played one."""
    wins: int = 0
    """Games in which nobody else was first."""
    draws: int = 0
    """Drawn games in which the rank was shared."""
    places: tuple[int, ...] = ()
    """How often first, second and so on."""
    streak: int = 0
    """Games won in a row, up to the last one."""
    best_streak: int = 0
    mu: float = _MODEL.mu
    """The strength believed in, ..."""
    sigma: float = _MODEL.sigma
    """... and how much that may be off."""

    @property
    def ordinal(self) -> float:
        """The strength that is as good as certain: it starts at 0, and who has hardly played cannot have much."""
        return self.mu - 3 * self.sigma

    @property
    def rating(self) -> int:
        """The ordinal on a scale as people know it: 1000 for a newcomer, around 1500 for the average of the settled."""
        return round(1000 + 25 * self.ordinal)

    @property
    def provisional(self) -> bool:
        """Whether there are too few games to go by."""
        return self.games < SETTLED


_NEWCOMER: Final = Standing(GUEST, "")
"""As what everybody starts, and guests time and again."""


class Standings:
    """All standings, as of the last game that has been read."""

    def __init__(self) -> None:
        self._by_rules: dict[str, dict[str, Standing]] = {}
        """And by key."""
        self._last = 0
        """The number of the last game that has been read."""
        self._reading = asyncio.Lock()

    async def catch_up(self, games: TableLog) -> None:
        """Count the games finished since the last time, while everything else gets its turn. Raises NotSaved."""
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
        """The best under one set of rules, or under any: then who does well under several is there as often."""
        asked = self._by_rules.values() if rules is None else [self._by_rules.get(rules, {})]
        everybody = chain.from_iterable(by_key.values() for by_key in asked)
        return nlargest(limit, everybody, key=lambda standing: (standing.ordinal, standing.games, standing.key))

    def of(self, key: str) -> list[Standing]:
        """A player's standing under every set of rules that they have played by."""
        return [by_key[key] for by_key in self._by_rules.values() if key in by_key]

    def _read(self, game: Game) -> None:
        try:
            result = read_result(game.result)
        except ValueError as error:
            log.warning("game not counted", game=game.id, error=str(error))
        else:
            self.add(game.rules, result)


def top_lines(title: str, standings: Sequence[Standing], you: str | None = None, *, drawn: bool = True) -> list[str]:
    """Standings as plain text, best first; the key of who asks marks their own.

    ``drawn``: in columns, no line wider than 78 cells; else in words, to be read out.
    """
    if not standings:
        return [cut(f"{title}: nobody has finished a game yet.", _COLUMNS)]
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


def absent_words(standings: Sequence[Standing], you: str | None) -> list[str]:
    """Why who asks is not among these standings, and who shares a row, as far as that needs saying."""
    levels = any(ai_level(standing.key) for standing in standings)
    shared = ["All AI players of a level are one in this list."] if levels else []
    if you is None:
        return [*shared, "Guests are not listed, since nobody could know them again: with an ssh key you would be."]
    if any(standing.key == you for standing in standings):
        return shared
    return [*shared, "You are not among them: these are the best of those who have finished a game."]


def top_json(standings: Sequence[Standing], you: str | None = None) -> list[dict[str, Json]]:
    """Standings for programs. Without keys: whose key is whose is nobody else's business."""
    return [
        {
            "place": place,
            "name": standing.name,
            "level": ai_level(standing.key),
            "you": standing.key == you,
            "rules": standing.rules,
            "rating": standing.rating,
            "provisional": standing.provisional,
            "games": standing.games,
            "wins": standing.wins,
            "draws": standing.draws,
            "places": list(standing.places),
            "streak": standing.streak,
            "best_streak": standing.best_streak,
        }
        for place, standing in enumerate(standings, 1)
    ]


def _rated(before: Sequence[Standing], finishes: Sequence[Finish]) -> list[PlackettLuceRating]:
    """What the game makes of the ratings, seat by seat."""
    teams = [[_MODEL.rating(standing.mu, standing.sigma)] for standing in before]
    rated = _MODEL.rate(teams, ranks=[float(finish.rank) for finish in finishes])
    return [rating for (rating,) in rated]


def _after(before: Standing, finish: Finish, *, tied: bool, drawn: bool) -> Standing:
    """A standing with one more game, but for the rating."""
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
