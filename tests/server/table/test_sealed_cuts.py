"""Sealed cuts at a table: what can be done when, who is waited for and for how long, and what a deal is then marked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from engine.errors import InputError
from server.config import Config
from server.limits import OPENING_SECONDS
from server.people.players import Player
from server.records.fairness import DealCut, deal_seed, seal_of
from server.storage.sqlite_database import MemoryDatabase
from server.table.apply_changes import read_log
from server.table.journal import Journal
from server.table.table import Table
from server.table.table_events import LOST, TO_LOBBY, CutDropped, GameBegan, Leaving
from tests.support.tables import ANA, BO, Watcher, live, table_settings
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time
ANAS, BOS = "ana's text", "bo's text"
NO_ONE, PLAYERS = "no one could choose the cards", "the players could not choose the cards"
GRACE = 60.0


@asynccontextmanager
async def table_of(
    *players: Player, store: MemoryDatabase | None = None
) -> AsyncIterator[tuple[Table, Watcher, Watcher]]:
    """A table for three with these players, at which nothing has been dealt, and two watchers, theirs first."""
    watchers = Watcher(), Watcher()
    journal = await Journal.begin(store or MemoryDatabase(), 1, table_settings(3), now)
    async with live(journal, Config(pace=1.0, grace=GRACE)) as table:
        for watcher, player in zip(watchers, players, strict=False):
            await table.sit(watcher, player)
        yield table, *watchers


async def refused(request: object, code: str) -> str:
    """The message with which a request is refused."""
    with pytest.raises(InputError) as caught:
        await request  # type: ignore[misc]
    assert caught.value.code == code
    assert "\n" not in caught.value.message
    return caught.value.message


def began(watcher: Watcher) -> list[str]:
    """The marks of the deals that this player was told of."""
    return [event.promise for event in watcher.events if isinstance(event, GameBegan)]


async def test_a_deal_that_all_people_sealed_and_opened_is_marked() -> None:
    """The cuts count in the order of sealing, not of opening; AI players need no cut."""
    async with table_of(ANA, BO) as (table, ana, bo):
        await table.seal_cut(bo, seal_of(BOS))
        await table.seal_cut(ana, seal_of(ANAS))
        await table.start(ana)
        opening = await ana.until(lambda snapshot: snapshot.opening)
        assert opening.must_open
        assert opening.deadline == now() + OPENING_SECONDS
        assert opening.deal
        assert opening.deal.cuts == (DealCut("bo", None, seal_of(BOS), 1), DealCut("ana", None, seal_of(ANAS), 0))
        await table.open_cut(ana, ANAS)
        assert ana.snapshot
        assert (ana.snapshot.must_open, ana.snapshot.playing) == (False, False)
        await table.open_cut(bo, BOS)
        dealt = await ana.until(lambda snapshot: snapshot.playing)
        assert now() == 0  # everything is open, so nobody waits
        assert began(ana) == began(bo) == [NO_ONE]
        assert dealt.deal
        assert dealt.deal.no_one_could_choose
        assert [cut.text for cut in dealt.deal.cuts] == [BOS, ANAS]


async def test_a_seal_that_is_not_opened_in_time_is_dropped() -> None:
    """The deal goes on without it after ten seconds, and is not marked. Nobody can stall a table."""
    store = MemoryDatabase()
    async with table_of(ANA, BO, store=store) as (table, ana, bo):
        await table.seal_cut(bo, seal_of(BOS))
        await table.seal_cut(ana, seal_of(ANAS))
        await table.start(bo)
        await table.open_cut(ana, ANAS)
        await asyncio.sleep(OPENING_SECONDS - 0.1)
        assert not table.listing().playing
        await asyncio.sleep(0.2)
        assert table.listing().playing
        assert began(bo) == [PLAYERS]
        assert CutDropped("bo") in ana.events
        assert "cards are cut before" in await refused(table.cut(bo, "late"), "wrong_phase")
        state, _ = read_log(await store.read(1))
        assert state.deal
        assert deal_seed(state.deal.seed, state.deal.cuts) == f"{state.deal.seed}\n{len(ANAS)}:{ANAS}"


@pytest.mark.parametrize("why", [TO_LOBBY, LOST])
async def test_a_player_who_has_gone_is_not_waited_for(why: Leaving) -> None:
    """Whether they left or were disconnected: their seal is dropped at once."""
    async with table_of(ANA, BO) as (table, ana, bo):
        await table.seal_cut(bo, seal_of(BOS))
        await table.seal_cut(ana, seal_of(ANAS))
        await table.start(ana)
        await table.leave(bo, why)
        await table.open_cut(ana, ANAS)
        await ana.until(lambda snapshot: snapshot.playing)
        assert now() == 0
        assert began(ana) == [PLAYERS]
        assert CutDropped("bo") in ana.events


async def test_a_seal_goes_with_its_player_before_the_cuts_are_closed() -> None:
    """No text is known yet, so nothing is lost; the next player of the seat may seal."""
    cy = Watcher()
    async with table_of(ANA, BO) as (table, ana, bo):
        await table.seal_cut(ana, seal_of(ANAS))
        await table.seal_cut(bo, seal_of(BOS))
        await table.leave(bo, TO_LOBBY)
        await table.sit(cy, Player("guest:cy", "cy"))
        await table.seal_cut(cy, seal_of("cy's text"))
        await table.start(ana)
        await table.open_cut(ana, ANAS)
        await table.open_cut(cy, "cy's text")
        await ana.until(lambda snapshot: snapshot.playing)
        assert began(ana) == [NO_ONE]


async def test_nothing_changes_while_the_seals_are_opened() -> None:
    """No cut, no seal, no other player, no second start; looking on is allowed."""
    cy = Watcher()
    async with table_of(ANA, BO) as (table, ana, bo):
        await table.seal_cut(ana, seal_of(ANAS))
        await table.start(bo)
        assert "closed" in await refused(table.cut(bo, "x"), "wrong_phase")
        assert "closed" in await refused(table.seal_cut(bo, seal_of(BOS)), "wrong_phase")
        assert "closed" in await refused(table.seal_cut(ana, seal_of(BOS)), "wrong_phase")
        assert "about to begin" in await refused(table.sit(cy, Player("guest:cy", "cy")), "wrong_phase")
        assert "being opened" in await refused(table.start(bo), "wrong_phase")
        assert "sealed no cut" in await refused(table.open_cut(bo, BOS), "bad_request")
        assert "not the text" in await refused(table.open_cut(ana, BOS), "bad_request")
        await table.come(cy, Player("guest:cy", "cy"))
        await table.open_cut(ana, ANAS)
        await cy.until(lambda snapshot: snapshot.playing)
        assert began(cy) == [PLAYERS]
        assert "before they are dealt" in await refused(table.open_cut(ana, ANAS), "wrong_phase")


async def test_a_text_is_opened_once() -> None:
    """While another player is waited for."""
    async with table_of(ANA, BO) as (table, ana, bo):
        await table.seal_cut(ana, seal_of(ANAS))
        await table.seal_cut(bo, seal_of(BOS))
        assert "keep its text" in await refused(table.open_cut(ana, ANAS), "wrong_phase")
        await table.start(bo)
        await table.open_cut(ana, ANAS)
        assert "open already" in await refused(table.open_cut(ana, ANAS), "bad_request")


BAD_SEALS = ["", "x", "0" * 63, "0" * 65, "g" * 64, "0" * 64 + " 0", "\u0660" * 64, "seal " + "0" * 64, "0" * 10_000]
BAD_TEXTS = ["", "x" * 33, "two  spaces", " edge", "\x1b[2J", "line\nline", "hidden\u200btext", "漢" * 17]


async def test_what_is_no_seal_and_no_text_is_refused_in_a_line() -> None:
    """Only 64 digits are a seal, with what `sha256sum` prints behind them; only text that can be shown is opened."""
    async with table_of(ANA, BO) as (table, ana, bo):
        for seal in BAD_SEALS:
            assert "64 hexadecimal digits" in await refused(table.seal_cut(ana, seal), "bad_request")
        await table.seal_cut(ana, f"{seal_of(ANAS).upper()}  -")
        for _ in range(100):
            assert "cut these cards already" in await refused(table.seal_cut(ana, seal_of(BOS)), "bad_request")
        assert "sealed a cut already" in await refused(table.cut(ana, "plain"), "bad_request")
        await table.cut(bo, "plain")
        assert "cut these cards already" in await refused(table.seal_cut(bo, seal_of(BOS)), "bad_request")
        await table.start(bo)
        for text in BAD_TEXTS:
            assert "32 characters" in await refused(table.open_cut(ana, text), "bad_request")
        await table.open_cut(ana, ANAS)
        await bo.until(lambda snapshot: snapshot.playing)
        assert began(bo) == [PLAYERS]  # bo did not seal


async def test_sealing_again_and_again_leaves_one_seal() -> None:
    """A player who sits down, seals and leaves a hundred times."""
    async with table_of(ANA) as (table, ana, bo):
        for _ in range(100):
            await table.sit(bo, BO)
            await table.seal_cut(bo, seal_of(BOS))
            await table.leave(bo, TO_LOBBY)
        await table.seal_cut(ana, seal_of(ANAS))
        assert ana.snapshot
        assert ana.snapshot.deal
        assert ana.snapshot.deal.cuts == (DealCut("ana", None, seal_of(ANAS), 0),)


async def test_a_seal_needs_no_wait_for_the_commitment() -> None:
    """A bot may seal as soon as a game is over: the table then commits to the next deal first."""
    store = MemoryDatabase()
    async with table_of(ANA, store=store) as (table, ana, _):
        await table.seal_cut(ana, seal_of(ANAS))
        state, _ = read_log(await store.read(1))
        assert state.next_deal
        assert len(state.next_deal.cuts) == 1


async def test_a_table_that_is_loaded_goes_on_with_the_opening() -> None:
    """After a restart the players have their ten seconds again, and then the cards are dealt."""
    store = MemoryDatabase()
    async with table_of(ANA, BO, store=store) as (table, ana, bo):
        await table.seal_cut(ana, seal_of(ANAS))
        await table.seal_cut(bo, seal_of(BOS))
        await table.start(bo)
        await table.open_cut(bo, BOS)
    await asyncio.sleep(3600)
    ana, bo = Watcher(), Watcher()
    async with live(await Journal.load(store, 1, now), Config(pace=1.0)) as table:
        await table.come(ana, ANA)
        await table.come(bo, BO)
        await asyncio.sleep(OPENING_SECONDS - 1)
        await table.open_cut(ana, ANAS)
        await bo.until(lambda snapshot: snapshot.playing)
        assert began(bo) == [NO_ONE]
