"""What the lesson gives to the server."""

from typing import Final

from server.commands.registry import declared_in
from server.extension import Feature
from server.lesson import commands
from server.lesson.lesson import LESSON
from server.render.scene import Teaches

FEATURE: Final = Feature("lesson", (*declared_in(commands.__name__), LESSON, Teaches("lesson", "five minutes")))
