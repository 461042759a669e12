"""`quatch play --daily`: the deal of the day in one's own terminal, without a network."""

import asyncio
import time

import pytest

from engine.wording.own_cards import own_cards_text
from server.cli.main import main
from server.daily import SECRET
from server.daily.choice import DailyDeals
from server.daily.deal import daily_settings, day_at
from server.people.players import Player
from server.storage.sqlite_database import MemoryDatabase
from server.table.apply_changes import apply
from server.table.occasion_game import next_preparation
from server.table.state import TableState
from tests.support.programs import played


def test_the_daily_deal_is_the_same_wherever_it_is_played_without_a_server() -> None:
    """Its cards follow from the day alone, and the game counts for nobody."""
    day = day_at(time.time())
    told = played("--daily", typed="hand\nshare\n")
    log = MemoryDatabase()
    asyncio.run(log.put_text(SECRET, "", ""))
    seed = asyncio.run(DailyDeals(log, time.time).seed(day.date))
    state = TableState.of(daily_settings(day, seed, Player("guest:", "ana")))
    while change := next_preparation(state):
        state = apply(state, change, 0.0)[0]
    view = state.view(0)
    assert view is not None
    assert day.title in told
    assert "the same cards for everybody without a server; a server deals others" in told
    assert "There is nothing to share: only servers keep results" in told
    assert "It is in your terminal alone, so it is not rated." in told
    assert all(line in told for line in own_cards_text(view, view.seat))


@pytest.mark.parametrize(
    ("arguments", "named"), [(["life"], "rules"), (["--seats", "3"], "--seats"), (["--level", "easy"], "--level")]
)
def test_the_daily_deal_takes_no_options(arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is the same for all: one line says what to leave out."""
    assert main(["play", *arguments, "--daily"]) == 2
    said = capsys.readouterr().err
    assert said == f"quatch: --daily: the deal is the same for all, so leave out {named}\n"
