"""The rules sheet of house rules that mix keys as no built-in rule set does."""

import pytest

from engine.rules import Json
from engine.rulesets import ruleset
from engine.wording.rules_sheet import arrange_note, differences, four_note, rules_sheet, start_note


@pytest.mark.parametrize(
    ("who", "lead", "told"),
    [
        ("lowest", "auto", "The player with the lowest ordinary card starts, and that card opens the pile."),
        ("random", "auto", ", and the lowest ordinary card of that hand opens the pile."),
        ("declare", "auto", "starts, and the lowest ordinary card of that hand opens the pile."),
        ("declare", "must", "from the 3 up, starts and opens with that rank."),
        ("dealer-left", "must", "starts and opens with their lowest ordinary rank."),
        ("dealer-left", "free", "The player left of the dealer starts."),
    ],
)
def test_which_seat_starts_and_with_what(who: str, lead: str, told: str) -> None:
    """The sheet says "that card" only if a card decides the start."""
    rules = ruleset("quatch").with_options({"start.who": who, "start.lead": lead})
    assert start_note(rules).endswith(told)
    assert start_note(rules) in rules_sheet(rules)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "Four of a rank in a row, laid by anyone, burn the pile. The player of the last one goes again."),
        ({"four.scope": "one-play", "four.again": "may"}, "in one play burn the pile. Their player may go again."),
        ({"four.again": "no"}, "burn the pile."),
    ],
)
def test_who_goes_again_after_four_of_a_rank(options: dict[str, Json], told: str) -> None:
    """The player who completes them, if any."""
    assert four_note(ruleset("quatch").with_options(options)).endswith(told)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"four.scope": "off"}, "Four of a rank do not burn the pile."),
        ({"out.last_special": "allowed"}, "Any card can be your last card."),
    ],
)
def test_a_rule_that_is_taken_away_is_a_difference(options: dict[str, Json], told: str) -> None:
    """A line that is only left out would go unnoticed."""
    quatch = ruleset("quatch")
    assert differences(quatch.with_options(options), quatch) == [told]


def test_one_card_is_one_card() -> None:
    """A single card to lay is not in the plural."""
    rules = ruleset("cathedral").with_options({"arrange.lay": 1})
    assert "puts 1 card aside" in arrange_note(rules)
