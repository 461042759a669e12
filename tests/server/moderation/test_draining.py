"""What players are offered while a server drains."""

import pytest

from server.moderation.running import Draining
from tests.support.emulator import begin_together, people
from tests.support.features import FEATURES
from tests.support.positions import at
from tests.support.tables import put

pytestmark = pytest.mark.virtual_time
PROPOSED = ("another game", "Type start", "can start the next game", "The next game is")


async def test_no_other_game_is_proposed_while_a_server_drains() -> None:
    """Neither on a screen nor in lines; Enter goes to the lobby. If the server goes on, another game is proposed."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        lobby = ana.lobby
        await begin_together(ana, bo)
        lobby.service(Draining).begin(600.0, "")
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s", pile="6s"))
        ended = await ana.type("7")
        assert "leave goes to the lobby" in ended
        assert not [each for each in PROPOSED if each in ended]
        assert "The game is over: type leave." in await ana.type("turn")
        lobby.service(Draining).begin(None, "")
        assert "Enter another game" in await ana.type("turn")
        lobby.service(Draining).begin(600.0, "")
        await ana.type("")
        assert not ana.session.player_session.at_table


async def test_a_table_that_waits_for_players_proposes_no_game_while_a_server_drains() -> None:
    """Nor does one that is loaded after that."""
    async with people("ana", features=FEATURES) as (ana,):
        assert "start deals" in await ana.type("new seats=2")
        ana.lobby.service(Draining).begin(600.0, "")
        shown = await ana.type("turn")
        assert "No other game begins: the server stops soon." in shown
        assert "start deals" not in shown.split("No other game begins")[-1]
        await ana.type("leave")
        table = await ana.lobby.tables.bring_up("1")
        assert table.runtime.next.command == "leave"
