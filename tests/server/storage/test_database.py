"""The entries of tables, as every implementation of the log promises them: each test runs with all of them.

A test writes through one log and reads through the other, which is the same one or another one's view of it.
"""

import asyncio

import pytest

from server.storage.database import EMPTY, MESSAGE_BYTES, Conflict, Database, Head, NotSaved, TakenSeat
from server.storage.pending import Pending, settle
from tests.support.log_entries import Logs, entry, finished, grow, heads, heard_by, texts_of
from tests.support.resources import settled


async def test_entries_are_read_as_they_were_written(logs: Logs) -> None:
    """Every field is the same byte for byte; entries come oldest first, only those after a number, or none."""
    one, other = logs
    first, second = entry(7, 1, b"\0\xff345678", b'{"bytes": "\xc3\xa9"}'), entry(7, 2, b"abcdefgh", b"")
    await one.append(EMPTY, first)
    await one.append(first.head, second)
    assert await other.read(7) == [first, second]
    assert await other.read(7, after=1) == [second]
    assert await other.read(7, after=2) == []
    assert await other.read(8) == []


async def test_an_entry_must_follow_the_head(logs: Logs) -> None:
    """Number and hash must agree; anything else is a conflict and changes nothing."""
    one, other = logs
    for impossible in (Head(1, b"12345678"), Head(0, b"12345678")):
        with pytest.raises(Conflict):
            await one.append(impossible, entry(1, impossible.seq + 1))
    head = await grow(one, 1, 2)
    for stale in (EMPTY, Head(1, b"%8d" % 1), Head(2, b"other456"), Head(1, head.hash), Head(3, head.hash)):
        with pytest.raises(Conflict):
            await other.append(stale, entry(1, stale.seq + 1), finished("never"))
    assert [kept.seq for kept in await one.read(1)] == [1, 2]
    assert await one.game("never") is None
    await other.append(head, entry(1, 3))


async def test_heads_are_the_last_entries_of_all_tables(logs: Logs) -> None:
    """However far apart their numbers are."""
    one, other = logs
    assert await heads(other) == {}
    expected = {table: await grow(one, table, entries) for table, entries in ((1, 3), (2, 1), (2**62, 12))}
    assert await heads(other) == expected


async def test_the_beginning_of_a_log_is_deleted_with_an_entry(logs: Logs) -> None:
    """A reader that knows the last entry reads on without a gap. A conflict deletes nothing, here or elsewhere."""
    one, other = logs
    head, neighbour = await grow(one, 1, 5), await grow(one, 2, 3)
    with pytest.raises(Conflict):
        await other.append(EMPTY, entry(1, 1), keep_from=5)
    assert [kept.seq for kept in await one.read(1)] == [1, 2, 3, 4, 5]
    following = entry(1, 6)
    await other.append(head, following, keep_from=4)
    assert [kept.seq for kept in await one.read(1)] == [4, 5, 6]
    assert [kept.seq for kept in await one.read(1, after=2)] == [4, 5, 6]
    assert [kept.seq for kept in await one.read(1, after=5)] == [6]
    await one.append(following.head, entry(1, 7))
    assert [kept.seq for kept in await other.read(1)] == [4, 5, 6, 7]
    last = entry(1, 8, b"87654321")
    await one.append(entry(1, 7).head, last, keep_from=8)
    assert await other.read(1) == [last]
    assert await heads(other) == {1: last.head, 2: neighbour}
    assert len(await other.read(2)) == 3
    await one.delete(1, last.head)
    assert await other.read(1) == []


async def test_a_log_is_deleted_only_at_its_head(logs: Logs) -> None:
    """Its number is then free, and the logs of other tables do not change."""
    one, other = logs
    head, neighbour = await grow(one, 1, 3), await grow(one, 2, 1)
    for stale in (EMPTY, Head(2, b"%8d" % 2), Head(3, b"other456")):
        with pytest.raises(Conflict):
            await other.delete(1, stale)
    assert len(await one.read(1)) == 3
    await other.delete(1, head)
    assert await one.read(1) == []
    assert await heads(one) == {2: neighbour}
    with pytest.raises(Conflict):
        await one.append(head, entry(1, 4))
    await one.delete(1, EMPTY)
    await grow(one, 1, 1)


async def test_of_simultaneous_appends_one_succeeds(logs: Logs) -> None:
    """Two hundred writers at fifty tables: one per table succeeds, and each of the others when it tries again."""

    async def write(number: int) -> int:
        table, log, tries = number % 50, logs[number // 50 % 2], 0
        while True:
            tries += 1
            entries = await log.read(table) if tries > 1 else []
            head = entries[-1].head if entries else EMPTY
            try:
                await log.append(head, entry(table, head.seq + 1, state=b"%8d" % number, data=b"%d" % number))
            except Conflict:
                continue
            return tries

    tries = await asyncio.gather(*(write(number) for number in range(200)))
    assert tries.count(1) == 50
    for table in range(50):
        entries = await logs[1].read(table)
        assert [kept.seq for kept in entries] == [1, 2, 3, 4]
        assert {int(kept.data) for kept in entries} == {table, table + 50, table + 100, table + 150}


async def test_changing_a_result_does_not_change_the_log(logs: Logs) -> None:
    """A caller may change the lists and mappings that it gets."""
    one, _ = logs
    head = await grow(one, 1, 2)
    await one.put_text("name", "a", "b")
    (await one.read(1)).clear()
    (await heads(one)).clear()
    (await one.read_texts("name")).clear()
    assert len(await one.read(1)) == 2
    assert await heads(one) == {1: head}
    assert await texts_of(one, "name") == {"a": "b"}


SEAT = TakenSeat("account:ana", "Ana", ("ana", "Ana"))


async def test_a_table_is_asleep_until_it_is_woken_or_written(logs: Logs) -> None:
    """Each of these is a change behind the place before; a table that is not at its head stays awake."""
    one, other = logs
    head, neighbour = await grow(one, 1, 2), await grow(one, 2, 1)
    assert [*await other.awake()] == [1, 2]
    with pytest.raises(Conflict):
        await one.put_to_sleep(1, neighbour, 50.0)
    place = await other.place()
    await one.put_to_sleep(1, head, 50.0)
    (change,), place = await other.changes(place)
    assert (change.table, change.head, change.due) == (1, head, 50.0)
    assert (await other.changes(place))[0] == []
    assert [*await other.awake()] == [2]
    assert await other.due(49.0, 9) == []
    assert await other.due(50.0, 9) == [1]
    await other.wake(1)
    assert [*await one.awake()] == [1, 2]
    assert [change.due for change in (await other.changes(place))[0]] == [None]
    await one.put_to_sleep(1, head, 50.0)
    await one.append(head, entry(1, 3))
    assert [*await other.awake()] == [1, 2]
    with pytest.raises(Conflict):
        await one.wake(3)


async def test_a_table_is_closed_only_while_it_is_asleep_and_due(logs: Logs) -> None:
    """A game that ends with it is kept; closing is a change, too, and frees the number when others have followed."""
    one, other = logs
    await one.append(await grow(one, 1, 1), entry(1, 2), seats=[SEAT])
    head = entry(1, 2).head
    await grow(one, 2, 1)
    for due in (None, 50.0):
        if due is not None:
            await one.put_to_sleep(1, head, due)
        with pytest.raises(Conflict):
            await other.delete(1, head, finished("g1"), due_by=49.0)
    assert await other.game("g1") is None
    place = await one.place()
    await other.delete(1, head, finished("g1"), due_by=51.0)
    assert await one.game("g1") == finished("g1")
    assert [(change.table, change.head) for change in (await one.changes(place))[0]] == [(1, EMPTY)]
    assert await one.seats_of(SEAT.player_id) == []
    assert (await one.free_number(0, 0), await one.free_number(1, 0), await one.free_number(7, 0)) == (1, 3, 8)
    assert await one.free_number(0) == 3
    await grow(other, 9, 3)
    assert await one.free_number(0, 3) == 1
    with pytest.raises(Conflict):
        await other.wake(1)
    await grow(other, 1, 1)
    assert [*await one.awake()] == [1, 2, 9]


async def test_every_table_that_has_changed_is_told_once_as_it_is_now(logs: Logs) -> None:
    """Also if its entries were deleted; and again to a reader that asks from the place before."""
    one, other = logs
    place = await other.place()
    heads_now = {table: await grow(one, table, 3) for table in (3, 1, 2)}
    await one.append(heads_now[3], entry(3, 4), keep_from=4)
    heads_now[3] = entry(3, 4).head
    for _ in range(2):
        changed, reached = await other.changes(place)
        assert {change.table: change.head for change in changed} == heads_now
        assert len(changed) == 3
    await one.delete(1, heads_now[1])
    await one.append(heads_now[2], entry(2, 4))
    changed, _ = await other.changes(reached)
    assert {change.table: change.head for change in changed} == {1: EMPTY, 2: entry(2, 4).head}


async def test_a_table_is_listed_by_what_was_written_last_with_an_entry(logs: Logs) -> None:
    """With the entry or not at all; an entry without a listing leaves it as it is, and closing deletes it."""
    one, other = logs
    place = await other.place()
    await one.append(EMPTY, entry(1, 1), listing='{"seats": 4}')
    await grow(one, 2, 1)
    assert await other.awake() == {1: '{"seats": 4}', 2: ""}
    await one.append(entry(1, 1).head, entry(1, 2))
    with pytest.raises(Conflict):
        await one.append(entry(1, 1).head, entry(1, 2), listing="never")
    assert (await other.awake())[1] == '{"seats": 4}'
    await one.append(entry(1, 2).head, entry(1, 3), listing="Ана")
    assert {change.table: change.listing for change in (await other.changes(place))[0]} == {1: "Ана", 2: ""}
    await one.delete(1, entry(1, 3).head)
    await grow(one, 1, 1)
    assert await other.awake() == {1: "", 2: ""}


async def test_seats_and_openers_are_found_without_reading_tables(logs: Logs) -> None:
    """They are written with the entry that changes them."""
    one, other = logs
    await one.append(EMPTY, entry(1, 1), openers=["address 192.0.2.1", "player account:ana"])
    await one.append(entry(1, 1).head, entry(1, 2), seats=[SEAT])
    await one.append(entry(1, 2).head, entry(1, 3))
    assert await other.seats_of("account:ana") == [(1, "Ana")]
    assert await other.seat_named(["other", "ana"], "account:bo") == "account:ana"
    assert not await other.seat_named(["other", "ana"], "account:ana")
    assert not await other.seat_named(["other"], "account:bo")
    await one.put_to_sleep(1, entry(1, 3).head, 70.0)
    assert await other.opened_by("address 192.0.2.1") == await other.opened_by("player account:ana") == [(1, 70.0)]
    await one.append(entry(1, 3).head, entry(1, 4), seats=[])
    assert await other.seats_of("account:ana") == []
    assert await other.opened_by("address 192.0.2.1") == [(1, None)]
    await other.delete(1, entry(1, 4).head)
    assert await one.opened_by("address 192.0.2.1") == []


async def test_a_closed_log_refuses_every_call(unopened_log: Database) -> None:
    """Before it is opened and after it is closed, however often; it can be opened again."""
    log = unopened_log
    for _ in range(2):
        for call in (log.read(1), log.append(EMPTY, entry(2, 1)), log.put_text("name", "a", None), heads(log)):
            with pytest.raises(NotSaved, match="the database is closed"):
                await call
        await log.open()
        await log.close()
        await log.close()


@pytest.mark.features("cluster")
async def test_a_message_is_heard_by_others_alone(logs: Logs) -> None:
    """In the order of sending, byte for byte, up to the longest; whoever opens the log later hears nothing of it."""
    one, other = logs
    messages = ["first", 'Ана "\n\x1b', "é" * (MESSAGE_BYTES // 2), "last"]
    by_sender, by_other = heard_by(one), heard_by(other)
    for message in messages:
        one.send(message)
    if one is other:
        await one.put_text("kind", "key", "something else")
        await asyncio.sleep(0.05)
        assert by_other == []
        return
    await settled(lambda: len(by_other) == len(messages))
    assert (by_sender, by_other) == ([], messages)
    other.send("an answer")
    await settled(lambda: by_sender == ["an answer"])
    assert by_other == messages


async def test_what_cannot_be_sent_is_refused(logs: Logs) -> None:
    """Every implementation refuses the same."""
    for message in ("é" * (MESSAGE_BYTES // 2) + "x", "zero\0"):
        with pytest.raises(ValueError, match="no message of at most 7000 bytes"):
            logs[0].send(message)


async def test_a_caller_that_fails_stops_no_other_one() -> None:
    """All have their results, and go on in turn."""
    loop, went_on = asyncio.get_running_loop(), list[str]()
    first: Pending[int] = Pending(loop=loop)
    second: Pending[int] = Pending(loop=loop)
    first.then = lambda: went_on.remove("never")
    second.then = lambda: went_on.append("second")
    settle([first, second], [1, 2])
    assert (await first, await second, went_on) == (1, 2, ["second"])
