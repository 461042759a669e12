"""How a tournament stands for a room that follows it: who has entered, the calls, the countdown, the standings."""

import asyncio

import pytest

from engine.errors import InputError
from server.lobby.competitions import Competition, Held
from server.lobby.lobby import Lobby
from server.tournament import events
from server.tournament.answers import COMPETITIONS
from server.tournament.service import tournaments_of
from tests.server.tournament.evenings import (
    contestants,
    enter,
    evening,
    is_over,
    opened,
    tournament_lobby,
    until,
)

pytestmark = pytest.mark.virtual_time


def held(lobby: Lobby) -> Held:
    """The only tournament that goes on."""
    (found,) = COMPETITIONS.held(lobby)
    return found


def names(competition: Competition) -> list[str]:
    """The names in the standings."""
    return [name for _, name, _ in competition.standings.rows]


async def test_a_room_follows_a_swiss_to_its_end() -> None:
    """Also when it is paused, and after its end; before it is opened there is nothing to follow."""
    async with tournament_lobby() as lobby:
        with pytest.raises(InputError, match="no tournament goes on"):
            await COMPETITIONS.find(lobby, "")
        tournaments = tournaments_of(lobby)
        its = await tournaments.open_tournament(opened(lobby, rounds=1))
        followed = held(lobby)
        people = await contestants(lobby, 5)
        await enter(its, lobby, *people)
        now = followed.now()
        assert (now.name, now.stage, now.ended) == ("friday", "it begins when p0 starts it", None)
        assert now.standings.title == "5 players entered"
        assert names(now) == ["p0", "p1", "p2", "p3", "p4"]
        assert now.enter == "tournament join friday"
        await its.write(events.Called(at=tournaments.now(), by="account:p0", round=1))
        await until(lambda: bool(its.state.rounds))
        now = followed.now()
        assert now.waits_for == "round 1: dealt in"
        assert now.left
        assert [name for name, _ in now.calls] == ["p0", "p1", "p2", "p3", "p4"]
        tables = {table.number for table in lobby.tables.here.values()}
        assert {table for _, table in now.calls} == tables
        assert now.progress.endswith("2 games go on.")
        for table in lobby.tables.here.values():
            occasion = table.journal.state.occasion
            assert occasion
            assert occasion.part_of == followed.id
        await its.write(events.Paused(at=tournaments.now(), by="account:p0"))
        assert followed.now().is_paused
        await its.write(events.Resumed(at=tournaments.now(), by="account:p0"))
        await until(lambda: is_over(its))
        await until(lambda: not COMPETITIONS.held(lobby))
        now = followed.now()
        assert now.stage.startswith("it is over")
        assert now.standings.title == "friday: final standings"
        assert now.honours
        assert now.standings.rows[0][2] == "12"
        assert now.ended is not None
        await asyncio.sleep(6)
        assert (followed.now().ended or 0) == pytest.approx(now.ended + 6)


async def test_a_game_that_is_played_again_is_called_to_the_room() -> None:
    """With the countdown to its cards, as at first."""
    async with evening(4, rounds=1, plays=False) as (lobby, its, people):
        await until(lambda: people[0].session.in_game)
        await asyncio.sleep(30)
        followed = held(lobby)
        assert followed.now().waits_for == "round 1: ends within"
        assert not followed.now().calls
        await tournaments_of(lobby).rounds.reopen(its, its.state.board(1, 0))
        assert followed.now().waits_for == "round 1: dealt in"
        assert ("p3", its.state.rounds[0].boards[0].table) in followed.now().calls
        await asyncio.sleep(20)
        assert followed.now().waits_for == "round 1: ends within"
