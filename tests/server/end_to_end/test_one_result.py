"""A game in which a seat changes hands has one result, which everybody is told in the same words."""

import json

import asyncssh
import pytest

from tests.support.bots import bot
from tests.support.opening import opened
from tests.support.people import RunningServer

pytestmark = pytest.mark.waiting_takes_no_time


async def test_who_sat_who_played_and_what_counts_are_told_alike(open_server: RunningServer) -> None:
    """A player leaves for good, and an AI player goes on with the cards: screen, lines, bots, replay, JSON and top."""
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(2)]
    async with open_server.person("ann", key=keys[0]) as ann, bot(open_server.port, "bob", keys[1]) as bob:
        await opened(ann)
        bob.send(type="join", table=1)
        bob.send(type="start")
        await ann.until("YOUR TURN")
        ann.leave_game()
        await ann.until("You are in the lobby.")
        async with open_server.person("cy", term=None) as cy:
            cy.type("watch 1")
            over = await bob.play()
            lines = await cy.until_text("Type replay")
        ann.type("watch 1")
        screen = await ann.until("game over")
    winner = over["outcome"]["winner"]
    names = ["Fox for ann", "bob"]
    assert over["ranks"] == [2, 1]
    counts = "ounts as 1. bob, 2. ann (left)"
    assert f"C{counts}." in lines
    assert f"   {names[winner]} wins after" in screen
    assert f"   C{counts}." in screen
    in_order = f"1. {names[winner]}, 2. {names[1 - winner]}"
    assert f"Quatch: {in_order}; c{counts}\n" in (await open_server.run("replay"))[1]
    _, transcript = await open_server.run(f"replay {over['game']}")
    assert f" {['Fox', 'bob'][winner]} wins the game!" in transcript
    assert "ann plays" not in transcript
    assert f"C{counts}." in transcript
    finishes = json.loads((await open_server.run(f"replay {over['game']} --json"))[1])["finishes"]
    assert [(each["name"], each["successor"], each["rank"]) for each in finishes] == [("ann", "Fox", 2), ("bob", "", 1)]
    assert [each["why"] for each in finishes] == ["left", ""]
    assert [each["rank_by_cards"] for each in finishes] == [1 + (winner == 1), 1 + (winner == 0)]
    assert all("by_cards" not in each for each in finishes)
    top = json.loads((await open_server.run("top --json"))[1])["top"]
    assert {(each["name"], each["wins"]) for each in top} == {("bob", 1), ("ann", 0)}
