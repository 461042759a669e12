"""Bots in tournaments: they enter, are taken to their tables, and are told the standings."""

import asyncio
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.tournament.answers import BoardJson, RowJson, TournamentJson, TournamentMessage, TournamentRequest
from server.tournament.service import tournaments_of
from tests.server.tournament.chance import TABLE
from tests.server.tournament.evenings import opened, tournament_lobby
from tests.support.bots import Program
from tests.support.patience import PATIENCE
from tests.support.people import RunningServer
from tests.support.sources import ROOT

BOTS_PAGE = ROOT / "deploy" / "bots" / "README.md"


@pytest.mark.virtual_time
async def test_a_bot_enters_and_is_told_joined_then_turn() -> None:
    """Also from another table. It may ask for the standings at any time, and leave; it enters none for people only."""
    async with tournament_lobby() as lobby:
        await tournaments_of(lobby).open_tournament(opened(lobby, start="full", places=1))
        hal = Program(lobby)
        await hal.hear(1)
        (joined,) = await hal.send(type="tournament", name="friday", do="join")
        assert joined["entered"]
        assert joined["tournament"]["next_s"] == 0.0
        told = [*await hal.send(type="new", seats=2, fill="easy"), *await hal.hear(20)]
        types = [message["type"] for message in told]
        assert types.count("joined") == 2
        assert [message["seats"] for message in told if message["type"] == "joined"] == [2, 3]
        assert "turn" in types
        (told_of,) = await hal.send(type="tournament")
        standings = told_of["tournament"]
        assert (standings["state"], standings["round"], standings["rounds"]) == ("playing", 1, 3)
        assert standings["next_s"] is None
        assert told_of["table"] == told[-1]["table"]
        assert [(row["name"], row["points"], row["place"]) for row in standings["standings"]] == [("hal", 0, 1)]
        (left,) = await hal.send(type="tournament", do="leave")
        assert not left["entered"]
        (error,) = await hal.send(type="tournament", name="monday")
        assert error["code"] == "no_such_tournament"
        await tournaments_of(lobby).open_tournament(opened(lobby, name="sunday", people_only=True))
        (error,) = await hal.send(type="tournament", name="sunday", do="join")
        assert error["message"] == "sunday is for people only"
        hal.running.cancel()
        await asyncio.gather(hal.running, return_exceptions=True)


@pytest.mark.waiting_takes_no_time
async def test_sent_bots_play_a_tournament_and_come_back_to_it(open_server: RunningServer, tmp_path: Path) -> None:
    """The server takes them to their tables. One that loses its connection comes back as the same player."""
    bots = pytest.importorskip("server.bot_protocol.bots", reason="it sends them")
    lobby, told = open_server.app.lobby, list[str]()
    its = await tournaments_of(lobby).open_tournament(
        opened(lobby, start="full", places=3, table=replace(TABLE, seats=3))
    )
    friday = "tournament", "friday"
    errand = bots.BotOptions(
        "127.0.0.1", open_server.port, count=3, level="easy", pace=0, enters=friday, keys=str(tmp_path / "keys")
    )
    running = asyncio.create_task(bots.run_bots(errand, told.append))
    async with asyncio.timeout(PATIENCE):
        while not its.state.busy:
            await asyncio.sleep(0.01)
        lobby.visitors.find("easy2").dismiss("The server stops.")
        while not (its.state.rounds[0].is_over and {*tournaments_of(lobby).present()} == {*its.state.entrants}):
            await asyncio.sleep(0.01)
    assert told[:3] == [f"easy{n} is in friday" for n in (1, 2, 3)]
    assert any(line.startswith("easy2 comes back") for line in told)
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def test_the_page_for_authors_of_bots_has_every_key() -> None:
    """Of the request, of the message, and of what it holds."""
    section = BOTS_PAGE.read_text("utf-8").partition("\n## Tournaments\n")[2].partition("\n## ")[0]
    names = {*re.findall(r"`([a-z_]+)`", section)}
    for kind in (TournamentRequest, TournamentMessage, TournamentJson, BoardJson, RowJson):
        assert names >= {*kind.__struct_fields__}
