"""The daily deal of this server: who has played it, the table of each player, and the results.

Where two processes may write an account's one try a day at the same time, the oldest text counts. `choice.py` says
which deal a day has, and has AI players play it.
"""

import asyncio
import secrets
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from engine.errors import InputError
from server.daily import STREAK
from server.daily.choice import PREPARE_SECONDS, DailyDeals, DailyWork
from server.daily.deal import AI_VERSION, KIND, Day, daily_game_id, daily_of, daily_settings, day_at, day_before, day_of
from server.daily.results import MOST_TRIES, DailyStreak, DayResults, delete_old_results, note_result, tries_of
from server.history.when_a_day_begins import END_TEXT
from server.lobby.lobby import Lobby
from server.lobby.service import Service, Serving
from server.people.players import Caller, Player
from server.storage.database import FinishedGame, NotSaved, OutcomeUnknown
from server.storage.key_value_store import save
from server.table.occasion import Occasion
from server.table.table import Table
from server.typed_json import readable

DELETE_SECONDS: Final = 3600.0
READ: Final = "games-read"
"""The kind of the text that holds the number of the last finished game that was looked at."""
PIECE: Final = 50
"""After so many games others have their turn, and the log notes how far this has come."""


class Dailies(Service):
    """The daily deals of one server."""

    def __init__(self, lobby: Lobby) -> None:
        self._store, self._tables, self._ai_pool, self._wall = lobby.store, lobby.tables, lobby.ai_pool, lobby.wall
        self._results: dict[str, DayResults] = {}
        """Of today and the day before, by date."""
        self.deals = DailyDeals(self._store, self._wall)
        self.work = DailyWork(lobby, self.deals, self._background)
        self._last_game = 0
        """The number of the last finished game that was looked at, as far as is known here."""
        self._reading = asyncio.Lock()

    def open(self) -> None:
        """Note results and delete old ones from now on."""
        self._background.repeat(
            lambda: delete_old_results(self._store, self.today.date),
            DELETE_SECONDS,
            "deleting old daily results",
            first_after=60.0,
        )

    def serve(self, serving: Serving) -> None:
        """Have one process of a server prepare each day before it begins, if there are workers to do it."""
        if serving.process == 0 and self._ai_pool.has_workers:
            self._background.repeat(self.work.prepare, PREPARE_SECONDS, "daily deals", first_after=PREPARE_SECONDS)

    async def read_on(self) -> None:
        """Note the results of the daily games that have ended. Raises NotSaved, OutcomeUnknown.

        All processes do, each those of games that others have not looked at. After a crash, or if two read at the same
        moment, a game is noted again.
        """
        async with self._reading:
            before = self._last_game
            while games := await self._store.games(self._last_game, PIECE):
                if (elsewhere := int(await self._store.text(READ, KIND) or 0)) > self._last_game:
                    self._last_game = elsewhere
                    continue
                for _, game in games:
                    await note_result(self._store, game)
                self._last_game = games[-1][0]
                await self._store.put_text(READ, KIND, str(self._last_game))
                await asyncio.sleep(0)
            if self._last_game != before:
                await self._results_of(self.today.date).read()  # for `is_known_to_have_played`

    @property
    def left_text(self) -> str:
        """When the present day ends, in words."""
        minutes = int(max(0.0, self.today.ends - self._wall())) // 60
        return f"until {END_TEXT} by the server's clock, in {minutes // 60} h {minutes % 60} min"

    @property
    def today(self) -> Day:
        """The present day."""
        return day_at(self._wall())

    async def played(self, player: Player) -> FinishedGame | None:
        """Returns the account's finished game with today's deal; None without one, and for guests. Raises NotSaved."""
        if not player.account:
            return None
        return await self._store.game(daily_game_id(await self.deals.seed(self.today.date), player.account))

    async def streak(self, player: Player) -> DailyStreak:
        """The days on which an account has finished the deal; none for guests. Raises NotSaved."""
        text = await self._store.text(STREAK, player.account) if player.account else None
        return readable(text, DailyStreak) or DailyStreak()

    async def results(self, date: str) -> DayResults:
        """The results of today or of the day before, with those of games that have just ended. Raises NotSaved."""
        with suppress(NotSaved, OutcomeUnknown):  # these can be noted later
            await self.read_on()
        found = self._results_of(date)
        await found.read()
        if AI_VERSION not in found.fields and date == self.today.date:
            self.work.begin(self.today)
        return found

    def is_known_to_have_played(self, player: Player) -> bool:
        """Whether an account's result of today has been read; asks nothing of the log."""
        return player.account is not None and player.account in self._results_of(self.today.date).by_account

    def note_begun(self, player: Player, table: int) -> None:
        """Note that a player has come to their game with today's deal, at this table."""
        self._results_of(self.today.date).begun[player.id] = table

    def begun_at(self, player: Player, seats: Collection[int]) -> int:
        """The table of a player's game with today's deal, as far as this process knows, who has seats at these tables.

        0 if it knows none. Asks nothing of the log.
        """
        today, here = self.today, self._tables.here
        found = (number for number in seats if number in here and _is_try(here[number].occasion, today))
        return self._results_of(today.date).begun.get(player.id) or next(found, 0)

    async def has_begun(self, player: Player) -> bool:
        """Whether an account has a game with today's deal, over or not. Raises NotSaved."""
        return bool(player.account and await self._tried(player, self.today))

    def _results_of(self, date: str) -> DayResults:
        if date not in self._results:
            recent = {self.today.date, day_before(self.today.date), date}
            self._results = {day: each for day, each in self._results.items() if day in recent}
            self._results[date] = DayResults(self._store, date)
        return self._results[date]

    # The table of a player.

    async def table_of(self, caller: Caller, player: Player) -> Table:
        """The table at which a player plays today's deal, and no other does. Raises InputError, NotSaved."""
        day = self.today
        self.work.begin(day)
        settings = daily_settings(day, await self.deals.seed(day.date), player)
        if not player.account:
            for seat in await self._tables.seats_of(player.id):
                if table := await self._own_table(seat, caller, player, day):
                    return table
            return await self._tables.open_table(settings, caller)
        while True:
            tried = await self._tried(player, day)
            if tried:
                if table := await self._own_table(next(iter(tried.values())), caller, player, day):
                    return table
                # A game is kept before its table closes.
                if await self.played(player):
                    raise InputError("bad_request", "you have played today's deal: daily shows how it went")
            for key in tried:
                await save(self._store, tries_of(player.id), key, None)
            table = await self._tables.open_table(settings, caller)
            key = f"{day.date} {player.id} {secrets.token_hex(8)}"
            await save(self._store, tries_of(player.id), key, str(table.number))
            if next(iter((await self._tried(player, day)).values()), 0) == table.number:
                return table
            await table.close_soon()

    async def table_again(self, caller: Caller, player: Player, date: str) -> Table:
        """A new table, at which a player has the deal of this date again. Raises InputError, NotSaved."""
        settings = daily_settings(day_of(date), await self.deals.seed(date), player, again=True)
        return await self._tables.open_table(settings, caller)

    async def _own_table(self, number: int, caller: Caller, player: Player, day: Day) -> Table | None:
        """The table with this number if it is that of the player's game with this day's deal."""
        try:
            table = await self._tables.bring_up(str(number), caller)
        except InputError as error:
            if error.code != "no_such_table":
                raise
            return None
        occasion = table.occasion
        return table if occasion and _is_try(occasion, day) and occasion.seat_of(player.id) is not None else None

    async def _tried(self, player: Player, day: Day) -> dict[str, int]:
        """The tables of an account's tries on this day, of which the oldest counts; deletes tries of earlier days."""
        found = dict[str, int]()
        for row in await self._store.oldest_texts(tries_of(player.id), MOST_TRIES):
            if row.key.partition(" ")[0] < day.date:
                await save(self._store, tries_of(player.id), row.key, None)
            elif row.key.rpartition(" ")[0] == f"{day.date} {player.id}":
                found[row.key] = int(row.text or 0)
        return found


def _is_try(occasion: Occasion | None, day: Day) -> bool:
    """Whether a table was opened for a first game with this day's deal."""
    daily = daily_of(occasion)
    # At a server with another time zone the same day ends at another time.
    return daily is not None and daily.date == day.date and not daily.again
