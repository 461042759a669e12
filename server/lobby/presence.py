"""Which players are at which table in other processes that share the log. Each process says so now and then.

The log of a table does not hold this, since nobody could write there that a server was killed. So each process is
believed only for some seconds. What is said here only decides how long to wait for a player: if it is wrong, a seat or
a table may be given up too early, and nothing worse.
"""

import asyncio
import json
import secrets
from collections.abc import Mapping
from typing import Final, NamedTuple

from server.people.replicated_texts import ReplicatedTexts
from server.storage.table_log import TableLog

HERE: Final = "here"
"""The kind of text under which the log keeps what the processes say."""
TELL_SECONDS: Final = 4.0
"""How often a process says who is present although nothing has changed."""
BELIEVED_SECONDS: Final = 15.0
"""How long a process is believed that says nothing new."""

_PlayersByTable = Mapping[int, frozenset[str]]


class _Said(NamedTuple):
    """The last text of another process."""

    text: str
    since: float
    """When it was new here, in the event loop's time."""


class Presence:
    """What this process says, and what it has read of the others."""

    def __init__(self, store: TableLog) -> None:
        self._store = store
        self._texts = ReplicatedTexts(store, HERE)
        self._name = secrets.token_hex(8)
        self._told: _PlayersByTable = {}
        self._told_at = 0.0
        self._said: dict[str, _Said] = {}
        self._elsewhere: dict[int, frozenset[str]] = {}

    def at(self, table: int) -> frozenset[str]:
        """The ids of the players who are at a table in other processes, as far as is known."""
        return self._elsewhere.get(table, frozenset())

    async def tell(self, here: _PlayersByTable) -> None:
        """Say who is present here, if that has changed or was said too long ago. Raises NotSaved, OutcomeUnknown."""
        now = asyncio.get_running_loop().time()
        if here == self._told and (not here or now - self._told_at < TELL_SECONDS):
            return
        # The time makes each text different, so that others see that it was said again.
        text = json.dumps({"at": now, "tables": {str(table): sorted(ids) for table, ids in here.items()}})
        await self._store.put_text(HERE, self._name, text if here else None)
        self._told, self._told_at = here, now

    async def load(self) -> None:
        """Read what other processes say; delete the texts of those that have fallen silent.

        Raises NotSaved, OutcomeUnknown.
        """
        now = asyncio.get_running_loop().time()
        await self._texts.load()
        texts = {name: text for name, text in self._texts.texts.items() if name != self._name}
        known = self._said
        self._said = {
            name: known[name] if name in known and known[name].text == text else _Said(text, now)
            for name, text in texts.items()
        }
        believed = [name for name, said in self._said.items() if now - said.since < BELIEVED_SECONDS]
        self._elsewhere = {}
        for name in believed:
            for table, ids in json.loads(texts[name])["tables"].items():
                self._elsewhere[int(table)] = self.at(int(table)) | frozenset(ids)
        for name in texts.keys() - set(believed):
            await self._store.put_text(HERE, name, None)
