"""What a table promises on an occasion: it keeps it alone, on a server without the feature that has opened it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from engine.errors import InputError
from engine.moves import READY
from server.history.archive import secret_from
from server.records.results import read_result, result_text
from server.storage.sqlite_database import MemoryDatabase
from server.table.apply_changes import apply, read_log
from server.table.entries import Away, Moved, Sat, TableSettings, TimeUp, read_change, write_change
from server.table.finished_game import rating_status
from server.table.journal import Journal
from server.table.state import TableState
from server.table.table import Table
from server.table.table_events import TO_LOBBY
from tests.support.occasions import GRADES, KIND, SECRET, exam_settings
from tests.support.tables import ANA, BO, add, changes, live, table_settings
from tests.support.tables_in_time import CONFIG, CY, Patient, move_somehow
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time
END = 5000.0


@asynccontextmanager
async def exam(store: MemoryDatabase, *seats: Any, **values: Any) -> AsyncIterator[Table]:  # noqa: ANN401 - those of an exam
    """A table at which an exam is sat."""
    journal = await Journal.begin(store, 1, exam_settings(*seats, **values), now)
    async with live(journal, CONFIG) as table:
        yield table


def alone(**values: Any) -> dict[str, Any]:  # noqa: ANN401 - those of an occasion
    """What is said of an exam that one player sits alone."""
    return {"alone": True, "same_for_all": True, "ends": END, "over": "time is up", **values}


def test_an_occasion_is_read_back_as_it_was_written() -> None:
    """Only what differs is written, and a table without one has none."""
    settings = exam_settings(ANA, "miser", "", **alone(secret=SECRET, rated_as="exam/all"))
    assert read_change(write_change(settings)) == settings
    assert b"people_only" not in write_change(settings)
    assert TableState.of(settings).rated_as == "exam/all"


async def test_who_plays_alone_is_dealt_to_when_they_come_and_nobody_else_comes() -> None:
    """AI players of the styles that were named have arranged by then; the seat is kept, and it follows from the log."""
    store, ana, bo = MemoryDatabase(), Patient(), Patient()
    async with exam(store, ANA, "miser", "plain", **alone()) as table:
        for way in (table.sit, table.come, table.play):
            with pytest.raises(InputError, match=r"^table 1 has an exam, which others sit$"):
                await way(bo, BO)
        assert table.journal.state.deal is None
        await table.play(ana, ANA)
        await table.play(ana, ANA)
        state = table.journal.state
        assert (state.arranging, state.deciding, state.game_id, state.is_alone) == (True, [0], "EXAMGAME", True)
        assert {moved.seat for moved in await changes(store, Moved)} == {1, 2}
        assert len(await changes(store, Sat)) == len(state.seats)
        with pytest.raises(InputError, match="has an exam"):
            await table.sit(bo, BO)
        await table.move(ana, state.ply, READY)
        await table.leave(ana, TO_LOBBY)
        await asyncio.sleep(CONFIG.keep_table)
        assert table.journal.state.seat_of(ANA.id) == 0
        assert read_log(await store.read(1))[0].digest() == table.journal.state.digest()


async def test_equal_moves_get_equal_answers() -> None:
    """Whatever else the log has; at other tables it makes a difference."""
    played = []
    for stays in (True, False):
        store, ana = MemoryDatabase(), Patient()
        async with exam(store, ANA, "miser", **alone(ends=None)) as table:
            await table.play(ana, ANA)
            await table.move(ana, table.journal.state.ply, READY)
            for _ in range(6):
                await ana.until(lambda snapshot: snapshot.my_turn or not snapshot.playing)
                if not stays:
                    await add(table.journal, Away(0, "gone"))
                    await table.back(ana)
                if table.journal.state.playing:
                    await move_somehow(table, ana)
            played.append([(moved.seat, moved.move) for moved in await changes(store, Moved)])
    assert played[0] == played[1]


async def test_it_ends_in_time_and_what_came_of_it_is_secret() -> None:
    """The player is told why; the result has the data of the feature, and is under a name that no list shows."""
    store, ana = MemoryDatabase(), Patient()
    async with exam(
        store, ANA, "miser", **alone(secret=SECRET, rated_as="exam/all", rating="rated as an exam")
    ) as table:
        await table.play(ana, ANA)
        assert rating_status(table.journal.state) == "rated as an exam"
        await table.move(ana, table.journal.state.ply, READY)
        await asyncio.sleep(END - now() + 10)
        assert ana.why_closed == "time is up"
        with pytest.raises(InputError):
            await table.move(ana, 3, READY)
    ((_, game),) = await store.games()
    result = read_result(game.result)
    assert result.occasion
    assert (result.occasion.kind, result.occasion.data) == (KIND, {"room": 7})
    assert (result.rated_as, result.occasion.alone) == ("exam/all", True)
    assert secret_from(game, BO.account, END) == SECRET
    assert secret_from(game, None, END) == SECRET
    assert secret_from(game, ANA.account, END) is None
    assert secret_from(game, BO.account, SECRET.until) is None


async def test_practice_is_given_up_by_leaving() -> None:
    """Nothing is kept of it, and it is not rated."""
    store, ana = MemoryDatabase(), Patient()
    async with exam(store, ANA, "", **alone(practice=True, rated_as="", rating="not rated: practice")) as table:
        await table.play(ana, ANA)
        assert rating_status(table.journal.state) == "not rated: practice"
        await table.move(ana, table.journal.state.ply, READY)
        await table.leave(ana, TO_LOBBY)
        assert table.journal.state.seat_of(ANA.id) is None
        await asyncio.sleep(CONFIG.keep_seat)
    assert await store.games() == []


async def test_where_others_wait_the_game_goes_on_without_its_players() -> None:
    """They have their seats nonetheless and no host; others may watch; the clock runs, and the game can be ended."""
    store, ana, cy = MemoryDatabase(), Patient(), Patient()
    async with exam(store, ANA, BO, "", others_wait=True, counts_in="in the exam") as table:
        game = table
        await game.director.prepare(60)
        await game.director.prepare(60)
        with pytest.raises(InputError, match="has an exam, which others sit: type watch 1 to look on"):
            await table.sit(cy, CY)
        await table.come(cy, CY)
        await table.come(ana, ANA)
        state = table.journal.state
        assert ([seat.player.name for seat in state.seats if seat][:2], state.host) == (["ana", "bo"], "")
        listing = table.listing()
        assert (listing.occasion, listing.between, listing.open_seats) == ("Exam 7", "dealt soon", 0)
        with pytest.raises(InputError, match="the cards are dealt in a few seconds"):
            await table.start(ana)
        await game.director.deal()
        await game.director.pause("the exam is interrupted")
        with pytest.raises(InputError, match="the exam is interrupted"):
            await table.move(ana, 0, READY)
        await game.director.pause("")
        await table.leave(ana, TO_LOBBY)
        await table.leave(cy, TO_LOBBY)
        while not all(seat and seat.played_by_ai for seat in table.journal.state.seats):
            await asyncio.sleep(1)
        assert table.journal.state.playing
        await game.director.end_by_time()
        await game.director.end_by_time()
        assert len(await changes(store, TimeUp)) == 1
        assert (ana.snapshot and ana.snapshot.next) == GRADES
    ((_, ended),) = await store.games()
    result = read_result(ended.result)
    assert result.occasion
    assert set(result.occasion.absent) == {0, 1}
    assert all(finish.left for finish in result.finishes)
    assert len(result.occasion.turns) == len(result.occasion.ranks) == 3
    assert result.occasion.ranks[:2] == (2, 2)
    assert "in the exam" not in result_text(result), "it counts there as everywhere"


@pytest.mark.parametrize("settings", [exam_settings(ANA, "", **alone()), exam_settings(ANA, BO), table_settings()])
def test_the_time_of_other_games_is_never_up(settings: TableSettings) -> None:
    """Neither that of an exam for whose end nobody waits, nor that of an ordinary table."""
    with pytest.raises(InputError, match="no game is going on here for whose end others wait"):
        apply(TableState.of(settings), TimeUp(), 0.0)
