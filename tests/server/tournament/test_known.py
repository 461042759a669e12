"""The list of tournaments, while several read it at once and while the database fails."""

import asyncio

import pytest

from server.storage.database import NotSaved, TextRow
from server.storage.sqlite_database import MemoryDatabase
from server.tournament import events
from server.tournament.events import LIST, Event, events_of
from server.tournament.known import KnownTournaments
from server.tournament.state import Opened, Tournament
from server.typed_json import write_versioned
from tests.server.tournament.chance import TABLE

pytestmark = pytest.mark.virtual_time
CLOSED = events.Closed(at=2.0)


class TroubledLog(MemoryDatabase):
    """A log that takes its time, and has texts that can neither be read nor deleted."""

    seconds = 0.0
    """How long it takes to read texts."""
    damaged = ""
    """The kind of these texts."""

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        """See `Database`."""
        await asyncio.sleep(self.seconds)
        if kind == self.damaged:
            raise NotSaved("the disk reports an error")
        return await super().read_texts(kind, after)

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        """See `Database`."""
        if kind == self.damaged:
            raise NotSaved("the disk is full")
        await super().put_text(kind, key, value)

    async def add(self, tournament: str) -> None:
        """List a tournament, under its id as its name."""
        await self.list(tournament, ended=0.0)

    async def list(self, tournament: str, ended: float) -> None:
        """Write when it has ended, if it has."""
        opened = Opened(tournament, "swiss", "account:p0", "p0", at=1.0, seed="seed", table=TABLE, ended=ended)
        await self.put_text(LIST, tournament, write_versioned(opened))

    async def end(self, tournament: str) -> None:
        """Close a tournament, and note that it is over."""
        await self.put_text(events_of(tournament), "1", write_versioned(CLOSED))
        await self.list(tournament, ended=2.0)


def known_by(store: TroubledLog, happened: list[Event]) -> KnownTournaments:
    """The tournaments of a log; what happens in them is noted in a list."""

    def note(_: Tournament, event: Event) -> None:
        happened.append(event)

    return KnownTournaments(store, note)


async def test_several_may_read_the_list_at_once() -> None:
    """A tournament is added in the middle; each has one log in the end, the one that was found first."""
    store = TroubledLog()
    store.seconds = 1.0
    known = known_by(store, [])
    await store.add("a")
    async with asyncio.TaskGroup() as readers:
        readers.create_task(known.read_list())
        await asyncio.sleep(0.5)
        second = readers.create_task(known.read_list())
        await asyncio.sleep(1.7)  # the first one reads the events of a, the second one may be at the list
        await store.add("b")
        while "a" not in known.running:
            await asyncio.sleep(0.1)
        found = known.running["a"]
        await second
    assert list(known.running) == ["a", "b"]
    assert known.running["a"] is found


async def test_players_hear_how_a_tournament_ended_though_it_could_not_be_read_at_first() -> None:
    """It is read again until that works."""
    store, happened = TroubledLog(), list[Event]()
    known = known_by(store, happened)
    await store.add("a")
    await known.read_list()
    await store.end("a")
    store.damaged = events_of("a")
    with pytest.raises(NotSaved):
        await known.read_list()
    store.damaged = ""
    await known.read_list()
    assert happened == [CLOSED]
    assert not known.running


@pytest.mark.parametrize("was_noted", [True, False])
async def test_a_tournament_that_could_not_be_deleted_as_a_whole_is_deleted_later(*, was_noted: bool) -> None:
    """It does not go on again meanwhile, and its events are not left behind. Nothing was played in it."""
    store = TroubledLog()
    known = known_by(store, [])
    known.kept = 1
    await store.add("a")
    await store.end("a")
    if not was_noted:
        await store.list("a", ended=0.0)
    await known.read_list()
    store.damaged = events_of("a")
    with pytest.raises(NotSaved):
        await (known.make_room() if was_noted else known.note_over(known.running["a"].state))
    store.damaged = ""
    await known.read_list()
    assert not known.running
    await known.make_room()
    assert [await store.count_texts(kind) for kind in (LIST, events_of("a"))] == [0, 0]
