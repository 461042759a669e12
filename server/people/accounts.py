"""Which keys belong to one person. A key has an account of its own, and may be linked to another one.

An account has a random id, so that what is kept under it tells nothing of its keys.
"""

from server.storage.database import Database


class Accounts:
    """The accounts of all keys."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def of(self, key: str | None) -> str | None:
        """The account that a proven key stands for; None if there is none. Raises NotSaved."""
        found = None if key is None else await self._store.account_of(key)
        return found.id if found else None

    async def keys(self, account: str) -> list[str]:
        """The keys of an account, the first one first. Raises NotSaved."""
        return [*await self._store.keys_of(account)]
