"""What is remembered of people by their keys: texts of one kind, in the log, and no more than so many.

Players can do without some of it (`BestEffortTexts`) and rely on the rest (`DurableTexts`). Other processes write, too.
What is known here was read from the log, in its order, own texts as well: so all processes come to know the same.
"""

import asyncio
from typing import Final

import structlog

from engine.errors import InputError
from server.storage.table_log import NotSaved, OutcomeUnknown, TableLog

REMEMBERED: Final = 10_000
"""Of how many people something is remembered; who was not here for longest is forgotten first."""

log = structlog.get_logger("quatch.remembered")


class ReplicatedTexts:
    """Texts of one kind as they stand in the log."""

    def __init__(self, store: TableLog, kind: str) -> None:
        self._store = store
        self._kind = kind
        self._read = 0
        self._reading = asyncio.Lock()
        self.texts: dict[str, str] = {}
        """All of them by key, in the order in which they were written."""

    async def load(self) -> bool:
        """Read what this process and others have written since; whether any of it was not known. Raises NotSaved."""
        is_news = False
        async with self._reading:
            for row in await self._store.read_texts(self._kind, self._read):
                self._read = row.number
                is_news |= row.text != self.texts.get(row.key)
                self._know(row.key, row.text)
        return is_news

    async def _write(self, key: str, text: str | None) -> None:
        """Write a text and read it back, or what somebody else has written over it by now. Raises Unknown, NotSaved."""
        await self._store.put_text(self._kind, key, text)
        try:
            await self.load()
        except NotSaved:
            # It is written all the same; the next look puts it behind whatever else is yet to be read.
            self._know(key, text)

    def _know(self, key: str, text: str | None) -> None:
        """Have a text in place of what was known; nothing becomes known in any other way."""
        self.texts.pop(key, None)
        if text is not None:
            self.texts[key] = text


class BestEffortTexts(ReplicatedTexts):
    """Texts that are a comfort: where one cannot be saved it holds for as long as the process does."""

    async def put(self, key: str, text: str) -> None:
        """Remember a text, and forget another where there are too many. That it cannot be saved is nobody's trouble."""
        if self.texts.get(key) == text:
            return
        await self._save(key, text)
        if len(self.texts) > REMEMBERED:
            await self._save(next(iter(self.texts)), None)

    async def _save(self, key: str, text: str | None) -> None:
        try:
            await self._write(key, text)
        except (NotSaved, OutcomeUnknown) as error:
            log.warning("not remembered", kind=self._kind, problem=str(error))
            self._know(key, text)


class DurableTexts(ReplicatedTexts):
    """Texts that somebody relies on: kept before anybody is told so, and never forgotten for newer ones."""

    def __init__(self, store: TableLog, kind: str, most: int) -> None:
        """There may be ``most`` of them."""
        super().__init__(store, kind)
        self._most = most

    async def put(self, key: str, text: str | None) -> None:
        """Keep a text in place of what was there; None for nothing any more. Raises InputError where it cannot be."""
        if text is not None and key not in self.texts and len(self.texts) >= self._most:
            raise InputError("too_many", f"there are {self._most} of them already: take some of them back first")
        try:
            await self._write(key, text)
        except (NotSaved, OutcomeUnknown) as error:
            raise InputError("not_saved", f"this cannot be saved now ({error}): try again in a moment") from None
