"""At each deal the log of a table is cut: it begins with a checkpoint, and gives the same table as before."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from msgspec import structs

from engine.ai import LEVELS
from engine.errors import InputError
from server.people.players import Player
from server.storage.database import LogEntry, OutcomeUnknown
from server.storage.sqlite_database import MemoryDatabase
from server.table import entries as changes
from server.table.apply_changes import last_beginning, read_log
from server.table.broadcaster import EVENTS_RECALLED
from server.table.entries import Dealt, Moved, Sat, TableSettings, read_change, write_change
from server.table.journal import Journal
from server.table.table_events import GameBegan
from tests.support.faulty_log import FaultyLog
from tests.support.tables import ANA, BO, FOX, add, table_settings

CHANCE = Random("checkpoints")


async def seated(store: MemoryDatabase, settings: TableSettings | None = None) -> Journal:
    """A table at which ana and Fox sit."""
    journal = await Journal.begin(store, 1, settings or table_settings(), lambda: 1000.0)
    for change in (Sat(0, ANA), Sat(1, FOX)):
        await add(journal, change)
    return journal


async def begin_game(journal: Journal, name: str) -> None:
    """Commit to a deal and deal."""
    await add(journal, changes.Committed(name, f"seed of {name}"))
    await add(journal, Dealt(journal.state.next_dealer))


async def play_to_the_end(journal: Journal) -> None:
    """Let all seats play like easy AI players."""
    while journal.state.deciding:
        seat = journal.state.deciding[0]
        view = journal.state.view(seat)
        assert view
        await add(journal, Moved(seat, str(LEVELS["easy"](view, CHANCE))))


async def play(journal: Journal, games: int) -> None:
    """Play so many games to the end."""
    for number in range(games):
        await begin_game(journal, f"GAME{number}")
        await play_to_the_end(journal)


def deals(log: Sequence[LogEntry]) -> list[int]:
    """The numbers of the entries that are deals."""
    return [entry.seq for entry in log if isinstance(read_change(entry.data), Dealt)]


async def test_a_log_holds_two_games_at_most_however_many_are_played() -> None:
    """It begins with the deal of the game before this one, and all games are kept."""
    store = MemoryDatabase()
    journal, longest = await seated(store), 0
    for number in range(50):
        before = journal.head.seq
        await begin_game(journal, f"GAME{number}")
        if number % 10 == 0:
            await play_to_the_end(journal)
        else:
            for seat in (0, 1):
                await add(journal, Moved(seat, "ready"))
            await add(journal, changes.Abandoned())
        longest = max(longest, journal.head.seq - before)
        log = await store.read(1)
        assert len(log) <= 2 * longest + 3  # the opening and two players who sat down
        assert log[0].seq == (deals(log)[-2] if number else 1)
    assert len(await store.games()) == 50


async def test_any_number_of_games_later_only_the_last_one_is_read() -> None:
    """So a start takes as long after a year as after a day."""
    store = MemoryDatabase()
    journal = await seated(store)
    await play(journal, 5)
    await begin_game(journal, "LAST")
    await add(journal, Moved(journal.state.deciding[0], "ready"))
    *earlier, dealt, moved = await store.read(1)
    assert isinstance(read_change(dealt.data), Dealt)
    unreadable = [replace(entry, data=b"?") for entry in earlier]
    again = Journal(store, [*unreadable, dealt, moved], lambda: 1000.0)
    assert again.state == journal.state
    assert again.events == journal.events


async def test_a_log_may_begin_with_any_deal() -> None:
    """Players who are away or barred, cuts, the host, linked settings: the table is the same in every field."""
    store = MemoryDatabase()
    settings = TableSettings(
        "life", {"four.scope": "in-a-row"}, 3, "easy", "Ours", 30.0, 1.5, "apple", "s", hints=False
    )
    journal = await seated(store, settings)
    for change in (
        changes.Barred("guest:x"),
        Sat(1, FOX, level_named=True),
        Sat(2, BO),
        changes.Left(0),
        Sat(0, Player("account:cy", "cy", "bot")),
        changes.Away(2, "gone"),
        changes.Committed("G1", "seed"),
        changes.Cut("bo", "\u00e9", BO.id),
        changes.Cut("cy", "", "account:cy"),
        Dealt(None),
    ):
        await add(journal, change)
    await play_to_the_end(journal)
    await add(journal, changes.Away(0, "clock"))
    await begin_game(journal, "G2")
    for _ in range(5):
        await add(journal, changes.Returned(2) if journal.state.sitting(2).away else changes.Away(2, "gone"))
        view = journal.state.view(seat := journal.state.deciding[0])
        assert view
        await add(journal, Moved(seat, str(LEVELS["easy"](view, CHANCE))))
    log = await store.read(1)
    whole = read_log(log)
    assert whole[0] == journal.state
    for seq in deals(log):
        rest = [entry for entry in log if entry.seq >= seq]
        assert read_log(rest) == whole
        assert read_log(rest[:1])[0].digest() == rest[0].hash
    assert last_beginning(log) == [entry.seq for entry in log].index(deals(log)[-1])


async def test_a_checkpoint_of_another_table_is_refused() -> None:
    """Whatever differs, also what no digest holds: the deal is no entry of this table."""
    store = MemoryDatabase()
    journal = await seated(store)
    await begin_game(journal, "G1")
    *before, last = await store.read(1)
    dealt = read_change(last.data)
    assert isinstance(dealt, Dealt)
    assert dealt.checkpoint
    for checkpoint in (
        structs.replace(dealt.checkpoint, host="guest:x"),
        structs.replace(dealt.checkpoint, barred=frozenset({"guest:x"})),
        structs.replace(dealt.checkpoint, settings=structs.replace(dealt.checkpoint.settings, clock=1.0)),
        structs.replace(dealt.checkpoint, deal=structs.replace(dealt.checkpoint.deal, seed="another")),
    ):
        changed = LogEntry(1, last.seq, last.hash, last.at, write_change(Dealt(dealt.dealer, checkpoint)))
        with pytest.raises(ValueError, match="another table"):
            read_log([*before, changed])
    with pytest.raises(ValueError, match="other rules"):  # what the digest holds is seen without what was before
        read_log([LogEntry(1, last.seq, b"12345678", last.at, last.data)])
    with pytest.raises(ValueError, match="begins with its opening or with a deal"):
        read_log(before[1:])
    with pytest.raises(ValueError, match="begins with its opening or with a deal"):
        last_beginning(before[1:])


async def test_a_reader_who_is_a_game_behind_misses_no_event() -> None:
    """As on another server that stood still meanwhile: the end of that game, and all of the next one."""
    store = MemoryDatabase()
    journal = await seated(store)
    await play(journal, 2)
    await begin_game(journal, "HERE")
    elsewhere = await Journal.load(store, 1, lambda: 1000.0)
    journal.take_news()
    await play_to_the_end(journal)
    await play(journal, 1)
    await elsewhere.catch_up()
    assert elsewhere.take_news() == journal.take_news()
    assert elsewhere.state == journal.state


async def test_a_reader_who_is_further_behind_sees_the_game_that_is_on() -> None:
    """Its entries are gone. The table is the same, and what is told begins with the deal."""
    store = MemoryDatabase()
    journal = await seated(store)
    await play(journal, 1)
    elsewhere = await Journal.load(store, 1, lambda: 1000.0)
    await play(journal, 3)
    journal.take_news()
    await begin_game(journal, "NOW")
    await play_to_the_end(journal)
    await elsewhere.catch_up()
    news = elsewhere.take_news()
    assert news == journal.take_news()
    assert isinstance(news[0], GameBegan)
    assert len(news) > EVENTS_RECALLED
    assert elsewhere.state == journal.state
    await add(elsewhere, changes.Barred("guest:x"))
    await journal.catch_up()
    assert journal.state == elsewhere.state
    assert len(deals(await store.read(1))) == 2


async def test_a_move_whose_entry_is_deleted_meanwhile_is_not_said_to_be_refused() -> None:
    """It was made, but that cannot be seen any more."""
    store = FaultyLog()
    journal = await seated(store)
    await begin_game(journal, "G")
    others = await Journal.load(store, 1, lambda: 1000.0)

    async def others_play_on() -> None:
        await others.catch_up()
        await play_to_the_end(others)
        await play(others, 2)
        raise OutcomeUnknown("the answer got lost")

    store.meanwhile = others_play_on
    with pytest.raises(InputError) as caught:
        await add(journal, Moved(journal.state.deciding[0], "ready"))
    assert caught.value.code == "unknown"
    assert journal.state == (await Journal.load(store, 1, lambda: 1000.0)).state
