"""Which players are at which table in the other processes that share the log. Each process says so every few seconds.

This is not in the logs of the tables: a server that is killed could not write there that its players are gone. So each
process is believed only for some seconds. This only decides how long to wait for a player: if it is wrong, a seat or a
table may be given up too early, and nothing worse.
"""

import asyncio
import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from msgspec import Struct, json

from engine.errors import InputError
from server.storage.key_value_store import KeyValueStore
from server.storage.table_log import TableLog
from server.table.table import Table

HERE: Final = "here"
"""The kind of text under which the log keeps what the processes say."""
TELL_SECONDS: Final = 4.0
"""How often a process says who is present although nothing has changed."""
BELIEVED_SECONDS: Final = 15.0
"""How long a process is believed that says nothing new."""


class _Here(Struct):
    """What a process says."""

    at: float
    """The time, so that others see that it was said again."""
    tables: dict[int, frozenset[str]]
    """The ids of the players at each table."""


class _Said(NamedTuple):
    """The last text of another process, and when it was new here, in the event loop's time."""

    text: str
    since: float


class OtherProcesses:
    """What this process says, and what it has read of the others."""

    def __init__(self, store: TableLog) -> None:
        self._store = store
        self._texts = KeyValueStore(store, HERE)
        self._name = secrets.token_hex(8)
        self._told: dict[int, frozenset[str]] = {}
        self._told_at = 0.0
        self._said: dict[str, _Said] = {}
        self._elsewhere: dict[int, frozenset[str]] = {}

    def at(self, table: int) -> frozenset[str]:
        """The ids of the players who are at a table in other processes, as far as is known."""
        return self._elsewhere.get(table, frozenset())

    async def exchange(self, tables: Iterable[Table]) -> None:
        """Say which players are at these tables here, and tell the tables what other processes say.

        Raises NotSaved, OutcomeUnknown.
        """
        await self._tell({table.number: ids for table in tables if (ids := table.runtime.here)})
        await self.load()
        for table in list(tables):
            if (elsewhere := self.at(table.number)) != table.runtime.elsewhere:
                with suppress(InputError):  # it has just closed
                    await table.set_elsewhere(elsewhere)

    async def _tell(self, here: dict[int, frozenset[str]]) -> None:
        """Say who is present here, if that has changed or was said too long ago. Raises NotSaved, OutcomeUnknown."""
        now = asyncio.get_running_loop().time()
        if here == self._told and (not here or now - self._told_at < TELL_SECONDS):
            return
        await self._store.put_text(HERE, self._name, json.encode(_Here(now, here)).decode() if here else None)
        self._told, self._told_at = here, now

    async def load(self) -> None:
        """Read what other processes say, and delete what silent ones said. Raises NotSaved, OutcomeUnknown."""
        await self._texts.load()
        now = asyncio.get_running_loop().time()  # if this process was stopped meanwhile, what it has read is new
        texts = {name: text for name, text in self._texts.texts.items() if name != self._name}
        self._said = {name: said for name, said in self._said.items() if texts.get(name) == said.text}
        self._elsewhere = {}
        silent = []
        for name, text in texts.items():
            if now - self._said.setdefault(name, _Said(text, now)).since >= BELIEVED_SECONDS:
                silent.append(name)
                continue
            for table, ids in json.decode(text, type=_Here).tables.items():
                self._elsewhere[table] = self.at(table) | ids
        for name in silent:
            await self._store.put_text(HERE, name, None)
