"""What tables do in the course of time: they fall asleep, wake, close, and go on after a fault; no table stalls."""

import asyncio
import random
from contextlib import suppress

import pytest

from engine.errors import InputError
from engine.legality import legal_moves
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from server.table.entries import Moved, Sat
from server.table.journal import Journal
from server.table.table_events import LOST, TO_LOBBY
from tests.support.each import for_each
from tests.support.faulty_log import FaultyLog
from tests.support.log_entries import heads
from tests.support.tables import ANA, BO, add, changes, live, table_settings
from tests.support.tables_in_time import CLOCK, CONFIG, Patient, play_began, table_of
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize("jump", [86400.0, -86400.0])
async def test_a_sleeping_table_closes_though_the_time_of_day_jumps(jump: float) -> None:
    """It closes after at most twice its time: if the clock was set back, the log says that it is not due yet."""
    store, ana, wrong = MemoryDatabase(), Patient(), 0.0
    journal = await Journal.begin(store, 1, table_settings(2), lambda: 1e9 + now() + wrong)
    async with live(journal, CONFIG) as table:
        await table.sit(ana, ANA)
        await table.leave(ana, TO_LOBBY)
        await asyncio.sleep(CONFIG.keep_table / 2)
        wrong = jump
        await asyncio.sleep(2 * CONFIG.keep_table)
        assert await store.read(1) == []


async def test_an_empty_table_closes_in_time_and_its_game_is_kept() -> None:
    """After the time for which its seats are kept; the game is kept as abandoned."""
    store, ana = MemoryDatabase(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA))
        await table.leave(ana, LOST)
        await asyncio.sleep(CONFIG.keep_seat - 1)
        assert await heads(store)
        await asyncio.sleep(2)
        assert not await heads(store)
        assert len(await store.latest(5)) == 1
        with pytest.raises(InputError, match="has closed"):
            await table.come(ana, ANA)


async def test_a_table_is_kept_its_whole_time_after_a_restart() -> None:
    """However old its last entry is, since people may have been there until the server stopped."""
    store = MemoryDatabase()
    await add(await Journal.begin(store, 1, table_settings(), now), Sat(0, BO))
    async with live(await Journal.load(store, 1, lambda: now() + 1000), CONFIG):
        await asyncio.sleep(CONFIG.keep_table - 1)
        assert await heads(store)
        await asyncio.sleep(2)
        assert not await heads(store)


async def test_what_cannot_be_saved_is_tried_again_until_it_can() -> None:
    """A full disk stops the AI players. When there is room again they go on within two seconds."""
    store, ana, fan = FaultyLog(), Patient(), Patient()
    async with table_of(store) as table:
        await play_began(table, (ana, ANA))
        await table.come(fan, BO)
        await table.leave(ana, TO_LOBBY)
        await fan.until("play")
        store.refuses = NotSaved("the disk is full")
        ply = fan.seen.ply
        await asyncio.sleep(60)
        assert fan.seen.ply == ply
        store.refuses = None
        await asyncio.sleep(2)
        assert fan.seen.ply > ply


@for_each("seed", range(10))
async def test_whatever_people_do_the_game_goes_on(seed: int) -> None:
    """Two people move, dawdle, drop and return at random. No decision waits much longer than its clock.

    A person has no clock if no other person waits for them.
    """
    chance = random.Random(seed)
    store, people = MemoryDatabase(), {ANA: Patient(), BO: Patient()}
    here = set(people)
    async with table_of(store, 3) as table:
        await play_began(table, *((watcher, player) for player, watcher in people.items()))
        head, changed_at = table.journal.head, now()
        for _ in range(300):
            await asyncio.sleep(chance.choice((0.5, 3, CLOCK)))
            seen = [watcher.snapshot for player, watcher in people.items() if player in here]
            playing = [snapshot for snapshot in seen if snapshot is not None and not snapshot.away]
            is_alone = len(playing) == 1 and playing[0].my_turn
            if table.journal.head != head or not here or is_alone:
                head, changed_at = table.journal.head, now()
            assert now() - changed_at <= 2 * CLOCK + 5
            player = chance.choice((ANA, BO))
            watcher = people[player]
            snapshot = watcher.snapshot
            if player in here and chance.random() < 0.2:
                await table.leave(watcher, LOST)
                here.discard(player)
            elif player not in here:
                await table.come(watcher, player)
                here.add(player)
            elif snapshot and snapshot.view and snapshot.my_turn and snapshot.seat is not None:
                with suppress(InputError):  # an AI player may have been a little faster
                    await table.move(watcher, snapshot.ply, legal_moves(snapshot.view, snapshot.seat)[0])
            if snapshot and snapshot.view and snapshot.view.phase == "over":
                return
        assert len(await changes(store, Moved)) > 20
