"""Which keys are one person's. A key is an account of its own until it is linked; then it counts as the account's.

An account goes by its first key's fingerprint. Whoever is in says `link` and is told a word; whoever says that word on
another device has their key linked. What the other key was before is untouched, and there again when it is unlinked.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable
from typing import Final

from engine.errors import InputError
from server.limits import LINK_SECONDS, LINKS, LINKS_PER_ACCOUNT
from server.people.players import new_word
from server.people.replicated_texts import DurableTexts
from server.storage.table_log import TableLog

_NOBODY: Final = ""
"""What an account's first key counts as once it was unlinked: whoever shows it is a guest."""


class Accounts:
    """All linked keys, and the words that are waited for."""

    def __init__(self, store: TableLog, wall: Callable[[], float]) -> None:
        """``wall`` tells the time in seconds since 1970."""
        self._accounts = DurableTexts(store, "account", LINKS)
        """The account of each key that is not its own, or `_NOBODY`."""
        self._words = DurableTexts(store, "link", LINKS)
        """For whom a word is and until when, by the hash of the word."""
        self._wall = wall
        self._linking = asyncio.Lock()

    async def load(self) -> None:
        """Read what this process and others have linked. Raises NotSaved."""
        await self._accounts.load()

    def of(self, key: str | None) -> str | None:
        """The account of a proven key; None for a guest."""
        return None if key is None else self._accounts.texts.get(key, key) or None

    def keys(self, account: str) -> list[str]:
        """The keys of an account, the first one first."""
        linked = [key for key, its_account in self._accounts.texts.items() if its_account == account]
        return [account, *linked] if self.of(account) == account else linked

    async def new_word(self, account: str) -> str:
        """A word that links one more key, once and soon; earlier ones of this account are void. Raises InputError."""
        if len(self.keys(account)) >= LINKS_PER_ACCOUNT:
            raise InputError("too_many", f"{LINKS_PER_ACCOUNT} keys are linked already: unlink one of them first")
        async with self._linking:
            await self._words.load()
            for digest, text in list(self._words.texts.items()):
                if account == json.loads(text)["account"] or not self._valid(text):
                    await self._words.put(digest, None)
            word = new_word()
            until = self._wall() + LINK_SECONDS
            await self._words.put(_digest(word), json.dumps({"v": 1, "account": account, "until": until}))
            return word

    async def link(self, key: str, word: str) -> str:
        """Have a key count as the account for which this word is; that account. Raises InputError, the word is void."""
        async with self._linking:
            await self._words.load()
            text = self._words.texts.get(_digest(word))
            if text is None or not self._valid(text):
                raise InputError("bad_word", "that word links nothing: say link on the other device for a new one")
            account: str = json.loads(text)["account"]
            if self.of(key) == account:
                raise InputError("bad_request", "this key is yours already: say that word on the other device")
            self._must_be_alone(key)
            await self._words.put(_digest(word), None)
            # An account's own first key needs no entry.
            await self._accounts.put(key, None if key == account else account)
            return account

    async def unlink(self, account: str, key: str) -> None:
        """Have a key of this account count for itself again, the first one as nobody's. Raises InputError."""
        keys = self.keys(account)
        if key not in keys:
            raise InputError("bad_request", "that is no key of yours: keys lists them")
        if len(keys) == 1:
            raise InputError("bad_request", "that is your only key: link another one first")
        # Other keys may still be known by this one, though it was unlinked there: it must never be that account again.
        first_of_some = key in self._accounts.texts.values()
        await self._accounts.put(key, _NOBODY if key == account or first_of_some else None)

    def _must_be_alone(self, key: str) -> None:
        account = self.of(key)
        if account not in {None, key}:
            raise InputError("bad_request", f"this key is linked already: say unlink {key} first")
        if account == key and len(self.keys(key)) > 1:
            raise InputError("bad_request", "other keys are linked to this one: unlink them first, or say link here")

    def _valid(self, text: str) -> bool:
        return bool(self._wall() < json.loads(text)["until"])


def _digest(word: str) -> str:
    return hashlib.sha256(b"quatch-link-v1\0" + word.lower().encode()).hexdigest()
