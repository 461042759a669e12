"""Which tournaments there are, as the log lists them, and how each of them stands by its own log.

What counts in a tournament is decided by the order of its log alone.
"""

import asyncio
import math
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import json
from msgspec.structs import replace

from engine.errors import InputError
from server.bounded_dict import make_room
from server.lobby.lobby import Lobby
from server.lobby.personal_data import Person, PersonalData
from server.people.names import skeleton
from server.people.players import FORMER
from server.storage import sql
from server.storage.database import Database, TextRow
from server.storage.key_value_store import KeyValueStore, save
from server.tournament import events
from server.tournament.events import DECODER, LIST, Event, after, events_of
from server.tournament.state import EVENTS, Opened, Tournament
from server.typed_json import read_versioned, readable, write_versioned

TOURNAMENTS_KEPT: Final = 200
"""Tournaments that are kept; with more, those that have been over for longest are deleted."""
READ: Final = 64
"""How many tournaments that are over are kept in memory after somebody has asked for them."""


class TournamentLog:
    """One tournament: its `state` as of the last event that was read."""

    def __init__(
        self,
        store: Database,
        tournament: str,
        opened: Opened,
        happened: Callable[[Tournament, Event], None] = lambda _, __: None,
    ) -> None:
        """``happened`` is called for each event that is new and counts, with the tournament after it."""
        self.state = Tournament(tournament, opened, last_at=opened.at)
        self.calling: set[str] | None = None
        """The players whom this process is calling to tables; None unless it does just now what is due."""
        self.failed = ""
        """Why it does not go on now: each failure is logged once, until it goes on."""
        self._happened = happened
        self._store = store
        self._kind = events_of(tournament)
        self._read = 0
        self._writing: dict[str, InputError | None] = {}
        """The events that this process is writing, by their keys, and why they are ignored."""

    async def read(self, *, is_new: bool = True) -> None:
        """Read what has been written. Nothing of it is told if it is not new. Raises NotSaved."""
        rows = await self._store.read_texts(self._kind, self._read)
        news = [row for row in rows if row.number > self._read]  # another reader may have been faster
        for row in news:
            self._read = row.number
            if (event := readable(row.text, DECODER, tournament=self.state.id)) is None:
                continue
            self.state, ignored = after(self.state, event)
            if ignored is None:
                if is_new:
                    self._happened(self.state, event)
            elif row.key in self._writing:
                self._writing[row.key] = ignored

    async def write(self, event: Event) -> None:
        """Write an event. Raises InputError if it is not possible, if it cannot be saved, or if others were faster."""
        await self.read()
        event.apply(self.state)
        is_players = isinstance(event, events.Entered | events.Left | events.SatOut | events.Called)
        most = EVENTS.share // 2 if is_players else EVENTS.share
        # Without the results of games that go on it could never end.
        if self.state.events >= most and not isinstance(event, events.Finished | events.Closed):
            raise EVENTS.refuse(name=self.state.name, most=most)
        key = secrets.token_hex(8)
        self._writing[key] = None
        try:
            await save(self._store, self._kind, key, write_versioned(event))
            await self.read()
        finally:
            ignored = self._writing.pop(key)
        if ignored is not None:
            raise ignored


class KnownTournaments:
    """The tournaments of one server, by their names."""

    def __init__(self, store: Database, happened: Callable[[Tournament, Event], None]) -> None:
        """``happened`` is called for each event of one that goes on, with the tournament after it."""
        self.kept = TOURNAMENTS_KEPT
        """How many are kept, with those that are over."""
        self._store = store
        self._happened = happened
        self._listed = KeyValueStore(store, LIST)
        self._opened: dict[str, Opened] = {}
        """What each was opened for, by id, as far as it can be read here. The first are over, the oldest one first."""
        self._reading = asyncio.Lock()
        self.running: dict[str, TournamentLog] = {}
        """The tournaments that go on, by id, as far as is known. The oldest is first."""
        self._read: dict[str, TournamentLog] = {}
        """Some of those that are over."""

    @property
    def names(self) -> list[str]:
        """What the tournaments that go on are called, as far as is known. Asks nothing of the log."""
        return [its.state.name for its in self.running.values()]

    async def going_on(self) -> list[Tournament]:
        """The tournaments that are not over, the oldest first. Raises NotSaved."""
        await self.read_list()
        return [its.state for its in self.running.values()]

    async def find(self, name: str, own: Callable[[Tournament], bool] = lambda _: False) -> TournamentLog:
        """The tournament of this name, or which begins so; the last one if several are over. Raises InputError.

        Without a name it is the only ``own`` one, or the only one that goes on or, if none does, the last one.
        """
        await self.read_list()
        wanted, running = skeleton(name), [*self.running.values()]
        named = (
            [each for each in running if skeleton(each.state.name) == wanted]
            or [each for each in running if not wanted and own(each.state)]
            or [each for each in running if skeleton(each.state.name).startswith(wanted)]
        )
        if len(named) > 1:
            raise InputError("bad_request", f"which tournament: {', '.join(each.state.name for each in named)}?")
        if named:
            return named[0]
        if over := [each for each, opened in self._opened.items() if wanted in {"", skeleton(opened.name)}]:
            return await self._read_over(over[-1])
        if not wanted:
            raise InputError("no_such_tournament", "no tournament goes on")
        there = f"there {'is' if len(running) == 1 else 'are'} {', '.join(self.names)}" if running else "none goes on"
        raise InputError("no_such_tournament", f"no tournament is called {name[:24]!r}: {there}")

    async def ended_between(self, begins: float, ends: float, most: int) -> list[Tournament]:
        """The last tournaments that ended in this time (seconds since 1970), the first one first. Raises NotSaved."""
        await self.read_list()
        chosen = [each for each, opened in self._opened.items() if begins <= (opened.ended or math.inf) < ends]
        return [(await self._read_over(each)).state for each in chosen[-most:]]

    async def add(self, opened: Opened) -> TournamentLog:
        """Note in the log that a tournament was opened. Raises InputError, NotSaved, OutcomeUnknown."""
        await self.make_room()
        tournament = secrets.token_hex(6)
        await save(self._store, LIST, tournament, write_versioned(opened))
        await self.read_list()
        return self.running[tournament]

    async def note_over(self, state: Tournament) -> None:
        """Note in the log that a tournament is over. Raises NotSaved, OutcomeUnknown."""
        self.running.pop(state.id, None)
        await self._store.put_text(LIST, state.id, write_versioned(replace(state.opened, ended=state.ended)))
        if not state.rounds:
            await self._delete(state.id)  # nothing was played

    async def make_room(self) -> None:
        """Delete tournaments that are over until there is room for one more: of the opener who has most of them.

        Raises NotSaved, OutcomeUnknown.
        """
        over = {each: opened.opener for each, opened in self._opened.items() if opened.ended}
        for _ in range(min(len(over), len(self._listed.texts) + 1 - self.kept)):
            ((opener, _),) = Counter(over.values()).most_common(1)  # of equals that of the oldest one
            oldest = next(each for each, its_opener in over.items() if its_opener == opener)
            del over[oldest]
            await self._delete(oldest)

    async def _delete(self, tournament: str) -> None:
        """Delete all that is kept of a tournament that is over. Raises NotSaved, OutcomeUnknown.

        It is in the list until the end, so that the rest can be deleted later.
        """
        kind = events_of(tournament)
        for row in await self._store.oldest_texts(kind, 2 * EVENTS.share):
            await self._store.put_text(kind, row.key, None)
        await self._store.put_text(LIST, tournament, None)

    async def _read_over(self, tournament: str) -> TournamentLog:
        """A tournament that is over. Raises NotSaved."""
        its = self._read.pop(tournament, None) or TournamentLog(self._store, tournament, self._opened[tournament])
        await its.read()
        make_room(self._read, READ)
        self._read[tournament] = its
        return its

    async def read_list(self) -> None:
        """Read which tournaments there are, and how those that go on stand. Raises NotSaved."""
        async with self._reading:  # what is read changes what the loops go through
            if await self._listed.load():
                texts = self._listed.texts.items()
                read = ((each, readable(text, Opened, tournament=each)) for each, text in texts)
                self._opened = {each: opened for each, opened in read if opened}
            for its in list(self.running.values()):
                await its.read()  # also how it ended; if that fails, it is read next time
                if (opened := self._opened.get(its.state.id)) is None or opened.ended:
                    self.running.pop(its.state.id, None)
            for tournament, opened in self._opened.items():
                if not opened.ended and tournament not in self.running:
                    its = TournamentLog(self._store, tournament, opened, self._happened)
                    await its.read(is_new=False)
                    self.running[tournament] = its


# What is kept of people in tournaments.


async def kept_of(lobby: Lobby, person: Person) -> list[Mapping[str, object]] | None:
    """What a person has done in tournaments that are kept, as JSON. Raises NotSaved."""
    return [json.decode(row.text or "") for _, row in await _texts(lobby.store, f'"{person.account}"')] or None


async def forget_in_tournaments(lobby: Lobby, person: Person) -> None:
    """Take the name of a person out of all tournaments. Raises NotSaved, OutcomeUnknown."""
    told = set[str]()
    for kind, row in await _texts(lobby.store, f'"{person.account}"'):
        event = json.decode(row.text or "")
        if event.get("host") == person.account:
            event |= {"host_name": FORMER, "network": ""}
        if isinstance(event.get("player"), dict):
            event["player"]["name"], event["network"] = FORMER, ""
        await _rewrite(lobby.store, kind, row, event)
        told.add(_tournament_of(kind, row))
    for tournament in told:
        forgotten = events.Forgotten(at=lobby.wall(), player=person.account)
        await lobby.store.put_text(events_of(tournament), secrets.token_hex(8), write_versioned(forgotten))


async def forget_networks(lobby: Lobby, before: float) -> None:
    """Delete where players of tournaments that ended before this time came from. Raises NotSaved, OutcomeUnknown."""
    listed = await lobby.store.oldest_texts(LIST, TOURNAMENTS_KEPT)
    ended = {row.key for row in listed if 0 < read_versioned(row.text or "", Opened).ended < before}
    for kind, row in await _texts(lobby.store, '"network":"'):
        event = json.decode(row.text or "")
        if event.get("network") and _tournament_of(kind, row) in ended:
            await _rewrite(lobby.store, kind, row, event | {"network": ""})


async def _texts(store: Database, has: str) -> list[tuple[str, TextRow]]:
    """The texts of tournaments in which this stands, each with its kind."""
    kinds = [LIST, *(events_of(row.key) for row in await store.oldest_texts(LIST, TOURNAMENTS_KEPT))]
    texts = [(kind, row) for kind in kinds for row in await store.oldest_texts(kind, 2 * EVENTS.share)]
    return [(kind, row) for kind, row in texts if has in (row.text or "")]


async def _rewrite(store: Database, kind: str, row: TextRow, event: Mapping[str, object]) -> None:
    """Write a text anew in its place: what has another number would count in another order."""
    await store.execute(sql.REWRITE_TEXT, kind, row.key, json.encode(event).decode())


def _tournament_of(kind: str, row: TextRow) -> str:
    return row.key if kind == LIST else kind.removeprefix(f"{LIST} ")


PERSONAL_DATA: Final = PersonalData(
    name="tournaments",
    told=lambda _: f"that you have played in a tournament or held one, for the last {TOURNAMENTS_KEPT} of them",
    read=kept_of,
    forget=forget_in_tournaments,
    forget_addresses=forget_networks,
)
