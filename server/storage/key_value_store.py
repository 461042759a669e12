"""Texts by key, which all processes on one log share: names, accounts, link codes, settings, bans, mutes.

Players can do without some texts (`BestEffortStore`) and rely on others (`DurableStore`). A process learns every text
from the log and in the order of the log, even those that it wrote itself, so that all processes know the same.
"""

import asyncio
from contextlib import suppress

import structlog

from engine.errors import InputError
from server.storage.table_log import NotSaved, OutcomeUnknown, TableLog

log = structlog.get_logger("quatch.key_value_store")


class KeyValueStore:
    """The texts of one kind, as this process has read them from the log."""

    def __init__(self, store: TableLog, kind: str) -> None:
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

    async def _write(self, key: str, text: str | None) -> None:
        """Write a text and read the log, in which it may already be replaced. Raises OutcomeUnknown, NotSaved."""
        await self._store.put_text(self._kind, key, text)
        try:
            await self.load()
        except NotSaved:
            # The text is written all the same; the next read puts it into its place.
            self._know(key, text)

    def _know(self, key: str, text: str | None) -> None:
        """Replace what is known under a key."""
        self.texts.pop(key, None)
        if text is not None:
            self.texts[key] = text


class BestEffortStore(KeyValueStore):
    """A store of texts that players can do without. A text that cannot be saved holds until the process ends."""

    def __init__(self, store: TableLog, kind: str, most: int) -> None:
        """There may be at most ``most`` texts; the oldest are deleted first."""
        super().__init__(store, kind)
        self._most = most

    async def put(self, key: str, text: str | None) -> None:
        """Save a text, and delete the oldest one if there are too many; None deletes it.

        Failures are logged, not raised.
        """
        if self.texts.get(key) == text:
            return
        await self._save(key, text)
        if len(self.texts) > self._most:
            await self._save(next(iter(self.texts)), None)

    async def _save(self, key: str, text: str | None) -> None:
        try:
            await self._write(key, text)
        except (NotSaved, OutcomeUnknown) as error:
            log.warning("text not saved", kind=self._kind, problem=str(error))
            self._know(key, text)


class DurableStore(KeyValueStore):
    """A store of texts that players rely on: `put` returns when they are saved, and newer ones do not displace them."""

    def __init__(self, store: TableLog, kind: str, most: int) -> None:
        """There may be at most ``most`` texts."""
        super().__init__(store, kind)
        self._most = most

    async def put(self, key: str, text: str | None) -> None:
        """Save a text in place of an older one; None deletes it. Raises InputError if it cannot be saved."""
        if text is not None and key not in self.texts and len(self.texts) >= self._most:
            raise InputError("too_many", f"there are {self._most} of them already: take some of them back first")
        try:
            await self._write(key, text)
        except (NotSaved, OutcomeUnknown) as error:
            if isinstance(error, OutcomeUnknown) and await self._has(key, text):
                return
            raise InputError("not_saved", f"this cannot be saved now ({error}): try again in a moment") from None

    async def _has(self, key: str, text: str | None) -> bool:
        """Whether the log has this text; no if it cannot be read."""
        with suppress(NotSaved):
            await self.load()
        return self.texts.get(key) == text
