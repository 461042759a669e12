"""Lessons for any rule set: small positions in which a player tries one thing after another.

A lesson is made from the keys of the rules, house rules included. An example is used only if the engine agrees that its
move is legal and does what the step says, so a lesson cannot teach anything that the rules do not have.
What it must not know: who plays, and where the text is shown.
Where to begin: `lesson` below lists the steps; the sentences of each are in a file `steps_of_...`; `example.py` says
what a step is.
"""

from functools import lru_cache, partial

from engine.lessons.example import LEARNER, LessonStep, StepMaker, first_that_works
from engine.lessons.steps_of_arranging import arrange, ready
from engine.lessons.steps_of_powers import asked_for_less, power
from engine.lessons.steps_of_turns import decline, draw, follow, four, pick_up, several, too_low
from engine.lessons.steps_of_zones import face_down, face_up, last_special, lift, reserve, win
from engine.rules import Rules

__all__ = ["LEARNER", "LessonStep", "lesson"]


@lru_cache(64)
def lesson(rules: Rules) -> tuple[LessonStep, ...]:
    """The steps of the lesson for these rules: a turn, then special cards, then the other zones and a whole game."""
    ranks = [rank for rank in sorted(rules.special) if rules.deck_copies[rank]]
    makers: list[StepMaker] = [follow, several, too_low, pick_up, draw]
    for rank in ranks:
        makers += [partial(power, rank=rank), partial(asked_for_less, rank=rank)]
    makers += [four, decline, face_up, lift, face_down, reserve, arrange, ready, last_special, win]
    return tuple(step for maker in makers if (step := first_that_works(maker(rules))))
