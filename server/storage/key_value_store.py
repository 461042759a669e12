"""The few texts that a process keeps in memory, and all processes on one log share: link codes, bans, mutes.

A process learns every text from the log and in the order of the log, even those that it wrote itself, so that all
processes know the same. Texts of which there may be very many are read from the log when they are needed.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from engine.errors import InputError
from server.ledger import Resource
from server.storage.database import Database, NotSaved, OutcomeUnknown


class KeyValueStore:
    """The texts of one kind, as this process has read them from the log."""

    def __init__(self, store: Database, kind: str) -> None:
        self._store = store
        self._kind = kind
        self._read = 0
        self._reading = asyncio.Lock()
        self.texts: dict[str, str] = {}
        """All texts by key, in the order of writing."""

    async def load(self) -> bool:
        """Read new texts, and return whether any was not known yet. Raises NotSaved."""
        is_news = False
        async with self._reading:
            for row in await self._store.read_texts(self._kind, self._read):
                self._read = row.number
                is_news |= row.text != self.texts.get(row.key)
                self._know(row.key, row.text)
        return is_news

    def _know(self, key: str, text: str | None) -> None:
        """Replace what is known under a key."""
        self.texts.pop(key, None)
        if text is not None:
            self.texts[key] = text


class DurableStore(KeyValueStore):
    """A store of texts that players rely on: `put` returns when they are saved, and newer ones do not displace them."""

    def __init__(self, store: Database, kind: str, most: Resource[int]) -> None:
        """There may be so many texts at a time."""
        super().__init__(store, kind)
        self._most = most

    async def put(self, key: str, text: str | None) -> None:
        """Save a text in place of an older one; None deletes it. Raises InputError if it cannot be saved."""
        if text is not None and key not in self.texts and len(self.texts) >= self._most.share:
            raise self._most.refuse()
        await save(self._store, self._kind, key, text)
        try:
            await self.load()  # in which it may already be replaced
        except NotSaved:
            # The text is written all the same; the next read puts it into its place.
            self._know(key, text)


async def save(store: Database, kind: str, key: str, text: str | None) -> None:
    """Save a text that players rely on; None deletes it. Raises InputError if it cannot be saved."""

    async def is_done() -> bool:
        return await store.text(kind, key) == text

    await saved(store.put_text(kind, key, text), is_done)


async def saved(writing: Awaitable[None], is_done: Callable[[], Awaitable[bool]]) -> None:
    """Wait for a write that players rely on; ``is_done`` looks for it. Raises InputError if it cannot be saved."""
    try:
        await writing
    except (NotSaved, OutcomeUnknown) as error:
        with suppress(NotSaved):
            if isinstance(error, OutcomeUnknown) and await is_done():
                return
        raise InputError("not_saved", f"this cannot be saved now ({error}): try again in a moment") from None
