"""A tournament on the big board: who has entered, who is called where, the countdown, the standings to the end."""

import asyncio

import pytest

from server.board.boards import Boards
from server.joining.join_lines import join_lines
from server.tournament import events
from tests.support.projector import Projector
from tests.support.tournaments import Contestant, is_over, opened, started, tournament_lobby, until
from tests.support.virtual_time import in_virtual_time


@in_virtual_time
async def test_a_room_follows_a_swiss_on_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a board that keeps to it, and after its end, when the final standings stay for a while."""
    monkeypatch.setattr("server.board.feed.FINAL_SECONDS", 5.0)
    async with tournament_lobby() as lobby:
        lobby.join_lines = join_lines(["192.168.1.20"], 2222, "SHA256:key")
        tournaments, boards = lobby.tournaments, Boards(lobby)
        its = await tournaments.open_tournament(opened(lobby, rounds=1))
        large, keeps = Projector(boards, (120, 40)), Projector(boards, command="board tournament friday")
        people = [Contestant(lobby, f"p{number}") for number in range(5)]
        for each in people:
            await each.come()
            player = each.session.player
            await its.write(events.Entered(at=tournaments.now(), by=player.id, player=player))
        await asyncio.sleep(2)
        assert "5 players entered" in large.shown
        assert "friday   it begins when p0 starts it" in keeps.shown.splitlines()[0]
        await its.write(events.Started(at=tournaments.now(), by="SHA256:p0"))
        await until(lambda: bool(its.state.rounds))
        await asyncio.sleep(2)
        assert "to your tables" in large.shown
        assert "round 1: dealt in" in large.shown
        assert " p4                table " in keeps.shown
        await its.write(events.Paused(at=tournaments.now(), by="SHA256:p0"))
        await asyncio.sleep(2)
        assert "PAUSED by the host" in keeps.shown
        await its.write(events.Resumed(at=tournaments.now(), by="SHA256:p0"))
        await until(lambda: is_over(its))
        await asyncio.sleep(2)
        assert "friday   it is over" in large.shown
        assert "friday: final standings" in large.shown
        assert "honours" in large.shown
        assert "12 " in large.shown
        await asyncio.sleep(6)
        assert "final standings" not in large.shown
        assert "friday   it is over" in keeps.shown
        for each in people:
            await each.go()
        boards.end("bye")
        await asyncio.gather(*boards.tasks)


@in_virtual_time
async def test_a_game_that_is_played_again_is_called_on_the_board() -> None:
    """With the countdown to its cards, as at first."""
    async with tournament_lobby() as lobby:
        its, people = await started(lobby, 4, rounds=1)
        for each in people:
            each.plays = False
        await until(lambda: people[0].session.in_game)
        await asyncio.sleep(30)
        board = Projector(Boards(lobby))
        await asyncio.sleep(2)
        assert "round 1: ends within" in board.shown
        await lobby.tournaments.rounds.reopen(its, 1, 0)
        await asyncio.sleep(2)
        assert "round 1: dealt in" in board.shown
        assert f" p3                table {its.state.rounds[0].boards[0].board.table}" in board.shown
        await asyncio.sleep(20)
        assert "round 1: ends within" in board.shown


@in_virtual_time
async def test_a_board_of_no_tournament_is_refused() -> None:
    """One line says that none goes on."""
    async with tournament_lobby() as lobby:
        board = Projector(Boards(lobby), command="board tournament")
        assert await board.task == 2
        assert "No tournament goes on" in board.shown
