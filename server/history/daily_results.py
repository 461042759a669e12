"""What became of the daily deals: the results of each day, and the field that they are compared with.

The log keeps them as texts for some days. The kind `daily DATE` has the result of each account on that day. The kind
`daily` has for each day the games that AI players have played with its deal, in the person's place: those of the
*field*, and Master's, which is *par*. The rating by all days is a standing under `records.daily.RATED_AS`.
"""

from collections import Counter
from fractions import Fraction
from typing import Final

import structlog
from msgspec import UNSET, json

from server.clean import clean
from server.records.daily import AI_WEIGHT, PERSON_WEIGHT, DailyScore, Day, day_before, percent
from server.records.results import GUEST, Result
from server.storage.key_value_store import KeyValueStore
from server.storage.table_log import FinishedGame, TableLog
from server.typed_json import Versioned, read_versioned, write_versioned

FIELDS: Final = "daily"
"""The kind of the texts that hold what AI players made of each day's deal, by date."""
KEPT_DAYS: Final = 7
"""For so many days the results of a day are kept."""
DELETED_AT_ONCE: Final = 100

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
    """Master's game."""
    games: tuple[DailyScore, ...]
    """Games of weaker levels."""


_ROW: Final = json.Decoder(DailyRow)
_FIELD: Final = json.Decoder(AIField)


class DayResults(KeyValueStore):
    """The results of one day, as far as this process has read them, best first in `rows`."""

    def __init__(self, store: TableLog, date: str) -> None:
        super().__init__(store, _results_of(date))
        self.date = date
        self.by_account: dict[str, DailyRow] = {}
        self.field: AIField | None = None
        self._weights = Counter[DailyScore]()
        """How much each score counts in the field."""

    async def read(self) -> None:
        """Read what is new. Raises NotSaved."""
        await self.load()
        if self.field is None and (field := await read_field(self._store, self.date)):
            self.field = field
            self._weights.update({score: AI_WEIGHT * n for score, n in Counter(field.games).items()})

    @property
    def par(self) -> DailyScore | None:
        """Master's score; None if it has not played yet."""
        return self.field.par if self.field else None

    def best(self, most: int) -> list[tuple[str, DailyRow]]:
        """The best results and their accounts."""
        return sorted(self.by_account.items(), key=lambda row: (row[1].score.order, row[0]))[:most]

    def percent_of(self, score: DailyScore, *, is_listed: bool = True) -> Fraction | None:
        """The part of the field that a score beats; ``is_listed``: it is a result in this list."""
        others = self._weights.copy()
        if is_listed:
            others[score] -= PERSON_WEIGHT
        return percent(score, others)

    def _know(self, key: str, text: str | None) -> None:
        if (before := self.by_account.pop(key, None)) is not None:
            self._weights[before.score] -= PERSON_WEIGHT
        if text is None:
            return
        try:
            row = read_versioned(text, _ROW)
        except ValueError as error:
            log.warning("daily result left out", result=clean(text, 200), problem=str(error))
            return
        self.by_account[key] = row
        self._weights[row.score] += PERSON_WEIGHT


async def note_result(store: TableLog, game: FinishedGame, result: Result) -> None:
    """Keep the result of a game with a daily deal, if it counts for somebody. Raises NotSaved, OutcomeUnknown."""
    if result.daily is UNSET or not result.finishes or result.finishes[0].key == GUEST:
        return
    person = result.finishes[0]
    row = DailyRow(name=person.name, score=result.daily.score, game=game.id)
    await store.put_text(_results_of(result.daily.day.date), person.key, write_versioned(row))


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
        for row in await store.oldest_texts(_results_of(date), DELETED_AT_ONCE):
            await store.put_text(_results_of(date), row.key, None)
    for row in await store.oldest_texts(FIELDS, DELETED_AT_ONCE):
        if row.key < day_before(today, KEPT_DAYS):
            await store.put_text(FIELDS, row.key, None)


def _results_of(date: str) -> str:
    """The kind of the texts that hold the results of this day, by account."""
    return f"daily {date}"
