"""A table of which several processes keep the journal: they agree, and none shows what is another game's or table's."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from unittest.mock import Mock

import pytest
from msgspec import structs

from engine.cards import cards_in
from engine.errors import InputError
from engine.legality import legal_moves
from engine.moves import READY, Move, Pick, Swap
from engine.view import View
from server.config import Config
from server.storage.database import EMPTY, LogEntry
from server.storage.sqlite_database import MemoryDatabase
from server.table.deadlines import DROWSY_SECONDS
from server.table.entries import Abandoned, Away, Committed, Cut, Dealt, Left, Moved, Returned, Sat, read_change
from server.table.journal import ATTEMPTS, Journal
from server.table.snapshot import Snapshot
from server.table.table_events import CameBack, GameBegan, WentAway
from tests.support.resources import settled
from tests.support.tables import ANA, BO, FOX, Watcher, add, begun, live, read_on, running, table_settings
from tests.support.tables_in_time import table_of
from tests.support.virtual_time import in_virtual_time, now


async def test_two_processes_agree_on_one_table() -> None:
    """Each sees what the other wrote. A move that is based on an old table is refused; all else is tried again.

    While all arrange their cards none waits for another, so what others do makes no move too late.
    """
    store, ana, bo = MemoryDatabase(), Watcher(), Watcher()
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    elsewhere = await Journal.load(store, 1, time.time)
    async with live(journal) as here, live(elsewhere) as there:
        await here.sit(ana, ANA)
        await there.sit(bo, BO)
        await here.start(ana)
        assert game_seen(bo) is None
        await read_on(there)
        assert game_seen(bo) is not None
        assert {event.kind for event in ana.events} == {event.kind for event in bo.events}
        await here.move(ana, 0, READY)
        await there.move(bo, 0, READY)
        await read_on(here)
        first, second = (ana, bo) if ana.snapshot and ana.snapshot.my_turn else (bo, ana)
        ply, move = moved_first(first)
        await (here if first is ana else there).move(first, ply, move)
        with pytest.raises(InputError, match="moved on"):
            await (there if first is ana else here).move(second, ply, move)
        await read_on(here)
        await read_on(there)
        assert journal.head == elsewhere.head
        assert journal.state.digest() == elsewhere.state.digest()


def moved_first(watcher: Watcher) -> tuple[int, Move]:
    """The ply that a watcher sees, and the first legal move."""
    return watcher.seen.ply, legal_moves(watcher.view, watcher.seen.seat or 0)[0]


async def test_a_player_who_is_at_two_processes_does_not_arrange_twice() -> None:
    """What a frozen process still has of a player who has come in again elsewhere does not undo what they did there."""
    store, ana, again = MemoryDatabase(), Watcher(), Watcher()
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    elsewhere = await Journal.load(store, 1, time.time)
    async with live(journal) as here, live(elsewhere) as there:
        await here.sit(ana, ANA)
        await here.start(ana)
        await there.come(again, ANA)
        view = game_seen(ana)
        assert view is not None
        hand, up = (next(cards_in(zone[view.seat or 0])) for zone in (view.hands, view.ups))
        swap = Swap(Pick(hand // 4), Pick(up // 4))
        await here.move(ana, 0, swap)
        with pytest.raises(InputError, match="moved on"):
            await there.move(again, 0, swap)


async def test_a_player_who_has_left_their_seat_elsewhere_makes_no_move_for_its_new_player() -> None:
    """It is refused although it is in time: the AI player who has the seat by then decides."""
    store, ana = MemoryDatabase(), Watcher()
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    async with live(journal, Config(pace=60)) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        elsewhere = await Journal.load(store, 1, time.time)
        await add(elsewhere, Sat(0, FOX))
        with pytest.raises(InputError, match="you are watching"):
            await table.move(ana, 0, READY)


async def test_a_move_takes_the_seat_back_that_another_process_gave_to_an_ai_player() -> None:
    """So that it is the player's own, however the table was known where they made it."""
    store, ana = MemoryDatabase(), Watcher()
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    async with live(journal, Config(pace=60)) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        elsewhere = await Journal.load(store, 1, time.time)
        await add(elsewhere, Away(0, "clock"))
        await table.move(ana, 0, READY)
        made = [read_change(each.data) for each in await store.read(1)]
        assert made.index(Away(0, "clock")) < made.index(Returned(0)) < made.index(Moved(0, "ready"))


async def test_who_is_host_by_now_frees_a_seat() -> None:
    """Not the player who was host when they were shown the table last."""
    store, ana, bo = MemoryDatabase(), Watcher(), Watcher()
    journal = await Journal.begin(store, 1, table_settings(3), time.time)
    async with live(journal) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        elsewhere = await Journal.load(store, 1, time.time)
        await add(elsewhere, Left(0))
        await add(elsewhere, Sat(0, ANA))
        with pytest.raises(InputError, match="only the host"):
            await table.remove(ana, 1)
        await table.remove(bo, 0)
        assert [seat and seat.player for seat in journal.state.seats] == [None, BO, None]


def game_seen(watcher: Watcher) -> View | None:
    """The game as a watcher sees it."""
    return watcher.seen.view


async def test_a_table_that_was_closed_elsewhere_closes_here() -> None:
    """Its subscribers are told."""
    store, ana = MemoryDatabase(), Watcher()
    async with running(store) as table:
        await table.sit(ana, ANA)
        await store.delete(1, table.journal.head)
        with pytest.raises(InputError, match="has closed"):
            await table.start(ana)
        await settled(lambda: "closed" in ana.lines)


@in_virtual_time
async def test_what_a_table_reads_when_it_cannot_fall_asleep_is_shown() -> None:
    """Another process has written, and the message that tells of it has not come."""
    store, shown = MemoryDatabase(), list[Snapshot]()
    async with table_of(store) as table:
        table.broadcaster.observe(lambda snapshot, _: shown.append(snapshot))
        await add(await Journal.load(store, 1, now), Sat(0, FOX))
        await asyncio.sleep(DROWSY_SECONDS + 1)
        assert [bool(snapshot.sitters[0]) for snapshot in shown] == [False, True]


async def test_a_new_game_is_not_shown_with_events_of_the_last() -> None:
    """After a restart, and in another process, too. A deal may have no events of its own."""
    store = MemoryDatabase()
    journal = await begun(store)
    elsewhere = await Journal.load(store, 1, time.time)
    assert journal.events == elsewhere.events != []
    for change in (Abandoned(), Committed("GAME2", "seed"), Dealt(None)):
        await add(journal, change)
    await elsewhere.catch_up()
    assert journal.events == elsewhere.events == (await Journal.load(store, 1, time.time)).events
    assert journal.events == [GameBegan()]


class BusyLog(MemoryDatabase):
    """A log to which another process writes right after it was read."""

    def __init__(self) -> None:
        super().__init__()
        self.after_reading: Callable[[], Awaitable[None]] | None = None

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        """See `Database`."""
        entries = await super().read(table, after)
        if self.after_reading:
            then, self.after_reading = self.after_reading, None
            await then()
        return entries


async def test_a_request_is_tried_a_few_times_only() -> None:
    """A process whose every write comes second does not try for ever. A refusal is final if the log has not gone on."""
    store, ana = BusyLog(), Watcher()
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    async with live(journal) as table:
        await table.sit(ana, ANA)
        elsewhere, reads = await Journal.load(store, 1, time.time), 0

        async def write_first() -> None:
            nonlocal reads
            reads, store.after_reading = reads + 1, write_first
            await add(elsewhere, Cut("bo", "lucky"))

        await write_first()
        with pytest.raises(InputError, match="moved on"):
            await table.start(ana)
        assert reads == ATTEMPTS + 1
        store.after_reading = None
        await table.start(ana)
        store.read = Mock(wraps=store.read)  # type: ignore[method-assign]
        with pytest.raises(InputError, match="going on already"):
            await table.start(ana)
        store.read.assert_called_once()


async def test_no_event_is_lost_between_two_reads() -> None:
    """Whenever an entry is written, its events are shown once."""
    store = BusyLog()
    journal = await begun(store)
    elsewhere = await Journal.load(store, 1, time.time)
    store.after_reading = lambda: add(journal, Moved(1, "ready"))
    await elsewhere.catch_up()
    await elsewhere.catch_up()
    assert [event.kind for event in elsewhere.take_news()][:1] == ["ready"]
    for change in (Away(0, "clock"), Returned(0)):
        await add(journal, change)
    await elsewhere.catch_up()
    assert elsewhere.take_news() == (WentAway(0, "clock"), CameBack(0, 0, 0))


async def test_a_table_that_was_closed_is_not_mistaken_for_the_next_one_of_its_number() -> None:
    """The other table may be private."""
    store = MemoryDatabase()
    journal = await begun(store)
    elsewhere = await Journal.load(store, 1, time.time)
    await journal.put_to_sleep(0)
    await journal.close()
    other = structs.replace(table_settings(word="apple"), secret="another")  # noqa: S106 - it is no password
    await Journal.begin(store, 1, other, time.time)
    with pytest.raises(InputError, match="has closed"):
        await elsewhere.catch_up()


async def test_a_log_that_was_set_back_is_read_again() -> None:
    """As when a copy of the database that lagged behind takes over. The table goes on from there."""
    store = MemoryDatabase()
    journal = await begun(store)
    entries = await store.read(1)
    await store.delete(1, journal.head)
    for before, entry in zip([EMPTY, *(entry.head for entry in entries)], entries[:-1], strict=False):
        await store.append(before, entry)
    await journal.catch_up()
    assert journal.head.seq == 5
    assert journal.events == [GameBegan()]
    await add(journal, Moved(1, "ready"))
