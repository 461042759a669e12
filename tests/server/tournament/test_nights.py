"""A night names the tournaments that ended in it."""

from math import inf

import pytest

from server.commands.registry import ExecContext
from server.people.players import Caller, Player
from server.records.results import read_result
from server.render.scene import Scene
from server.tournament.answers import held_in_night
from server.tournament.text import standings_lines
from tests.server.tournament.evenings import evening, is_over, until

pytestmark = pytest.mark.virtual_time


async def test_a_tournament_counts_for_the_night() -> None:
    """Its games are ordinary results, and its winner is named."""
    async with evening(3, rounds=1) as (lobby, its, people):
        await until(lambda: is_over(its))
        await lobby.standings.count_all()
        for each in people:
            await each.go()
        context = ExecContext(lobby, Caller("p1"), Player("guest", "p1"), Scene("p1"))
        (event,) = await held_in_night(context, 0.0, inf)
        names = [each.player.removeprefix("account:") for each in its.state.standings if each.place == 1]
        assert event.value == {"name": "friday", "format": "swiss", "winners": names}
        assert event.line == f"friday, swiss of 3 players: won by {' and '.join(names)}"
        assert event.way == "tournament results friday"
        keys = [
            {finish.key for finish in read_result(game.result).finishes} for _, game in await lobby.store.games(0, 9)
        ]
        assert [len({"account:p0", "account:p1", "account:p2"} & each) for each in keys] == [3]


async def test_an_open_night_of_few_rounds_shows_scores() -> None:
    """Those with the most games first, then by the score, with how many games there are of those that it takes."""
    async with evening(3, format="open", rounds=0, start="now") as (_, its, people):
        await until(lambda: bool(its.state.results))
        lines = standings_lines(its.state)
        for each in people:
            await each.go()
        assert [line.partition("p")[2][1:].split(maxsplit=1)[0] for line in lines] == ["6.9,", "6.0,", "5.1,"]
        assert all(line.endswith(", 1 of 5 games") for line in lines)
