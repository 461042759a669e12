"""Understands processes of release 0.1.0 on the same log: each writes into it which players are at its tables.

During a deploy such a process runs on beside this one for a while. As long as one says something, this process says the
same in that form, so that neither gives up a seat or a table whose players are at the other.
"""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec import DecodeError, Struct, json

from server.lobby.tables import Tables
from server.storage.key_value_store import KeyValueStore
from server.storage.table_log import TableLog

HERE: Final = "here"
"""The kind of text under which the log keeps what these processes say."""
OURS: Final = "for-0.1.0-"
"""The keys of what processes of this release say begin so."""
TELL_SECONDS: Final = 4.0
"""How often that is said again although nothing has changed."""
BELIEVED_SECONDS: Final = 15.0
"""How long a process is believed that says nothing new."""


class _Here(Struct):
    """What a process says."""

    at: float
    """Another number each time, so that others see that it was said again."""
    tables: dict[int, frozenset[str]]
    """The ids of the players at each table."""


class _Said(NamedTuple):
    """The last text of a process, and when it was new here, in the event loop's time."""

    text: str
    since: float


class PreviousRelease:
    """What processes of release 0.1.0 say, and what they are told."""

    def __init__(self, store: TableLog, tables: Tables, process: str) -> None:
        """``process`` is the name of this process."""
        self.table_changed: Callable[[int], None] = lambda _: None
        """Called when other players than before are at the table with this number in such processes."""
        self._store, self._tables = store, tables
        self._texts = KeyValueStore(store, HERE)
        self._key = OURS + process
        self._told: dict[int, frozenset[str]] = {}
        self._told_at = 0.0
        self._said: dict[str, _Said] = {}
        self._at: dict[int, frozenset[str]] = {}

    def at(self, table: int) -> frozenset[str]:
        """The ids of the players who are at a table in such processes, as far as is known."""
        return self._at.get(table, frozenset())

    async def exchange(self) -> None:
        """Read what they say, and tell them which players are here. Raises NotSaved, OutcomeUnknown."""
        await self.load()
        here = {n: table.runtime.here for n, table in self._tables.here.items() if table.runtime.here and self._said}
        now = asyncio.get_running_loop().time()
        if here != self._told or (here and now - self._told_at >= TELL_SECONDS):
            text = json.encode(_Here(now, here)).decode() if here else None
            await self._store.put_text(HERE, self._key, text)
            self._told, self._told_at = here, now

    async def load(self) -> None:
        """Read what they say, and delete what silent processes said. Raises NotSaved, OutcomeUnknown."""
        await self._texts.load()
        now = asyncio.get_running_loop().time()  # if this process was stopped meanwhile, what it has read is new
        texts = {key: text for key, text in self._texts.texts.items() if not key.startswith(OURS)}
        said = {key: self._said.get(key, _Said("", now)) for key in texts}
        said = {key: said[key] if said[key].text == text else _Said(text, now) for key, text in texts.items()}
        silent = [key for key, each in said.items() if now - each.since >= BELIEVED_SECONDS]
        self._said = {key: each for key, each in said.items() if key not in silent}
        before, self._at = self._at, {}
        for each in self._said.values():
            for table, ids in _tables(each.text).items():
                self._at[table] = self.at(table) | ids
        for table in before.keys() | self._at.keys():
            if before.get(table) != self._at.get(table):
                self.table_changed(table)
        for key in silent:
            await self._store.put_text(HERE, key, None)


def _tables(text: str) -> dict[int, frozenset[str]]:
    try:
        return json.decode(text, type=_Here).tables
    except DecodeError:
        return {}
