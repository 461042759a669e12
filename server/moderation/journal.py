"""The journal of what ops and hosts have done to others, which outlasts the server and is bounded."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime
from secrets import token_hex
from typing import Final

from msgspec import structs

from server.addresses import read_network
from server.commands.acts import HOST
from server.config import NO_SETTINGS
from server.lobby.lobby import Lobby
from server.lobby.personal_data import Person
from server.lobby.service import Act, Service, Serving
from server.storage import sql
from server.storage.database import Database
from server.typed_json import Versioned, read_versioned, write_versioned

KIND: Final = "act"
"""The kind of its texts."""
SETTINGS: Final = "settings"
"""The kind of the text for each node that tells its settings."""
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


class _Settings(Versioned, frozen=True):
    """The settings of a node as they were last."""

    values: dict[str, str]


class Journal(Service):
    """What was done in all processes."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._store, self._wall = lobby, lobby.store, lobby.wall

    def serve(self, serving: Serving) -> None:
        """Note in the first process what a start or a reload has changed."""
        if serving.process == 0:
            self._background.begin(self.note_settings(), "noting settings")

    async def note_settings(self) -> None:
        """Note which settings of this node are others than they were last. Raises NotSaved, OutcomeUnknown."""
        config, node = self._lobby.config, self._lobby.peers.node
        shown = (each.name for each in fields(config) if each.repr and each.name not in NO_SETTINGS)
        now = {name: str(getattr(config, name)) for name in shown}
        now |= {name: str(value) for name, value in config.of_features.items()}
        text = await self._store.text(SETTINGS, node)
        before = read_versioned(text, _Settings).values if text else now
        for name in sorted(name for name in before | now if before.get(name) != now.get(name)):
            act = Act(HOST, HOST, "setting", name, before.get(name, ""), now.get(name, ""))
            await self._lobby.note_act(act)
        if not text or before != now:
            await self._store.put_text(SETTINGS, node, write_versioned(_Settings(now)))

    async def read(self) -> list[Noted]:
        """All that is kept, the latest last. Raises NotSaved; passes over what cannot be read."""
        return [*(await _acts(self._store)).values()]

    async def note_act(self, act: Act) -> None:
        """Keep it. Raises NotSaved, OutcomeUnknown."""
        await self._store.put_text(KIND, token_hex(8), write_versioned(Noted(self._wall(), act)))
        over = await self._store.count_texts(KIND) - KEPT
        for old in await self._store.oldest_texts(KIND, over) if over > 0 else ():
            await self._store.put_text(KIND, old.key, None)


async def acts_about(lobby: Lobby, person: Person) -> list[Act] | None:
    """What is kept of acts of which a person was the object, without who acted. Raises NotSaved."""
    found = [structs.replace(each.act, by="", name="") for each in (await _acts(lobby.store)).values()]
    return [act for act in found if _without(act, person.taken_out_of) != act] or None


async def forget_in_acts(lobby: Lobby, person: Person) -> None:
    """Take a person out of the journal. Raises NotSaved, OutcomeUnknown."""
    await _rewrite(lobby.store, lambda noted: structs.replace(noted, act=_without(noted.act, person.taken_out_of)))


async def forget_addresses_of_acts(lobby: Lobby, before: float) -> None:
    """Take addresses out of acts from before this time. Raises NotSaved, OutcomeUnknown."""

    def without(noted: Noted) -> Noted:
        return noted if noted.at >= before else structs.replace(noted, act=_without(noted.act, without_addresses))

    await _rewrite(lobby.store, without)


def without_addresses(text: str) -> str:
    """A text with "an address" in place of each address and network."""
    return " ".join("an address" if read_network(word.strip("(),.")) else word for word in text.split(" "))


async def _rewrite(store: Database, change: Callable[[Noted], Noted]) -> None:
    for key, noted in (await _acts(store)).items():
        if (after := change(noted)) != noted:
            await store.execute(sql.REWRITE_TEXT, KIND, key, write_versioned(after))


def _without(act: Act, change: Callable[[str], str]) -> Act:
    return Act(*map(change, structs.astuple(act)))


async def _acts(store: Database) -> dict[str, Noted]:
    """All that is kept by key, the latest last. Raises NotSaved; passes over what cannot be read."""
    found = dict[str, Noted]()
    for row in await store.oldest_texts(KIND, 2 * KEPT):
        with suppress(ValueError):
            found[row.key] = read_versioned(row.text or "", Noted)
    return found
