"""Ratings and standings: what a game changes, for which players it counts, and what `top` answers."""

import asyncio
import json
import random
from collections.abc import Iterable
from contextlib import suppress

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs
from wcwidth import wcswidth

from server.history.ratings import PIECE, SETTLED, Standing, Standings
from server.history.top import best_players, top_lines
from server.records.results import GUEST, Finish, Result
from server.storage import sql
from server.storage.database import EMPTY, FinishedGame, LogEntry, NotSaved, OutcomeUnknown
from server.typed_json import json_line, write_versioned
from tests.soak import long
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


async def test_each_game_counts_once_however_many_count() -> None:
    """Two servers at it at the same time, again and again, end where one ends that counts all at once."""
    played, at_once = Played(), Played()
    for number, (rules, each) in enumerate(many(long(300, 700))):
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
    newer = '{"v":2,"key":"account:cy"}'
    await played.log.execute(sql.PUT_STANDING, [("life", CY, 9.0, newer)])
    with capture_logs() as said:
        await played.count(result((ANA, 1), (BO, 2)), result((CY, 1), (BO, 2)), result((ANA, 1), (BO, 2)))
    assert [line["game"] for line in said] == ["game2"]
    assert (await played.only(ANA)).games == 2
    assert await played.standings.rows_of(CY) == [(newer,)]
    with capture_logs() as said:
        assert {standing.key for standing in await played.top()} == {ANA, BO}
        assert await played.standings.of(CY) == []
    assert {line["problem"] for line in said} == {"written by a newer version of this program"}


async def test_games_wins_draws_places_and_streaks_are_counted() -> None:
    """A game that is not won ends a streak; the best one is remembered."""
    won, lost, drew = (ANA, 1), (ANA, 2), (ANA, 1)
    games = [result(won, (BO, 2)), result(won, (BO, 2)), result(lost, (BO, 1)), result(won, (BO, 2))]
    played = await counted(*games)
    assert (await played.only(ANA)).streak == 1
    assert (await played.only(BO)).places == (1, 3)
    await played.count(result(drew, (BO, 1), drawn=True))
    standing = await played.only(ANA)
    assert (standing.games, standing.wins, standing.draws, standing.places) == (5, 3, 1, (4, 1))
    assert (standing.streak, standing.best_streak) == (0, 2)


async def test_a_tie_is_no_win_and_only_a_drawn_game_is_a_draw() -> None:
    """A player who is alone at the top of a drawn game has won it."""
    tied = await (await counted(result((ANA, 1), (BO, 1), (CY, 3)))).only(ANA)
    assert (tied.wins, tied.draws, tied.streak) == (0, 0, 0)
    drawn = await counted(result((ANA, 1), (BO, 2), (CY, 2), drawn=True))
    ana, bo = await drawn.only(ANA), await drawn.only(BO)
    assert (ana.wins, ana.draws) == (1, 0)
    assert (bo.wins, bo.draws) == (0, 1)


async def test_a_lost_game_lowers_the_rating() -> None:
    """Also if the rules know only a winner, so that players who are stronger have the same rank."""
    games = [result((HARD, 1), (ANA, 2), (EASY, 2)), result((EASY, 1), (ANA, 2), (HARD, 2))]
    for count in range(3, 9):
        played = await counted(*[result((BO, 1), (CY, 2), (HARD, 2))] * 10, *(games * count)[:count])
        assert (await played.only(ANA)).change < 0


async def test_a_game_of_three_says_less_than_a_game_against_each() -> None:
    """Its winner gains more than by beating one player, and less than by beating two, one after the other."""
    one, two, three = [
        await (await counted(*games)).only(ANA)
        for games in (
            [result((ANA, 1), (BO, 2))],
            [result((ANA, 1), (BO, 2)), result((ANA, 1), (CY, 2))],
            [result((ANA, 1), (BO, 2), (CY, 2))],
        )
    ]
    assert one.mu < three.mu < two.mu
    assert one.sigma > three.sigma > two.sigma


async def test_equal_newcomers_who_tie_stay_equal() -> None:
    """And both are better known than before."""
    played = await counted(result((ANA, 1), (BO, 1), (CY, 3)))
    ana, bo, cy = [await played.only(key) for key in (ANA, BO, CY)]
    assert ana.mu == bo.mu > cy.mu
    assert ana.sigma == bo.sigma < Standing(ANA, "life").sigma


async def test_the_order_of_seats_does_not_matter() -> None:
    """Also if some of the players tie."""
    finishes = [(ANA, 2), (BO, 1), (CY, 2), (HARD, 4)]
    before = [result((ANA, 1), (CY, 2)), result((BO, 1), (ANA, 2))]
    one, other = await counted(*before, result(*finishes)), await counted(*before, result(*finishes[::-1]))
    for key, _ in finishes:
        here, there = await one.only(key), await other.only(key)
        assert here.mu == pytest.approx(there.mu)
        assert here.sigma == pytest.approx(there.sigma)


async def test_guests_are_not_compared() -> None:
    """A win over guests is worth nothing, and a guest among others changes no rating."""
    alone = await counted(*[result((ANA, 1), (GUEST, 2)) for _ in range(20)])
    assert await alone.top() == []
    among = await counted(result((ANA, 2), (GUEST, 1), (BO, 4), (GUEST, 3)))
    without = await counted(result((ANA, 1), (BO, 2)))
    for key in (ANA, BO):
        assert (await among.only(key)).mu == (await without.only(key)).mu
    assert [standing.key for standing in await among.top()] == [ANA, BO]


async def test_copies_of_an_ai_player_are_one_player() -> None:
    """Its rating is the mean of theirs, and it has played one game, in which its best seat counts."""
    standing = await (await counted(result((HARD, 1), (ANA, 2), (HARD, 3), (HARD, 4)))).only(HARD)
    apart = await counted(result((BO, 1), (ANA, 2), (CY, 3), (EASY, 4)))
    copies = [await apart.only(key) for key in (BO, CY, EASY)]
    assert standing.mu == pytest.approx(sum(copy.mu for copy in copies) / 3)
    assert standing.sigma == pytest.approx(sum(copy.sigma for copy in copies) / 3)
    assert (standing.games, standing.wins, standing.places) == (1, 1, (1,))
    assert standing.name == "hard AI player"


async def test_copies_do_not_make_an_ai_player_stronger_than_it_is() -> None:
    """Of equals, one alone at the table ends where three of a kind do."""
    chance = random.Random(2)
    casts = [chance.sample([ANA, HARD, HARD, HARD], 4) for _ in range(long(300, 1_000))]
    played = await counted(*(result(*((key, rank) for rank, key in enumerate(cast, 1))) for cast in casts))
    ana, hard = await played.only(ANA), await played.only(HARD)
    assert abs(ana.mu - hard.mu) < 2 * ana.sigma


@pytest.mark.parametrize("is_ranked", [True, False])
async def test_ratings_follow_strength(*, is_ranked: bool) -> None:
    """Six players of known strength are in its order after some hundred games; the settled are around 1500.

    Also if only the winners are known.
    """
    chance = random.Random(1)
    strength = {f"account:{n}": 1.6**n for n in range(6)}
    games = []
    for _ in range(long(400, 800)):
        cast = chance.sample(list(strength), chance.choice([2, 3, 4]) if is_ranked else 3)
        cast.sort(key=lambda key: chance.expovariate(strength[key]))
        games.append(result(*((key, rank if is_ranked else min(rank, 2)) for rank, key in enumerate(cast, 1))))
    top = await (await counted(*games)).top("life")
    assert [standing.key for standing in top] == sorted(strength, key=lambda key: -strength[key])
    assert 1400 < sum(standing.rating for standing in top) / len(top) < 1600


async def test_a_player_of_few_games_is_not_on_top() -> None:
    """One win by luck is worth less than many won and some lost."""
    games = [result((ANA, 1), (BO, 2)), result((ANA, 1), (BO, 2)), result((BO, 1), (ANA, 2))] * 10
    played = await counted(*games, result((CY, 1), (BO, 2)))
    assert [standing.key for standing in await played.top("life")] == [ANA, BO, CY]
    bo, cy = await played.only(BO), await played.only(CY)
    assert Standing(CY, "life").rating == 1000 < cy.rating
    assert cy.mu > bo.mu


@pytest.mark.parametrize("key", [ANA, EASY])
async def test_new_keys_that_lose_lift_no_settled_rating(key: str) -> None:
    """A key costs nothing. Who has lost so often that their rating is settled is worth little."""
    losers = [f"account:{number}" for number in range(50)]
    played = await counted(*(result((key, 1), (loser, 2)) for loser in losers[:SETTLED]))
    before = await played.only(key)
    await played.count(*(result((key, 1), (loser, 2)) for loser in losers[SETTLED:]))
    after = await played.only(key)
    assert (after.games, after.rating) == (len(losers), before.rating)
    assert (await played.only(losers[-1])).mu < Standing(losers[-1], "life").mu
    old = losers[:1] * SETTLED
    await played.count(*(result((key, 1), (loser, 2)) for loser in old))
    assert before.rating < (await played.only(key)).rating < before.rating + 25


async def test_a_rating_settles() -> None:
    """After so many games."""
    game = result((ANA, 1), (BO, 2))
    played = await counted(*[game] * (SETTLED - 1))
    assert (await played.only(ANA)).provisional
    await played.count(game)
    assert not (await played.only(ANA)).provisional


async def test_the_last_name_is_shown() -> None:
    """A key may go by another name every day."""
    played = await counted(
        Result((Finish(ANA, "ana", 1), Finish(BO, "bo", 2)), drawn=False, plies=9),
        Result((Finish(ANA, "anna", 1), Finish(BO, "bo", 2)), drawn=False, plies=9),
    )
    assert (await played.only(ANA)).name == "anna"


FIRST = Standing(ANA, "life", name="ana", games=SETTLED, wins=SETTLED, places=(SETTLED,), best_streak=SETTLED, mu=30.0)
LEVEL = Standing(HARD, "life", name="hard AI player", games=SETTLED, places=(0, SETTLED))
HOUSE = Standing(BO, "house-" * 9, name="\u6f22" * 8, games=1, wins=1, places=(1,))


def test_lines_fit_and_name_each_player() -> None:
    """Numbers in columns also where names are wide; words for everything; within 78 cells."""
    title, *rows = top_lines("Life", [FIRST, LEVEL], ANA)
    assert title == "Life"
    assert rows[0].startswith("  1. ana (you) ")
    assert rows[1].startswith("  2. hard AI player  ")
    assert "you" not in rows[1]
    assert rows[0].endswith("10 games,    10 won, best streak 10")
    mixed = top_lines("All", [FIRST, HOUSE], BO)
    assert mixed[2].startswith("     " + "\u6f22" * 8 + " (you) "), "few games tell no place"
    columns = {wcswidth(line.partition(" won, ")[0]) for line in [*rows, *mixed[1:3]]}
    assert [*columns] == [60 - 2 - len(" won,")], "in a window of 60 columns only what is behind them goes on below"
    assert "  10 games, " in mixed[1]
    assert "  1 game, " in mixed[2]
    assert [line.rpartition(" at ")[2][:12] for line in mixed[1:-1]] == ["life", "house-house-"]
    assert "fewer than 10 games" in mixed[-1]
    assert all(wcswidth(line) <= 78 for line in [title, *rows, *mixed])
    assert top_lines("Life", []) == ["Life: no rated games yet."]


def test_json_tells_programs_all_but_the_keys() -> None:
    """Whose key is whose is not published."""
    first, second = json.loads(json_line({"top": best_players([FIRST, LEVEL], ANA)}))["top"]
    assert (first["place"], first["name"], first["you"], first["level"]) == (1, "ana", True, None)
    assert (second["place"], second["name"], second["you"], second["level"]) == (2, "hard AI player", False, "hard")
    assert (first["games"], first["places"], first["provisional"]) == (10, [10], False)
    assert list(first) == [
        *("place", "name", "you", "provisional", "games", "wins", "level", "rules", "rating", "draws", "places"),
        *("streak", "best_streak"),
    ]
