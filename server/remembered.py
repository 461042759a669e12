"""What is remembered of people by their keys: a text of one kind for each, in the log, and no more than so many."""

from typing import Final

import structlog

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
        try:
            await self._store.remember(self._kind, key, text)
            if forgotten is not None:
                del self._texts[forgotten]
                await self._store.remember(self._kind, forgotten, None)
        except (NotSaved, Unknown) as error:
            log.warning("not remembered", kind=self._kind, problem=str(error))
        return forgotten
