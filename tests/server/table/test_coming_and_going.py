"""Who has a seat at a table as players come and go, also from two terminals."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec.structs import replace

from engine.moves import READY
from server.people.players import AI_NAMES, STYLE_OF_NAME, Player, style_of
from server.storage.sqlite_database import MemoryDatabase
from server.table.entries import TableSettings
from server.table.seats import rename_ai_player
from server.table.state import Seat, TableState
from server.table.table import Table
from server.table.table_events import LOST, TO_LOBBY
from tests.support.each import for_each
from tests.support.tables import ANA, BO, Watcher, running


@asynccontextmanager
async def left_in_a_game() -> AsyncIterator[tuple[Table, Watcher, Watcher]]:
    """A table of two that ana has left for good during a game, against an AI player; bo watches."""
    ana, bo = Watcher(), Watcher()
    async with running(MemoryDatabase(), 2) as table:
        await table.sit(ana, ANA)
        await table.come(bo, BO)
        await table.start(ana)
        await table.leave(ana, TO_LOBBY)
        yield table, ana, bo


async def test_between_games_a_person_may_take_an_ai_player_s_seat() -> None:
    """So a friend who comes late plays the next game."""
    async with left_in_a_game() as (table, _, bo):
        await bo.until("over")
        assert table.listing().open_seats == 2
        await table.sit(bo, BO)
        await table.start(bo)
        assert bo.seen.seat == 0


async def test_the_seat_of_a_player_who_leaves_for_good_is_not_kept() -> None:
    """An AI player takes it."""
    async with left_in_a_game() as (table, _, __):
        assert ANA.id not in table.names()


async def test_a_second_terminal_keeps_the_seat_when_the_first_goes() -> None:
    """One player is at the table from two terminals."""
    first, second = Watcher(), Watcher()
    async with running(MemoryDatabase(), 2) as table:
        await table.sit(first, ANA)
        await table.start(first)
        await table.come(second, ANA)
        await table.leave(first, LOST)
        assert second.snapshot is not None
        assert second.snapshot.seat == 0
        assert not second.snapshot.sitters[0].away  # type: ignore[union-attr]


async def test_a_player_who_sits_down_after_a_game_sees_no_hand() -> None:
    """The cards that the seat's last player still held stay hidden."""
    async with left_in_a_game() as (table, ana, bo):
        await bo.until("over")
        await table.sit(bo, BO)
        await table.sit(ana, ANA)
        for subscriber in (ana, bo):
            assert not any(subscriber.view.hands)


async def test_an_empty_table_sleeps() -> None:
    """AI players do not move. The return of the player whose seat is kept wakes them."""
    store, ana = MemoryDatabase(), Watcher()
    async with running(store, 2) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        await table.move(ana, 0, READY)
        await table.leave(ana, LOST)
        asleep = len(await store.read(1))
        for _ in range(50):
            await asyncio.sleep(0)
        assert len(await store.read(1)) == asleep
        back = Watcher()
        await table.come(back, ANA)
        assert back.seen.seat == 0


async def test_a_subscriber_that_comes_again_as_another_player_counts_as_that_one() -> None:
    """As after a player has linked a key to another account. What has happened is not recalled a second time."""
    ana, fan = Watcher(), Watcher()
    async with running(MemoryDatabase()) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        await table.come(fan, BO)
        recalled = len(fan.recalled)
        await table.come(fan, Player("guest:cy", "cy"))
        assert table.runtime.here == {ANA.id, "guest:cy"}
        assert len(fan.recalled) == recalled > 0


@for_each("name", AI_NAMES)
def test_an_ai_player_with_another_name_keeps_its_style(name: str) -> None:
    """The host may have chosen that style; with no name left for it, any other will do."""
    state = TableState.of(TableSettings("quatch", {}, 2, "easy"))
    state = replace(state, seats=(Seat(Player(f"ai:{name}", name, "ai", "hard")), None))
    renamed = rename_ai_player(state, lambda wanted: wanted == name)
    assert renamed is not None
    assert renamed.player.name != name
    assert (style_of(renamed.player), renamed.player.level) == (STYLE_OF_NAME[name], "hard")
    alike = {other for other in AI_NAMES if STYLE_OF_NAME[other] == STYLE_OF_NAME[name]}
    renamed = rename_ai_player(state, lambda wanted: wanted in alike)
    assert renamed is not None
    assert renamed.player.name not in alike
