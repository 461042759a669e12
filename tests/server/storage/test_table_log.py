"""What every implementation of the log promises: each test runs with all of them.

A test writes through one log and reads through the other, which is the same one or another one's view of it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.storage.memory_log import MemoryLog
from server.storage.sqlite_log import SqliteLog
from server.storage.table_log import EMPTY, Conflict, FinishedGame, Head, StandingRow, TableLog, TakenSeat
from tests.support.log_entries import entry, finished, grow, heads, texts_of
from tests.support.simulated_log import World

Logs = tuple[TableLog, TableLog]


@pytest.fixture(params=["memory", "sqlite", "two on one file", "simulated"])
async def logs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Logs]:
    """A log to write to and one to read from."""
    file, world, memory = tmp_path / "quatch.db", World(), MemoryLog()
    one: TableLog
    other: TableLog
    match request.param:
        case "memory":
            one = other = memory
        case "sqlite":
            one = other = SqliteLog(file)
        case "two on one file":
            one, other = SqliteLog(file), SqliteLog(file)
        case _:
            one, other = world.node("one"), world.node("other")
    async with AsyncExitStack() as undo:
        for log in {one, other}:
            await log.open()
            undo.push_async_callback(log.close)
        yield one, other


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


async def test_a_game_is_kept_with_the_entry_that_ends_it(logs: Logs) -> None:
    """It stays after the table has closed, and a second game with its id changes nothing."""
    one, other = logs
    head = await grow(one, 1, 1)
    last = entry(1, 2)
    await one.append(head, last, finished("g1"))
    await one.delete(1, last.head)
    assert await other.game("g1") == finished("g1")
    assert await other.game("g2") is None
    again = FinishedGame("g1", "life", 1.0, "{}", "another")
    await one.append(EMPTY, entry(1, 1), again)
    assert await other.game("g1") == finished("g1")
    assert len(await other.games()) == 1


async def test_games_are_listed_by_growing_numbers(logs: Logs) -> None:
    """Page by page from the oldest, or the last few from the newest; without their records."""
    one, other = logs
    names = [f"g{number}" for number in (3, 1, 4, 15, 9)]
    for table, name in enumerate(names):
        await one.append(EMPTY, entry(table, 1), finished(name))
    seen, after = list[str](), 0
    while page := await other.games(after, limit=2):
        assert len(page) <= 2
        for number, game in page:
            assert number > after
            after = number
            seen.append(game.id)
            assert (game.rules, game.at, game.result) == ("quatch", 1_750_000_000.5, '{"won": "Ана"}')
            assert game.record == ""
    assert seen == names
    assert [game.id for game in await other.latest(3)] == names[:1:-1]
    assert {game.record for game in await other.latest(9)} == {""}
    assert await other.latest(0) == []


async def test_standings_are_listed_by_strength_and_found_by_player(logs: Logs) -> None:
    """Under one set of rules or under all; a row without rules is found by its player, and in no list."""
    one, other = logs
    rows = [
        StandingRow("life", "ana", 3.5, "ana at life"),
        StandingRow("life", "bo", 20.25, "bo at life"),
        StandingRow("college", "ana", -1.0, "ana at college"),
        StandingRow("college", "cy", 3.5, "cy at college"),
        StandingRow("", "dee", 99.0, "dee"),
    ]
    assert (await other.best(None, 9), await other.standings_of("ana")) == ([], [])
    await one.put_standings(0, 7, rows)
    assert await other.counted() == 7
    assert await other.best("life", 9) == ["bo at life", "ana at life"]
    assert await other.best(None, 3) == ["bo at life", "cy at college", "ana at life"]
    assert await other.best("quatch", 9) == await other.best(None, 0) == []
    assert await other.standings_of("ana") == ["ana at college", "ana at life"]
    assert await other.standings_of("dee") == ["dee"]
    assert await other.standing("life", "bo") == "bo at life"
    assert await other.standing("college", "bo") is None
    await one.put_standings(7, 8, [StandingRow("life", "ana", 30.0, "ana again")])
    assert await other.best("life", 9) == ["ana again", "bo at life"]


async def test_games_are_counted_once(logs: Logs) -> None:
    """Of two that have counted the same games one wins; what the other counted changes nothing."""
    one, other = logs
    await one.put_standings(0, 3, [StandingRow("life", "ana", 1.0, "first")])
    for before in (0, 2, 4):
        with pytest.raises(Conflict):
            await other.put_standings(before, 5, [StandingRow("life", "ana", 2.0, "second")])
    assert await one.counted() == 3
    assert await one.best("life", 9) == ["first"]


async def test_the_oldest_games_are_deleted_a_few_at_a_time(logs: Logs) -> None:
    """Those that ended long ago and are counted; never the last one, so that numbers go on growing."""
    one, other = logs
    for number, ended in enumerate([10.0, 20.0, 30.0, 40.0, 35.0, 50.0], 1):
        game = FinishedGame(f"g{number}", "life", ended, "{}", "text")
        await one.append(EMPTY, entry(number, 1), game)

    async def left() -> list[str]:
        return [f"{number} {game.id}" for number, game in await one.games()]

    assert await other.delete_games(before=10.0, up_to=9, limit=9) == 0
    assert await other.delete_games(before=36.0, up_to=9, limit=2) == 2
    assert await left() == ["3 g3", "4 g4", "5 g5", "6 g6"]
    assert await other.game("g1") is None
    assert await other.delete_games(before=99.0, up_to=2, limit=9) == 0
    assert await other.delete_games(before=36.0, up_to=9, limit=9) == 1  # the next one is not old enough
    assert await other.delete_games(before=99.0, up_to=4, limit=9) == 1
    assert await other.delete_games(before=99.0, up_to=9, limit=9) == 1
    assert await other.delete_games(before=99.0, up_to=9, limit=9) == 0
    assert await left() == ["6 g6"]
    await one.append(EMPTY, entry(7, 1), finished("g7"))
    assert await left() == ["6 g6", "7 g7"]
    assert [game.id for game in await other.latest(9)] == ["g7", "g6"]


async def test_texts_are_read_in_the_order_of_their_last_write(logs: Logs) -> None:
    """By kind. None deletes a text, and may delete one that does not exist."""
    one, other = logs
    assert await texts_of(other, "name") == {}
    for key in "abcd":
        await one.put_text("name", key, f"{key}1")
    await one.put_text("ban", "a", "why")
    await one.put_text("name", "b", "b2")
    await one.put_text("name", "c", None)
    await one.put_text("name", "never", None)
    assert list((await texts_of(other, "name")).items()) == [("a", "a1"), ("d", "d1"), ("b", "b2")]
    await one.put_text("name", "b", None)
    await one.put_text("name", "e", "\u05d0\U0001f0a1")
    await one.put_text("name", "a", "a1")
    assert list((await texts_of(other, "name")).items()) == [("d", "d1"), ("e", "\u05d0\U0001f0a1"), ("a", "a1")]
    assert await texts_of(other, "ban") == {"a": "why"}


async def test_texts_changed_after_a_number_are_read(logs: Logs) -> None:
    """Each changed or deleted text comes once; a number is never used again."""
    one, other = logs
    read = 0

    async def feed() -> list[tuple[str, str | None]]:
        nonlocal read
        found = await other.read_texts("name", read)
        numbers = [row.number for row in found]
        assert numbers == sorted({*numbers})
        read = max([read, *numbers])
        return [(row.key, row.text) for row in found]

    for key in "abc":
        await one.put_text("name", key, f"{key}1")
    assert await feed() == [("a", "a1"), ("b", "b1"), ("c", "c1")]
    assert await feed() == []
    await one.put_text("name", "c", None)
    await one.put_text("name", "d", "d1")
    await one.put_text("ban", "e", "why")
    assert await feed() == [("c", None), ("d", "d1")]
    for text in ("a2", "a3"):
        await other.put_text("name", "a", text)
    await one.put_text("name", "d", None)
    await one.put_text("name", "d", "d2")
    assert await feed() == [("a", "a3"), ("d", "d2")]
    assert await texts_of(one, "ban") == {"e": "why"}


async def test_the_texts_that_were_saved_longest_ago(logs: Logs) -> None:
    """The oldest first: a text that is saved again is the newest, and a deleted text is not listed."""
    one, other = logs
    for key in "abcd":
        await one.put_text("seen", key, f"{key}1")
    await one.put_text("name", "x", "another kind")
    await one.put_text("seen", "a", "a2")
    await one.put_text("seen", "b", None)
    oldest = [(row.key, row.text) for row in await other.oldest_texts("seen", 2)]
    assert oldest == [("c", "c1"), ("d", "d1")]
    assert [row.key for row in await other.oldest_texts("seen", 9)] == ["c", "d", "a"]


async def test_texts_are_found_and_counted_by_kind(logs: Logs) -> None:
    """One under its key, those of one kind by their number, and the keys that hold one account."""
    one, other = logs
    for key, text in (("a", "x"), ("b", "x"), ("c", "y"), ("a", "y"), ("b", None), ("b", "y")):
        await one.put_text("account", key, text)
    await one.put_text("settings", "a", "y")
    assert [other.text("account", key) for key in "abcd"] == ["y", "y", "y", None]
    assert other.text("settings", "b") is None
    assert [other.count_texts(kind) for kind in ("account", "settings", "ban")] == [3, 1, 0]
    await one.put_text("account", "c", None)
    assert (other.text("account", "c"), other.count_texts("account")) == (None, 2)
    assert (other.linked_keys("y"), other.linked_keys("x")) == (["a", "b"], [])


async def test_a_name_belongs_to_the_first_with_its_look(logs: Logs) -> None:
    """Until its owner has another name or none; then to the next."""
    one, other = logs
    await one.put_name("ana", "Ana", ["ana"])
    await one.put_name("eve", "ANA", ["ana", "ANA"])
    assert (other.text("name", "eve"), other.count_texts("name")) == ("ANA", 2)
    assert other.name_owners(["ana"]) == ["ana"]
    assert other.name_owners(["ANA", "nobody", "ana"]) == ["eve", "ana"]
    await one.put_name("ana", "Bo", ["bo"])
    assert other.name_owners(["ana", "bo"]) == ["eve", "ana"]
    await one.put_text("name", "eve", None)
    assert other.name_owners(["ana", "ANA"]) == []


async def test_names_of_an_earlier_release_are_new_until_they_are_indexed(logs: Logs) -> None:
    """A few at a time, the oldest first. One that is replaced meanwhile does not count."""
    one, other = logs
    for key in "abc":
        await one.put_text("name", key, "ana")
    await one.put_name("d", "ana", ["ana"])
    rows = await other.new_names(2)
    assert [(row.key, row.text) for row in rows] == [("a", "ana"), ("b", "ana")]
    await one.put_name("a", "bo", ["bo"])
    await one.index_names([(rows[0].number, ["ana"]), (rows[1].number, ["ana"])])
    assert other.name_owners(["ana", "bo"]) == ["b", "a"]
    (row,) = await other.new_names(2)
    await one.index_names([(row.number, [])])
    assert await other.new_names(2) == []


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


SEAT = TakenSeat("SHA256:ana", "Ana", ("ana", "Ana"))


async def test_a_table_is_asleep_until_it_is_woken_or_written(logs: Logs) -> None:
    """Each of these is a change with a greater number than any before; a table that is not at its head stays awake."""
    one, other = logs
    head, neighbour = await grow(one, 1, 2), await grow(one, 2, 1)
    assert await other.awake() == [1, 2]
    with pytest.raises(Conflict):
        await one.put_to_sleep(1, neighbour, 50.0, [])
    before = await other.last_change()
    await one.put_to_sleep(1, head, 50.0, [SEAT])
    (change,) = await other.changes(before)
    assert (change.table, change.head, change.due) == (1, head, 50.0)
    assert change.number == await other.last_change()
    assert await other.awake() == [2]
    assert await other.due(49.0, 9) == []
    assert await other.due(50.0, 9) == [1]
    await other.wake(1)
    assert await one.awake() == [1, 2]
    assert [change.due for change in await one.changes(change.number)] == [None]
    await one.put_to_sleep(1, head, 50.0, [])
    await one.append(head, entry(1, 3))
    assert await other.awake() == [1, 2]
    with pytest.raises(Conflict):
        await one.wake(3)


async def test_a_table_is_closed_only_while_it_is_asleep_and_due(logs: Logs) -> None:
    """A game that ends with it is kept; closing is a change, too, and frees the number."""
    one, other = logs
    head = await grow(one, 1, 2)
    await grow(one, 2, 1)
    for due in (None, 50.0):
        if due is not None:
            await one.put_to_sleep(1, head, due, [SEAT])
        with pytest.raises(Conflict):
            await other.delete(1, head, finished("g1"), due_by=49.0)
    assert await other.game("g1") is None
    before = await one.last_change()
    await other.delete(1, head, finished("g1"), due_by=51.0)
    assert await one.game("g1") == finished("g1")
    assert [(change.table, change.head) for change in await one.changes(before)] == [(1, EMPTY)]
    assert one.seats_of(SEAT.player_id) == []
    assert (await one.free_number(0), await one.free_number(1), await one.free_number(7)) == (1, 3, 8)
    with pytest.raises(Conflict):
        await other.wake(1)
    await grow(other, 1, 1)
    assert await one.awake() == [1, 2]


async def test_seats_and_openers_are_found_without_reading_tables(logs: Logs) -> None:
    """They are written with the entry that changes them."""
    one, other = logs
    await one.append(EMPTY, entry(1, 1), openers=["address 192.0.2.1", "player SHA256:ana"])
    await one.append(entry(1, 1).head, entry(1, 2), seats=[SEAT])
    await one.append(entry(1, 2).head, entry(1, 3))
    assert other.seats_of("SHA256:ana") == [(1, "Ana")]
    assert other.is_seat_name(["other", "ana"], "SHA256:bo")
    assert not other.is_seat_name(["other", "ana"], "SHA256:ana")
    assert not other.is_seat_name(["other"], "SHA256:bo")
    await one.put_to_sleep(1, entry(1, 3).head, 70.0, [SEAT])
    assert await other.opened_by("address 192.0.2.1") == await other.opened_by("player SHA256:ana") == [(1, 70.0)]
    await one.append(entry(1, 3).head, entry(1, 4), seats=[])
    assert other.seats_of("SHA256:ana") == []
    assert await other.opened_by("address 192.0.2.1") == [(1, None)]
    await other.delete(1, entry(1, 4).head)
    assert await one.opened_by("address 192.0.2.1") == []
