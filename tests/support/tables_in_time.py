"""A table in virtual time, and what people do there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engine.legality import legal_moves
from engine.moves import READY
from server.config import Config
from server.people.players import Player
from server.storage.database import Database
from server.table.journal import Journal
from server.table.table import Table
from tests.support.tables import Watcher, live, table_settings
from tests.support.virtual_time import now

CLOCK, GRACE, PACE = 30.0, 10.0, 2.0
CY = Player("guest:cy", "cy")
CONFIG = Config(pace=PACE, grace=GRACE, keep_table=900.0, keep_seat=86400.0)


class Patient(Watcher):
    """A watcher that waits in virtual time."""

    patience = 1e6


@asynccontextmanager
async def table_of(store: Database, seats: int = 2) -> AsyncIterator[Table]:
    """A table with a clock of its own."""
    journal = await Journal.begin(store, 1, table_settings(seats, clock=CLOCK), now)
    async with live(journal, CONFIG) as table:
        yield table


async def play_began(table: Table, *people: tuple[Watcher, Player]) -> None:
    """These players sit down, start, and are ready at once."""
    for watcher, player in people:
        await table.sit(watcher, player)
    await table.start(people[0][0])
    for watcher, _ in people:
        await table.move(watcher, 0, READY)


def mover(*watchers: Watcher) -> Watcher:
    """The watcher whose turn it is."""
    return next(watcher for watcher in watchers if watcher.snapshot and watcher.snapshot.my_turn)


async def move_somehow(table: Table, watcher: Watcher) -> None:
    """Make a legal move."""
    move = legal_moves(watcher.view, watcher.seen.seat or 0)[0]
    await table.move(watcher, watcher.seen.ply, move)
