"""Deletes finished games and accounts when their time has come, a few at a time. Without it they are kept for ever.

What it must not know: what a game or an account holds.
"""

import asyncio
from collections.abc import Callable, Container, Sequence
from itertools import takewhile
from math import isfinite
from typing import Final

import structlog

from server.features import Feature
from server.history.ratings import UNRATED, Standings
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service
from server.people.accounts import Account
from server.people.profiles import Profiles
from server.storage import sql
from server.storage.database import Database, Steps

DAY: Final = 86_400.0
GAMES_SECONDS: Final = 600.0
"""How often old games are deleted."""
ACCOUNTS_SECONDS: Final = 60.0
"""How often the accounts of players are deleted who do not come any more."""
AT_ONCE: Final = 100
"""Accounts that one round looks at, and games deleted in one transaction, so that moves hardly wait for it."""
CROWDED: Final = 0.9
"""If more than this part of the places is taken, all names that were last used before today are deleted, unless their
players have finished a game."""
PAUSE: Final = 0.1
"""Seconds between two of them."""
LASTING_GAMES: Final = 5
"""How many rated games keep a name if one is not enough: a game that a player leaves at once takes a second."""

log = structlog.get_logger("quatch.retention")


class OutdatedAccounts:
    """The accounts whose players come no more."""

    def __init__(self, profiles: Profiles, keep_days: float) -> None:
        """``keep_days`` is the setting `keep_name`."""
        self._profiles, self._keep_days = profiles, keep_days

    async def next(self) -> list[Account]:
        """The next accounts to delete unless their games keep them, those seen longest ago first.

        If there are very many, these are all that were last seen before today. Raises NotSaved.
        """
        last_day = self._profiles.today - (0 if await self.is_crowded() else self._keep_days)
        oldest = await self._profiles.accounts.accounts_seen_first(AT_ONCE)
        return [account for account in oldest if account.seen is not None and account.seen < last_day]

    async def is_crowded(self) -> bool:
        """Whether there is little room left for accounts. Raises NotSaved."""
        return await self._profiles.accounts.count_accounts() > self._profiles.most * CROWDED

    async def delete(self, accounts: Sequence[Account], staying: Container[str]) -> None:
        """Delete what is kept of these accounts, unless their players have come since these were read.

        Those who stay count as seen today.
        """
        profiles, gone = self._profiles, [each for each in accounts if each.id not in staying]
        await profiles.note_today([each.id for each in accounts if each.id in staying])
        await profiles.write(*(profiles.accounts.delete_account(each, profiles.kinds) for each in gone))


class Upkeep(Service):
    """Deletes what was kept for long enough."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def open(self) -> None:
        """Begin."""
        repeat = self._background.repeat
        repeat(self._delete_games, GAMES_SECONDS, "deleting old games")
        repeat(self._delete_accounts, ACCOUNTS_SECONDS, "deleting outdated accounts", first_after=ACCOUNTS_SECONDS)

    async def _delete_games(self) -> None:
        if isfinite(days := self._lobby.config.keep_games):
            await delete_old_games(self._lobby.store, days, self._lobby.wall)

    async def _delete_accounts(self) -> None:
        lobby = self._lobby
        accounts = OutdatedAccounts(lobby.profiles, lobby.config.keep_name)
        # Only when every finished game is counted is it known whose games keep a name.
        if (outdated := await accounts.next()) and await lobby.standings.count_some():
            staying, is_crowded = set[str](), await accounts.is_crowded()
            for account in outdated:
                if await keeps_name(lobby.standings, account.id, is_crowded=is_crowded):
                    staying.add(account.id)
                await asyncio.sleep(0)  # the question takes its time at once, without waiting
            staying.update(visitor.player.id for visitor in lobby.visitors.came)
            await accounts.delete(outdated, staying)


async def keeps_name(standings: Standings, key: str, *, is_crowded: bool) -> bool:
    """Whether a player's name is kept however long they stay away. Raises NotSaved.

    It takes a rated game or some others; if the server ``is_crowded`` with accounts it takes as many rated ones.
    """
    every = await standings.every(key)
    unrated = sum(each.games for each in every if each.rules == UNRATED)
    rated = sum(each.games for each in every) - unrated
    return rated >= LASTING_GAMES or (not is_crowded and (rated > 0 or unrated >= LASTING_GAMES))


async def delete_games(store: Database, before: float, up_to: int, limit: int) -> int:
    """Delete the oldest games that ended before this time (seconds since 1970), at most ``limit`` of them.

    Games after number ``up_to`` stay, and so does the last game of all, so that no number is used twice.
    Returns how many were deleted. Raises NotSaved, OutcomeUnknown.
    """
    oldest = await store.select(sql.OLDEST, up_to, limit)
    old = [number for number, _ in takewhile(lambda row: row[1] < before, oldest)]

    def write() -> Steps:
        yield sql.DELETE_GAME_PLAYERS, old[-1]
        yield sql.DELETE_GAMES, old[-1]

    if old:
        await store.write(write)
    return len(old)


async def delete_old_games(store: Database, days: float, wall: Callable[[], float]) -> None:
    """Delete games that ended more than so many days ago, a few at a time, except those that no rating contains yet.

    Raises NotSaved, OutcomeUnknown.
    """
    before, deleted = wall() - days * DAY, 0
    while found := await delete_games(store, before, await Standings(store).counted(), AT_ONCE):
        deleted += found
        await asyncio.sleep(PAUSE)
    if deleted:
        log.info("old games deleted", games=deleted)


FEATURE: Final = Feature("retention", (Runs(Upkeep),))
