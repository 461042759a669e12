"""Which deal each day of this server has.

The fittest of many is chosen the day before (`work`). If a deal is asked for that nobody has chosen, as right
after the first start of a server, it is the first one that is neither won nor lost from the beginning.

Every process of a server has the same deal, since the log keeps the choice; the oldest one counts.
"""

import secrets
from asyncio import Lock, to_thread
from collections.abc import Callable
from typing import Final

from engine.errors import InputError
from server.daily.choice import LEVELS, DailyChoice, is_open, read_choice
from server.daily.command_line import SECRET
from server.daily.deal import DailyScore, Day, day_at, seed_of
from server.daily.game import daily_settings, play_by_ai
from server.daily.results import CHOICES
from server.records.fairness import new_seed
from server.storage.key_value_store import save
from server.storage.table_log import TableLog

QUICK_CANDIDATES: Final = 10
QUICK_GAMES: Final = 12
"""If a deal is needed at once, so many are tried out at most, with so many games."""


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
                    return read_choice(row.text or "").candidate
                except ValueError as error:
                    raise InputError("bad_request", f"this day's deal cannot be read here: {error}") from None
        return None

    async def choose(self, date: str, candidate: int) -> int:
        """Choose a deal for a day; returns the one that the day has, as another process may have been faster."""
        await save(self._store, CHOICES, f"{date} {secrets.token_hex(8)}", DailyChoice(candidate=candidate).to_json())
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
