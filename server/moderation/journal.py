"""The journal of what ops and hosts have done to others, which outlasts the server and is bounded."""

from contextlib import suppress
from datetime import UTC, datetime
from secrets import token_hex
from typing import Final

from server.lobby.lobby import Lobby
from server.lobby.service import Act, Service
from server.storage.key_value_store import KeyValueStore
from server.typed_json import Versioned, read_versioned, write_versioned

KIND: Final = "act"
"""The kind of its texts."""
KEPT: Final = 500
"""Acts that are kept; older ones are deleted."""


class Noted(Versioned, frozen=True):
    """An act, and when it was."""

    at: float
    """In seconds since 1970."""
    act: Act

    @property
    def line(self) -> str:
        """What ops read."""
        act = self.act
        changed = f": {act.before or 'nothing'} -> {act.after or 'nothing'}" if act.before or act.after else ""
        why = f", because {act.why}" if act.why else ""
        when = datetime.fromtimestamp(self.at, UTC)
        return f"{when:%Y-%m-%d %H:%M}  {act.name}: {' '.join(filter(None, (act.did, act.whom)))}{changed}{why}"


class Journal(Service):
    """What was done in all processes."""

    def __init__(self, lobby: Lobby) -> None:
        self._store, self._wall = lobby.store, lobby.wall
        self._texts = KeyValueStore(lobby.store, KIND)

    async def read(self) -> list[Noted]:
        """All that is kept, the latest last. Raises NotSaved; passes over what cannot be read."""
        await self._texts.load()
        found = list[Noted]()
        for text in self._texts.texts.values():
            with suppress(ValueError):
                found.append(read_versioned(text, Noted))
        return found

    async def note_act(self, act: Act) -> None:
        """Keep it. Raises NotSaved, OutcomeUnknown."""
        await self._store.put_text(KIND, token_hex(8), write_versioned(Noted(self._wall(), act)))
        over = await self._store.count_texts(KIND) - KEPT
        for old in await self._store.oldest_texts(KIND, over) if over > 0 else ():
            await self._store.put_text(KIND, old.key, None)
