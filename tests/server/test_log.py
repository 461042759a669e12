"""The log of a table: written before anybody sees, read back as the very table."""

import asyncio

import pytest

from engine.errors import InputError
from engine.moves import READY
from server.facts import Dealt, Left, Moved, Returned, Sat, apply, read_change, write_change
from server.players import Opened, Player
from server.store import EMPTY, Conflict, Head, MemoryLog
from tests.server.tables import ANA, BO, Watcher, folded, running


async def test_a_table_is_the_fold_of_its_log() -> None:
    """Reading the log again gives the very same table, after every single entry."""
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
        assert folded([entry.data for entry in entries[: n + 1]]).digest() == entry.hash


@pytest.mark.parametrize(
    "change",
    [
        Opened("life", {"four.scope": "in-a-row"}, 3, "easy"),
        Sat(1, ANA),
        Sat(0, Player("ai:Fox", "Fox", "ai", "hard")),
        Left(1, held=True),
        Returned(1),
        Dealt("seed", None),
        Moved(0, "play 7 7"),
    ],
)
def test_changes_are_read_as_they_were_written(change: object) -> None:
    """The log's format loses nothing."""
    assert read_change(write_change(change)) == change  # type: ignore[arg-type]


def test_a_log_of_another_version_is_not_guessed_at() -> None:
    """An unknown version is an error, not a table."""
    with pytest.raises(ValueError, match="version"):
        read_change(b'{"v": 2, "kind": "dealt", "seed": "x", "dealer": null}')


async def test_the_log_takes_an_entry_only_where_it_stands() -> None:
    """Compare-and-append: on number and on content."""
    log = MemoryLog()
    head = await log.append(1, EMPTY, b"a", b"one")
    for stale in (EMPTY, Head(1, b"other"), Head(2, b"a")):
        with pytest.raises(Conflict):
            await log.append(1, stale, b"b", b"two")
    assert await log.append(1, head, b"b", b"two") == Head(2, b"b")
    assert [entry.data for entry in await log.read(1)] == [b"one", b"two"]
    assert [entry.seq for entry in await log.read(1, after=1)] == [2]


async def test_a_move_that_was_not_logged_was_never_made() -> None:
    """When the log refuses, nobody sees anything, and the table lives on."""
    store, ana = MemoryLog(), Watcher()
    async with running(store) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        update = await ana.until("arrange")
        append, store.append = store.append, broken_append  # type: ignore[method-assign, assignment]
        with pytest.raises(InputError, match="went wrong here"):
            await table.move(ana, update.ply, READY)
        assert ana.update is not None
        assert ana.update.view is not None
        assert not ana.update.view.ready[0]
        store.append = append  # type: ignore[method-assign]
        await table.move(ana, ana.update.ply, READY)


async def broken_append(*_: object) -> Head:
    """A log whose disk is full."""
    raise OSError("no space left on device")


class SlowLog(MemoryLog):
    """A log that takes its time, longer than an AI player's pace."""

    async def append(self, table: int, head: Head, state_hash: bytes, data: bytes) -> Head:
        """As ever, a little later."""
        result = await super().append(table, head, state_hash, data)
        for _ in range(5):
            await asyncio.sleep(0)
        return result


async def test_a_slow_log_delays_and_breaks_nothing() -> None:
    """No clock of the table's cuts off what is being written."""
    ana, fan = Watcher(), Watcher()
    async with running(SlowLog(), 2) as table:
        await table.sit(ana, ANA)
        await table.join(fan, BO)
        await table.start(ana)
        await table.leave(ana, for_good=True)
        await fan.until("over")


async def test_a_table_that_somebody_else_moved_is_read_again() -> None:
    """When the log has gone on without us the move is refused, and the table is what the log says."""
    store, ana = MemoryLog(), Watcher()
    async with running(store, 2) as table:
        await table.sit(ana, ANA)
        *_, last = await store.read(1)
        elsewhere = folded([entry.data for entry in await store.read(1)])
        moved, _ = apply(elsewhere, Sat(1, BO))
        await store.append(1, Head(last.seq, last.hash), moved.digest(), write_change(Sat(1, BO)))
        with pytest.raises(InputError, match="moved on"):
            await table.start(ana)
        assert ana.update is not None
        assert ana.update.sitters[1] is not None
        await table.start(ana)


async def test_a_failed_return_leaves_no_ghost() -> None:
    """Who could not be let in is no member, and the table can close."""
    store, ana = MemoryLog(), Watcher()
    async with running(store, 2) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        await table.leave(ana, for_good=False)
        append, store.append = store.append, broken_append  # type: ignore[method-assign, assignment]
        with pytest.raises(InputError):
            await table.join(Watcher(), ANA)
        store.append = append  # type: ignore[method-assign]
        assert not table._members
