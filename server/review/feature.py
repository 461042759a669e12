"""What reviews give to the server."""

from typing import Final

from server.commands.registry import declared_in
from server.extension import Feature
from server.lobby.service import Runs
from server.people.profiles import AccountText
from server.render.scene import AfterGame
from server.review import commands
from server.review.habits import HABITS, HabitSearch

FEATURE: Final = Feature(
    "review",
    (
        *declared_in(commands.__name__),
        AfterGame("c", "review", "how you stood, and what your moves cost", "to hear what your moves cost"),
        Runs(HabitSearch),
        AccountText(HABITS),
    ),
)
