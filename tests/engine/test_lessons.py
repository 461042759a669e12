"""Lessons: every step of every rule set can be done, shows what it says, and teaches these rules and no others."""

import re
from collections.abc import Mapping
from functools import cache

from engine.cards import RANK_NAMES
from engine.game import play
from engine.legality import legal_moves
from engine.lessons import LEARNER, LessonStep, lesson
from engine.protocol.position_json import position_from_json, position_json
from engine.rules import Json, Rules
from engine.rulesets import ruleset
from engine.state import State
from engine.wording.rules_sheet import power_note, rules_sheet
from tests.support.each import for_each
from tests.support.random_games import MIRROR, SEVENS, SKIPS
from tests.support.taught_rules import MANY_RULES


@cache
def steps_of(name: str) -> tuple[LessonStep, ...]:
    """The lesson in these of many rules."""
    return lesson(MANY_RULES[name])


TURNS = ["Your turn", "Several at once", "What cannot go", "Picking up", "Drawing"]
ROWS = ["Face-up cards", "Face-down cards"]
ARRANGING = ["Before play", "Ready"]


def titles(rules: str, **options: Json) -> list[str]:
    """What a lesson is about; options with ``_`` for the dot."""
    dotted = {key.replace("_", ".", 1): value for key, value in options.items()}
    return [step.title for step in lesson(ruleset(rules).with_options(dotted))]


@for_each("name", MANY_RULES)
def test_every_goal_can_be_reached_and_the_move_shown_reaches_it(name: str) -> None:
    """By a search of the legal moves; while arranging, when there are too many, by the move that the step names."""
    assert len(steps_of(name)) > 3
    for step in steps_of(name):
        arranging = step.position.phase == "arrange"
        moves = [step.move] if arranging else legal_moves(step.position, LEARNER)
        assert step.move in moves, step.title
        reaching = [move for move in moves if step.goal(play(step.position, LEARNER, move)[1])]
        assert step.move in reaching, step.title


@for_each("name", MANY_RULES)
def test_each_special_rank_is_taught_and_no_other(name: str) -> None:
    """In the words of the rules sheet, by laying such a card."""
    rules = MANY_RULES[name]
    taught = {step.title: step for step in steps_of(name) if step.title in {f"The {name}" for name in RANK_NAMES}}
    in_deck = [rank for rank in rules.special if rules.deck_copies[rank]]
    assert set(taught) == {f"The {RANK_NAMES[rank]}" for rank in in_deck}
    for rank in in_deck:
        step = taught[f"The {RANK_NAMES[rank]}"]
        assert step.text.startswith(power_note(rank, rules.special[rank]))
        before, (after, _) = step.position, play(step.position, LEARNER, step.move)
        assert len(after.pile) + len(after.bin) == len(before.pile) + len(before.bin) + 1


@for_each("name", MANY_RULES)
def test_sentences_are_put_together_whole(name: str) -> None:
    """No part of a sentence is empty, in the lesson or in the rules sheet."""
    for text in [rules_sheet(MANY_RULES[name]), *(each.text for each in steps_of(name))]:
        assert not re.search(r",,|\.\.|  | [,.]|[,;:]\.", text), text


@for_each("name", MANY_RULES)
def test_positions_could_be_of_a_game(name: str) -> None:
    """The referee would take each: no card twice, no more of a rank than the deck has, a seat to move."""
    for step in steps_of(name):
        read = position_from_json(position_json(step.position))
        assert position_json(read) == position_json(step.position), step.title
        assert all(step.position.cards_of(seat) for seat in step.position.order), step.title


@for_each(
    ("rules", "expected"),
    [
        ("quatch", [*TURNS, "The 2", "The 10", "Four of a kind", *ROWS, *ARRANGING, "The last card but one"]),
        ("quatch-original", [*TURNS, "The 2", "The 10", "Four of a kind", *ROWS, *ARRANGING, "The last card but one"]),
        ("cathedral", [*TURNS, "The 2", "The 10", "Four of a kind", "Your reserve", *ARRANGING]),
        ("college", [*TURNS, "The 2", "The 10", "Four of a kind", *ROWS, *ARRANGING]),
        (
            "life",
            [
                *(*TURNS, "The 2", "The 5", "The 7", "After the 7", "The 10", "Four of a kind", "Passing"),
                *("Face-up cards", "Lifting", "Face-down cards", *ARRANGING),
            ],
        ),
    ],
)
def test_what_each_rule_set_s_lesson_is_about(rules: str, expected: list[str]) -> None:
    """In this order, with a game won at the end."""
    assert titles(rules) == [*expected, "Winning"]


@for_each(
    ("options", "title"),
    [
        ({"four_scope": "off"}, "Four of a kind"),
        ({"deal_down": 0}, "Face-down cards"),
        ({"deal_up": 0}, "Face-up cards"),
        ({"out_last_special": "allowed"}, "The last card but one"),
        ({"arrange_mode": "none"}, "Before play"),
        ({"draw_to": 0}, "Drawing"),
        ({"deck_copies": {"2": 0}}, "The 2"),
    ],
)
def test_what_the_rules_do_not_have_is_not_taught(options: Mapping[str, Json], title: str) -> None:
    """A step goes with its rule."""
    assert title in titles("quatch")
    assert title not in titles("quatch", **options)


def step_of(rules: Rules, title: str) -> LessonStep:
    """The step of this title."""
    return next(step for step in lesson(rules) if step.title == title)


def done(step: LessonStep) -> State:
    """The position after the step's move."""
    return play(step.position, LEARNER, step.move)[0]


def test_examples_show_what_they_say() -> None:
    """A mirror lies on another card and counts as it, a skip passes a seat over, a reverse turns the order of three."""
    college = ruleset("college").with_options({**MIRROR, **SEVENS, **SKIPS})
    assert done(step_of(college, "The 3")).top != 1
    assert done(step_of(college, "The 8")).to_move == 2
    assert done(step_of(ruleset("life"), "The 5")).to_move == 2
    assert done(step_of(ruleset("quatch"), "The 10")).top == 13
    assert len(step_of(ruleset("quatch"), "The 10").position.pile) == 3
