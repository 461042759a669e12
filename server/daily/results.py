"""What became of the daily deals: the results of each day, and the field that they are compared with.

`README.md` says as which texts the log keeps them.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from random import Random
from time import time
from typing import Final

import structlog
from msgspec import json
from msgspec.structs import replace

from engine.errors import InputError
from server.daily import STREAK, deal
from server.lobby.lobby import Lobby
from server.lobby.personal_data import Person
from server.records.results import GUEST, read_result
from server.storage.database import Database, FinishedGame
from server.typed_json import Versioned, read_versioned, readable, write_versioned

FIELDS: Final = "daily"
"""The kind of the texts that hold what AI players made of each day's deal: by its date and their version."""
CHOICES: Final = "daily-choice"
"""The kind of the texts that say which deal each day has: their keys begin with the date, and the oldest one counts."""
TRY_KINDS: Final = 4096
"""The tries of accounts are texts of so many kinds, since only the texts of a kind can be read in their order."""
KEPT_DAYS: Final = 7
"""How many days the results of a day are kept."""
MOST_TRIES: Final = 10_000
"""Tries of one kind that are looked at."""
DELETED_AT_ONCE: Final = 100
READ_AT_ONCE: Final = 500
"""After so many results others have their turn."""

log = structlog.get_logger("quatch.daily")


class DailyRow(Versioned, frozen=True):
    """The result of one account on one day."""

    name: str
    score: deal.DailyScore
    game: str
    """The id of the game."""
    ai_version: str
    """The version of the AI players in it, see `deal.DailyGame`."""


class AIField(Versioned, frozen=True):
    """What AI players of one version made of a day's deal in the person's place."""

    par: deal.DailyScore
    """The middle one of Master's games."""
    games: tuple[deal.DailyScore, ...]
    """Games of weaker levels."""


class DailyStreak(Versioned, frozen=True):
    """On how many days in a row an account has finished the daily deal."""

    last: str = ""
    """The date of the last day on which it finished the deal."""
    days: int = 0
    """How many days in a row led to that one."""
    best: int = 0
    """The most days in a row."""

    def after(self, day: str) -> "DailyStreak":
        """The days after a deal of this date was finished. The same day counts once, and no earlier one counts."""
        if day <= self.last:
            return self
        days = self.days + 1 if self.last == deal.day_before(day) else 1
        return replace(self, last=day, days=days, best=max(self.best, days))

    def at(self, today: str) -> int:
        """How many days in a row, as it stands on this day: today's deal can still be played."""
        return self.days if self.last >= deal.day_before(today) else 0


class DayResults:
    """The results of one day, as far as this process has read them."""

    def __init__(self, store: Database, date: str) -> None:
        self.date = date
        self.by_account: dict[str, DailyRow] = {}
        self.begun = dict[str, int]()
        """The tables of the players who have come to their game in this process, by the players' ids."""
        self.fields: dict[str, AIField] = {}
        """By version of the AI players, the latest last."""
        self._people: list[tuple[deal.Order, str]] = []
        """The accounts and their scores, best first."""
        self._scores: dict[str, list[deal.Order]] = {}
        """The scores alone, by version of the AI players."""
        self._store = store
        self._last_read = 0
        self._reading = asyncio.Lock()

    async def read(self) -> None:
        """Read what is new. Raises NotSaved."""
        async with self._reading:
            if rows := await self._store.read_texts(results_of(self.date), self._last_read):
                known, people = dict(self.by_account), [*self._people]
                for number, row in enumerate(rows, 1):
                    if before := known.pop(row.key, None):
                        people.remove((before.score.order, row.key))
                    if result := readable(row.text, DailyRow, account=row.key):
                        known[row.key] = result
                        people.append((result.score.order, row.key))
                    if not number % READ_AT_ONCE:
                        await asyncio.sleep(0)
                people.sort()
                scores: dict[str, list[deal.Order]] = {}
                for score, account in people:
                    scores.setdefault(known[account].ai_version, []).append(score)
                self.by_account, self._people, self._scores = known, people, scores
                self._last_read = rows[-1].number
            self.fields = await read_fields(self._store, self.date)

    @property
    def is_mixed(self) -> bool:
        """Whether AI players have played in one way in some games, and in another way in others."""
        return len(self._scores) > 1

    def par(self, account: str | None) -> deal.DailyScore | None:
        """Par for an account: that of AI players as in its game, or else of the latest; None if it is not known yet."""
        if (row := self.by_account.get(account or "")) is not None:
            field = self.fields.get(row.ai_version)
        else:
            field = next(reversed(self.fields.values()), None)
        return field.par if field else None

    def best(self, most: int) -> list[str]:
        """The accounts with the best results."""
        return [account for _, account in self._people[:most]]

    def number_of(self, account: str) -> int:
        """The number of an account in this list, from 1 on; those with equal scores have the same."""
        return 1 + bisect_left(self._people, (self.by_account[account].score.order, ""))

    def percent_of(self, result: DailyRow | deal.DailyResult, account: str | None) -> Fraction | None:
        """The part of the field that a result of an account beats: of other games with AI players of its version."""
        field, people = self.fields.get(result.ai_version), self._scores.get(result.ai_version, [])
        ai_scores = sorted(game.order for game in field.games) if field else []
        own = self.by_account.get(account or "")
        left_out = own.score.order if own and own.ai_version == result.ai_version else None
        return deal.percent(result.score.order, people, ai_scores, left_out)


async def note_result(store: Database, game: FinishedGame) -> None:
    """Keep the result of a game with a daily deal, and count the day, if it counts for somebody.

    Raises NotSaved, OutcomeUnknown.
    """
    try:
        result = read_result(game.result)
    except InputError as error:
        log.warning("game left out", game=game.id, problem=str(error))
        return
    daily = deal.daily_result(result)
    if daily is None or not result.finishes or result.finishes[deal.PERSON].key == GUEST or daily.day.again:
        return
    person, date = result.finishes[deal.PERSON], daily.day.date
    row = DailyRow(name=person.name, score=daily.score, game=game.id, ai_version=daily.ai_version)
    await store.put_text(results_of(date), person.key, write_versioned(row))
    if daily.score == deal.UNFINISHED:
        return
    text = await store.text(STREAK, person.key)
    streak = readable(text, DailyStreak) if text else DailyStreak()
    if streak and (after := streak.after(date)) != streak:
        await store.put_text(STREAK, person.key, write_versioned(after))


async def read_fields(store: Database, date: str) -> dict[str, AIField]:
    """What AI players made of this day's deal, by their version, the latest last. Raises NotSaved."""
    return {
        row.key.partition(" ")[2]: read_versioned(row.text, AIField)
        for row in await store.read_texts(FIELDS)
        if row.key.partition(" ")[0] == date and row.text is not None
    }


async def delete_old_results(store: Database, today: str) -> None:
    """Delete the results of days that are long over, some at once. Raises NotSaved, OutcomeUnknown."""
    for days in range(KEPT_DAYS, 2 * KEPT_DAYS):
        date = deal.day_before(today, days)
        for row in await store.oldest_texts(results_of(date), DELETED_AT_ONCE):
            await store.put_text(results_of(date), row.key, None)
    for kind in (FIELDS, CHOICES):
        for row in await store.oldest_texts(kind, DELETED_AT_ONCE):
            if row.key < deal.day_before(today, KEPT_DAYS):
                await store.put_text(kind, row.key, None)


async def kept_of(lobby: Lobby, person: Person) -> Mapping[str, object] | None:
    """The results of a person by date, as JSON. Raises NotSaved."""
    found = {date: await lobby.store.text(results_of(date), person.account) for date in _kept_dates(lobby)}
    return {date: json.decode(text) for date, text in found.items() if text} or None


async def forget_results(lobby: Lobby, person: Person) -> None:
    """Delete the results and tries of a person. Raises NotSaved, OutcomeUnknown."""
    for date in _kept_dates(lobby):
        await lobby.store.put_text(results_of(date), person.account, None)
    for row in await lobby.store.oldest_texts(tries_of(person.account), MOST_TRIES):
        if person.account in row.key:
            await lobby.store.put_text(tries_of(person.account), row.key, None)


def _kept_dates(lobby: Lobby) -> list[str]:
    today = deal.day_at(lobby.wall()).date
    return [deal.day_before(today, days) for days in range(2 * KEPT_DAYS)]


def results_of(date: str) -> str:
    """The kind of the texts that hold the results of this day, by account."""
    return f"daily {date}"


def tries_of(account: str) -> str:
    """The kind of the texts that hold an account's tries."""
    return f"daily-try {int.from_bytes(sha256(account.encode()).digest()[:4]) % TRY_KINDS}"


def many_results(accounts: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Results of today's deal, and the tries that led to them, for `quatch bench growth`."""
    date, chance = deal.day_at(time()).date, Random("daily deals")
    for number, account in enumerate(accounts):
        score = deal.DailyScore(chance.randint(1, 4), chance.randint(-30, 30), chance.randint(8, 40))
        row = DailyRow(name=f"player{number}", score=score, game=f"{number:08X}", ai_version=deal.AI_VERSION)
        yield results_of(date), account, write_versioned(row)
        yield tries_of(account), f"{date} {account} 0", "1"
