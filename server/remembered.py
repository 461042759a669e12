"""What is remembered of people by their keys: texts of one kind, in the log, and no more than so many.

Some of it is a comfort (`Remembered`), on some of it others rely (`Kept`).
"""

from typing import Final

import structlog

from engine.errors import InputError
from server.store import NotSaved, TableLog, Unknown

REMEMBERED: Final = 10_000
"""Of how many people something is remembered; who was not here for longest is forgotten first."""

log = structlog.get_logger("quatch.remembered")


class Remembered:
    """Texts of one kind, by key."""

    def __init__(self, store: TableLog, kind: str) -> None:
        self._store = store
        self._kind = kind
        self._texts: dict[str, str] = {}

    async def load(self) -> dict[str, str]:
        """Read what the log has kept; all of it. Raises NotSaved."""
        self._texts = await self._store.recall(self._kind)
        return dict(self._texts)

    def of(self, key: str) -> str | None:
        """What is remembered under a key."""
        return self._texts.get(key)

    async def put(self, key: str, text: str) -> str | None:
        """Remember a text; the key that had to be forgotten for it. That it cannot be saved is nobody's trouble."""
        if self._texts.get(key) == text:
            return None
        self._texts.pop(key, None)
        self._texts[key] = text
        forgotten = next(iter(self._texts)) if len(self._texts) > REMEMBERED else None
        if forgotten is not None:
            del self._texts[forgotten]
        try:
            await self._store.remember(self._kind, key, text)
            if forgotten is not None:
                await self._store.remember(self._kind, forgotten, None)
        except (NotSaved, Unknown) as error:
            log.warning("not remembered", kind=self._kind, problem=str(error))
        return forgotten


class Kept:
    """Texts of one kind that somebody relies on: kept before anybody is told so, and never forgotten for newer ones."""

    def __init__(self, store: TableLog, kind: str, most: int) -> None:
        """There may be ``most`` of them."""
        self._store = store
        self._kind = kind
        self._most = most
        self.texts: dict[str, str] = {}
        """All of them, in the order in which they were written."""

    async def load(self) -> None:
        """Read what this process and others have kept. Raises NotSaved."""
        self.texts = await self._store.recall(self._kind)

    async def put(self, key: str, text: str | None) -> None:
        """Keep a text in place of what was there; None for nothing any more. Raises InputError where it cannot be."""
        if text is not None and key not in self.texts and len(self.texts) >= self._most:
            raise InputError("too_many", f"there are {self._most} of them already: take some of them back first")
        try:
            await self._store.remember(self._kind, key, text)
        except (NotSaved, Unknown) as error:
            raise InputError("not_saved", f"this cannot be saved now ({error}): try again in a moment") from None
        self.texts.pop(key, None)
        if text is not None:
            self.texts[key] = text
