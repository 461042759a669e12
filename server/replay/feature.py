"""What replays give to the server."""

from typing import Final

from server.commands.registry import declared_in
from server.extension import Feature
from server.render.lobby_frame import LobbyHint
from server.render.scene import AfterGame
from server.replay import commands
from server.replay.view import LISTS, REPLAY

FEATURE: Final = Feature(
    "replay",
    (
        *declared_in(commands.__name__),
        REPLAY,
        LobbyHint("replay"),
        AfterGame(
            "v",
            "replay",
            "every move again",
            "to see this game again",
            is_for_all=True,
            lists=LISTS,
            at_move="replay {game} {move} {seat}",
        ),
    ),
)
