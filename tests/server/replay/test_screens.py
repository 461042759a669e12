"""What a replay looks like, at every size."""

import pytest

from server.lobby.lobby import Lobby
from tests.support.emulator import TerminalPlayer
from tests.support.features import FEATURES
from tests.support.goldens import Scene, play_to_the_end, same_screens


async def replay(_: Lobby, ana: TerminalPlayer) -> None:
    """The same game again."""
    await play_to_the_end(ana)
    game = ana.session.player_session.game
    await ana.type("leave", f"replay {game}", "30")


async def replay_as_a_seat(running_server: Lobby, ana: TerminalPlayer) -> None:
    """Seen by the player who has lost."""
    await replay(running_server, ana)
    await ana.type("seat 3")


@pytest.mark.parametrize("scene", [replay, replay_as_a_seat])
def test_screens(scene: Scene) -> None:
    """With all cards shown, and as a player saw the game."""
    same_screens(scene, scene.__name__, FEATURES)
