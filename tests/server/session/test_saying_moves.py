"""What a player says instead of a typed move is played, and what means nothing hides no choices."""

import pytest

from engine.moves import READY, PickUp, Play
from server.language.position_text import awaited_text
from tests.support.emulator import people
from tests.support.features import FEATURES

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
@pytest.mark.parametrize("said", ["start", "yes", "I'm ready", "ok", "keep them", "no swap", "I like my cards"])
async def test_a_player_who_has_arranged_says_so_in_any_words(term: str, said: str) -> None:
    """The game begins; then a line that means nothing is answered with what can be played, too."""
    async with people("ana", term=term, features=FEATURES) as (ana,):
        player = ana.session.player_session
        await ana.type("play seats=2")
        assert player.snapshot is not None
        assert [*player.snapshot.legal] == [READY]
        await ana.type(said)
        assert {*map(type, player.snapshot.legal)} & {Play, PickUp}
        answer = " ".join((await ana.type("xyzzy")).split())
        assert answer.rindex(" ".join(awaited_text(player.snapshot))) > answer.index("Unknown command 'xyzzy'")
