"""A game in which a seat changes hands has one result, which everybody is told in the same words."""

import json

import pytest

from tests.support.games_over_ssh import COUNTS, left_to_an_ai_player
from tests.support.people import RunningServer

pytestmark = pytest.mark.waiting_takes_no_time


async def test_who_sat_who_played_and_what_counts_are_told_alike(open_server: RunningServer) -> None:
    """A player leaves for good, and an AI player goes on with the cards: screen, lines, bots and top."""
    async with left_to_an_ai_player(open_server) as (ann, bob), open_server.person("cy", term=None) as cy:
        cy.type("watch 1")
        over = await bob.play()
        await cy.until(f"C{COUNTS}.")
        screen = await ann.enter("watch 1", "game over")
    winner = over["outcome"]["winner"]
    assert over["ranks"] == [2, 1]
    assert f"   {['Fox for ann', 'bob'][winner]} wins after" in screen
    assert f"   C{COUNTS}." in screen
    top = json.loads((await open_server.run("top --json"))[1])["top"]
    assert {(each["name"], each["wins"]) for each in top} == {("bob", 1), ("ann", 0)}
