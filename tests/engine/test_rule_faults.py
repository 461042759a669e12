"""What is wrong with options and rule files: each fault names its key."""

from dataclasses import replace
from typing import Any, Final

import pytest

from engine.errors import BadRules
from engine.rules import Json, Rules
from engine.rulesets import ruleset
from engine.rulesets.toml_reader import rules_from_toml


def start(who: str, lead: str) -> dict[str, Json]:
    """The keys of the start."""
    return {"start.who": who, "start.lead": lead}


def special(rank: str, effect: str, on: str = "any", again: str = "no") -> dict[str, Json]:
    """The keys of a special rank."""
    parts: dict[str, Json] = {"effect": effect, "on": on, "again": again, "blocks": []}
    return {f"special.{rank}.{part}": value for part, value in parts.items()}


SHORTEST: Final = """
arrange.mode = "none"
deal = { down = 0, up = 0, hand = 5 }
start = { who = "random", lead = "free" }
four.scope = "off"
out.last_special = "allowed"
"""


def problems(options: dict[str, Any], rules: str = "life") -> list[str]:
    """The problems with these options."""
    with pytest.raises(BadRules) as caught:
        ruleset(rules).with_options(options)
    assert caught.value.code == "bad_option"
    assert caught.value.message == "; ".join(caught.value.problems)
    return caught.value.problems


def file_problems(text: str) -> list[str]:
    """The problems with a rule set file."""
    with pytest.raises(BadRules) as caught:
        rules_from_toml("ours", text)
    return caught.value.problems


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seats.min", 1),
        ("seats.min", 5),
        ("deal.hand", -1),
        ("deal.hand", 100),
        ("deal.hand", 40),
        ("deal.hand", 3.0),
        ("deal.hand", "3"),
        ("deal.hand", True),
        ("deal.hand", None),
        ("deal.hand", [3]),
        ("start.turn_up", 1),
        ("start.turn_up", "yes"),
        ("beat", "lower"),
        ("beat", 1),
        ("beat", None),
        ("beat", ["higher"]),
        ("four.again", False),
        ("deck.copies", 4),
        ("deck.copies", {"2": 5}),
        ("deck.copies", {"2": -1}),
        ("deck.copies", {"2": True}),
        ("deck.copies", {"1": 2}),
        ("arrange.lay", 7),
        ("play.up_at_once", 0),
        ("stalemate.quiet_plies", 0),
        ("stalemate.quiet_plies", 100),
        ("special.7.effect", "higher"),
        ("special.7.on", "some"),
        ("special.7.again", True),
        ("special.7.blocks", "10"),
        ("special.7.blocks", [1]),
        ("special.7.blocks", [True]),
        ("special.7.blocks", [10.0]),
        ("special.7.blocks", [[10]]),
        ("special.1.effect", "burn"),
        ("special.Q.on", "any"),
        ("special.7", "burn"),
        ("special", "burn"),
        ("title", "Ours"),
        ("name", "ours"),
        ("", 1),
    ],
)
def test_a_fault_is_named_by_its_key(key: str, value: Json) -> None:
    """An invalid value is one problem, a line that begins with the key."""
    (problem,) = problems({key: value})
    place = "special.Q" if key == "special.Q.on" else key
    assert problem.startswith(f"{place}: ")
    assert "\n" not in problem


def test_every_fault_is_named() -> None:
    """Several faults are several problems, in the order given."""
    found = problems({"beat": 1, "colour": 2, "draw.to": "x", "special.7.on": "y"})
    assert [problem.split(":")[0] for problem in found] == ["beat", "draw.to", "special.7.on", "colour"]


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"deal.down": 0, "deal.hand": 0, "arrange.mode": "swap"}, "deal.hand"),
        ({"arrange.mode": "lay-reserve", "arrange.lay": 6}, "arrange.lay"),
        ({"seats.max": 1}, "seats.min"),
        ({"seats.min": 4, "deal.hand": 11}, "deal.hand"),
    ],
)
def test_contradicting_values_are_refused(options: dict[str, Json], key: str) -> None:
    """Values that contradict each other are a problem of one of their keys."""
    assert [problem.split(":")[0] for problem in problems(options)] == [key]


def test_values_at_their_limits() -> None:
    """The largest and smallest possible values are allowed."""
    possible: list[dict[str, Json]] = [
        {"arrange.lay": 6},
        {"arrange.mode": "lay-reserve", "arrange.lay": 5},
        {"seats.min": 4, "deal.hand": 10},
        {"seats.min": 4, "seats.max": 4},
        {"play.up_at_once": 1, "stalemate.quiet_plies": 1},
        {"deal.down": 0, "deal.hand": 1, "arrange.lay": 1},
    ]
    for options in possible:
        assert ruleset("life").with_options(options).keys().items() >= options.items()


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("four.scop", "four.scope"),
        ("pickup.lift", "pickup.lift_up"),
        ("deal.hands", "deal.hand"),
        ("whole_sets", "play.whole_sets"),
        ("special.7.efect", "effect"),
        ("special.7.block", "blocks"),
        ("quiet_plies", "stalemate.quiet_plies"),
    ],
)
def test_unknown_keys_name_the_nearest(key: str, nearest: str) -> None:
    """An unknown key is answered with the most similar key."""
    assert problems({key: 1}) == [f"{key}: no such key (did you mean {nearest}?)"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("title = 5", "title"),
        ("clauses = 5", "clauses"),
        ("clauses.too_low = 5", "too_low"),
        ("at_level = 5", "at_level"),
        ("at_level.easy = 5", "at_level"),
        ('at_level.easy = {"draw.too" = 5}', "draw.too"),
        ('at_level.easy = {"draw.to" = -1}', "draw.to"),
        ("draw.to = 10000", "draw.to"),
        ("draw.to = 1979-05-27", "draw.to"),
        ("special.2 = 5", "special.2"),
        ("special.2.on = 'any'", "special.2"),
        ("colour = 'red'", "colour"),
        ("[deck.copies]\n2 = 9", "deck.copies"),
    ],
)
def test_faults_of_files_are_named_by_key(text: str, key: str) -> None:
    """A fault anywhere in a file is a problem that names its key."""
    (problem,) = file_problems(SHORTEST + text)
    assert problem.startswith(key) or f"{key}:" in problem


def test_missing_keys_are_all_named() -> None:
    """A file without some keys gets one problem for each of them."""
    found = file_problems("")
    assert all(problem.endswith(": is missing") for problem in found)
    assert {problem.split(":")[0] for problem in found} == {
        *("deal.down", "deal.up", "deal.hand", "arrange.mode", "start.who", "start.lead", "four.scope"),
    }


def test_text_that_is_not_toml_is_refused() -> None:
    """Text that is not TOML is one problem."""
    (problem,) = file_problems("draw.to = = 3")
    assert problem.startswith("not TOML: ")


def test_impossible_rules_cannot_be_made() -> None:
    """Rules check themselves, even if they do not come from a file."""
    with pytest.raises(BadRules, match=r"play\.up_at_once"):
        replace(ruleset("life"), play_up_at_once=0)
    assert isinstance(replace(ruleset("life"), play_up_at_once=1), Rules)
