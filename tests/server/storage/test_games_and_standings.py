"""Finished games and standings, as every implementation of the log promises them (see `test_table_log`)."""

import pytest

from server.storage.table_log import EMPTY, Conflict, FinishedGame, StandingRow
from tests.support.log_entries import Logs, entry, finished, grow


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
