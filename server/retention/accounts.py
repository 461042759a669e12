"""Which accounts are deleted: those whose players have finished no rated game and few others, and come no more."""

from collections.abc import Container, Iterable
from typing import Final

from server.people.accounts import Account
from server.people.profiles import Profiles

AT_ONCE: Final = 100
"""The accounts that one round looks at."""
CROWDED: Final = 0.9
"""If more than this part of the places is taken, all names that were last used before today are deleted, unless their
players have finished a game."""


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

    async def delete(self, accounts: Iterable[Account], staying: Container[str]) -> None:
        """Delete what is kept of these accounts, unless their players have come since these were read.

        Those who stay count as seen today.
        """
        profiles, kept, gone = self._profiles, list[str](), list[Account]()
        for account in accounts:
            if account.id in staying:
                kept.append(account.id)
            else:
                gone.append(account)
        await profiles.note_today(kept)
        await profiles.write(*(profiles.accounts.delete_account(account, profiles.kinds) for account in gone))
