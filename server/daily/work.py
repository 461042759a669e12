"""What AI players do for the daily deals in the background: they try out deals, and play the one that a day gets.

The day before they try out many deals, of which the fittest is chosen, and play its field and Master's games. On a day
without that, they begin as soon as somebody plays, as after an update with which they play in another way.

One process works for all. The log keeps how far it has come, so that it, or another one, goes on after a restart.
"""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from msgspec import structs

from engine.errors import InputError
from server.ai.pool import AIPool, WorkerFailed
from server.daily.choice import DailyDeals, ai_game, fitness
from server.daily.deal import DailyScore, Day, day_at, middle
from server.daily.game import AI_VERSION, daily_settings, play_by_ai
from server.daily.results import PROGRESS, AIField, by_ai, read_fields, save_field, work_of
from server.process.background_tasks import BackgroundTasks, attempt
from server.storage.table_log import TableLog
from server.typed_json import Versioned, read_or_new, write_versioned

CANDIDATES: Final = 30
"""So many deals are tried out for a day."""
FIELD_GAMES: Final = 40
"""How many games with a deal AI players play, to try it out and to compare with those of persons."""
PAR_LEVEL: Final = "master"
PAR_GAMES: Final = 5
"""Of so many games that Master plays with a deal the middle one is par. The number is odd."""
DECISIONS_AT_ONCE: Final = 1
"""For how many of its decisions Master keeps a worker busy before others have their turn."""
PREPARE_SECONDS: Final = 60.0
"""How often the process looks whether today and the next day are prepared."""
REST_SECONDS: Final = 1.0
"""The rest before each deal that is tried out for the next day, and after a worker that has failed."""
MOST_FAILURES: Final = 3
"""If workers fail so often at the same work, it waits for the next look."""
MOST_PROCESSES: Final = 100
"""How many processes may have begun the same work at the same time."""
WORK_SECONDS: Final = 60.0
"""For so many seconds other processes leave the work to the one that has begun it."""
SAY_SECONDS: Final = 15.0
"""How often that process says that it still works."""

T = TypeVar("T")


class Progress(Versioned, frozen=True):
    """The work for one day."""

    fitness: tuple[tuple[bool, bool, float], ...] = ()
    """How fit the first deals that were tried out are, see `choice.fitness`."""
    games: tuple[DailyScore, ...] = ()
    """The games that were played with the day's deal for its field."""
    par_games: tuple[DailyScore, ...] = ()
    """Master's games, of which the middle one is par."""
    moves: tuple[str, ...] = ()
    """The moves of all seats so far in the next one of them."""


class DailyWork:
    """The work of AI players for the daily deals of one server."""

    def __init__(self, store: TableLog, ai_pool: AIPool, deals: DailyDeals, wall: Callable[[], float]) -> None:
        """``wall`` returns the time in seconds since 1970."""
        self._store = store
        self._ai_pool = ai_pool
        self._deals = deals
        self._wall = wall
        self._working = set[str]()
        """The dates for which this process works, or looks whether another one does."""
        self._ready = ""
        """The last date for which all is done."""
        self._process = secrets.token_hex(8)
        """How other processes see which one does the work."""
        self._background = BackgroundTasks()

    def open(self) -> None:
        """Prepare each day before it begins, if there are workers to do it."""
        if self._ai_pool.has_workers:
            self._background.repeat(self._prepare, PREPARE_SECONDS, "daily deals", first_after=PREPARE_SECONDS)

    async def close(self) -> None:
        """Stop the work."""
        await self._background.stop()

    def begin(self, day: Day) -> None:
        """Have a day's deal played in the background, once for all processes, unless that is done."""
        if day.date not in self._working:
            self._background.begin(self._prepare_day(day), "playing the daily deal")

    async def _prepare(self) -> None:
        """Prepare today and the day after. Raises NotSaved, OutcomeUnknown."""
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
            is_done = AI_VERSION in await read_fields(self._store, day.date)
            if not is_done and await self._claim(day):
                await self._work_for(day)
                is_done = True
            if is_done:
                self._ready = max(self._ready, day.date)
        except (WorkerFailed, InputError):
            pass  # a worker's failure is logged, and tried again; a choice that a newer version has made stays
        finally:
            self._working.discard(day.date)

    async def _work_for(self, day: Day) -> None:
        """Do all that is left to do for a day. Raises WorkerFailed, InputError, NotSaved, OutcomeUnknown."""
        saying = asyncio.create_task(self._keep_saying_that_we_work(day))
        try:
            progress = Progress()
            with suppress(ValueError):  # a newer version has written it: its work is begun anew here
                progress = read_or_new(await self._store.text(PROGRESS, by_ai(day.date, AI_VERSION)), Progress)
            if day.date > day_at(self._wall()).date and await self._deals.chosen(day.date) is None:
                await self._choose_fittest(day, progress)
                progress = Progress()
            await self._play(day, progress)
        finally:
            saying.cancel()
            await self._say_no_more(day)

    async def _choose_fittest(self, day: Day, progress: Progress) -> None:
        """Choose the fittest of many deals. Raises WorkerFailed, InputError, NotSaved, OutcomeUnknown."""
        for candidate in range(len(progress.fitness), CANDIDATES):
            seed, places = await self._deals.seed_of_candidate(day.date, candidate), list[int]()
            await self._ai_pool.rest(REST_SECONDS)
            for number in range(FIELD_GAMES):
                places.append((await self._run(partial(ai_game, day, seed, number))).place)
            progress = await self._keep(day, structs.replace(progress, fitness=(*progress.fitness, fitness(places))))
        await self._deals.choose(day.date, progress.fitness.index(max(progress.fitness)))

    async def _play(self, day: Day, progress: Progress) -> None:
        """Have the field and Master's games played. Raises WorkerFailed, InputError, NotSaved, OutcomeUnknown."""
        seed = await self._deals.seed(day.date)
        for number in range(len(progress.games), FIELD_GAMES):
            game = await self._run(partial(ai_game, day, seed, number))
            progress = await self._keep(day, structs.replace(progress, games=(*progress.games, game)))
        settings = daily_settings(day, seed)
        while (number := len(progress.par_games)) < PAR_GAMES:
            if day.date > day_at(self._wall()).date:
                await self._ai_pool.rest(REST_SECONDS)
            work = partial(play_by_ai, settings, PAR_LEVEL, f"par {number}", progress.moves, DECISIONS_AT_ONCE)
            moves, score = await self._run(work)
            after = (
                {"moves": tuple(moves)} if score is None else {"moves": (), "par_games": (*progress.par_games, score)}
            )
            progress = await self._keep(day, structs.replace(progress, **after))
        field = AIField(par=middle(progress.par_games), games=progress.games)
        await save_field(self._store, day.date, AI_VERSION, field)
        await self._store.put_text(PROGRESS, by_ai(day.date, AI_VERSION), None)

    async def _run(self, work: Callable[[], T]) -> T:
        """Returns what a worker has computed. If one fails, another one tries. Raises WorkerFailed if all fail."""
        for _ in range(MOST_FAILURES - 1):
            try:
                return await self._ai_pool.run(work, in_background=True)
            except WorkerFailed:
                await asyncio.sleep(REST_SECONDS)
        return await self._ai_pool.run(work, in_background=True)

    async def _keep(self, day: Day, progress: Progress) -> Progress:
        await self._store.put_text(PROGRESS, by_ai(day.date, AI_VERSION), write_versioned(progress))
        return progress

    # One process does the work for all.

    async def _claim(self, day: Day) -> bool:
        """Claim the work for a day. Returns False if another process does it."""
        work = work_of(day.date)
        for row in await self._store.oldest_texts(work, MOST_PROCESSES):
            if abs(self._wall() - float(row.text or 0)) < WORK_SECONDS:
                return False
            await self._store.put_text(work, row.key, None)
        await self._say_that_we_work(day)
        is_ours = [row.key for row in await self._store.oldest_texts(work, 1)] == [self._process]
        if not is_ours:  # others began at the same time
            await self._say_no_more(day)
        return is_ours

    async def _keep_saying_that_we_work(self, day: Day) -> None:
        while True:
            await asyncio.sleep(SAY_SECONDS)
            await attempt(self._say_that_we_work(day), "saying that we work for a daily deal")

    async def _say_that_we_work(self, day: Day) -> None:
        await self._store.put_text(work_of(day.date), self._process, str(self._wall()))

    async def _say_no_more(self, day: Day) -> None:
        await self._store.put_text(work_of(day.date), self._process, None)
