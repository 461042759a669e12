"""What AI players do for the daily deal: they try out deals before a day begins, and play the one that it gets.

The fittest of many is chosen the day before, in the background. If a deal is asked for that nobody has chosen, as right
after the first start of a server, it is the first one that is neither won nor lost from the beginning.

Every process of a server has the same deal, since the log keeps the choice; the oldest one counts.
"""

import asyncio
import secrets
from asyncio import to_thread
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from engine.errors import InputError
from server.ai.pool import AIPool, WorkerFailed
from server.history import daily_results
from server.history.daily_results import CHOICES, AIField
from server.ops.background_tasks import BackgroundTasks
from server.records.daily import DailyScore, Day, day_at, seed_of
from server.records.daily_choice import LEVELS, DailyChoice, fitness, is_open, read_choice
from server.records.fairness import new_seed
from server.storage.key_value_store import save
from server.storage.table_log import TableLog, TextRow
from server.table.daily_game import daily_settings, play_by_ai

SECRET: Final = "daily-secret"  # noqa: S105 - the kind of a text
"""The kind of the text from which all seeds come; the oldest one counts."""
CANDIDATES: Final = 30
"""So many deals are tried out for a day."""
FIELD_GAMES: Final = 40
"""How many games with a deal AI players play, to try it out and to compare with those of persons."""
QUICK_CANDIDATES: Final = 10
QUICK_GAMES: Final = 12
"""If a deal is needed at once, so many are tried out at most, with so many games."""
PAR_LEVEL: Final = "master"
DECISIONS_AT_ONCE: Final = 1
"""For how many of its decisions Master keeps a worker busy before others have their turn."""
PREPARE_SECONDS: Final = 300.0
"""How often it is looked whether the next day has its deal."""
REST_SECONDS: Final = 1.0
"""The rest before each deal that is tried out for the next day."""
MOST_RESTS: Final = 30
"""It rests up to so many times as long while AI players at tables have to think."""
WORK: Final = "daily-work"
WORK_SECONDS: Final = 60.0
"""For so long other processes leave it to the one that has begun this work; it says so again and again."""


class DailyDeals:
    """Which deals the days of one server have."""

    def __init__(self, store: TableLog, ai_pool: AIPool, wall: Callable[[], float]) -> None:
        """``wall`` returns the time in seconds since 1970."""
        self._store = store
        self._ai_pool = ai_pool
        self._wall = wall
        self._seeds: dict[str, str] = {}
        """By date."""
        self._finding_seed = asyncio.Lock()
        self._working = set[str]()
        """The dates for which this process has AI players work now."""
        self._ready = ""
        """The last date for which all is done."""
        self._process = secrets.token_hex(8)
        """How other processes see which one does the work."""
        self._background = BackgroundTasks()

    def open(self) -> None:
        """Prepare each day before it begins, if there are workers to do it."""
        if self._ai_pool.has_workers:
            self._background.repeat(self._prepare, PREPARE_SECONDS, "choosing daily deals", first_after=60.0)

    async def close(self) -> None:
        """Stop what is done in the background."""
        await self._background.stop()

    async def seed(self, date: str) -> str:
        """The seed of a day's deal, which is secret until the day is over. Raises InputError, NotSaved."""
        async with self._finding_seed:
            if date not in self._seeds:
                candidate, today = await self._chosen(date), day_at(self._wall())
                if candidate is None:
                    is_over = date < today.date
                    candidate = 0 if is_over else await self._choose(date, await self._first_open(today))
                self._seeds = {day: seed for day, seed in self._seeds.items() if day >= date}
                self._seeds[date] = seed_of(await self._secret(), date, candidate)
            return self._seeds[date]

    def have_played(self, day: Day) -> None:
        """Let AI players play a day's deal in the background, once for all processes, unless they have."""
        if day.date not in self._working:
            self._background.begin(self._prepare_day(day), "playing the daily deal")

    async def _secret(self) -> str:
        if not (rows := await self._store.oldest_texts(SECRET, 1)):
            await save(self._store, SECRET, secrets.token_hex(8), new_seed())
            rows = await self._store.oldest_texts(SECRET, 1)
        return rows[0].text or ""

    # Choosing.

    async def _chosen(self, date: str) -> int | None:
        """The deal that a day has; None if none is chosen. Raises InputError if it cannot be read here, NotSaved."""
        for row in await self._store.oldest_texts(CHOICES, 100):
            if row.key.startswith(date):
                try:
                    return read_choice(row.text or "").candidate
                except ValueError as error:
                    raise InputError("bad_request", f"this day's deal cannot be read here: {error}") from None
        return None

    async def _choose(self, date: str, candidate: int) -> int:
        """Choose a deal for a day; returns the one that the day has, as another process may have been faster."""
        await save(self._store, CHOICES, f"{date} {secrets.token_hex(8)}", DailyChoice(candidate=candidate).to_json())
        chosen = await self._chosen(date)
        return candidate if chosen is None else chosen

    async def _first_open(self, day: Day) -> int:
        """The first of some deals that is neither won nor lost from the beginning. Raises NotSaved."""
        secret = await self._secret()

        def found() -> int:
            for candidate in range(QUICK_CANDIDATES):
                games = [_game(day, seed_of(secret, day.date, candidate), number) for number in range(QUICK_GAMES)]
                if is_open(_places(games)):
                    return candidate
            return 0

        return await to_thread(found)  # a worker may have to be started, and the player waits

    async def _fittest(self, day: Day) -> int:
        """The fittest of many deals. Raises WorkerFailed, NotSaved, OutcomeUnknown."""
        found = list[tuple[bool, bool, float]]()
        for candidate in range(CANDIDATES):
            await self._rest()
            await self._say_that_we_work(day)
            found.append(fitness(_places(await self._games(day, candidate))))
        return found.index(max(found))

    async def _rest(self) -> None:
        for _ in range(MOST_RESTS):
            await asyncio.sleep(REST_SECONDS)
            if not self._ai_pool.is_busy:
                return

    async def _games(self, day: Day, candidate: int) -> list[DailyScore]:
        """What AI players make of a deal. Raises WorkerFailed, NotSaved."""
        seed = seed_of(await self._secret(), day.date, candidate)
        return [await self._ai_pool.run(partial(_game, day, seed, number)) for number in range(FIELD_GAMES)]

    # The day before, and on the day if that was not done.

    async def _prepare(self) -> None:
        """Have all done for today and for the day after. Raises NotSaved, OutcomeUnknown."""
        today = day_at(self._wall())
        if self._ready <= today.date:
            await self._prepare_day(today)
            await self._prepare_day(day_at(today.ends))

    async def _prepare_day(self, day: Day) -> None:
        """Choose the deal of a day, unless it has one, and let AI players play it, unless they have."""
        if day.date in self._working:
            return
        self._working.add(day.date)
        try:
            is_done = await daily_results.read_field(self._store, day.date) is not None
            if not is_done and await self._is_ours(day):
                await self._do_all(day)
                is_done = True
            if is_done:
                self._ready = max(self._ready, day.date)
        except (WorkerFailed, InputError):
            pass  # a worker's failure is logged, and tried again; a choice that a newer version has made stays
        finally:
            self._working.discard(day.date)

    async def _do_all(self, day: Day) -> None:
        is_ahead = day.date > day_at(self._wall()).date
        if is_ahead and await self._chosen(day.date) is None:
            await self._choose(day.date, await self._fittest(day))
        settings = daily_settings(day, await self.seed(day.date))
        candidate = await self._chosen(day.date) or 0
        games, moves, par = await self._games(day, candidate), list[str](), None
        while par is None:
            if is_ahead:
                await self._rest()
            await self._say_that_we_work(day)
            work = partial(play_by_ai, settings, PAR_LEVEL, "par", moves, DECISIONS_AT_ONCE)
            moves, par = await self._ai_pool.run(work)
        await daily_results.save_field(self._store, day.date, AIField(par=par, games=tuple(games)))
        for row in await self._work(day):
            await self._store.put_text(WORK, row.key, None)

    # One process does the work for all.

    async def _is_ours(self, day: Day) -> bool:
        """Whether no other process has said lately that it does this work."""
        for row in await self._work(day):
            if abs(self._wall() - float(row.text or 0)) < WORK_SECONDS:
                return False
            await self._store.put_text(WORK, row.key, None)
        await self._say_that_we_work(day)
        return (await self._work(day))[0].key == self._work_key(day)

    async def _say_that_we_work(self, day: Day) -> None:
        await self._store.put_text(WORK, self._work_key(day), str(self._wall()))

    def _work_key(self, day: Day) -> str:
        return f"{day.date} {self._process}"

    async def _work(self, day: Day) -> list[TextRow]:
        """Which processes say that they do this work, and since when."""
        return [row for row in await self._store.oldest_texts(WORK, 100) if row.key.startswith(day.date)]


def _places(games: Sequence[DailyScore]) -> list[int]:
    return [game.place for game in games]


def _game(day: Day, seed: str, number: int) -> DailyScore:
    """One of the games that AI players play with a deal."""
    _, score = play_by_ai(daily_settings(day, seed), LEVELS[number % len(LEVELS)], f"field {number}")
    assert score is not None  # noqa: S101 - the game is over
    return score
