"""Which deal each day of this server has: one in which it matters how well the person plays.

AI players of several levels play each deal in the person's place, and the places that they reach tell how fit it is.
The fittest of many is chosen the day before (`work.py`). If a deal is asked for that nobody has chosen, as right after
the first start of a server, it is the first one that is neither won nor lost from the beginning.

Every process of a server has the same deal, since the log keeps the choice; the oldest one counts.
"""

import secrets
from asyncio import Lock, to_thread
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Final

from engine.errors import InputError
from server.daily import SECRET
from server.daily.deal import DailyScore, Day, day_at, seed_of
from server.daily.game import daily_settings, play_by_ai
from server.daily.results import CHOICES
from server.records.fairness import new_seed
from server.storage.key_value_store import save
from server.storage.table_log import TableLog
from server.typed_json import Versioned, read_versioned, write_versioned

LEVELS: Final = ("easy", "medium", "hard")
"""The levels that play a deal, in turn, the weakest first."""
MEAN_PLACES: Final = (1.8, 3.2)
"""The mean place of their games must lie between these: the deal is neither won nor lost from the beginning."""
FEWEST_PLACES: Final = 3
"""They must reach so many different places."""
LEAST_DIFFERENCE: Final = 0.5
"""By so many places the strongest level must do better than the weakest."""
QUICK_CANDIDATES: Final = 10
QUICK_GAMES: Final = 12
"""If a deal is needed at once, so many are tried out at most, with so many games."""


class DailyChoice(Versioned, frozen=True):
    """The deal of a day, as the log keeps it."""

    candidate: int
    """Its number, see `deal.seed_of`."""


def is_open(places: Sequence[int]) -> bool:
    """Whether a deal is neither won nor lost from the beginning, from the places of some games."""
    least, most = MEAN_PLACES
    return len(set(places)) >= FEWEST_PLACES and least <= fmean(places) <= most


def skill_shown(places: Sequence[int]) -> float:
    """By how many places the strongest level did better than the weakest, if `LEVELS` played these games in turn."""
    return fmean(places[:: len(LEVELS)]) - fmean(places[len(LEVELS) - 1 :: len(LEVELS)])


def fitness(places: Sequence[int]) -> tuple[bool, bool, float]:
    """What deals are compared by, greater for a fitter one: fit ones come first, those that show more skill before."""
    skill = skill_shown(places)
    return is_open(places) and skill >= LEAST_DIFFERENCE, is_open(places), skill


class DailyDeals:
    """Which deals the days of one server have."""

    def __init__(self, store: TableLog, wall: Callable[[], float]) -> None:
        """``wall`` returns the time in seconds since 1970."""
        self._store = store
        self._wall = wall
        self._seeds: dict[str, str] = {}
        """By date."""
        self._finding_seed = Lock()

    async def seed(self, date: str) -> str:
        """The seed of a day's deal, which is secret until the day is over. Raises InputError, NotSaved."""
        async with self._finding_seed:
            if date not in self._seeds:
                candidate, today = await self.chosen(date), day_at(self._wall())
                if candidate is None:
                    is_over = date < today.date
                    candidate = 0 if is_over else await self.choose(date, await self._first_open(today))
                self._seeds = {day: seed for day, seed in self._seeds.items() if day >= date}
                self._seeds[date] = await self.seed_of_candidate(date, candidate)
            return self._seeds[date]

    async def seed_of_candidate(self, date: str, candidate: int) -> str:
        """The seed of one of the deals that a day may have. Raises NotSaved."""
        return seed_of(await self._secret(), date, candidate)

    async def chosen(self, date: str) -> int | None:
        """The number of the deal that a day has, if one is chosen. Raises InputError if it cannot be read; NotSaved."""
        for row in await self._store.oldest_texts(CHOICES, 100):
            if row.key.startswith(date):
                try:
                    return read_versioned(row.text or "", DailyChoice).candidate
                except ValueError as error:
                    raise InputError("bad_request", f"this day's deal cannot be read here: {error}") from None
        return None

    async def choose(self, date: str, candidate: int) -> int:
        """Choose a deal for a day; returns the one that the day has, as another process may have been faster."""
        await save(
            self._store, CHOICES, f"{date} {secrets.token_hex(8)}", write_versioned(DailyChoice(candidate=candidate))
        )
        chosen = await self.chosen(date)
        return candidate if chosen is None else chosen

    async def _secret(self) -> str:
        if not (rows := await self._store.oldest_texts(SECRET, 1)):
            await save(self._store, SECRET, secrets.token_hex(8), new_seed())
            rows = await self._store.oldest_texts(SECRET, 1)
        return rows[0].text or ""

    async def _first_open(self, day: Day) -> int:
        """The first of some deals that is neither won nor lost from the beginning. Raises NotSaved."""
        secret = await self._secret()

        def found() -> int:
            for candidate in range(QUICK_CANDIDATES):
                seed = seed_of(secret, day.date, candidate)
                if is_open([ai_game(day, seed, number).place for number in range(QUICK_GAMES)]):
                    return candidate
            return 0

        return await to_thread(found)  # a worker may have to be started, and the player waits


def ai_game(day: Day, seed: str, number: int) -> DailyScore:
    """The game with this number of those that AI players play with a deal."""
    _, score = play_by_ai(daily_settings(day, seed), LEVELS[number % len(LEVELS)], f"field {number}")
    assert score is not None  # noqa: S101 - the game is over
    return score
