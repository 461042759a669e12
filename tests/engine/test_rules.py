"""Rule sets as values: the keys of the five rule sets, options, defaults."""

from typing import Any, Final

import pytest

from engine.errors import BadRules, InputError
from engine.rules import Json, Power
from engine.rulesets import DEFAULT, ruleset, rulesets
from engine.rulesets.toml_reader import rules_from_toml

COMMON: Final[dict[str, Json]] = {
    "seats.min": 2,
    "seats.max": 4,
    "deck.copies": {},
    "arrange.lay": 0,
    "start.second": "clockwise",
    "start.turn_up": False,
    "beat": "equal-or-higher",
    "play.whole_sets": False,
    "play.up_at_once": 4,
    "draw.rule": "up-to",
    "draw.to": 3,
    "pickup.by_choice": False,
    "pickup.lift_up": 0,
    "four.scope": "in-a-row",
    "four.again": "must",
    "out.ends": "first",
    "stalemate.quiet_plies": 200,
}


def dealing(down: int, up: int, hand: int) -> dict[str, Json]:
    """The keys of a deal."""
    return {"deal.down": down, "deal.up": up, "deal.hand": hand}


def start(who: str, lead: str) -> dict[str, Json]:
    """The keys of the start."""
    return {"start.who": who, "start.lead": lead}


def special(rank: str, effect: str, on: str = "any", again: str = "no") -> dict[str, Json]:
    """The keys of a special rank."""
    parts: dict[str, Json] = {"effect": effect, "on": on, "again": again, "blocks": []}
    return {f"special.{rank}.{part}": value for part, value in parts.items()}


KEYS: Final[dict[str, dict[str, Json]]] = {
    "quatch": {
        **(
            COMMON
            | dealing(3, 3, 3)
            | start("lowest", "auto")
            | special("2", "reset")
            | special("10", "burn", again="must")
        ),
        "deck.copies": {"2": 1, "10": 1},
        "arrange.mode": "swap",
        "play.up_at_once": 1,
        "out.last_special": "unplayable",
    },
    "quatch-original": {
        **(
            COMMON
            | dealing(3, 3, 3)
            | start("lowest", "auto")
            | special("2", "reset")
            | special("10", "burn", on="rank")
        ),
        "deck.copies": {"2": 1, "10": 1},
        "arrange.mode": "swap",
        "start.second": "next-lowest",
        "four.again": "no",
        "out.last_special": "eaten",
    },
    "cathedral": {
        **(COMMON | dealing(0, 0, 6) | start("random", "free")),
        **(special("2", "reset", again="must") | special("10", "burn", again="must")),
        "arrange.mode": "lay-reserve",
        "arrange.lay": 3,
        "beat": "higher",
        "pickup.by_choice": True,
        "four.scope": "one-play",
        "out.last_special": "allowed",
    },
    "college": {
        **(COMMON | dealing(3, 0, 6) | start("dealer-left", "free")),
        **(special("2", "reset") | special("10", "burn", again="must")),
        "arrange.mode": "lay-up",
        "arrange.lay": 3,
        "start.turn_up": True,
        "draw.rule": "one",
        "pickup.by_choice": True,
        "out.last_special": "allowed",
    },
    "life": {
        **(COMMON | dealing(3, 0, 6) | start("declare", "must")),
        **(
            special("2", "reset") | special("5", "reverse") | special("7", "lower") | special("10", "burn", again="may")
        ),
        "arrange.mode": "lay-up",
        "arrange.lay": 3,
        "play.up_at_once": 3,
        "pickup.by_choice": True,
        "pickup.lift_up": 3,
        "four.scope": "one-play",
        "four.again": "may",
        "out.last_special": "allowed",
        "out.ends": "last-loser",
    },
}

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


@pytest.mark.parametrize("name", KEYS)
def test_rule_sets_are_as_published(name: str) -> None:
    """Each rule set has the values of the published table, and no other key."""
    assert ruleset(name).keys() == KEYS[name]


def test_default_is_first() -> None:
    """Wherever rule sets are listed."""
    assert next(iter(rulesets())) == DEFAULT
    with pytest.raises(InputError, match="cathedral") as caught:
        ruleset("Quatch")
    assert caught.value.code == "unknown_rules"


@pytest.mark.parametrize("name", KEYS)
def test_rules_are_values(name: str) -> None:
    """Equal rules are equal and hash alike; other rules are other rules."""
    rules = ruleset(name)
    ours, same = rules.with_options({"seats.max": 3}), rules.with_options({"seats.max": 3})
    assert ours == same
    assert hash(ours) == hash(same)
    assert ours != rules
    assert rules.with_options({}) == rules


@pytest.mark.parametrize(
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
    changed = rules.with_options({key: value})
    rest = {other: kept for other, kept in changed.keys().items() if not other.startswith(key[:10])}
    assert changed.keys()[key] == value
    assert rest.items() <= rules.keys().items()
    assert (changed.name, changed.title, changed.clauses, changed.at_level) == (
        *(rules.name, rules.title, rules.clauses, rules.at_level),
    )
    assert rules.keys() == KEYS["life"]
    assert rules.with_options(changed.options) == changed


def test_blank_parts_of_a_power_have_defaults() -> None:
    """A new special rank goes where its rank goes, gives no bonus turn and blocks nothing."""
    assert ruleset("life").with_options({"special.J.effect": "skip"}).special[9] == Power("skip", "rank", "no", ())


def test_blank_keys_have_defaults() -> None:
    """The shortest rule set that can be has the defaults of all other keys."""
    rules = rules_from_toml("ours", SHORTEST)
    assert (rules.draw_to, rules.play_up_at_once, rules.title) == (3, 4, "ours")
    assert rules.keys().items() >= {key: COMMON[key] for key in COMMON if not key.startswith("four")}.items()


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
