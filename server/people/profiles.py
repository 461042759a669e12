"""What is kept of an account: its name, which no other player takes one like, its settings, and how it gets on.

They are read from the log when they are needed, so neither a start nor the memory grows with players who are not here.
They are deleted when the player has never finished a game and has not come for a while. So the log also keeps the day
on which each of these players came last, as texts of the kind `seen`. That text is written before the others and
deleted after them: without it they would be kept for ever.
"""

import asyncio
from collections.abc import Callable, Container, Coroutine, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any, Final

import structlog
from msgspec import json, structs

from engine.errors import InputError
from server.limits import ACCOUNTS
from server.people.names import is_nobodys, looks
from server.people.new_accounts import NewAccounts
from server.people.players import Caller, Player
from server.people.settings import Settings
from server.storage.table_log import Conflict, NotSaved, OutcomeUnknown, TableLog
from server.typed_json import Versioned, read_versioned, write_versioned

_AT_ONCE: Final = 100
"""The accounts that one round of upkeep looks at."""
CROWDED: Final = 0.9
"""If more than this part of the places is taken, all names that were last used before today are deleted, unless their
players have finished a game."""
_DAY_SECONDS: Final = 86400.0
_NAME: Final = "name"
_SETTINGS: Final = "settings"
_SEEN: Final = "seen"

log = structlog.get_logger("quatch.profiles")


@dataclass(frozen=True, slots=True)
class AccountText:
    """A kind of texts of a feature, of which an account has one; it is deleted with the account."""

    kind: str


class _Seen(Versioned, frozen=True):
    """When a player came last: days since 1970, in UTC."""

    day: int = 0


_DECODER: Final = json.Decoder(_Seen)


class Profiles:
    """The names and settings of all accounts. If two claim a name at once, the first write has it."""

    def __init__(
        self,
        store: TableLog,
        wall: Callable[[], float],
        keep_days: float,
        new_accounts: NewAccounts,
        texts: Iterable[AccountText] = (),
        most: int = ACCOUNTS,
    ) -> None:
        """``wall`` returns the time in seconds since 1970; ``keep_days`` is the setting `keep_name`.

        ``texts``: what else is kept of an account.
        """
        self._kinds = [each.kind for each in texts]
        self.most = most
        """Of so many accounts names and settings are kept."""
        self._store = store
        self._new_accounts = new_accounts
        self._wall = wall
        self._keep_days = keep_days

    # Names.

    async def name_of(self, account: str) -> str | None:
        """The name that an account had last."""
        return await self._text(_NAME, account)

    async def owner(self, name: str) -> str | None:
        """The owner of this name, or of one that looks like it."""
        return next(iter(await self._owners(name)), None)

    async def is_free(self, name: str, player_id: str) -> bool:
        """Whether no other player owns this name, or one that looks like it."""
        return all(owner == player_id for owner in await self._owners(name))

    async def claim_name(self, player: Player, caller: Caller | None = None) -> bool:
        """Keep the name of an account for its next session, if there is room and the name can be owned.

        ``caller``: to whose address the account counts if it is new, here and below; None for what the server does.
        Returns False if another player owns the name, or one that looks like it, and was perhaps faster by a moment.
        """
        if player.account is None or player.name == (before := await self.name_of(player.account)):
            return True
        if any(map(is_nobodys, looks(player.name))):
            if before is not None:
                await self._write(self._store.put_text(_NAME, player.account, None))
        elif await self._admit(player.account, caller):
            try:
                await self._write(self._store.put_name(player.account, player.name, sorted(looks(player.name))))
            except Conflict:
                return False
        return True

    # Settings.

    async def settings_of(self, player: Player) -> Settings:
        """A player's settings; the defaults for a newcomer or a guest."""
        return Settings.from_json(player.account and await self._text(_SETTINGS, player.account))

    async def remember_settings(self, player: Player, settings: Settings, caller: Caller | None = None) -> None:
        """Keep the settings of an account for its next session, if there is room.

        What a newer version has written stays: its settings that are unknown here, and all of a newer form.
        """
        account = player.account
        if account is not None and await self._admit(account, caller):
            try:
                text = settings.to_json(await self._store.text(_SETTINGS, account))
            except (ValueError, NotSaved) as error:
                log.info("settings left as they are", problem=str(error))
            else:
                await self._write(self._store.put_text(_SETTINGS, account, text))

    # Other texts.

    async def text_of(self, kind: str, player: Player) -> str | None:
        """An account's text of one of the kinds that features keep; None if there is none, and for guests.

        Raises InputError if it cannot be read now: what is written next would replace it.
        """
        try:
            return await self._store.text(kind, player.account) if player.account else None
        except NotSaved as error:
            raise InputError("not_saved", f"that cannot be read now ({error}): try again in a moment") from None

    async def keep_text(self, kind: str, player: Player, text: str, caller: Caller | None = None) -> bool:
        """Keep an account's text of one of these kinds, if there is room. Returns whether it is kept."""
        account = player.account
        if account is None or not await self._admit(account, caller):
            return False
        return await self._write(self._store.put_text(kind, account, text))

    # How long all this is kept.

    async def note_visit(self, player: Player) -> None:
        """Note that a player has come, if something is kept of their account."""
        if player.account is None:
            return
        day = await self._seen_on(player.account)
        if day is not None and day < self._today:
            await self._note_today([player.account])

    async def outdated(self) -> list[str]:
        """The next accounts to delete unless they have finished a game, those seen longest ago first.

        If there are very many, these are all that were last seen before today. Raises NotSaved.
        """
        is_crowded = await self._store.count_texts(_SEEN) > self.most * CROWDED
        last_day = self._today - (0 if is_crowded else self._keep_days)
        oldest = await self._store.oldest_texts(_SEEN, _AT_ONCE)
        return [row.key for row in oldest if row.text is not None and _day(row.text) < last_day]

    async def delete(self, accounts: Iterable[str], staying: Container[str]) -> None:
        """Delete what is kept of these accounts, except of those who stay: they count as seen today."""
        kept, gone = list[str](), list[str]()
        for account in accounts:
            (kept if account in staying else gone).append(account)
        await self._note_today(kept)
        for kind in (_NAME, _SETTINGS, *self._kinds, _SEEN):
            if not await self._write(*(self._store.put_text(kind, account, None) for account in gone)):
                break  # the next round tries again

    async def _admit(self, account: str, caller: Caller | None) -> bool:
        """Note that this account is here today if there is room for it, before something of it is kept.

        Returns whether it may be kept.
        """
        try:
            if await self._seen_on(account) is None:
                has_room = await self._store.count_texts(_SEEN) < self.most
                if not (has_room and self._new_accounts.admit(caller)):
                    return False
        except NotSaved:
            return False
        return await self._note_today([account])

    async def _seen_on(self, account: str) -> float | None:
        """The day on which an account came last; None if nothing is kept of it."""
        text = await self._text(_SEEN, account)
        return None if text is None else _day(text)

    async def _note_today(self, accounts: Iterable[str]) -> bool:
        """Note that these accounts were here today, where no newer version did. Returns whether that is saved."""
        writes = list[Coroutine[Any, Any, None]]()
        for account in accounts:
            if seen := _read_seen(await self._text(_SEEN, account)):
                text = write_versioned(structs.replace(seen, day=self._today))
                writes.append(self._store.put_text(_SEEN, account, text))
        return await self._write(*writes)

    @property
    def _today(self) -> int:
        return int(self._wall() // _DAY_SECONDS)

    # The log.

    async def _owners(self, name: str) -> list[str]:
        try:
            return await self._store.name_owners(sorted(looks(name)))
        except NotSaved:
            return []

    async def _text(self, kind: str, account: str) -> str | None:
        """A text; None also if none can be read now."""
        try:
            return await self._store.text(kind, account)
        except NotSaved:
            return None

    async def _write(self, *writes: Coroutine[Any, Any, None]) -> bool:
        """Write what players can do without: failures are logged, not raised. Returns whether all succeeded."""
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, NotSaved | OutcomeUnknown):
                log.warning("profile not saved", problem=str(outcome))
            elif outcome is not None:
                raise outcome
        return all(outcome is None for outcome in outcomes)


def _day(text: str) -> float:
    """The day in a text, which is never over if a newer version has written it."""
    seen = _read_seen(text)
    return inf if seen is None else seen.day


def _read_seen(text: str | None) -> _Seen | None:
    """What a text says, or a first one if there is none; None if a newer version has written it."""
    try:
        return _Seen() if text is None else read_versioned(text, _DECODER)
    except ValueError:
        return None
