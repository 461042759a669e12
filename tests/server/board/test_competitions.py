"""A competition on the big board: who has entered, who is called where, the countdown, the standings to the end."""

import asyncio

import pytest
from msgspec.structs import replace

from server.board.boards import Boards
from server.board.feed import FINAL_SECONDS
from server.config import Config
from server.extension import Features
from server.lobby.lobby import Lobby
from server.storage.sqlite_database import MemoryDatabase
from tests.server.board.projector import Projector
from tests.support.competitions import CUP, Cups
from tests.support.features import FEATURES

pytestmark = pytest.mark.virtual_time


def lobby_with_a_cup() -> Lobby:
    """A lobby, which need not be open to show a competition."""
    return Lobby(Config(workers=0), MemoryDatabase(), features=Features((*FEATURES, CUP)))


async def test_a_room_follows_a_competition_on_the_board() -> None:
    """Also on a board that keeps to it, and after its end, when the final standings stay for a while."""
    lobby = lobby_with_a_cup()
    boards, cups = lobby.service(Boards), lobby.service(Cups)
    large, keeps = Projector(boards, (120, 40)), Projector(boards, command="board cup")
    await asyncio.sleep(2)
    assert "2 players entered" in large.shown
    assert "round 1: dealt in" in large.shown
    assert "cup   round 1 of 2" in keeps.shown.splitlines()[0]
    cups.now = replace(cups.now, calls=(("ana", 4), ("bo", 4)))
    await asyncio.sleep(2)
    assert "to your tables" in large.shown
    assert " ana               table 4" in keeps.shown
    cups.now = replace(cups.now, calls=(), is_paused=True)
    await asyncio.sleep(8)
    assert "PAUSED by the host" in keeps.shown
    cups.finish()
    await asyncio.sleep(2)
    assert "cup   it is over" in large.shown
    assert "honours" in large.shown
    cups.now = replace(cups.now, ended=FINAL_SECONDS)
    await asyncio.sleep(2)
    assert "it is over" not in large.shown
    assert "cup   it is over" in keeps.shown
    boards.end("bye")
    await asyncio.gather(*boards.tasks)


async def test_a_board_of_no_competition_is_refused() -> None:
    """In the words of the feature that holds them."""
    board = Projector(lobby_with_a_cup().service(Boards), command="board cup x")
    assert await board.task == 2
    assert "No cup is called x" in board.shown
    board = Projector(lobby_with_a_cup().service(Boards), command="board x")
    assert await board.task == 2
    assert "board cup NAME" in board.shown
