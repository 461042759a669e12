"""What players read after a game: who can start the next one, and nothing that is no longer so."""

import asyncio
from dataclasses import replace

import pytest

from server.config import Config
from server.lobby.lobby import Lobby
from server.storage.memory_database import MemoryDatabase
from tests.support.emulator import SETTLED, TerminalPlayer
from tests.support.positions import at
from tests.support.tables import known_seeds

pytestmark = pytest.mark.virtual_time


async def test_the_results_say_who_can_start_the_next_game() -> None:
    """Those with a seat, on the screen and in lines; a player who watches reads it, too."""
    lobby = Lobby(Config(pace=0), MemoryDatabase(), new_seed=known_seeds())
    await lobby.open()
    ana, bo, cy = TerminalPlayer(lobby, "ana"), TerminalPlayer(lobby, "bo", term="dumb"), TerminalPlayer(lobby, "cy")
    await asyncio.sleep(SETTLED)
    await ana.type("new seats=2")
    await bo.type("sit 1")
    await cy.type("watch 1")
    await ana.type("start", "ready")
    await bo.type("ready")
    table = lobby.tables.here[1]
    table.journal.state = replace(table.journal.state, game=at("quatch", "hand 7c", "hand 8s", pile="6s"))
    table.show()
    assert "You or bo can start the next game." in await ana.type("7")
    assert "Ana or you can start the next game." in bo.shown
    assert "Ana or bo can start the next game." in cy.shown
    await ana.type("leave")
    assert "Bo can start the next game, with AI players in the free seats." in cy.shown
    for person in (ana, bo, cy):
        await person.go()
    await lobby.close()
