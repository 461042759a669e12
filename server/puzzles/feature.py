"""What puzzles give to the server."""

from typing import Final

from server.commands.registry import declared_in
from server.extension import Feature
from server.lobby.service import Runs
from server.people.profiles import AccountText
from server.puzzles import commands
from server.puzzles.puzzle import PROGRESS
from server.puzzles.service import Puzzles
from server.puzzles.text import PUZZLE
from server.render.lobby_frame import LobbyHint

FEATURE: Final = Feature(
    "puzzles",
    (
        *declared_in(commands.__name__),
        PUZZLE,
        Runs(Puzzles),
        LobbyHint("puzzle"),
        AccountText(PROGRESS),
    ),
)
