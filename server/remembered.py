"""What is remembered of people by their keys: texts of one kind, in the log, and no more than so many.

Some of it is a comfort (`Remembered`), on some of it others rely (`Kept`). Other processes write them, too: whoever
loads them again reads no more than what is new.
"""

from typing import Final

import structlog

from engine.errors import InputError
from server.store import NotSaved, TableLog, Unknown

REMEMBERED: Final = 10_000
"""Of how many people something is remembered; who was not here for longest is forgotten first."""

log = structlog.get_logger("quatch.remembered")


class Texts:
    """Texts of one kind as they stand in the log."""

    def __init__(self, store: TableLog, kind: str) -> None:
        self._store = store
        self._kind = kind
        self._read = 0
        self.texts: dict[str, str] = {}
        """All of them by key, in the order in which they were written."""

    async def load(self) -> dict[str, str | None]:
        """Read what this process and others have written since; what is other than before, None for what is no more.

        Raises NotSaved.
        """
        news = dict[str, str | None]()
        for number, key, text in await self._store.recall(self._kind, self._read):
            self._read = number
            if text != self.texts.get(key):
                news[key] = text
            self._have(key, text)
        return news

    def _have(self, key: str, text: str | None) -> None:
        self.texts.pop(key, None)
        if text is not None:
            self.texts[key] = text


class Remembered(Texts):
    """Texts that are a comfort: where one cannot be saved it holds for as long as the process does."""

    async def put(self, key: str, text: str) -> str | None:
        """Remember a text; the key that had to be forgotten for it. That it cannot be saved is nobody's trouble."""
        if self.texts.get(key) == text:
            return None
        await self._save(key, text)
        forgotten = next(iter(self.texts)) if len(self.texts) > REMEMBERED else None
        if forgotten is not None:
            await self._save(forgotten, None)
        return forgotten

    async def _save(self, key: str, text: str | None) -> None:
        # Known here only then, so that what is read meanwhile is never newer.
        try:
            await self._store.remember(self._kind, key, text)
        except (NotSaved, Unknown) as error:
            log.warning("not remembered", kind=self._kind, problem=str(error))
        self._have(key, text)


class Kept(Texts):
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
            await self._store.remember(self._kind, key, text)
        except (NotSaved, Unknown) as error:
            raise InputError("not_saved", f"this cannot be saved now ({error}): try again in a moment") from None
        self._have(key, text)
