"""What players may ask of a table, what each of them is told, and which player has a seat."""

import asyncio
import time
from pathlib import Path

import pytest

from engine.cards import RANKS
from engine.errors import InputError, Refused
from engine.events import Event
from engine.moves import READY, parse_move
from server.limits import ARRANGING_MOVES
from server.people.players import Player
from server.records.fairness import DealCut
from server.storage.sqlite_database import MemoryDatabase, SqliteDatabase
from server.table.entries import Committed, Cut, Dealt, Sat, read_change
from server.table.inbox import Inbox
from server.table.journal import Journal
from server.table.snapshot import Snapshot
from server.table.table import Table
from server.table.table_events import TO_LOBBY
from tests.support.tables import ANA, BO, NothingAround, Watcher, add, running, table_settings
from tests.support.virtual_time import in_virtual_time


async def test_a_reply_is_given_before_the_next_request_begins(tmp_path: Path) -> None:
    """What a player asks for in the moment of the reply is decided on what the reply tells."""
    ana, bo, plies = Watcher(), Watcher(), list[int]()
    async with SqliteDatabase(tmp_path / "log.db") as log, running(log) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.start(ana)
        for reply in [table.move(ana, 0, READY), table.move(bo, 0, READY)]:
            assert not reply.is_there
            reply.then(lambda: plies.append(table.listing().ply))
        await ana.until("play")
        assert plies == [1, 2]


async def test_only_the_player_who_asked_is_told_of_a_refusal() -> None:
    """The others see and hear nothing."""
    ana, bo = Watcher(), Watcher()
    async with running(MemoryDatabase()) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.start(ana)
        seen = len(bo.events), list(bo.lines)
        with pytest.raises(Refused) as caught:
            await table.move(ana, 0, parse_move("play 7"))
        assert caught.value.code == "wrong_phase"
        assert (len(bo.events), bo.lines) == seen


async def test_subscribers_are_told_only_what_they_may_know() -> None:
    """Drawn cards are shown to their own seat; spectators see none."""
    ana, fan = Watcher(), Watcher()
    async with running(MemoryDatabase(), 3) as table:
        await table.sit(ana, ANA)
        await table.come(fan, BO)
        await table.start(ana)
        await table.move(ana, 0, READY)
        await ana.until("play")
        assert fan.seen.seat is None
        assert not any(fan.view.hands)
        drawn = [event for event in fan.events if event.kind == "drew"]
        assert drawn
        assert not any(event.to_json()["cards"] for event in drawn)


async def test_spectators_cannot_start_or_move() -> None:
    """And a running game is not started again."""
    ana, fan = Watcher(), Watcher()
    async with running(MemoryDatabase()) as table:
        await table.sit(ana, ANA)
        await table.come(fan, BO)
        with pytest.raises(InputError, match="only those who sit"):
            await table.start(fan)
        await table.start(ana)
        with pytest.raises(InputError, match="you are watching"):
            await table.move(fan, 0, READY)
        with pytest.raises(InputError, match="going on already"):
            await table.start(ana)
        with pytest.raises(InputError, match="no free seat"):
            await table.sit(fan, BO)


async def test_all_spectators_get_the_same_snapshot() -> None:
    """There may be hundreds of them; their view is computed once."""
    ana, bo, cy = Watcher(), Watcher(), Watcher()
    async with running(MemoryDatabase(), 2) as table:
        await table.sit(ana, ANA)
        await table.come(bo, BO)
        await table.come(cy, Player("account:cy", "cy"))
        await table.start(ana)
        assert bo.seen.playing
        assert bo.snapshot is cy.snapshot
        assert bo.snapshot is not ana.snapshot


async def test_a_subscriber_that_fails_does_not_disturb_the_others() -> None:
    """Its errors are logged, and the game goes on."""

    class Broken(Watcher):
        def push(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
            raise RuntimeError(snapshot, events)

    ana = Watcher()
    async with running(MemoryDatabase(), 2) as table:
        await table.come(Broken(), BO)
        await table.sit(ana, ANA)
        await table.start(ana)


async def test_the_deal_goes_round() -> None:
    """A second game has another dealer and another deal."""
    store, ana, fan = MemoryDatabase(), Watcher(), Watcher()
    async with running(store, 2) as table:
        await table.sit(ana, ANA)
        await table.come(fan, BO)
        for game in range(2):
            await table.start(ana)
            if game == 0:
                await table.leave(ana, TO_LOBBY)
                await fan.until("over")
                await table.sit(ana, ANA)
        changes = [read_change(entry.data) for entry in await store.read(1)]
        first, second = (change for change in changes if isinstance(change, Dealt))
        assert first.dealer is None
        assert second.dealer in {0, 1}
        assert first.checkpoint
        assert second.checkpoint
        assert first.checkpoint.deal.seed != second.checkpoint.deal.seed
        assert len(second.checkpoint.deal.seed) == 64


@in_virtual_time
async def test_a_busy_table_refuses_requests_but_not_to_leave() -> None:
    """The inbox is bounded."""
    ana = Watcher()
    journal = await Journal.begin(MemoryDatabase(), 1, table_settings(), asyncio.get_running_loop().time)
    table = Table(journal, NothingAround())
    waiting = [asyncio.ensure_future(table.sit(ana, ANA)) for _ in range(64)]
    await asyncio.sleep(0)
    with pytest.raises(InputError, match="busy"):
        await table.start(ana)
    going = asyncio.ensure_future(table.leave(ana, TO_LOBBY))
    await asyncio.sleep(0)
    run = asyncio.create_task(table.run())
    await asyncio.gather(*waiting, return_exceptions=True)
    await going
    await run
    with pytest.raises(InputError, match="has closed"):
        await table.start(ana)


async def test_the_number_of_arranging_moves_is_limited() -> None:
    """Every swap is an entry in the log. After forty a player can only get ready."""
    store, ana = MemoryDatabase(), Watcher()
    async with running(store) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        snapshot = await ana.until("arrange")
        assert snapshot.view is not None
        hand, up = (RANKS[(cards.bit_length() - 1) >> 2] for cards in (snapshot.view.hands[0], snapshot.view.ups[0]))
        for number in range(ARRANGING_MOVES.share):
            there, back = (hand, up) if number % 2 == 0 else (up, hand)
            await table.move(ana, 0, parse_move(f"swap {there} {back}"))
        seq = table.journal.head.seq
        with pytest.raises(InputError, match="40 times: type ready"):
            await table.move(ana, 0, parse_move(f"swap {hand} {up}"))
        assert table.journal.head.seq == seq
        await table.move(ana, 0, READY)


async def test_a_move_for_another_game_is_refused() -> None:
    """Also while arranging, when an older ply is accepted."""
    ana, bo = Watcher(), Watcher()
    async with running(MemoryDatabase()) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        before = ana.seen.game
        await table.start(bo)
        for ply, game in ((0, before), (0, "another"), (57, None)):
            with pytest.raises(InputError) as caught:
                await table.move(ana, ply, READY, game)
            assert caught.value.code == "stale"
        await table.move(bo, 0, READY, ana.seen.game)
        await table.move(ana, 0, READY, ana.seen.game)


async def test_a_player_cannot_cut_twice_under_two_names() -> None:
    """A player who comes back under another name is known by their id."""
    ana, bo = Watcher(), Watcher()
    async with running(MemoryDatabase()) as table:
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await ana.until(lambda snapshot: snapshot.deal is not None)
        await table.cut(bo, "seven")
        await table.leave(bo, TO_LOBBY)
        await table.sit(bo, Player(BO.id, "bob"))
        with pytest.raises(InputError, match="cut these cards already"):
            await table.cut(bo, "eight")
        await table.cut(ana, "nine")
        assert ana.seen.deal is not None
        assert ana.seen.deal.cuts == (DealCut("bo", "seven"), DealCut("ana", "nine"))


async def test_a_deal_that_has_been_cut_is_not_replaced() -> None:
    """By no process."""
    journal = await Journal.begin(MemoryDatabase(), 1, table_settings(), time.time)
    for change in (Sat(0, ANA), Committed("GAME1", "seed"), Committed("GAME2", "seed"), Cut("ana", "x", ANA.id)):
        await add(journal, change)
    with pytest.raises(InputError, match="cut already"):
        await add(journal, Committed("GAME3", "seed"))
    assert journal.state.next_deal is not None
    assert journal.state.next_deal.game == "GAME2"


@in_virtual_time
async def test_a_request_waits_for_one_thing_that_is_due_however_much_is_due() -> None:
    """As while AI players play a game to its end: each of their moves is due as soon as the one before is written."""
    now = asyncio.get_running_loop().time
    done, due_at = list[str](), [now() + 0.01]

    async def do_due() -> None:
        done.append("due")
        await asyncio.sleep(0.02)  # the timer that was set for the first time rings meanwhile

    async def hurry() -> None:
        due_at[0] = now()

    async def request() -> None:
        done.append("request")

    inbox = Inbox("closed", lambda: due_at[0], do_due)
    serving = asyncio.create_task(inbox.serve())
    await asyncio.sleep(0)
    await inbox.ask(hurry)
    await asyncio.sleep(0.05)
    before = len(done)
    async with asyncio.timeout(1):
        await inbox.ask(request)
    inbox.end()
    await serving

    assert done[before] == "request"
