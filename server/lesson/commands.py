"""What is typed to begin a lesson, and in one."""

from typing import Final

from engine.rulesets import DEFAULT
from server.commands.registry import Command, declared_in
from server.commands.side_views import at_side_view
from server.extension import Feature
from server.lesson.lesson import LESSON, Lesson
from server.player.player_session import PlayerSession
from server.render.scene import Teaches


@Command(
    "lesson [RULES]",
    where={"lobby"},
    ssh="screen",
    words=(
        "tutorial, learn, teach, teach me, teach me the game, learn to play, learn the game, how, how ..., "
        "new here, i am new, i'm new, im new, training, practice"
    ),
)
async def lesson(session: PlayerSession, rest: str) -> None:
    """Learn the game by playing, in five minutes."""
    rules = session.lobby.rulebook.find(rest or DEFAULT)
    session.set_side_view(Lesson(rules, session.player.name, session.front_end.told, rest))
    session.talk.count_anew()


at_side_view(Lesson, "hint", "Show what to type now.", lambda view, _: [view.task], "h", "")
at_side_view(Lesson, "skip", "Go to the next step.", lambda view, _: view.go(1))
at_side_view(Lesson, "back", "Go back one step.", lambda view, _: view.go(-1), "b")


FEATURE: Final = Feature("lesson", (*declared_in(__name__), LESSON, Teaches("lesson", "five minutes")))
