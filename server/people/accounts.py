"""What is kept of accounts, and which keys stand for them. A write decides on the newest rows.

A key has an account of its own, and may be linked to another one. An account has a random id, so that what is kept
under it tells nothing of its keys. `Profiles` says what is kept when; the statements are in `server/storage/sql.py`.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from server.storage import sql
from server.storage.database import Conflict, Database, Steps

FORGOTTEN: Final = "forgotten"
"""The kind of the texts whose keys are accounts that were forgotten: nothing more is kept of these."""


class Account(NamedTuple):
    """What is kept of an account. Without a day nothing is kept."""

    id: str
    name: str | None = None
    """No other account has a name that looks like it."""
    seen: int | None = None
    """When its player came last: days since 1970, in UTC."""
    settings: str | None = None
    """As JSON."""


class Accounts:
    """The accounts in a database. Each method raises NotSaved, a write also OutcomeUnknown."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def account_of(self, key: str) -> Account | None:
        """What is kept of the account that a proven key stands for; None if it stands for none."""
        return next((Account(*row) for row in await self._store.select(sql.ACCOUNT_OF, key)), None)

    async def of(self, key: str | None) -> str | None:
        """The account that a proven key stands for; None if there is none."""
        found = None if key is None else await self.account_of(key)
        return found.id if found else None

    async def add_account(self, account: str, key: str, seen: int) -> None:
        """Keep a new account for a key, unless the key stands for one by now."""

        def write() -> Steps:
            if not (yield sql.KEY, key):
                yield from _add_account(account, key, seen)

        await self._store.write(write)

    async def account(self, account: str) -> Account:
        """What is kept of an account."""
        return next((Account(*row) for row in await self._store.select(sql.ACCOUNT, account)), Account(account))

    async def accounts_seen_first(self, limit: int) -> list[Account]:
        """The kept accounts whose players have come last, those seen longest ago first."""
        return [Account(*row) for row in await self._store.select(sql.SEEN_FIRST, limit)]

    async def count_accounts(self) -> int:
        """How many accounts are kept."""
        return await self._store.number(sql.TOTAL, "account")

    async def keep_account(
        self,
        account: str,
        seen: int,
        *,
        name: str | None = None,
        looks: Sequence[str] = (),
        settings: str | None = None,
    ) -> None:
        """Note the day on which a player was here, and keep their name and settings, where these are given.

        An empty name is none. If two players claim a name at once, the write decides. Raises Conflict if another
        account owns one of its looks. Nothing is kept of a player who was forgotten.
        """

        def write() -> Steps:
            for look in looks:
                owners = yield sql.NAME_OWNER, look
                if any(owner != account for (owner,) in owners):
                    raise Conflict(f"{name} is the name of another player")
            if not (yield sql.ACCOUNT, account):
                if (yield sql.TEXT, FORGOTTEN, account):
                    return
                yield sql.COUNT, "account", 1
            yield sql.KEEP_ACCOUNT, account, seen
            if name is not None:
                yield sql.PUT_NAME, account, name or None
                yield sql.DELETE_LOOKS, account
                yield sql.PUT_LOOK, [(look, account) for look in looks]
            if settings is not None:
                yield sql.PUT_SETTINGS, account, settings

        await self._store.write(write)

    async def delete_account(self, account: Account, kinds: Sequence[str] = ()) -> None:
        """Delete what is kept of an account, with its texts of these kinds. Linked keys have their own accounts back.

        Nothing is deleted if the player has come on another day since ``account`` was read.
        """

        def write() -> Steps:
            rows = yield sql.ACCOUNT, account.id
            if [Account(*row).seen for row in rows] == [account.seen]:
                yield from self._delete_account(account.id, kinds)

        await self._store.write(write)

    async def forget_account(self, account: str, kinds: Sequence[str]) -> None:
        """Delete all that is kept of an account, with its standings, its texts of these kinds, and all its keys."""

        def write() -> Steps:
            yield sql.DELETE_STANDINGS, account
            yield from self._delete_account(account, kinds, with_linked=True)

        await self._store.write(write)

    def _delete_account(self, account: str, kinds: Sequence[str], *, with_linked: bool = False) -> Steps:
        if (yield sql.ACCOUNT, account):
            yield sql.COUNT, "account", -1
            yield sql.DELETE_ACCOUNT, account
        yield sql.DELETE_LOOKS, account
        linked = [key for key, own in (yield sql.KEYS, account) if own != account]
        yield sql.COUNT, "account_key", -len(linked)
        if not with_linked:
            yield sql.UNLINK_ALL, account
        yield sql.DELETE_KEYS, account
        for kind in kinds:
            yield from self._store.put_text_steps(kind, account, None)

    async def name_owners(self, looks: Iterable[str]) -> list[str]:
        """For each of these looks that some name has: the account that owns the name."""
        return [owner for (owner,) in await self._store.select_many(sql.NAME_OWNER, [(look,) for look in looks])]

    async def keys_of(self, account: str) -> dict[str, str]:
        """The keys that stand for an account, the first one first, each with its own account."""
        return dict(await self._store.select(sql.KEYS, account))

    async def count_linked_keys(self) -> int:
        """How many keys stand for another account than their own."""
        return await self._store.number(sql.TOTAL, "account_key")

    async def link(self, key: str, account: str, new: str) -> None:
        """Have a key stand for an account. Its own one, to which it returns, is ``new`` if it has none yet."""

        def write() -> Steps:
            before, own = next(iter((yield sql.KEY, key)), (new, new))
            if (before == own) != (account == own):
                yield sql.COUNT, "account_key", 1 if before == own else -1
            yield sql.LINK, key, account, own

        await self._store.write(write)

    async def unlink(self, key: str, new: str, seen: int) -> None:
        """Have a key stand for its own account again; if it does already, for a new one, which is its own from then."""

        def write() -> Steps:
            ((account, own),) = yield sql.KEY, key
            if account == own:
                yield from _add_account(new, key, seen)
            else:
                yield sql.COUNT, "account_key", -1
                yield sql.LINK, key, own, own

        await self._store.write(write)


def _add_account(account: str, key: str, seen: int) -> Steps:
    yield sql.COUNT, "account", 1
    yield sql.KEEP_ACCOUNT, account, seen
    yield sql.LINK, key, account, account
