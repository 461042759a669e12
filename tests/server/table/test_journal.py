"""The log of a table is written before anything is shown, gives the same table when read, and may fail."""

import asyncio
import dataclasses
import time

import pytest
from structlog.testing import capture_logs

from engine.errors import InputError
from engine.moves import READY
from server.ai.pool import any_moves
from server.config import Config
from server.lobby.lobby import Lobby
from server.process.counters import Counters
from server.records.record_reader import verify
from server.storage.database import EMPTY, Conflict, FinishedGame, LogEntry, NotSaved, OutcomeUnknown
from server.storage.sqlite_database import MemoryDatabase
from server.table.apply_changes import read_log
from server.table.entries import Abandoned, Committed, Dealt, Moved, Sat, TableSettings, read_change, write_change
from server.table.journal import Journal
from server.table.table_events import TO_LOBBY
from tests.support.faulty_log import FaultyLog
from tests.support.log_entries import heads
from tests.support.occasions import exam_settings
from tests.support.tables import ANA, BO, OWL, Watcher, add, begun, changes, known_seeds, live, running, table_settings


async def test_a_table_is_the_fold_of_its_log() -> None:
    """Reading the log again gives the same table after every entry."""
    store, ana = MemoryDatabase(), Watcher()
    async with running(store, 4) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        await table.move(ana, 0, READY)
        await ana.until("play")
        entries = await store.read(1)
    assert len(entries) > 8
    for n, entry in enumerate(entries):
        assert entry.seq == n + 1
        assert read_log(entries[: n + 1])[0].digest() == entry.hash


async def test_a_log_that_folds_to_another_table_is_refused() -> None:
    """So another engine, or a changed entry, is an error and not another game."""
    store, ana = MemoryDatabase(), Watcher()
    async with running(store, 2) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        entries = await store.read(1)
    committed = next(n for n, entry in enumerate(entries) if isinstance(read_change(entry.data), Committed))
    changed = dataclasses.replace(entries[committed], data=write_change(Committed("XXXXXXXX", "another seed")))
    with pytest.raises(ValueError, match="other rules"):
        read_log([*entries[:committed], changed, *entries[committed + 1 :]])
    with pytest.raises(ValueError, match="begins with its opening"):
        read_log(entries[1:])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (table_settings(), {"occasion": None}),
        (exam_settings(ANA, "bold"), {"occasion": "Exam 7"}),
        (exam_settings(ANA, "bold", alone=True), None),
    ],
)
async def test_the_log_tells_the_host_who_has_won_where(
    settings: TableSettings, told: dict[str, object] | None
) -> None:
    """Not of a game that one plays alone, out of sight of all others."""
    journal = await Journal.begin(MemoryDatabase(), 7, settings, time.time)
    for change in (Sat(0, ANA), Sat(1, OWL), Committed("EXAMGAME", "seed"), Dealt(None)):
        await add(journal, change)
    with capture_logs() as logs:
        while journal.state.deciding:
            seat = journal.state.deciding[0]
            view = journal.state.view(seat)
            assert view
            await add(journal, Moved(seat, str(any_moves(view, seat)[0])))
    assert journal.state.result
    won, lost = ("ana", "Owl") if journal.state.result.winner == 0 else ("Owl", "ana")
    line = {"event": "game over", "table": 7, "result": f"{won} won against {lost}", "log_level": "info"}
    assert logs == ([line | told] if told else [])


async def test_a_server_starts_although_a_table_is_damaged() -> None:
    """The damage is reported once, and the entries stay. The other tables run, and new ones get other numbers."""
    store = MemoryDatabase()
    await store.append(EMPTY, LogEntry(1, 1, b"12345678", 1.0, b"\xff{"))
    for number in (2, 3):
        await Journal.begin(store, number, table_settings(), time.time)
    absurd = LogEntry(2, 2, b"12345678", 1.0, write_change(Moved(7, "play 7")))
    await store.append((await heads(store))[2], absurd, listing="absurd")
    lobby = Lobby(Config(), store, new_seed=known_seeds())
    with capture_logs() as logs:
        await lobby.open()
        await lobby.log_follower.read()
    assert [line["table"] for line in logs if line["event"] == "value left out"] == [1, 2]
    for typed in ("1", "2"):
        with pytest.raises(InputError, match="cannot go on"):
            await lobby.tables.bring_up(typed)
    assert [table.number for table in lobby.tables.listings()] == [3]
    assert (await lobby.tables.open_table(table_settings())).number == 4
    await asyncio.sleep(0)
    await lobby.close()


async def test_a_move_that_cannot_be_saved_is_not_made() -> None:
    """No player sees the change, its player is told why, and the table lives on."""
    store, ana = FaultyLog(), Watcher()
    async with running(store) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        snapshot = await ana.until("arrange")
        store.refuses = NotSaved("the disk is full")
        with pytest.raises(InputError, match="the disk is full"):
            await table.move(ana, snapshot.ply, READY)
        assert not ana.view.ready[0]
        store.refuses = None
        await table.move(ana, ana.seen.ply, READY)


@pytest.mark.parametrize("written", [True, False])
async def test_an_outcome_that_is_not_known_is_read_again(written: bool) -> None:  # noqa: FBT001
    """The table looks whether the move was written: it counts once, or not at all."""
    store, ana = FaultyLog(), Watcher()
    async with running(store) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        snapshot = await ana.until("arrange")
        if written:
            store.loses = OutcomeUnknown("the answer got lost")
            await table.move(ana, snapshot.ply, READY)
        else:
            store.refuses = OutcomeUnknown("the answer got lost")
            with pytest.raises(InputError, match="nothing can be saved now") as caught:
                await table.move(ana, snapshot.ply, READY)
            assert caught.value.code == "not_saved"
        store.refuses = store.loses = None
        assert sum(move.seat == 0 for move in await changes(store, Moved)) == written


@pytest.mark.parametrize("written", [True, False])
async def test_an_opening_that_is_not_known_is_read_again(written: bool) -> None:  # noqa: FBT001
    """The table is open, or its opener is told that nothing was saved. One number after the other is never tried."""
    store = FaultyLog()
    if written:
        store.loses = OutcomeUnknown("the answer got lost")
        journal = await Journal.begin(store, 1, table_settings(), time.time)
        assert [entry.head for entry in await store.read(1)] == [journal.head]
    else:
        store.refuses = OutcomeUnknown("the answer got lost")
        with pytest.raises(InputError, match="nothing can be saved now") as caught:
            await Journal.begin(store, 1, table_settings(), time.time)
        assert caught.value.code == "not_saved"


async def test_another_number_is_tried_if_another_process_opened_the_table() -> None:
    """Whether this one has opened it was not known at first."""
    store = FaultyLog()
    await Journal.begin(store, 1, table_settings(), time.time)
    store.refuses = OutcomeUnknown("the answer got lost")
    with pytest.raises(Conflict):
        await Journal.begin(store, 1, table_settings(), time.time)


async def test_only_a_game_that_the_log_has_is_told_as_kept() -> None:
    """A write that fails is tried again, and the game counts once."""
    store, kept = FaultyLog(), list[FinishedGame]()
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    journal.on_kept = kept.append
    for change in (Sat(0, ANA), Sat(1, OWL), Committed("GAME1", "seed"), Dealt(None, source="mark")):
        await add(journal, change)
    store.refuses = NotSaved("the disk is full")
    for _ in range(2):
        with pytest.raises(InputError, match="the disk is full"):
            await add(journal, Abandoned())
    assert kept == []
    store.refuses = None
    await add(journal, Abandoned())
    assert [game.id for game in kept] == [game.id for game in await store.latest(2)] == ["GAME1"]


async def test_a_slow_log_only_delays() -> None:
    """No deadline of the table interrupts a write."""
    log, ana, fan = FaultyLog(), Watcher(), Watcher()
    log.answers_after = 0.01
    async with running(log, 2) as table:
        await table.sit(ana, ANA)
        await table.come(fan, BO)
        await table.start(ana)
        await table.leave(ana, TO_LOBBY)
        await fan.until("over")


async def test_a_clock_that_is_set_back_a_day_stops_no_game() -> None:
    """The game goes on to its end, is kept, and its log and its record are read as before."""
    store, ana, times = MemoryDatabase(), Watcher(), iter([1e9 + 86_400] * 6)
    journal = await Journal.begin(store, 1, table_settings(), lambda: next(times, 1e9))
    async with live(journal) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        await table.leave(ana, TO_LOBBY)
        fan = Watcher()
        await table.come(fan, BO)
        await fan.until("over")
        assert next(times, None) is None
    (game,) = await store.latest(2)
    assert (await Journal.load(store, 1, lambda: 1e9)).head == journal.head
    kept = await store.game(game.id)
    assert kept is not None
    assert verify(kept.record)


class UnreadableLog(FaultyLog):
    """A log that cannot be read while a test says so."""

    unreadable = False

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        """See `Database`."""
        if self.unreadable:
            raise NotSaved("the disk is gone")
        return await super().read(table, after)


@pytest.mark.parametrize(
    ("failure", "code"), [(OutcomeUnknown("lost"), "unknown"), (Conflict("too late"), "not_saved")]
)
async def test_an_outcome_that_stays_unknown_is_said_to_be_unknown(failure: Exception, code: str) -> None:
    """The log cannot be read to find out."""
    store = UnreadableLog()
    journal = await begun(store)
    store.loses, store.unreadable = failure, True
    with pytest.raises(InputError) as caught:
        await add(journal, Moved(1, "ready"))
    assert caught.value.code == code


async def test_a_log_that_cannot_be_read_is_no_write_that_failed() -> None:
    """The player, the log and the counters are told of the reading."""
    store, counters = UnreadableLog(), Counters()
    journal = await Journal.begin(store, 1, table_settings(), time.time, counters)
    store.unreadable = True
    with (
        capture_logs() as logs,
        pytest.raises(InputError, match=r"table cannot be read now \(the disk is gone\)") as caught,
    ):
        await journal.catch_up()
    assert caught.value.code == "not_saved"
    assert [line["event"] for line in logs] == ["log not read"]
    assert counters.log_failures["not_saved"].value == 0


async def test_a_write_that_was_not_tried_is_not_logged() -> None:
    """As when a clock runs out while the disk is full."""
    store = FaultyLog()
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    store.problem = "the disk is full"
    with capture_logs() as logs, pytest.raises(InputError, match="nothing can be saved now"):
        journal.must_be_writable()
    assert logs == []


async def test_an_opening_that_stays_unknown_is_said_to_be_unknown() -> None:
    """The log cannot be read to find out."""
    store = UnreadableLog()
    store.refuses, store.unreadable = OutcomeUnknown("lost"), True
    with pytest.raises(InputError) as caught:
        await Journal.begin(store, 1, table_settings(), time.time)
    assert caught.value.code == "unknown"
