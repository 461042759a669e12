"""The log of a table: its format, sealed cuts in it, and a log that this program cannot go on with."""

import itertools
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import asyncssh
import pytest

from engine.errors import InputError
from server.people.accounts import Accounts
from server.people.players import Player, guest_id
from server.records.fairness import DealCut, no_one_could_choose, seal_of
from server.storage.database import LogEntry
from server.storage.sqlite_database import MemoryDatabase
from server.table.apply_changes import read_log
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
from server.table.journal import Journal
from server.table.state import TableState
from tests.support.each import for_each
from tests.support.emulator import open_lobby
from tests.support.log_entries import finished, heads
from tests.support.people import running_server
from tests.support.resources import settled
from tests.support.tables import ANA, BO, Watcher, add, after, live, read_on, table_settings

FOX: Final = Player("ai:Fox", "Fox", "ai", "hard")
CHANGES = [
    TableSettings("life", {"four.scope": "in-a-row"}, 3, "easy", "Life", 30.0, 1.5, "word", "secret", "0.1.0"),
    Sat(1, ANA),
    Sat(0, FOX, level_named=True),
    Left(1),
    Away(1, "clock"),
    Returned(1),
    Barred("guest:x"),
    Committed("8F3K2Q7A", "00ff"),
    Cut("ana", "\u00e9 \u6f22", "account:ana"),
    CutSealed(1, seal_of("b")),
    CutsClosed(),
    CutOpened(1, "b"),
    Dealt(None),
    Dealt(
        1,
        Checkpoint(
            table_settings(word="apple"),
            (SavedSeat(ANA, "gone"), SavedSeat(FOX, level_named=True)),
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


@for_each("change", CHANGES)
def test_changes_are_read_as_they_were_written(change: Change) -> None:
    """The log's format loses nothing, and no two entries are the same bytes."""
    assert read_change(write_change(change)) == change
    assert write_change(change) != write_change(change)


@for_each(
    ("data", "told"),
    [
        (b'{"v": 2, "id": "", "kind": "abandoned"}', "written by a newer version of this program"),
        (b'{"v": 2, "id": [], "kind": "swapped"}', "written by a newer version of this program"),
        (b'{"v": 0, "id": "", "kind": "abandoned"}', "v: cannot be 0"),
        (b"{}", "v: is missing"),
        (b'{"v": 1, "id": 1}', "kind: is missing"),
        (b'{"v": 1, "id": "", "kind": "swapped"}', "kind: cannot be 'swapped'"),
        (b'{"v": 1, "id": "", "kind": "left"}', "seat: is missing"),
        (b'{"v": 1, "id": "", "kind": "left", "seat": "1"}', "seat: expected a whole number"),
        (b'{"v": 1, "id": "", "kind": "away", "seat": 1, "reason": "bored"}', "reason: cannot be 'bored'"),
        (b'{"v": 1, "kind": "sat", "seat": 1, "player": {"id": "x"}}', "player.name: is missing"),
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


ANAS, BOS = "ana's text", "bo's text"
NO_ONE, PLAYERS = "no one could choose the cards", "the players could not choose the cards"


def seated() -> TableState:
    """Three seats taken, a deal committed to."""
    state = TableState.of(table_settings(3))
    return after(state, Sat(0, ANA), Sat(1, BO), Sat(2, FOX), Committed("G1", "00ff"))


def test_the_digest_tells_what_became_of_a_seal() -> None:
    """A seal that goes with its player leaves no trace; the bytes never change, or no log could be read."""
    state = after(seated(), Cut("ana", "\u00e9", ANA.id))
    assert seated().digest().hex() == "24db1b50c0494d84"
    assert state.digest().hex() == "ffcfc5b8dc4d3ed1"
    sealed = after(state, CutSealed(1, seal_of(BOS)))
    closed = after(sealed, CutsClosed())
    opened = after(closed, CutOpened(1, BOS))
    assert len({each.digest() for each in (state, sealed, closed, opened)}) == 4
    assert after(sealed, Left(1), Sat(1, BO)).digest() == after(state, Left(1), Sat(1, BO)).digest()


async def test_a_log_that_is_cut_at_the_deal_holds_the_seals() -> None:
    """The table read from the deal on is the table read from the opening on, in every field."""
    store = MemoryDatabase()
    journal = await Journal.begin(store, 1, table_settings(3), time.time)
    for change in (
        Sat(0, ANA),
        Sat(1, BO),
        Sat(2, FOX),
        Committed("G1", "00ff"),
        CutSealed(1, seal_of(BOS)),
        Cut("cy", "gone", "guest:cy"),
        CutSealed(0, seal_of(ANAS)),
        CutsClosed(),
        CutOpened(1, BOS),
        Dealt(None),
    ):
        await add(journal, change)
    log = await store.read(1)
    assert read_log(log)[0] == read_log(log[-1:])[0] == journal.state
    assert journal.state.deal
    assert [cut.text for cut in journal.state.deal.cuts] == [BOS, "gone", None]
    await add(journal, Abandoned())
    assert ", sealed " in (await store.game("G1") or finished("")).record


def test_every_order_of_opening_gives_the_same_cards() -> None:
    """Only the order of sealing counts."""
    texts = {0: ANAS, 1: BOS}
    sealed = after(seated(), CutSealed(1, seal_of(BOS)), CutSealed(0, seal_of(ANAS)), CutsClosed())
    games = {
        after(sealed, *(CutOpened(seat, texts[seat]) for seat in order), Dealt(None)).digest()
        for order in itertools.permutations(texts)
    }
    assert len(games) == 1


PERSON, BOT = Player("", "ana"), Player("", "hal", "bot")
A, B = DealCut("ana", "a", seal_of("a"), 0), DealCut("hal", "b", seal_of("b"), 1)


@for_each(
    ("players", "cuts", "no_one"),
    [
        ((PERSON, BOT, FOX), (A, B), True),
        ((PERSON, BOT, FOX), (A, B, DealCut("cy", "plain")), True),
        ((PERSON, FOX), (A,), True),
        ((PERSON, FOX), (), False),
        ((PERSON, FOX), (DealCut("ana", "a"),), False),
        ((PERSON, BOT), (A,), False),
        ((PERSON, BOT), (A, DealCut("hal", "b")), False),
        ((PERSON, BOT), (A, B._replace(text=None)), False),
        ((PERSON, FOX), (A, B._replace(text=None)), False),
        ((BOT, PERSON, FOX), (A, B._replace(seat=2)), False),
        ((FOX, FOX), (A,), False),
        ((), (), False),
    ],
)
def test_the_mark_needs_every_person_and_every_bot(
    players: tuple[Player, ...], cuts: Iterable[DealCut], *, no_one: bool
) -> None:
    """Who was dealt in without a seal that was opened could be the host of the server; so could who kept one closed."""
    assert no_one_could_choose(players, tuple(cuts)) == no_one


NEWER = b'{"v": 9, "id": "x", "kind": "swapped", "seat": [1, 2]}'
TOLD = "Table 1 cannot go on here: written by a newer version of this program. Its cards and seats are kept in the log."


async def written_by_a_newer_release(store: MemoryDatabase, *players: Player, number: int = 1) -> None:
    """A table at which these players sat when a newer program went on with it."""
    journal = await Journal.begin(store, number, table_settings(), lambda: 1000.0)
    for seat, player in enumerate(players):
        await add(journal, Sat(seat, player))
    await store.append(journal.head, LogEntry(number, journal.head.seq + 1, b"12345678", 1000.0, NEWER))


async def test_its_players_are_told_when_they_come_back_and_when_they_join(tmp_path: Path) -> None:
    """In one line with the reason; other tables are as ever, and the log is as it was, whatever is opened."""
    store, key = MemoryDatabase(), asyncssh.generate_private_key("ssh-ed25519")
    await Accounts(store).add_account(ANA.id, key.get_fingerprint(), 0)
    await written_by_a_newer_release(store, ANA, Player(guest_id("abcd-efgh"), "bo"))
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
    store, ana = MemoryDatabase(), Watcher()
    journal = await Journal.begin(store, 1, table_settings(), lambda: 1000.0)
    async with live(journal) as table:
        await table.sit(ana, ANA)
        await store.append(journal.head, LogEntry(1, journal.head.seq + 1, b"12345678", 1000.0, NEWER))
        with pytest.raises(InputError, match="newer version"):
            await read_on(table)
        await settled(lambda: "closed" in ana.lines)
    assert ana.lines[-2:] == [f"server: {TOLD}", "closed"]


async def test_a_table_that_has_gone_is_no_longer_told_of() -> None:
    """Or that another program has brought into a form that can be read."""
    store = MemoryDatabase()
    await written_by_a_newer_release(store, ANA)
    async with open_lobby(store) as lobby:
        with pytest.raises(InputError, match="newer version"):
            await lobby.tables.bring_up("1")
        await store.delete(1, (await heads(store))[1])
        await lobby.log_follower.read()
        with pytest.raises(InputError, match="no table '1'"):
            await lobby.tables.bring_up("1")
