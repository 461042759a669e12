"""A view written as JSON and read again is the same view."""

from dataclasses import replace
from typing import Any

import pytest

from engine.errors import InputError
from engine.game import deal
from engine.protocol.view_json import view_from_json, view_json
from engine.rulesets import ruleset, rulesets
from engine.rulesets.toml_reader import rules_from_toml
from engine.view import view_of
from tests.soak import long
from tests.support.random_games import TABLES, Table, some_states


@pytest.mark.parametrize("at", TABLES, ids=str)
def test_a_view_comes_back_as_it_was(at: Table) -> None:
    """For every seat, given the public hands, which the JSON does not hold, but for what players declined."""
    for state in some_states(at, long(9, 1)):
        for seat in range(at.seats):
            view = view_of(state, seat)
            assert view_from_json(view_json(view), seat, view.public_hands) == replace(view, declined=(0,) * at.seats)


def test_without_memory_no_card_is_known_to_be_in_a_hand() -> None:
    """A view that is read without public hands knows no card of them."""
    state, _ = deal(ruleset("quatch"), 2, "any")
    assert view_from_json(view_json(view_of(state, 0)), 0).public_hands == (0, 0)


def test_house_rules_may_have_larger_numbers_than_options() -> None:
    """A bot can read the views of every table, also if a file of house rules says more than 99."""
    rules = rules_from_toml("slow", 'base = "life"\nstalemate.quiet_plies = 150', rulesets())
    view = view_of(deal(replace(rules, title=ruleset("life").title), 2, "any")[0], 0)
    assert view_from_json(view_json(view), 0) == view


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"rules": "nan"}, "unknown_rules"),
        ({"options": {"beat": "lower"}}, "bad_option"),
        ({"pile": ["1x"]}, "bad_position"),
        ({"seats": None}, "bad_position"),
        ({"stock": ...}, "bad_position"),
    ],
)
def test_text_that_is_not_a_view_is_refused(changed: dict[str, Any], code: str) -> None:
    """With the code that says whether it is the rules or the rest; ... stands for a key that is missing."""
    state, _ = deal(ruleset("quatch"), 2, "any")
    source = {key: value for key, value in ({**view_json(view_of(state, 0)), **changed}).items() if value is not ...}
    with pytest.raises(InputError) as refused:
        view_from_json(source, 0)
    assert refused.value.code == code
