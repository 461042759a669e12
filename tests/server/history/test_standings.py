"""Standings: for which players a game counts, and that it counts once."""

import asyncio
import random
from collections.abc import Iterable
from contextlib import suppress

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from server.history.ratings import PIECE, Standings
from server.records.results import GUEST, Result
from server.storage.database import EMPTY, FinishedGame, LogEntry, NotSaved, OutcomeUnknown, StandingRow
from server.typed_json import write_versioned
from tests.support.simulated_log import Faults, World
from tests.support.standings import ANA, BO, CY, EASY, HARD, Played, counted, result


def many(count: int) -> Iterable[tuple[str, Result]]:
    """Games of all sorts, by rules."""
    chance = random.Random(11)
    for _ in range(count):
        cast = chance.choices([ANA, BO, CY, HARD, HARD, EASY, GUEST], k=chance.choice([2, 3, 4]))
        finishes = [(key, chance.randint(1, len(cast))) for key in cast]
        yield chance.choice(["life", "college"]), result(*finishes, drawn=chance.random() < 0.2)


async def test_each_set_of_rules_has_its_own() -> None:
    """Playing well by one says nothing of another. House rules have a name of their own, whatever they are based on."""
    played = await counted(result((ANA, 1), (BO, 2)))
    await played.count(result((ANA, 2), (BO, 1)), rules="college")
    await played.count(replace(result((ANA, 1), (BO, 2)), rated_as="nan"), rules="life")
    standings = await played.standings.of(ANA)
    assert [(standing.rules, standing.wins) for standing in standings] == [("college", 0), ("life", 1), ("nan", 1)]
    assert [standing.key for standing in await played.top("life")] == [ANA, BO]
    assert [standing.key for standing in await played.top("college")] == [BO, ANA]
    assert len(await played.top()) == 6
    assert len(await played.standings.top(None, 3)) == 3
    assert await played.top("cathedral") == await played.standings.of(CY) == []


@pytest.mark.parametrize(
    "cast",
    [(), (ANA,), (GUEST,), (ANA, GUEST, GUEST), (HARD, HARD, HARD), (HARD, EASY, GUEST)],
    ids=["nobody", "one", "a guest", "only guests to beat", "one level", "no player with a key"],
)
async def test_a_game_without_a_proven_key_and_an_opponent_is_not_rated(cast: tuple[str, ...]) -> None:
    """A player with a key has to beat another one, or AI players."""
    assert await (await counted(result(*((key, rank) for rank, key in enumerate(cast, 1))))).top() == []


async def test_a_game_that_is_not_rated_was_finished_all_the_same() -> None:
    """By players with a key: with changed rules, or with guests alone."""
    played = await counted(
        replace(result((ANA, 1), (BO, 2)), rated_as=""),
        result((CY, 1), (GUEST, 2)),
        result((GUEST, 1), (HARD, 2)),
    )
    assert await played.top() == await played.standings.of(ANA) == []
    finished = [await played.standings.has_finished(key) for key in (ANA, BO, CY, "SHA256:dee")]
    assert finished == [True, True, True, False]


async def test_each_game_counts_once_however_many_count() -> None:
    """Two servers at it at the same time, again and again, end where one ends that counts all at once."""
    played, at_once = Played(), Played()
    for number, (rules, each) in enumerate(many(700)):
        await played.finish(each, rules)
        await at_once.finish(each, rules)
        if number % 97 == 0:
            other = Standings(played.log)
            await asyncio.gather(played.standings.count_all(), other.count_all(), played.standings.count_some())
    await played.standings.count_all()
    await at_once.standings.count_all()
    assert await played.top() == await at_once.top()
    assert len(await played.top()) == 10


@pytest.mark.parametrize("seed", range(3))
async def test_each_game_counts_once_whatever_fails(seed: int) -> None:
    """A write that fails, or whose outcome is unknown, is tried again. The result is the same."""
    faults = Faults(not_saved=0.1, unknown_before=0.1, unknown_after=0.1)
    games, world = list(many(20 + PIECE)), World(seed, faults)
    expected = Played()
    for number, (rules, each) in enumerate(games, 1):
        await expected.finish(each, rules)
        game = FinishedGame(f"game{number}", rules, 0.0, write_versioned(each), "")
        await world.log.append(EMPTY, LogEntry(number, 1, b"", 0.0, b""), game)
    await expected.standings.count_all()

    async def count(name: str) -> None:
        standings = Standings(world.node(name))
        while True:
            with suppress(NotSaved, OutcomeUnknown):
                await standings.count_all()
                return

    await asyncio.gather(count("one"), count("other"))
    assert await Standings(world.log).top(None, 99) == await expected.top()


async def test_standings_are_there_at_once_when_many_games_are_not_counted_yet() -> None:
    """One piece is counted, the rest is left for later, and that is told."""
    played = Played()
    for _ in range(3 * PIECE + 1):
        await played.finish(result((ANA, 1), (BO, 2)))
    assert [await played.standings.count_some() for _ in range(4)] == [False, False, False, True]
    assert (await played.only(ANA)).games == 3 * PIECE + 1


async def test_others_get_their_turn() -> None:
    """Counting many games leaves the event loop again and again."""
    played = Played()
    for rules, each in many(1_000):
        await played.finish(each, rules)
    counting = asyncio.create_task(played.standings.count_all())
    turns = 0
    while not counting.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 3


@pytest.mark.parametrize("unreadable", ['{"v":2}', "{}", '{"v":1,"finishes":[],"drawn":false,"plies":"many"}'])
async def test_a_result_that_cannot_be_read_is_left_out(unreadable: str) -> None:
    """And said once; the games after it count."""
    played = Played()
    await played.finish(unreadable)
    with capture_logs() as said:
        await played.count(result((ANA, 1), (BO, 2)))
        await played.count(result((ANA, 1), (BO, 2)))
    assert [(line["event"], line["game"]) for line in said] == [("game not counted", "game1")]
    assert (await played.only(ANA)).games == 2


async def test_a_standing_that_cannot_be_read_stops_no_other() -> None:
    """It stays as it is, and its player's games are left out. The others are listed, and the log says what is not."""
    played = Played()
    newer = '{"v":2,"key":"SHA256:cy"}'
    await played.log.put_standings(0, 0, [StandingRow("life", CY, 9.0, newer)])
    with capture_logs() as said:
        await played.count(result((ANA, 1), (BO, 2)), result((CY, 1), (BO, 2)), result((ANA, 1), (BO, 2)))
    assert [line["game"] for line in said] == ["game2"]
    assert (await played.only(ANA)).games == 2
    assert await played.log.standing("life", CY) == newer
    with capture_logs() as said:
        assert {standing.key for standing in await played.top()} == {ANA, BO}
        assert await played.standings.of(CY) == []
    assert {line["problem"] for line in said} == {"written by a newer version of this program"}
