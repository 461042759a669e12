"""Finished games are deleted when they are older than the host wants to keep them; ratings stay."""

import asyncio
import time
from functools import partial
from pathlib import Path

import pytest

from server.history.ratings import Standings
from server.process.background_tasks import BackgroundTasks
from server.records.results import Finish, Result
from server.retention import AT_ONCE, DAY, GAMES_SECONDS, PAUSE, delete_games, delete_old_games
from server.storage.database import EMPTY, FinishedGame
from server.storage.sqlite_database import MemoryDatabase
from server.typed_json import write_versioned
from tests.support.log_entries import Logs, entry, finished
from tests.support.people import running_server
from tests.support.virtual_time import in_virtual_time

KEY = "account:ana"
NOW = 1000 * DAY


async def log_of(ages: list[float], now: float = NOW) -> MemoryDatabase:
    """A log with games that ended so many days ago; ana has won each."""
    log = MemoryDatabase()
    result = Result((Finish(KEY, "ana", 1), Finish("ai:easy", "Fox", 2)), drawn=False, plies=9)
    for number, days in enumerate(ages, 1):
        game = FinishedGame(f"G{number}", "life", now - days * DAY, write_versioned(result), "text")
        await log.append(EMPTY, entry(number, 1), game)
    return log


async def left(log: MemoryDatabase) -> list[str]:
    """The ids of the games that are left."""
    return [game.id for _, game in await log.games()]


@in_virtual_time
async def test_old_games_go_and_their_ratings_stay() -> None:
    """A game that is not rated yet stays, however old it is; the next start rates as it would have."""
    log = await log_of([90, 60, 31, 29, 1])
    await delete_old_games(log, 30, lambda: NOW)
    assert await left(log) == ["G1", "G2", "G3", "G4", "G5"]
    await Standings(log).count_all()
    rated = await Standings(log).of(KEY)
    assert [standing.games for standing in rated] == [5]
    await delete_old_games(log, 30, lambda: NOW)
    assert await left(log) == ["G4", "G5"]
    later = Standings(log)
    await later.count_all()
    assert await later.of(KEY) == rated


@in_virtual_time
async def test_many_games_go_a_few_at_a_time() -> None:
    """Others can write between two pieces."""
    log = await log_of([40.0] * (AT_ONCE * 3) + [0.0])
    await Standings(log).count_all()
    began = asyncio.get_running_loop().time()
    deleting = asyncio.create_task(delete_old_games(log, 30, lambda: NOW))
    await asyncio.sleep(PAUSE * 1.5)
    assert len(await left(log)) == AT_ONCE + 1
    await deleting
    assert asyncio.get_running_loop().time() - began >= 3 * PAUSE
    assert await left(log) == [f"G{AT_ONCE * 3 + 1}"]


@in_virtual_time
async def test_games_go_when_their_time_comes() -> None:
    """Also on a server that runs for long."""
    log = await log_of([29.0, 1.0])
    await Standings(log).count_all()
    loop = asyncio.get_running_loop()
    background = BackgroundTasks()
    delete = partial(delete_old_games, log, 30, lambda: NOW + loop.time())
    background.repeat(delete, GAMES_SECONDS, "deleting old games")
    await asyncio.sleep(DAY - 1)
    assert await left(log) == ["G1", "G2"]
    await asyncio.sleep(2 * GAMES_SECONDS)
    assert await left(log) == ["G2"]
    await background.stop()


@pytest.mark.parametrize(("keep_games", "expected"), [("30", ["G2"]), ("inf", ["G1", "G2"])])
async def test_a_server_keeps_games_for_as_long_as_its_host_says(
    tmp_path: Path, keep_games: str, expected: list[str]
) -> None:
    """For ever by default."""
    log = await log_of([40.0, 0.0], time.time())
    await Standings(log).count_all()
    async with running_server(tmp_path, log, keep_games=keep_games), asyncio.timeout(10):
        while await left(log) != expected:
            await asyncio.sleep(0.01)


async def test_the_oldest_games_are_deleted_a_few_at_a_time(logs: Logs) -> None:
    """Those that ended long ago and are counted; never the last one, so that numbers go on growing."""
    one, other = logs
    for number, ended in enumerate([10.0, 20.0, 30.0, 40.0, 35.0, 50.0], 1):
        game = FinishedGame(f"g{number}", "life", ended, "{}", "text")
        await one.append(EMPTY, entry(number, 1), game)

    async def left() -> list[str]:
        return [f"{number} {game.id}" for number, game in await one.games()]

    assert await delete_games(other, before=10.0, up_to=9, limit=9) == 0
    assert await delete_games(other, before=36.0, up_to=9, limit=2) == 2
    assert await left() == ["3 g3", "4 g4", "5 g5", "6 g6"]
    assert await other.game("g1") is None
    assert await delete_games(other, before=99.0, up_to=2, limit=9) == 0
    assert await delete_games(other, before=36.0, up_to=9, limit=9) == 1  # the next one is not old enough
    assert await delete_games(other, before=99.0, up_to=4, limit=9) == 1
    assert await delete_games(other, before=99.0, up_to=9, limit=9) == 1
    assert await delete_games(other, before=99.0, up_to=9, limit=9) == 0
    assert await left() == ["6 g6"]
    await one.append(EMPTY, entry(7, 1), finished("g7"))
    assert await left() == ["6 g6", "7 g7"]
    assert [game.id for game in await other.latest(9)] == ["g7", "g6"]
