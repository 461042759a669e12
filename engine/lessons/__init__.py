"""A lesson for any rules: small positions in which one thing after the other is tried.

Everything is made from the rules' data, house rules included. An example counts only where the engine agrees that its
move is allowed and does what the step says, so a lesson can teach nothing that the rules do not have.
"""

from functools import partial

from engine.lessons.arranging import arrange, ready
from engine.lessons.powers import asked_for_less, power
from engine.lessons.practice import LEARNER, LessonStep, StepMaker, first_that_works
from engine.lessons.turns import decline, draw, follow, four, pick_up, several, too_low
from engine.lessons.zones import face_down, face_up, last_special, lift, reserve, win
from engine.rules import Rules

__all__ = ["LEARNER", "LessonStep", "lesson"]


def lesson(rules: Rules) -> list[LessonStep]:
    """The steps of a lesson in these rules: a turn first, then what special cards do, then a game from end to end."""
    ranks = [rank for rank in sorted(rules.special) if rules.deck_copies[rank]]
    makers: list[StepMaker] = [follow, several, too_low, pick_up, draw]
    for rank in ranks:
        makers += [partial(power, rank=rank), partial(asked_for_less, rank=rank)]
    makers += [four, decline, face_up, lift, face_down, reserve, arrange, ready, last_special, win]
    return [step for maker in makers if (step := first_that_works(maker(rules)))]
