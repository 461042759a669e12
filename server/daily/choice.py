"""Which deal each day of this server has: one in which it matters how well the person plays.

The first process of a server chooses the fittest of many the day before, by the places that AI players of several
levels reach with it. If a deal is asked for that nobody has chosen, as right after the first start of a server, it is
the first one that is neither won nor lost from the beginning; its field is played as soon as somebody plays.
"""

import secrets
from asyncio import Lock, to_thread
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean
from typing import Final

from engine.errors import InputError
from server.ai.pool import WorkerFailed
from server.daily import SECRET
from server.daily.deal import AI_VERSION, DailyScore, Day, daily_settings, day_at, middle, play_by_ai, seed_of
from server.daily.results import CHOICES, FIELDS, AIField, read_fields
from server.lobby.lobby import Lobby
from server.process.background_tasks import BackgroundTasks
from server.records.fairness import new_seed
from server.storage.database import Database
from server.storage.key_value_store import save
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
CANDIDATES: Final = 30
"""How many deals are tried out for a day."""
FIELD_GAMES: Final = 40
"""How many games with a deal AI players play, to try it out and to compare with those of persons."""
PAR_LEVEL: Final = "master"
PAR_GAMES: Final = 5
"""How many games Master plays with a deal: the middle one is par. The number is odd."""
DECISIONS_AT_ONCE: Final = 1
"""For how many of its decisions Master keeps a worker busy before others have their turn."""
PREPARE_SECONDS: Final = 60.0
"""How often the process looks whether today and the next day are prepared."""
REST_SECONDS: Final = 1.0
"""The rest before each deal that is tried out for the next day."""


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

    def __init__(self, store: Database, wall: Callable[[], float]) -> None:
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
                self._seeds[date] = seed_of(await self.secret(), date, candidate)
            return self._seeds[date]

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

    async def secret(self) -> str:
        """What all seeds of this server come from. Raises InputError, NotSaved."""
        if not (rows := await self._store.oldest_texts(SECRET, 1)):
            await save(self._store, SECRET, secrets.token_hex(8), new_seed())
            rows = await self._store.oldest_texts(SECRET, 1)
        return rows[0].text or ""

    async def _first_open(self, day: Day) -> int:
        """The first of some deals that is neither won nor lost from the beginning. Raises NotSaved."""
        secret = await self.secret()

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


class DailyWork:
    """The work of AI players for the daily deals of one server."""

    def __init__(self, lobby: Lobby, deals: DailyDeals, background: BackgroundTasks) -> None:
        self._store, self._ai_pool, self._wall = lobby.store, lobby.ai_pool, lobby.wall
        self._deals, self._background = deals, background
        self._working = set[str]()
        """The dates for which this process works."""

    def begin(self, day: Day) -> None:
        """Have a day's deal played in the background, unless that is done."""
        self._background.begin(self._prepare_day(day), "playing the daily deal")

    async def prepare(self) -> None:
        """Prepare today and the day after. Raises NotSaved, OutcomeUnknown."""
        today = day_at(self._wall())
        for day in (today, day_at(today.ends)):
            await self._prepare_day(day)

    async def _prepare_day(self, day: Day) -> None:
        """Choose the deal of a day, unless it has one, and let AI players play it, unless they have."""
        if day.date in self._working:
            return
        self._working.add(day.date)
        try:
            if AI_VERSION not in await read_fields(self._store, day.date):
                await self._work_for(day)
        except (WorkerFailed, InputError):
            pass  # a worker's failure is logged; the next look tries again. What a newer version has chosen stays
        finally:
            self._working.discard(day.date)

    async def _work_for(self, day: Day) -> None:
        """Do all that there is to do for a day. Raises WorkerFailed, InputError, NotSaved, OutcomeUnknown."""
        is_tomorrow = day.date > day_at(self._wall()).date
        if is_tomorrow and await self._deals.chosen(day.date) is None:
            secret, tried = await self._deals.secret(), list[tuple[bool, bool, float]]()
            for candidate in range(CANDIDATES):
                await self._ai_pool.rest(REST_SECONDS)
                games = await self._field_of(day, seed_of(secret, day.date, candidate))
                tried.append(fitness([game.place for game in games]))
            await self._deals.choose(day.date, tried.index(max(tried)))
        seed, par_games = await self._deals.seed(day.date), list[DailyScore]()
        field = await self._field_of(day, seed)
        for number in range(PAR_GAMES):
            moves, score = list[str](), None
            while score is None:
                if is_tomorrow:
                    await self._ai_pool.rest(REST_SECONDS)
                settings, chance = daily_settings(day, seed), f"par {number}"
                step = partial(play_by_ai, settings, PAR_LEVEL, chance, moves, DECISIONS_AT_ONCE)
                moves, score = await self._ai_pool.run(step, in_background=True)
            par_games.append(score)
        kept = write_versioned(AIField(par=middle(par_games), games=field))
        await self._store.put_text(FIELDS, f"{day.date} {AI_VERSION}", kept)

    async def _field_of(self, day: Day, seed: str) -> tuple[DailyScore, ...]:
        """The games of weaker levels with a deal. Raises WorkerFailed."""
        games = (partial(ai_game, day, seed, number) for number in range(FIELD_GAMES))
        return tuple([await self._ai_pool.run(game, in_background=True) for game in games])
