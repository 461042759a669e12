"""What each seat has done in a game, by its events: the same for a player who comes late and after a restart."""

from random import Random

from engine.ai import LEVELS
from engine.events import Burned, Drew, Event, Flipped, PickedUp, Played
from server.config import Config
from server.records.results import SeatCounts, counted
from server.storage.sqlite_database import MemoryDatabase
from server.table.journal import Journal
from server.table.snapshot import Snapshot
from server.table.table import Table
from tests.support.tables import ANA, Watcher, live, table_settings

HAPPENED: list[Event] = [
    Played(0, "hand", (4, 5)),
    Drew(0, 1, ()),
    PickedUp(1, (4, 5, 6), 0, "stuck"),
    Played(0, "up", (8,)),
    Burned(0, 7, "four"),
    Flipped(1, 2, 9, good=True),
    Flipped(1, 0, 3, good=False),
    PickedUp(1, (9, 3), 0, "flip"),
]


def test_everything_that_a_seat_does_is_counted() -> None:
    """Whatever happens elsewhere is not."""
    assert counted((SeatCounts(), SeatCounts(), SeatCounts()), HAPPENED) == (
        SeatCounts(burned=7),
        SeatCounts(picked_up=5),
        SeatCounts(),
    )


async def test_a_game_that_is_over_comes_with_its_figures() -> None:
    """And the same come from the log, read back; a new game begins without."""
    store = MemoryDatabase()
    journal = await Journal.begin(store, 1, table_settings(), lambda: 0.0)
    async with live(journal, Config(pace=0, grace=0)) as table:
        ana = Watcher()
        await table.sit(ana, ANA)
        await table.start(ana)
        assert ana.snapshot is not None
        assert ana.snapshot.stats is None
        stats = (await played(table, ana)).stats
        events = [event for event in ana.events if not isinstance(event, Drew)]
        assert stats is not None
        assert stats.names == ("ana", "Fox")
        assert stats.counts == counted((SeatCounts(), SeatCounts()), events)
        assert sum(count.picked_up for count in stats.counts)
        journal = await Journal.load(store, 1, lambda: 0.0)
        assert journal.events.stats(journal.state) == stats
        await table.start(ana)
        assert ana.snapshot.stats is None


async def played(table: Table, ana: Watcher) -> Snapshot:
    """A game to its end, as an AI player would play it."""
    chance = Random(1)
    while True:
        snapshot = await ana.until(lambda snapshot: snapshot.my_turn or not snapshot.playing)
        if snapshot.view is None or not snapshot.playing:
            return snapshot
        await table.move(ana, snapshot.ply, LEVELS["hard"](snapshot.view, chance))
