"""What a player says instead of a typed move is played, and what means nothing hides no choices."""

import pytest

from engine.moves import READY, PickUp, Play
from server.config import Config
from server.language.position_text import awaited_text
from server.lobby.lobby import Lobby
from server.storage.memory_database import MemoryDatabase
from tests.support.emulator import TerminalPlayer
from tests.support.features import FEATURES
from tests.support.tables import known_seeds

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
@pytest.mark.parametrize("said", ["start", "yes", "I'm ready", "ok", "keep them", "no swap", "I like my cards"])
async def test_a_player_who_has_arranged_says_so_in_any_words(term: str, said: str) -> None:
    """The game begins; then a line that means nothing is answered with what can be played, too."""
    lobby = Lobby(Config(pace=0), MemoryDatabase(), new_seed=known_seeds(), features=FEATURES)
    await lobby.open()
    ana = TerminalPlayer(lobby, "ana", term=term)
    player = ana.session.player_session
    await ana.type("play seats=2")
    assert player.snapshot is not None
    assert [*player.snapshot.legal] == [READY]
    await ana.type(said)
    assert {*map(type, player.snapshot.legal)} & {Play, PickUp}
    answer = " ".join((await ana.type("xyzzy")).split())
    assert answer.rindex(" ".join(awaited_text(player.snapshot))) > answer.index("Unknown command 'xyzzy'")
    await ana.go()
    await lobby.close()
