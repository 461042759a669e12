"""Ratings: what one game changes, and that ratings follow strength."""

import random

import pytest

from server.history.ratings import SETTLED, Standing
from server.records.results import GUEST, Finish, Result
from tests.support.standings import ANA, BO, CY, EASY, HARD, counted, result


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
    """Its rating is the mean of theirs, and each of them has played."""
    standing = await (await counted(result((HARD, 1), (ANA, 2), (HARD, 3), (HARD, 4)))).only(HARD)
    apart = await counted(result((BO, 1), (ANA, 2), (CY, 3), (EASY, 4)))
    copies = [await apart.only(key) for key in (BO, CY, EASY)]
    assert standing.mu == pytest.approx(sum(copy.mu for copy in copies) / 3)
    assert standing.sigma == pytest.approx(sum(copy.sigma for copy in copies) / 3)
    assert (standing.games, standing.wins, standing.places) == (3, 1, (1, 0, 1, 1))
    assert standing.name == "hard AI player"


async def test_copies_do_not_make_an_ai_player_stronger_than_it_is() -> None:
    """Of equals, one alone at the table ends where three of a kind do."""
    chance = random.Random(2)
    casts = [chance.sample([ANA, HARD, HARD, HARD], 4) for _ in range(1_000)]
    played = await counted(*(result(*((key, rank) for rank, key in enumerate(cast, 1))) for cast in casts))
    ana, hard = await played.only(ANA), await played.only(HARD)
    assert abs(ana.mu - hard.mu) < 2 * ana.sigma


async def test_ratings_follow_strength() -> None:
    """Six players of known strength are in its order after some hundred games; the settled are around 1500."""
    chance = random.Random(1)
    strength = {f"SHA256:{n}": 1.6**n for n in range(6)}
    games = []
    for _ in range(800):
        cast = chance.sample(list(strength), chance.choice([2, 3, 4]))
        cast.sort(key=lambda key: chance.expovariate(strength[key]))
        games.append(result(*((key, rank) for rank, key in enumerate(cast, 1))))
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
    losers = [f"SHA256:{number}" for number in range(50)]
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
