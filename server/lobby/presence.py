"""Who is at which table in other processes that share the log: each says so now and then, and is believed for a while.

No entry of a table tells who looks at it, and nobody could write that their server has been killed. What is said here
decides nothing but how long to wait for somebody: a seat or a table given up by mistake is a nuisance and no more.
"""

import asyncio
import json
import secrets
from collections.abc import Mapping
from typing import Final

from server.people.replicated_texts import ReplicatedTexts
from server.storage.table_log import TableLog

HERE: Final = "here"
"""The kind under which the log remembers what the processes say."""
TELL_SECONDS: Final = 4.0
"""How often a process says it although nothing has changed."""
BELIEVED_SECONDS: Final = 15.0
"""How long a process is believed that says nothing new."""

_Tables = Mapping[int, frozenset[str]]


class Presence:
    """What this process says, and what it has heard."""

    def __init__(self, store: TableLog) -> None:
        self._store = store
        self._said = ReplicatedTexts(store, HERE)
        self._name = secrets.token_hex(8)
        self._told: _Tables = {}
        self._told_at = 0.0
        self._heard: dict[str, tuple[str, float]] = {}
        """What each other process said last, and when that was new."""
        self._elsewhere: dict[int, frozenset[str]] = {}

    def at(self, table: int) -> frozenset[str]:
        """The ids of those who are at a table elsewhere, as far as is known."""
        return self._elsewhere.get(table, frozenset())

    async def tell(self, here: _Tables) -> None:
        """Say who is here, where that is news or has not been said for a while. Raises NotSaved, Unknown."""
        now = asyncio.get_running_loop().time()
        if here == self._told and (not here or now - self._told_at < TELL_SECONDS):
            return
        # No two are alike, so that who hears it again knows that it was said again.
        said = json.dumps({"at": now, "tables": {str(table): sorted(ids) for table, ids in here.items()}})
        await self._store.put_text(HERE, self._name, said if here else None)
        self._told, self._told_at = here, now

    async def hear(self) -> None:
        """Hear what the others say; who is not believed any more is forgotten. Raises NotSaved, Unknown."""
        now = asyncio.get_running_loop().time()
        await self._said.load()
        said = dict(self._said.texts)
        said.pop(self._name, None)
        heard = {name: self._heard.get(name, ("", now)) for name in said}
        self._heard = {name: (text, now if text != heard[name][0] else heard[name][1]) for name, text in said.items()}
        believed = {name for name, (_, since) in self._heard.items() if now - since < BELIEVED_SECONDS}
        self._elsewhere = {}
        for name in believed:
            for table, ids in json.loads(said[name])["tables"].items():
                self._elsewhere[int(table)] = self.at(int(table)) | frozenset(ids)
        for name in said.keys() - believed:
            await self._store.put_text(HERE, name, None)
