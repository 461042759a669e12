"""A server that was renewed ends its sessions at good moments."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from server.app.app import FAREWELL
from server.config import Config
from server.keeper import kept_process
from server.keeper.kept_process import COME_AGAIN, GOES_ON, retire, wind_down
from server.lobby.drain import RENEWED
from server.lobby.lobby import Lobby
from server.table.snapshot import Notice
from tests.support.bots import Program, bot
from tests.support.emulator import SETTLED, TerminalPlayer, open_lobby
from tests.support.faulty_log import FaultyLog
from tests.support.people import RunningServer, running_server
from tests.support.tables import known_seeds
from tests.support.virtual_time import in_virtual_time


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has a minute to read."""
    monkeypatch.setattr(kept_process, "NOTICE_SECONDS", (0.0, 0.0))
    for pause in ("CALM_SECONDS", "BEGIN_SECONDS", "CHECK_SECONDS"):
        monkeypatch.setattr(kept_process, pause, 0.01)


@pytest.mark.usefixtures("at_once")
async def test_a_game_goes_on_and_its_player_comes_in_again_after_it(open_server: RunningServer) -> None:
    """So does one who watches it. A player in the lobby is told before, and the process waits for the last one."""
    async with (
        open_server.person("idle", term=None) as idle,
        open_server.person("eve", term=None) as eve,
        bot(open_server.port) as player,
    ):
        await idle.until("Type play")
        turn = await player.ask("turn", type="new", rules="quatch", seats=2, fill="easy")
        await eve.enter("watch 1", "Waiting for")
        retiring = asyncio.create_task(retire(open_server.app))
        assert await idle.until_gone() == 0
        assert idle.text.index(COME_AGAIN) < idle.text.index(FAREWELL)
        player.send(type="move", ply=turn["ply"], move=turn["legal"][0])
        assert (await player.play())["type"] == "over"
        assert (await player.until("error"))["message"] == FAREWELL
        with suppress(BrokenPipeError):  # the connection may have ended by now
            player.send(type="ping", id=1)
        assert await player.next() is None
        assert await eve.until_gone() == 0
        assert eve.text.index(GOES_ON) < eve.text.index(COME_AGAIN)
        await retiring


@pytest.mark.usefixtures("at_once")
async def test_a_player_who_is_called_to_a_table_stays_until_its_game_is_over(open_server: RunningServer) -> None:
    """Or until they are called no more. The player is told to come in again then, and not before."""
    async with open_server.person(term=None) as ana:
        await ana.enter("who", "1 here")
        (session,) = open_server.app.sessions
        session.player_session.show_first(Notice("Friday deals soon.", call="table 2 in 0:12"))
        retiring = asyncio.create_task(retire(open_server.app))
        await ana.until(GOES_ON)
        session.player_session.show_first(None)
        assert await ana.until_gone() == 0
        assert ana.text.index(GOES_ON) < ana.text.index(COME_AGAIN) < ana.text.index(FAREWELL)
        await retiring


async def test_no_new_game_begins_and_a_player_who_types_is_not_interrupted(
    open_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They read why, and that there is time."""
    monkeypatch.setattr(kept_process, "NOTICE_SECONDS", (0.0, 0.0))
    async with open_server.person(term=None) as ana:
        await ana.enter("who", "1 here")
        retiring = asyncio.create_task(retire(open_server.app))
        await ana.until(COME_AGAIN)
        await ana.enter("play", "The server has been renewed: come in again, and begin there.")
        assert not retiring.done()
        retiring.cancel()


@pytest.mark.usefixtures("at_once")
async def test_a_game_that_takes_too_long_is_interrupted(tmp_path: Path) -> None:
    """After the limit; its player was told that it goes on, and finds their seat again."""
    async with running_server(tmp_path, reload_limit=0.5) as running, running.person(term=None) as ana:
        await ana.enter("play", "Arrange your cards")
        await asyncio.gather(retire(running.app), ana.until_gone())
        assert ana.text.index(GOES_ON) < ana.text.index(FAREWELL)
        assert "Your seat is kept for a while" in ana.text
        assert running.app.lobby.drain.notice == RENEWED


@in_virtual_time
async def test_a_bot_is_not_sent_away_from_a_game_that_it_has_just_asked_for() -> None:
    """It asks for the next game in the instant in which the last one ends."""
    log = FaultyLog()
    lobby = Lobby(Config(pace=0), log, new_seed=known_seeds())
    await lobby.open()
    hal = Program(lobby)
    await hal.send(type="new", rules="quatch", seats=2)
    log.waits = 5.0
    await hal.send(type="start")
    retiring = asyncio.create_task(wind_down(lobby, (), {hal.session}))
    told = await hal.hear(60)
    assert {"turn"} <= {message["type"] for message in told}
    assert FAREWELL not in {message.get("message") for message in told}
    retiring.cancel()
    hal.running.cancel()
    await asyncio.gather(hal.running, return_exceptions=True)
    await lobby.close()


@in_virtual_time
async def test_nobody_is_told_to_come_in_again_to_a_server_that_stops() -> None:
    """A drain ends what a renewal has left over."""
    async with open_lobby() as lobby:
        ana = TerminalPlayer(lobby, "ana", term="dumb")
        await asyncio.sleep(SETTLED)
        lobby.drain.begin(600)
        retiring = asyncio.create_task(wind_down(lobby, (), {ana.session}))
        await asyncio.sleep(300)
        assert COME_AGAIN not in " ".join(ana.shown.split())
        lobby.drain.cancel()
        await asyncio.sleep(SETTLED)
        assert COME_AGAIN in " ".join(ana.shown.split())
        retiring.cancel()
