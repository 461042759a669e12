"""What became of the daily deals: the results of each day, and the field that they are compared with.

The log keeps them as texts for some days. The kind `daily DATE` has the result of each account on that day. The kind
`daily` has for each day the games that AI players have played with its deal, in the person's place: those of the
*field*, and of Master's the middle one, which is *par*. The rating by all days is a standing under
`records.daily.RATED_AS`.
"""

import asyncio
from bisect import bisect_left
from fractions import Fraction
from hashlib import sha256
from typing import Final

import structlog
from msgspec import UNSET, json

from server.clean import clean
from server.records.daily import UNFINISHED, DailyScore, Day, Order, day_before, percent
from server.records.daily_streak import KIND, read_streak
from server.records.results import GUEST, Result
from server.storage.table_log import FinishedGame, TableLog
from server.typed_json import Versioned, read_versioned, write_versioned

FIELDS: Final = "daily"
"""The kind of the texts that hold what AI players made of each day's deal, by date."""
CHOICES: Final = "daily-choice"
"""The kind of the texts that say which deal each day has: their keys begin with the date, and the oldest one counts."""
PROGRESS: Final = "daily-progress"
"""The kind of the texts that say how far AI players have come with each day's deal, by date."""
TRY_KINDS: Final = 4096
"""The tries of accounts are texts of so many kinds, since only the texts of a kind can be read in their order."""
KEPT_DAYS: Final = 7
"""For so many days the results of a day are kept."""
DELETED_AT_ONCE: Final = 100
READ_AT_ONCE: Final = 500
"""After so many results others have their turn."""

log = structlog.get_logger("quatch.daily")


class DailyRow(Versioned, frozen=True):
    """The result of one account on one day."""

    name: str
    score: DailyScore
    game: str
    """The id of the game."""


class AIField(Versioned, frozen=True):
    """What AI players made of a day's deal in the person's place."""

    par: DailyScore
    """The middle one of Master's games."""
    games: tuple[DailyScore, ...]
    """Games of weaker levels."""


_ROW: Final = json.Decoder(DailyRow)
_FIELD: Final = json.Decoder(AIField)


class DayResults:
    """The results of one day, as far as this process has read them."""

    def __init__(self, store: TableLog, date: str) -> None:
        self.date = date
        self.by_account: dict[str, DailyRow] = {}
        self.field: AIField | None = None
        self._ai_scores: list[Order] = []
        self._people: list[tuple[Order, str]] = []
        """The accounts and their scores, best first."""
        self._scores: list[Order] = []
        """The scores alone."""
        self._store = store
        self._last_read = 0
        self._reading = asyncio.Lock()

    async def read(self) -> None:
        """Read what is new. Raises NotSaved."""
        async with self._reading:
            if rows := await self._store.read_texts(results_of(self.date), self._last_read):
                people = [*self._people]
                for number, row in enumerate(rows, 1):
                    self._last_read = row.number
                    self._know(row.key, row.text, people)
                    if not number % READ_AT_ONCE:
                        await asyncio.sleep(0)
                people.sort()
                self._people, self._scores = people, [score for score, _ in people]
        if self.field is None and (field := await read_field(self._store, self.date)):
            self.field = field
            self._ai_scores = sorted(game.order for game in field.games)

    @property
    def par(self) -> DailyScore | None:
        """Master's score; None if it has not played yet."""
        return self.field.par if self.field else None

    def best(self, most: int) -> list[str]:
        """The accounts with the best results."""
        return [account for _, account in self._people[:most]]

    def number_of(self, account: str) -> int:
        """The number of an account in this list, from 1 on; those with equal scores have the same."""
        return 1 + bisect_left(self._scores, self.by_account[account].score.order)

    def percent_of(self, score: DailyScore, *, is_listed: bool = True) -> Fraction | None:
        """The part of the field that a score beats; ``is_listed``: it is a result in this list."""
        return percent(score.order, self._scores, self._ai_scores, is_listed=is_listed)

    def _know(self, account: str, text: str | None, people: list[tuple[Order, str]]) -> None:
        if (before := self.by_account.pop(account, None)) is not None:
            people.remove((before.score.order, account))
        if text is None:
            return
        try:
            row = read_versioned(text, _ROW)
        except ValueError as error:
            log.warning("daily result left out", result=clean(text, 200), problem=str(error))
            return
        self.by_account[account] = row
        people.append((row.score.order, account))


async def note_result(store: TableLog, game: FinishedGame, result: Result) -> None:
    """Keep the result of a game with a daily deal, if it counts for somebody. Raises NotSaved, OutcomeUnknown."""
    if result.daily is UNSET or not result.finishes or result.finishes[0].key == GUEST:
        return
    person = result.finishes[0]
    row = DailyRow(name=person.name, score=result.daily.score, game=game.id)
    date = result.daily.day.date
    await store.put_text(results_of(date), person.key, write_versioned(row))
    if result.daily.score != UNFINISHED:
        await _note_day(store, person.key, date)


async def _note_day(store: TableLog, account: str, date: str) -> None:
    """Count one more day in a row, if that is still to do. Raises NotSaved, OutcomeUnknown."""
    try:
        streak = read_streak(await store.text(KIND, account))
    except ValueError as error:
        log.info("days in a row left as they are", problem=str(error))
        return
    if (after := streak.after(date)) != streak:
        await store.put_text(KIND, account, after.to_json())


async def read_field(store: TableLog, date: str) -> AIField | None:
    """What AI players made of this day's deal; None if they have not played it. Raises NotSaved."""
    for row in await store.read_texts(FIELDS):
        if row.key == date and row.text is not None:
            return read_versioned(row.text, _FIELD)
    return None


async def save_field(store: TableLog, date: str, field: AIField) -> None:
    """Keep what AI players made of this day's deal. Raises NotSaved, OutcomeUnknown."""
    await store.put_text(FIELDS, date, write_versioned(field))


async def delete_old_results(store: TableLog, today: Day) -> None:
    """Delete the results of days that are long over, some at once. Raises NotSaved, OutcomeUnknown."""
    for days in range(KEPT_DAYS, 2 * KEPT_DAYS):
        date = day_before(today, days)
        for row in await store.oldest_texts(results_of(date), DELETED_AT_ONCE):
            await store.put_text(results_of(date), row.key, None)
    for kind in (FIELDS, CHOICES, PROGRESS):
        for row in await store.oldest_texts(kind, DELETED_AT_ONCE):
            if row.key < day_before(today, KEPT_DAYS):
                await store.put_text(kind, row.key, None)


def results_of(date: str) -> str:
    """The kind of the texts that hold the results of this day, by account."""
    return f"daily {date}"


def tries_of(account: str) -> str:
    """The kind of the texts that hold an account's tries."""
    return f"daily-try {int.from_bytes(sha256(account.encode()).digest()[:4]) % TRY_KINDS}"
