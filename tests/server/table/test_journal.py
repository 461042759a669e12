"""The log of a table is written before anything is shown, gives the same table when read, and may be shared."""

import asyncio
import dataclasses
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Unpack

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from engine.errors import InputError
from engine.moves import READY
from engine.view import View
from server.config import Config
from server.lobby.lobby import Lobby
from server.people.players import Player
from server.records.fairness import DealCut, seal_of
from server.records.verify import verify
from server.storage.memory_log import MemoryLog
from server.storage.table_log import EMPTY, Conflict, FinishedGame, Head, LogEntry, NotSaved, OutcomeUnknown
from server.table.deal import Deal
from server.table.entries import (
    Abandoned,
    Away,
    Barred,
    Change,
    Checkpoint,
    Committed,
    Cut,
    CutOpened,
    CutsClosed,
    CutSealed,
    Dealt,
    Left,
    Moved,
    Returned,
    Sat,
    SavedSeat,
    TableSettings,
    read_change,
    write_change,
)
from server.table.fold import fold
from server.table.journal import Journal
from server.table.table_events import CameBack, GameBegan, WentAway
from tests.support.log_entries import Along, heads
from tests.support.tables import ANA, BO, Watcher, known_seeds, live, read_on, running, table_settings

FOX, OWL = Player("ai:Fox", "Fox", "ai", "easy"), Player("ai:Owl", "Owl", "ai", "easy")
CHANGES = [
    TableSettings("life", {"four.scope": "in-a-row"}, 3, "easy", "Life", 30.0, 1.5, "word", "secret", "0.1.0"),
    Sat(1, ANA),
    Sat(0, Player("ai:Fox", "Fox", "ai", "hard")),
    Left(1),
    Away(1, "clock"),
    Returned(1),
    Barred("guest:x"),
    Committed("8F3K2Q7A", "00ff"),
    Cut("ana", "\u00e9 \u6f22", "SHA256:ana"),
    CutSealed(1, seal_of("b")),
    CutsClosed(),
    CutOpened(1, "b"),
    Dealt(None),
    Dealt(
        1,
        Checkpoint(
            table_settings(word="apple"),
            (SavedSeat(ANA, "gone"), SavedSeat(Player("ai:Fox", "Fox", "ai", "hard"))),
            ANA.id,
            frozenset({"guest:x"}),
            Deal(
                "8F3K2Q7A",
                "00ff",
                (DealCut("ana", "\u00e9"), DealCut("bo", "b", seal_of("b"), 1), DealCut("cy", None, seal_of("c"), 0)),
                frozenset({ANA.id}),
                closed=True,
            ),
        ),
    ),
    Moved(0, "play 7 7"),
    Abandoned(),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_changes_are_read_as_they_were_written(change: Change) -> None:
    """The log's format loses nothing, and no two entries are the same bytes."""
    assert read_change(write_change(change)) == change
    assert write_change(change) != write_change(change)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"v": 3, "id": "", "kind": "abandoned"}', "written by a newer version of this program"),
        (b'{"v": 3, "id": [], "kind": "swapped"}', "written by a newer version of this program"),
        (b'{"v": 0, "id": "", "kind": "abandoned"}', "v: cannot be 0"),
        (b"{}", "v: is missing"),
        (b'{"v": 1, "id": 1}', "kind: is missing"),
        (b'{"v": 1, "id": "", "kind": "swapped"}', "kind: cannot be 'swapped'"),
        (b'{"v": 1, "id": "", "kind": "left"}', "seat: is missing"),
        (b'{"v": 1, "id": "", "kind": "left", "seat": "1"}', "seat: expected a whole number"),
        (b'{"v": 1, "id": "", "kind": "left", "seat": 1, "for": 1}', "for: means nothing here"),
        (b'{"v": 1, "id": "", "kind": "away", "seat": 1, "reason": "bored"}', "reason: cannot be 'bored'"),
        (b'{"v": 1, "kind": "sat", "seat": 1, "player": {"id": "x"}}', "player.name: is missing"),
        (b'{"v": 1, "kind": "sat", "seat": 1, "player": {"id": "x", "name": "x", "age": 7}}', "player.age: means"),
        (b"[]", "expected an object"),
        (b"x", "JSON is malformed"),
    ],
)
def test_what_this_version_did_not_write_is_refused_by_the_name_of_the_key(data: bytes, told: str) -> None:
    """An unknown version and damaged bytes are errors, not tables."""
    with pytest.raises(ValueError, match=f"^{told}") as caught:
        read_change(data)
    assert not isinstance(caught.value, InputError)


def test_the_secrets_of_a_table_are_in_no_line_that_the_server_logs() -> None:
    """Neither its password nor the seeds of its deals."""
    for secret in (table_settings(word="sesame"), Committed("8F3K2Q7A", "sesame"), Deal("8F3K2Q7A", "sesame")):
        assert "sesame" not in repr(secret)


async def test_a_table_is_the_fold_of_its_log() -> None:
    """Reading the log again gives the same table after every entry."""
    store, ana = MemoryLog(), Watcher()
    async with running(store, 4) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        await table.move(ana, 0, READY)
        await ana.until("play")
        entries = await store.read(1)
    assert len(entries) > 8
    for n, entry in enumerate(entries):
        assert entry.seq == n + 1
        assert fold(entries[: n + 1])[0].digest() == entry.hash


async def test_a_log_that_folds_to_another_table_is_refused() -> None:
    """So another engine, or a changed entry, is an error and not another game."""
    store, ana = MemoryLog(), Watcher()
    async with running(store, 2) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        entries = await store.read(1)
    committed = next(n for n, entry in enumerate(entries) if isinstance(read_change(entry.data), Committed))
    changed = dataclasses.replace(entries[committed], data=write_change(Committed("XXXXXXXX", "another seed")))
    with pytest.raises(ValueError, match="other rules"):
        fold([*entries[:committed], changed, *entries[committed + 1 :]])
    with pytest.raises(ValueError, match="begins with its opening"):
        fold(entries[1:])


async def test_a_server_starts_although_a_table_is_damaged() -> None:
    """The damage is reported once, and the entries stay. The other tables run, and new ones get other numbers."""
    store = MemoryLog()
    await store.append(EMPTY, LogEntry(1, 1, b"12345678", 1.0, b"\xff{"))
    for number in (2, 3):
        await Journal.begin(store, number, table_settings(), time.time)
    absurd = LogEntry(2, 2, b"12345678", 1.0, write_change(Moved(7, "play 7")))
    await store.append((await heads(store))[2], absurd)
    lobby = Lobby(Config(), store, new_seed=known_seeds())
    with capture_logs() as logs:
        await lobby.open()
        await lobby.log_follower.read()
    assert [line["table"] for line in logs if line["log_level"] == "error"] == [1, 2]
    assert [table.number for table in lobby.tables.listings()] == [3]
    assert (await lobby.tables.open_table(table_settings())).number == 4
    await asyncio.sleep(0)
    await lobby.close()


class FailingLog(MemoryLog):
    """A log that fails before or after it has written, as a test says."""

    def __init__(self) -> None:
        super().__init__()
        self.before: Exception | None = None
        self.after: Exception | None = None

    async def append(
        self, head: Head, entry: LogEntry, game: FinishedGame | None = None, **along: Unpack[Along]
    ) -> None:
        """See `TableLog`."""
        if self.before:
            raise self.before
        await super().append(head, entry, game, **along)
        if self.after:
            raise self.after


async def test_a_move_that_cannot_be_saved_is_not_made() -> None:
    """No player sees the change, its player is told why, and the table lives on."""
    store, ana = FailingLog(), Watcher()
    async with running(store) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        snapshot = await ana.until("arrange")
        store.before = NotSaved("the disk is full")
        with pytest.raises(InputError, match="the disk is full"):
            await table.move(ana, snapshot.ply, READY)
        assert ana.snapshot is not None
        assert ana.snapshot.view is not None
        assert not ana.snapshot.view.ready[0]
        store.before = None
        await table.move(ana, ana.snapshot.ply, READY)


@pytest.mark.parametrize("written", [True, False])
async def test_an_outcome_that_is_not_known_is_read_again(written: bool) -> None:  # noqa: FBT001
    """The table looks whether the move was written: it counts once, or not at all."""
    store, ana = FailingLog(), Watcher()
    async with running(store) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        snapshot = await ana.until("arrange")
        if written:
            store.after = OutcomeUnknown("the answer got lost")
            await table.move(ana, snapshot.ply, READY)
        else:
            store.before = OutcomeUnknown("the answer got lost")
            with pytest.raises(InputError, match="nothing can be saved now") as caught:
                await table.move(ana, snapshot.ply, READY)
            assert caught.value.code == "not_saved"
        store.before = store.after = None
        moves = [change for entry in await store.read(1) if isinstance(change := read_change(entry.data), Moved)]
        assert sum(move.seat == 0 for move in moves) == written


@pytest.mark.parametrize("written", [True, False])
async def test_an_opening_that_is_not_known_is_read_again(written: bool) -> None:  # noqa: FBT001
    """The table is open, or its opener is told that nothing was saved. One number after the other is never tried."""
    store = FailingLog()
    if written:
        store.after = OutcomeUnknown("the answer got lost")
        journal = await Journal.begin(store, 1, table_settings(), time.time)
        assert [entry.head for entry in await store.read(1)] == [journal.head]
    else:
        store.before = OutcomeUnknown("the answer got lost")
        with pytest.raises(InputError, match="nothing can be saved now") as caught:
            await Journal.begin(store, 1, table_settings(), time.time)
        assert caught.value.code == "not_saved"


async def test_another_number_is_tried_if_another_process_opened_the_table() -> None:
    """Whether this one has opened it was not known at first."""
    store = FailingLog()
    await Journal.begin(store, 1, table_settings(), time.time)
    store.before = OutcomeUnknown("the answer got lost")
    with pytest.raises(Conflict):
        await Journal.begin(store, 1, table_settings(), time.time)


class SlowLog(MemoryLog):
    """A log that takes longer to write than an AI player waits."""

    async def append(
        self, head: Head, entry: LogEntry, game: FinishedGame | None = None, **along: Unpack[Along]
    ) -> None:
        """See `TableLog`."""
        await super().append(head, entry, game, **along)
        for _ in range(5):
            await asyncio.sleep(0)


async def test_a_slow_log_only_delays() -> None:
    """No deadline of the table interrupts a write."""
    ana, fan = Watcher(), Watcher()
    async with running(SlowLog(), 2) as table:
        await table.sit(ana, ANA)
        await table.join(fan, BO)
        await table.start(ana)
        await table.leave(ana, for_good=True)
        await fan.until("over")


async def test_a_clock_that_is_set_back_a_day_stops_no_game() -> None:
    """The game goes on to its end, is kept, and its log and its record are read as before."""
    store, ana, times = MemoryLog(), Watcher(), iter([1e9 + 86_400] * 6)
    journal = await Journal.begin(store, 1, table_settings(), lambda: next(times, 1e9))
    async with live(journal) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        await table.leave(ana, for_good=True)
        fan = Watcher()
        await table.join(fan, BO)
        await fan.until("over")
        assert next(times, None) is None
    (game,) = await store.latest(2)
    assert (await Journal.load(store, 1, lambda: 1e9)).head == journal.head
    kept = await store.game(game.id)
    assert kept is not None
    assert verify(kept.record)


async def test_two_processes_agree_on_one_table() -> None:
    """Each sees what the other wrote. A request that is based on an old table is refused, and shows the new one."""
    store, ana, bo = MemoryLog(), Watcher(), Watcher()
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    elsewhere = await Journal.load(store, 1, time.time)
    async with live(journal) as here, live(elsewhere) as there:
        await here.sit(ana, ANA)
        with pytest.raises(InputError, match="moved on"):
            await there.sit(bo, BO)
        await there.sit(bo, BO)
        await there.start(bo)
        assert game_seen(ana) is None
        await read_on(here)
        assert game_seen(ana) is not None
        assert {event.kind for event in ana.events} == {event.kind for event in bo.events}
        await here.move(ana, 0, READY)
        await read_on(there)
        await there.move(bo, 1, READY)
        await read_on(here)
        assert journal.head == elsewhere.head
        assert journal.state.digest() == elsewhere.state.digest()


def game_seen(watcher: Watcher) -> View | None:
    """The game as a watcher sees it."""
    assert watcher.snapshot is not None
    return watcher.snapshot.view


async def test_a_table_that_was_closed_elsewhere_closes_here() -> None:
    """Its subscribers are told."""
    store, ana = MemoryLog(), Watcher()
    async with running(store) as table:
        await table.sit(ana, ANA)
        await store.delete(1, table.head)
        with pytest.raises(InputError, match="has closed"):
            await table.start(ana)
        async with asyncio.timeout(5):
            while "closed" not in ana.lines:
                await asyncio.sleep(0)


async def test_two_tables_cannot_have_one_number() -> None:
    """If two processes open tables at the same time, one of them has to take another number."""
    store = MemoryLog()
    await Journal.begin(store, 1, table_settings(), time.time)
    with pytest.raises(Conflict):
        await Journal.begin(store, 1, table_settings(), time.time)
    assert (await store.read(1))[0].seq == EMPTY.seq + 1


async def begun(store: MemoryLog) -> Journal:
    """A table at which two AI players have been dealt a game, and one of them is ready."""
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    for change in (Sat(0, FOX), Sat(1, OWL), Committed("GAME1", "seed"), Dealt(None), Moved(0, "ready")):
        await journal.add(change)
    return journal


async def test_a_new_game_is_not_shown_with_events_of_the_last() -> None:
    """After a restart, and in another process, too. A deal may have no events of its own."""
    store = MemoryLog()
    journal = await begun(store)
    elsewhere = await Journal.load(store, 1, time.time)
    assert journal.events.latest == elsewhere.events.latest != deque()
    for change in (Abandoned(), Committed("GAME2", "seed"), Dealt(None)):
        await journal.add(change)
    await elsewhere.catch_up()
    assert journal.events.latest == elsewhere.events.latest == (await Journal.load(store, 1, time.time)).events.latest
    assert journal.events.latest == deque([GameBegan()])


class BusyLog(MemoryLog):
    """A log to which another process writes right after it was read."""

    def __init__(self) -> None:
        super().__init__()
        self.after_reading: Callable[[], Awaitable[None]] | None = None

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        """See `TableLog`."""
        entries = await super().read(table, after)
        if self.after_reading:
            then, self.after_reading = self.after_reading, None
            await then()
        return entries


async def test_no_event_is_lost_between_two_reads() -> None:
    """Whenever an entry is written, its events are shown once."""
    store = BusyLog()
    journal = await begun(store)
    elsewhere = await Journal.load(store, 1, time.time)
    store.after_reading = lambda: journal.add(Moved(1, "ready"))
    await elsewhere.catch_up()
    await elsewhere.catch_up()
    assert [event.kind for event in elsewhere.events.take_news()][:1] == ["ready"]
    for change in (Away(0, "clock"), Returned(0)):
        await journal.add(change)
    await elsewhere.catch_up()
    assert elsewhere.events.take_news() == (WentAway(0, "clock"), CameBack(0, 0, 0))


async def test_a_table_that_was_closed_is_not_mistaken_for_the_next_one_of_its_number() -> None:
    """The other table may be private."""
    store = MemoryLog()
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
    store = MemoryLog()
    journal = await begun(store)
    entries = await store.read(1)
    await store.delete(1, journal.head)
    for before, entry in zip([EMPTY, *(entry.head for entry in entries)], entries[:-1], strict=False):
        await store.append(before, entry)
    await journal.catch_up()
    assert journal.head.seq == 5
    assert journal.events.latest == deque([GameBegan()])
    await journal.add(Moved(1, "ready"))


class UnreadableLog(FailingLog):
    """A log that cannot be read while a test says so."""

    unreadable = False

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        """See `TableLog`."""
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
    store.after, store.unreadable = failure, True
    with pytest.raises(InputError) as caught:
        await journal.add(Moved(1, "ready"))
    assert caught.value.code == code


async def test_an_opening_that_stays_unknown_is_said_to_be_unknown() -> None:
    """The log cannot be read to find out."""
    store = UnreadableLog()
    store.before, store.unreadable = OutcomeUnknown("lost"), True
    with pytest.raises(InputError) as caught:
        await Journal.begin(store, 1, table_settings(), time.time)
    assert caught.value.code == "unknown"
