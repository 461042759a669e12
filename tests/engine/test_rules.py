"""Rule sets as values: their keys, options and faults, and the sheet of house rules that mix them."""

from dataclasses import replace
from typing import Any, Final

import pytest

from engine.errors import BadRules, InputError
from engine.rules import Json, Power, Rules
from engine.rulesets import DEFAULT, ruleset, rulesets
from engine.rulesets.toml_reader import rules_from_toml
from engine.wording.rules_sheet import arrange_note, differences, four_note, rules_sheet, special_notes, start_note
from tests.support.each import for_each

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


def test_default_is_first() -> None:
    """Wherever rule sets are listed."""
    assert next(iter(rulesets())) == DEFAULT
    with pytest.raises(InputError, match="there are quatch, cathedral") as caught:
        ruleset("chess")
    assert caught.value.code == "unknown_rules"


def test_each_rule_set_is_for_two_to_four() -> None:
    """As the README says."""
    assert {(rules.seats_min, rules.seats_max) for rules in rulesets().values()} == {(2, 4)}


@for_each("name", rulesets())
def test_rules_are_values(name: str) -> None:
    """Equal rules are equal and hash alike; other rules are other rules."""
    rules = ruleset(name)
    ours, same = rules.with_options({"seats.max": 3}), rules.with_options({"seats.max": 3})
    assert ours == same
    assert hash(ours) == hash(same)
    assert ours != rules
    assert rules.with_options({}) == rules


@for_each(
    ("key", "value"),
    [
        ("four.scope", "off"),
        ("draw.to", 0),
        ("draw.to", 99),
        ("start.turn_up", True),
        ("deck.copies", {"2": 1, "K": 0}),
        ("special.7.blocks", ["10", "K"]),
        ("special.J.effect", "skip"),
    ],
)
def test_an_option_overrides_its_key_alone(key: str, value: Json) -> None:
    """A dotted option changes that key and leaves the others, the name and the original rules as they were."""
    rules = ruleset("life")
    before = rules.keys()
    changed = rules.with_options({key: value})
    rest = {other: kept for other, kept in changed.keys().items() if not other.startswith(key[:10])}
    assert changed.keys()[key] == value
    assert rest.items() <= before.items()
    assert (changed.name, changed.title, changed.clauses, changed.at_level) == (
        *(rules.name, rules.title, rules.clauses, rules.at_level),
    )
    assert rules.keys() == before
    assert rules.with_options(changed.options) == changed


def test_blank_parts_of_a_power_have_defaults() -> None:
    """A new special rank goes where its rank goes, gives no bonus turn and blocks nothing."""
    assert ruleset("life").with_options({"special.J.effect": "skip"}).special[9] == Power("skip", "rank", "no", ())


def test_blank_keys_have_defaults() -> None:
    """The shortest rule set that can be has the defaults of all other keys."""
    rules = rules_from_toml("ours", SHORTEST)
    assert (rules.draw_to, rules.play_up_at_once, rules.title) == (3, 4, "ours")


@pytest.mark.parametrize("spelling", ["10", "T", "t"])
def test_ranks_are_read_in_any_spelling(spelling: str) -> None:
    """The ten of an option may be 10 or T, in `blocks` a whole number as well; it is written 10."""
    changed = ruleset("life").with_options(
        {f"special.{spelling}.again": "must", "special.7.blocks": [spelling, 10, "k", 2]}
    )
    assert changed.keys()["special.10.again"] == "must"
    assert changed.keys()["special.7.blocks"] == ["10", "K", "2"]


def test_one_rank_of_the_deck_can_be_an_option() -> None:
    """`deck.copies.7` changes the copies of that rank alone."""
    changed = ruleset("quatch").with_options({"deck.copies.7": 2})
    assert changed.keys()["deck.copies"] == {"2": 1, "7": 2, "10": 1}


def test_tables_and_dotted_keys_are_the_same() -> None:
    """A file may nest its keys or dot them, and carries title, clauses and levels besides."""
    tables = '[special.7]\neffect = "skip"\nblocks = [10, "J"]\n[clauses]\ntoo_low = "H-1"\n'
    levels = '[at_level]\neasy = {"draw.to" = 4}'
    rules = rules_from_toml("ours", f'title = "Ours"\n{SHORTEST}{tables}{levels}')
    assert (rules.title, rules.clauses["too_low"]) == ("Ours", "H-1")
    assert rules.special[5] == Power("skip", blocks=(8, 9))
    assert rules.with_options(rules.at_level["easy"]).draw_to == 4


def test_levels_of_quatch() -> None:
    """Easy and medium tables of quatch play whole sets, hard ones do not; no other rule set changes with its level."""
    quatch = ruleset("quatch")
    assert {level for level, options in quatch.at_level.items() if quatch.with_options(options).play_whole_sets} == {
        "easy",
        "medium",
    }
    assert not any(rules.at_level for name, rules in rulesets().items() if name != "quatch")


def file_problems(text: str) -> list[str]:
    """The problems with a rule set file."""
    with pytest.raises(BadRules) as caught:
        rules_from_toml("ours", text)
    return caught.value.problems


@for_each(
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


@for_each(
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


@for_each(
    ("key", "nearest"),
    [
        ("four.scop", "four.scope"),
        ("pickup.lift", "pickup.lift_up"),
        ("deal.hands", "deal.hand"),
        ("whole_sets", "play.whole_sets"),
        ("special.7.efect", "special.7.effect"),
        ("special.7.block", "special.7.blocks"),
        ("special.7", "special.7.effect"),
        ("quiet_plies", "stalemate.quiet_plies"),
    ],
)
def test_unknown_keys_name_the_nearest(key: str, nearest: str) -> None:
    """An unknown key is answered with the most similar key; if it is like none, with none."""
    assert problems({key: 1}) == [f"{key}: no such key (did you mean {nearest}?)"]
    assert problems({"colour": 1}) == ["colour: no such key"]


@for_each(
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
        *("deal.down", "deal.up", "deal.hand", "arrange.mode", "start.who", "start.lead", "four.scope")
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


@for_each(
    ("who", "lead", "told"),
    [
        (
            "lowest",
            "auto",
            "The player with the lowest ordinary card (no 2 or 10) starts, and that card opens the pile.",
        ),
        ("random", "auto", ", and the lowest ordinary card (no 2 or 10) of that hand opens the pile."),
        ("declare", "auto", "starts, and the lowest ordinary card (no 2 or 10) of that hand opens the pile."),
        ("declare", "must", "from the 3 up, starts and opens with that rank."),
        ("dealer-left", "must", "starts and opens with their lowest ordinary rank (no 2 or 10)."),
        ("dealer-left", "free", "The player left of the dealer starts."),
    ],
)
def test_which_seat_starts_and_with_what(who: str, lead: str, told: str) -> None:
    """The sheet says "that card" only if a card decides the start."""
    rules = ruleset("quatch").with_options({"start.who": who, "start.lead": lead})
    assert start_note(rules).endswith(told)
    assert start_note(rules) in rules_sheet(rules)


def test_a_rank_that_the_deck_does_not_have_is_not_spoken_of() -> None:
    """Whatever it would do."""
    rules = ruleset("quatch").with_options({"deck.copies.10": 0})
    assert "A 10 " not in " ".join([rules_sheet(rules), *special_notes(rules)])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "Four of a rank in a row, from any players, burn the pile. The player of the last one goes again."),
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
        ({"out.last_special": "allowed"}, "Any card can be your last."),
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
