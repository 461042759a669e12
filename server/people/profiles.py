"""What is kept of an account: its name, its settings, the day of the last visit. No two names look alike.

They are read from the log when they are needed, so neither a start nor the memory grows with players who are not here.
What features keep of an account is written after it and deleted with it: without it they would be kept for ever.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

import structlog

from engine.errors import InputError
from server.bounded_dict import make_room
from server.ledger import Ledger
from server.limits import ACCOUNTS, NEW_ACCOUNTS
from server.people.accounts import Account, Accounts
from server.people.names import is_nobodys, looks
from server.people.players import Caller, Player, new_account_id
from server.people.settings import Settings
from server.storage.database import Conflict, Database, NotSaved, OutcomeUnknown

DAY_SECONDS: Final = 86400.0
GUESTS_REMEMBERED: Final = 1000
NO_ACCOUNT: Final = Account("")
"""What is kept of the account of a guest: nothing."""

log = structlog.get_logger("quatch.profiles")


class Profiles:
    """The names and settings of all accounts. If two claim a name at once, the first write has it."""

    def __init__(
        self,
        store: Database,
        wall: Callable[[], float],
        ledger: Ledger,
        kinds: Iterable[str] = (),
        most: int = ACCOUNTS,
    ) -> None:
        """``wall`` returns the time in seconds since 1970. ``kinds``: see `kinds`."""
        self.kinds = [*kinds]
        """The kinds of the texts that are deleted with an account."""
        self.most = most
        """How many accounts are kept."""
        self.accounts = Accounts(store)
        self.of_guests = dict[str, Settings]()
        """What guests have chosen here, by their ids: they may come back."""
        self._store = store
        self._ledger = ledger
        self._wall = wall

    async def account_of(self, caller: Caller) -> Account:
        """Returns what is kept of the account that the caller's key stands for. For a guest the id is empty.

        A new key gets an account if there is room; else its player is a guest. Raises NotSaved.
        """
        if caller.key is None:
            return NO_ACCOUNT
        known = await self.accounts.account_of(caller.key)
        if known is None and await self._has_room(caller):
            await self.write(self.accounts.add_account(new_account_id(), caller.key, self.today))
            known = await self.accounts.account_of(caller.key)
        return known or NO_ACCOUNT

    # Names.

    async def name_of(self, account: str) -> str | None:
        """The name that an account had last."""
        return (await self._account(account)).name

    async def owner(self, name: str) -> str | None:
        """The owner of this name, or of one that looks like it."""
        return next(iter(await self._owners(name)), None)

    async def owner_called(self, name: str) -> str | None:
        """The owner of exactly this name, in letters of any size. Raises NotSaved."""
        owner = await self.owner(name)
        kept = (await self.accounts.account(owner)).name if owner else None
        return owner if kept is not None and kept.casefold() == name.casefold() else None

    async def is_free(self, name: str, player_id: str) -> bool:
        """Whether no other player owns this name, or one that looks like it."""
        return all(owner == player_id for owner in await self._owners(name))

    async def claim_name(self, player: Player) -> bool:
        """Keep the name of an account for its next session, if the name can be owned.

        Returns False if another player owns the name, or one that looks like it, and was perhaps faster by a moment.
        """
        account = player.account
        if account is None or player.name == (before := await self._account(account)).name:
            return True
        name, its_looks = player.name, sorted(looks(player.name))
        if any(map(is_nobodys, its_looks)):
            if before.name is None:
                return True
            name, its_looks = "", []
        try:
            await self.write(self.accounts.keep_account(account, self.today, name=name, looks=its_looks))
        except Conflict:
            return False
        return True

    # Settings.

    async def remember_settings(self, player: Player, settings: Settings) -> bool:
        """Keep the settings of a player for the next session. Returns whether they are kept for good; no for guests.

        What a newer version has written stays: its settings that are unknown here, and all if it cannot be read here.
        """
        account = player.account
        if account is None:
            make_room(self.of_guests, GUESTS_REMEMBERED)
            self.of_guests[player.id] = settings
            return False
        try:
            text = settings.to_json((await self.accounts.account(account)).settings)
        except (ValueError, NotSaved) as error:
            log.info("settings left as they are", problem=str(error))
            return False
        return await self.write(self.accounts.keep_account(account, self.today, settings=text))

    async def settings_of(self, name: str) -> Settings:
        """The settings of the owner of this name; the defaults if nobody owns it."""
        owner = await self.owner(name)
        return Settings.from_json((await self._account(owner)).settings) if owner else Settings()

    # Other texts.

    async def text_of(self, kind: str, player: Player) -> str | None:
        """An account's text of one of the kinds that features keep; None if there is none, and for guests.

        Raises InputError if it cannot be read now: what is written next would replace it.
        """
        try:
            return await self._store.text(kind, player.account) if player.account else None
        except NotSaved as error:
            raise InputError("not_saved", f"that cannot be read now ({error}): try again in a moment") from None

    async def keep_text(self, kind: str, player: Player, text: str) -> bool:
        """Keep an account's text of one of these kinds. Returns whether it is kept."""
        account = player.account
        if account is None:
            return False
        is_noted = await self.note_today([account]) and (await self._account(account)).seen is not None
        return is_noted and await self.write(self._store.put_text(kind, account, text))

    # How long all this is kept.

    async def note_visit(self, player: Player) -> None:
        """Note that a player has come; a guest leaves no trace."""
        if player.account is not None:
            seen = (await self._account(player.account)).seen
            if seen is None or seen < self.today:
                await self.note_today([player.account])

    async def forget(self, account: str) -> None:
        """Delete all that is kept of an account, and all its keys. Raises NotSaved, OutcomeUnknown."""
        await self.accounts.forget_account(account, self.kinds)

    async def _has_room(self, caller: Caller) -> bool:
        """Whether this caller may have a new account. Raises NotSaved."""
        return await self.accounts.count_accounts() < self.most and self._ledger.charge_if_free(NEW_ACCOUNTS, caller)

    async def note_today(self, accounts: Iterable[str]) -> bool:
        """Note that these accounts were here today. Returns whether that is saved."""
        return await self.write(*(self.accounts.keep_account(account, self.today) for account in accounts))

    @property
    def today(self) -> int:
        """Today, in days since 1970."""
        return int(self._wall() // DAY_SECONDS)

    # The log.

    async def _owners(self, name: str) -> list[str]:
        try:
            return await self.accounts.name_owners(sorted(looks(name)))
        except NotSaved:
            return []

    async def _account(self, account: str) -> Account:
        """What is kept of an account; nothing also if it cannot be read now."""
        try:
            return await self.accounts.account(account)
        except NotSaved:
            return Account(account)

    async def write(self, *writes: Awaitable[None]) -> bool:
        """Write what players can do without: failures are logged, not raised. Returns whether all succeeded."""
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, NotSaved | OutcomeUnknown):
                log.warning("profile not saved", problem=str(outcome))
            elif outcome is not None:
                raise outcome
        return all(outcome is None for outcome in outcomes)
