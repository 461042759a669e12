"""Tournaments on a server: rounds are called, dealt and counted, also for players who are not here."""

import asyncio

import pytest
from structlog.testing import capture_logs

from engine.errors import InputError
from engine.moves import PickUp
from server.people.sanctions import Sanction
from server.tournament import events
from server.tournament.service import tournaments_of
from tests.server.tournament.evenings import (
    Contestant,
    enter,
    evening,
    opened,
    pair_at_once,
    points_by_records,
    started,
    until,
)
from tests.support.features import FEATURES
from tests.support.nodes import lobbies

pytestmark = pytest.mark.virtual_time


async def test_a_swiss_is_played_to_its_end() -> None:
    """All are called and brought to their tables, also from another one; the records give the same points."""
    async with evening(5) as (lobby, its, people):
        await until(lambda: its.state.phase == "over")
        assert [len(played.boards) for played in its.state.rounds] == [2, 2, 2]
        assert its.state.points() == await points_by_records(lobby.store, its)
        assert all(each.calls == 3 for each in people)
        assert not any(entrant.absences for entrant in its.state.entrants.values())
        assert await tournaments_of(lobby).known.going_on() == []
        found = await tournaments_of(lobby).known.find("friday")
        assert found.state.standings == its.state.standings


async def test_the_log_tells_the_host_who_has_won() -> None:
    """The game of each table, and the tournament."""
    with capture_logs() as logs:
        async with evening(2, rounds=1) as (_, its, _):
            await until(lambda: its.state.phase == "over")
    (winner,) = its.state.winners
    game, over = (next(line for line in logs if line["event"] == f"{what} over") for what in ("game", "tournament"))
    assert game["occasion"] == "friday, round 1"
    assert game["result"].startswith(f"{over['won_by']} won against ")
    assert over["won_by"] == its.state.entrants[winner].player.name


async def test_absent_players_have_their_seats_and_lose() -> None:
    """AI players play for them; after two such games they are paused, until they enter again."""
    async with evening(4) as (lobby, its, people):
        await people[3].go()
        await until(lambda: its.state.entrants["account:p3"].status == "paused")
        await until(lambda: bool(its.state.running))
        await enter(its, lobby, people[3])
        assert its.state.entrants["account:p3"].status == "in"
        await until(lambda: its.state.phase == "over")
        assert its.state.points()["account:p3"] == 0
        assert [len(played.boards[0].people) for played in its.state.rounds] == [4, 4, 3]


async def test_a_banned_player_plays_no_more_rounds() -> None:
    """The points stay. An AI player plays on in a game that goes on."""
    async with evening(4) as (lobby, its, _):
        await until(lambda: bool(its.state.rounds))
        await lobby.imposed.bans.put({"account:p3": Sanction("account:p3", "p3", None, "SHA256:op")})
        await until(lambda: its.state.phase == "over")
        assert its.state.entrants["account:p3"].status == "left"
        assert [len(played.boards[0].people) for played in its.state.rounds] == [4, 3, 3]


async def test_two_servers_on_one_log_publish_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And their players sit at the same tables."""
    pair_at_once(monkeypatch)
    async with lobbies(features=FEATURES) as (_, (one, two)):
        its, _ = await started(one, 3, start="time", starts_at=11.0)
        far = [Contestant(two, f"far{number}") for number in range(2)]
        for each in far:
            await each.come()
        await until(lambda: "friday" in tournaments_of(two).known.names, 2.5)
        there = await tournaments_of(two).known.find("friday")
        await enter(there, two, *far)
        await until(lambda: its.state.phase == "over")
        assert [len(played.boards) for played in its.state.rounds] == [2, 2, 2]
        assert its.state.points() == await points_by_records(one.store, its)
        assert (await tournaments_of(two).known.find("friday")).state.rounds == its.state.rounds
        assert not any(entrant.absences for entrant in its.state.entrants.values())
        for server in (one, two):
            kept = [
                value for value in vars(tournaments_of(server).rounds).values() if isinstance(value, set | list | dict)
            ]
            assert not any(kept), "games that are over take no memory"


async def test_a_player_who_leaves_the_game_of_a_round_is_not_brought_back() -> None:
    """Neither if they were brought there nor if they came by themselves."""
    async with evening(4, rounds=1, plays=False) as (lobby, _, people):
        await people[3].go()
        await until(lambda: people[0].session.at_table)
        back = Contestant(lobby, "p3")
        back.plays = False
        await back.come()
        await until(lambda: back.session.in_game)
        for each in (people[0], back):
            await each.session.leave_table()
        await asyncio.sleep(10)
        assert not people[0].session.at_table
        assert not back.session.at_table


async def test_an_open_night_calls_those_who_wait() -> None:
    """Four at once if nobody plays; a player who has gone is not called, and one alone gets AI players in the end."""
    async with evening(5, format="open", start="host", rounds=0) as (_, its, people):
        await until(lambda: len(its.state.rounds) == 1)
        assert sorted(len(board.people) for board in its.state.rounds[0].boards) == [2, 3]
        for each in people[1:]:
            await each.go()
        before = len(its.state.rounds)
        await until(lambda: len(its.state.rounds) > before and its.state.rounds[-1].is_over)
        assert its.state.rounds[-1].boards[0].people == ("account:p0",)


async def test_a_paused_tournament_rests() -> None:
    """No move is possible, no clock runs; it goes on as it was."""
    async with evening(3, plays=False, rounds=1) as (lobby, its, people):
        await until(lambda: people[0].session.in_game)
        await its.write(events.Paused(at=tournaments_of(lobby).now(), by="account:p0"))
        await asyncio.sleep(300)
        assert not its.state.rounds[0].is_over
        with pytest.raises(InputError, match="the tournament is paused"):
            await people[0].session.table.move(people[0].session, 0, PickUp())
        await its.write(events.Resumed(at=tournaments_of(lobby).now(), by="account:p0"))
        await until(lambda: its.state.phase == "over")


async def test_a_swiss_beside_an_open_night() -> None:
    """Those who play in the swiss are not called away, and the others go on."""
    async with evening(6, name="night", format="open", rounds=0, start="now") as (lobby, night, people):
        swiss = await tournaments_of(lobby).open_tournament(opened(lobby, host="account:p1"))
        await enter(swiss, lobby, *people[:3])
        await swiss.write(events.Called(at=tournaments_of(lobby).now(), round=1))
        began = tournaments_of(lobby).now()
        await until(lambda: swiss.state.phase == "over")
        later = [played for played in night.state.rounds if played.at > began]
        assert later
        ids = {each.session.player.id for each in people[:3]}
        called = {player for played in later for board in played.boards for player in board.people}
        assert called.isdisjoint(ids)


async def test_after_a_pause_the_call_counts_down_to_the_deal() -> None:
    """The players at the table see how long it really takes."""
    async with evening(3) as (lobby, its, people):
        await until(lambda: people[0].session.at_table)
        table = people[0].session.table
        await its.write(events.Paused(at=tournaments_of(lobby).now()))
        await asyncio.sleep(60)
        await its.write(events.Resumed(at=tournaments_of(lobby).now()))
        await asyncio.sleep(1)
        deals_at = (
            asyncio.get_running_loop().time() + its.state.busy["account:p0"].deals_at - tournaments_of(lobby).now()
        )
        assert table.runtime.deals_at == pytest.approx(deals_at)
        await until(lambda: its.state.phase == "over")
