"""A table that this program cannot go on with is kept in the log, and its players are told why."""

import asyncio
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest
from msgspec import json

from engine.errors import InputError
from server.config import Config
from server.lobby.lobby import Lobby
from server.people.players import Player, guest_id
from server.storage.memory_log import MemoryLog
from server.storage.table_log import LogEntry
from server.table import entries as changes
from server.table.entries import Dealt, Sat, write_change
from server.table.journal import Journal
from server.table.unreadable import UnreadableTable
from tests.support.log_entries import heads
from tests.support.people import running_server
from tests.support.tables import ANA, BO, Watcher, add, live, read_on, table_settings

FOX = Player("ai:Fox", "Fox", "ai", "easy")
NEWER = b'{"v": 9, "id": "x", "kind": "swapped", "seat": [1, 2]}'
TOLD = "Table 1 cannot go on here: written by a newer version of this program. Its cards and seats are kept in the log."


async def written_by_a_newer_release(store: MemoryLog, *players: Player, number: int = 1) -> None:
    """A table at which these players sat when a newer program went on with it."""
    journal = await Journal.begin(store, number, table_settings(), lambda: 1000.0)
    for seat, player in enumerate(players):
        await add(journal, Sat(seat, player))
    await store.append(journal.head, LogEntry(number, journal.head.seq + 1, b"12345678", 1000.0, NEWER))


async def test_its_players_are_told_when_they_come_back_and_when_they_join(tmp_path: Path) -> None:
    """In one line with the reason; other tables are as ever, and the log is as it was, whatever is opened."""
    store, key = MemoryLog(), asyncssh.generate_private_key("ssh-ed25519")
    await written_by_a_newer_release(store, Player(key.get_fingerprint(), "ana"), Player(guest_id("abcd-efgh"), "bo"))
    before = await store.read(1)
    async with (
        running_server(tmp_path, store) as server,
        server.person("ana", key=key, term=None) as ana,
        server.person("bo", term=None) as bo,
    ):
        await ana.until(TOLD)
        await ana.enter("play", "Arrange your cards")
        await bo.enter("sit 1", TOLD)
        await bo.enter("resume abcd-efgh", TOLD)
        await bo.enter("watch 3", "the only one is table 2")
    assert await store.read(1) == before


async def test_players_of_a_running_table_are_told_when_another_release_goes_on_with_it() -> None:
    """As during a deploy of a newer release on the same database."""
    store, ana = MemoryLog(), Watcher()
    journal = await Journal.begin(store, 1, table_settings(), lambda: 1000.0)
    async with live(journal) as table:
        await table.sit(ana, ANA)
        await store.append(journal.head, LogEntry(1, journal.head.seq + 1, b"12345678", 1000.0, NEWER))
        with pytest.raises(InputError, match="newer version"):
            await read_on(table)
        async with asyncio.timeout(5):
            while "closed" not in ana.lines:
                await asyncio.sleep(0)
    assert ana.lines[-2:] == [f"server: {TOLD}", "closed"]


async def test_a_table_that_has_gone_is_no_longer_told_of() -> None:
    """Or that another program has brought into a form that can be read."""
    store = MemoryLog()
    await written_by_a_newer_release(store, ANA)
    lobby = Lobby(Config(), store)
    await lobby.open()
    with pytest.raises(InputError, match="newer version"):
        await lobby.tables.find_table("1")
    await store.delete(1, (await heads(store))[1])
    await lobby.log_follower.read()
    with pytest.raises(InputError, match="no table '1'"):
        await lobby.tables.find_table("1")
    lobby.tables.refuse_if_unreadable(ANA.id)
    await lobby.close()


async def test_players_are_found_as_far_as_the_entries_can_be_read() -> None:
    """Who sat down and did not leave, also by a checkpoint; keys and bytes that nobody knows are passed over."""
    store = MemoryLog()
    journal = await Journal.begin(store, 1, table_settings(), lambda: 1000.0)
    for change in (Sat(0, ANA), Sat(1, BO), changes.Committed("G", "seed"), Dealt(None), changes.Abandoned()):
        await add(journal, change)
    log = await store.read(1)

    def players(*data: bytes) -> frozenset[str]:
        return UnreadableTable.of([*log[-2:], *(replace(log[-1], data=each) for each in data)], "why").player_ids

    assert players() == {ANA.id, BO.id}
    assert players(write_change(changes.Left(0)), b"\xff{", b"[]", b'{"kind": 7}') == {BO.id}
    strange = {"v": 9, "kind": "sat", "seat": 1, "player": {"id": "x", "shoe": 43}, "mood": "good"}
    assert players(json.encode(strange)) == {ANA.id, "x"}
