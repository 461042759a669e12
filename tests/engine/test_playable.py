"""No legal house rule can stall a table: rules at random over all keys are refused in words, or played to their end.

The keys are those that the code knows, so that a new one is tried without a change here. An example that once failed
stays as a case of its own.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from random import Random
from typing import Any, Final, TypeAlias, get_args, get_type_hints

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.ai import LEVELS, AIPlayer, player
from engine.cards import ALL_RANKS, MOST_COPIES, rank_label
from engine.errors import BadRules
from engine.game import deal, play
from engine.legality import legal_moves, refusal
from engine.moves import Move, parse_move
from engine.protocol.position_json import position_from_json, position_json
from engine.protocol.view_json import view_from_json, view_json
from engine.rule_options import MOST_OPTIONS
from engine.rules import LARGEST_OPTION, Json, Power, Rules
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import view_of
from engine.wording.rules_sheet import rules_sheet
from tests.soak import long
from tests.support.random_games import most_plies, random_move

Options: TypeAlias = dict[str, Json]
Chooser: TypeAlias = Callable[[State, Random], tuple[int, Move]]

QUIET: Final = 8
"""Plies without progress that end these games, so that many can be played; a drawn option may name another number."""
FEW_SIMULATIONS: Final = 2
"""What Master searches here: enough to see that it ends with a legal move."""
LONGEST_IN_RECORDS: Final = 200
"""In characters: what the record of a game holds of the value of an option."""
RANKS: Final = [rank_label(rank) for rank in ALL_RANKS]
PLAYERS: Final[Mapping[str, AIPlayer]] = {**LEVELS, "master": player("master", simulations=FEW_SIMULATIONS)}


def values_of(key: str, kind: object) -> st.SearchStrategy[Any]:
    """Any value that a key may have on its own, small numbers more often."""
    copies = st.integers(0, MOST_COPIES)
    special: dict[str, st.SearchStrategy[Any]] = {
        "deck.copies": st.dictionaries(st.sampled_from(RANKS), copies),
        "blocks": st.lists(st.sampled_from(RANKS), max_size=3),
        "effect": st.sampled_from([*get_args(get_type_hints(Power)["effect"]), "none"]),
    }
    if key in special:
        return special[key]
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(0, 6) | st.integers(0, LARGEST_OPTION)
    return st.sampled_from(get_args(kind))


def plain_keys() -> dict[str, st.SearchStrategy[Any]]:
    """Every key but those of special ranks, with its values."""
    kinds = get_type_hints(Rules)
    known = ruleset("life").keys()
    return {key: values_of(key, kinds[key.replace(".", "_", 1)]) for key in known if not key.startswith("special.")}


def power_keys() -> dict[str, st.SearchStrategy[Any]]:
    """Every part of a special rank, with its values."""
    kinds = get_type_hints(Power)
    return {part.name: values_of(part.name, kinds[part.name]) for part in fields(Power)}


# Made once: to make them again for each example takes longer than the games of the example.
plain = st.fixed_dictionaries({}, optional=plain_keys())
powers = st.dictionaries(st.sampled_from(RANKS), st.fixed_dictionaries({}, optional=power_keys()), max_size=4)
one_rank_copies = st.dictionaries(st.sampled_from(RANKS), st.integers(0, MOST_COPIES), max_size=3)


@st.composite
def drawn_options(draw: st.DrawFn) -> Options:
    """Options over all keys, whether or not they can go together."""
    options: Options = {"stalemate.quiet_plies": QUIET}
    options |= draw(plain)
    options |= {f"deck.copies.{rank}": copies for rank, copies in draw(one_rank_copies).items()}
    for rank, parts in draw(powers).items():
        options |= {f"special.{rank}.{part}": value for part, value in parts.items()}
    return options


def accepted(name: str, options: Options) -> Rules:
    """The rules with these options, less those that a refusal names, until the rest can go together."""
    while problems := problems_of(name, options):
        assert all(re.fullmatch(r"[a-z][\w.]+: [^\n]{5,200}", problem) for problem in problems)
        named = {key for key in options if any(key_in(key, problem) for problem in problems)}
        assert named, problems
        options = {key: value for key, value in options.items() if key not in named}
    return ruleset(name).with_options(options)


def problems_of(name: str, options: Options) -> list[str]:
    """What is wrong with these options, or nothing."""
    try:
        ruleset(name).with_options(options)
    except BadRules as refused:
        return refused.problems
    return []


def key_in(key: str, problem: str) -> bool:
    """Whether a problem names a key, or the table that the key belongs to."""
    words = set(re.findall(r"[a-z]\w*\.[\w.]*\w", problem))
    return key in words or key.rpartition(".")[0] in words


def most_seats(rules: Rules) -> int:
    """The most seats that the rules and their deck allow."""
    return min(rules.seats_max, sum(rules.deck_copies) // (rules.deal_down + rules.deal_up + rules.deal_hand))


def by_all_levels(state: State, rng: Random) -> tuple[int, Move]:
    """A seat that has something to decide, and the move of any level: all of them play every seat."""
    seat = rng.choice(deciding(state))
    return seat, PLAYERS[rng.choice(list(PLAYERS))](view_of(state, seat), rng)


def played_out(rules: Rules, seats: int, chooser: Chooser) -> None:
    """Play a game to its end, and check every decision on the way."""
    state, _ = deal(rules, seats, "any")
    rng = Random(seats)
    plies = 0
    while state.phase != "over":
        assert state.phase == "arrange" or legal_moves(state, deciding(state)[0])
        seat, move = chooser(state, rng)
        assert refusal(state, seat, move) is None, f"seat {seat}: {move}"
        assert str(parse_move(str(move))) == str(move)
        state, _ = play(state, seat, move)
        plies += state.phase != "arrange"
        assert plies <= most_plies(rules)
        if plies == 10:
            survives_notation(state, rng.randrange(seats))


def deciding(state: State) -> list[int]:
    """The seats that have something to decide."""
    if state.phase == "arrange":
        return [seat for seat, ready in enumerate(state.ready) if not ready]
    return [] if state.to_move is None else [state.to_move]


def survives_notation(state: State, seat: int) -> None:
    """The position and the view of a seat are the same after they were written and read."""
    assert position_from_json(json.loads(json.dumps(position_json(state)))) == state
    view = replace(view_of(state, seat), declined=(0,) * len(state.hands))
    assert view_from_json(json.loads(json.dumps(view_json(view))), seat, view.public_hands) == view


def check_playable(rules: Rules, seats: int) -> None:
    """The rules can be told, and a game of random moves and a game of all levels come to their end."""
    assert len(rules_sheet(rules).splitlines()) > 8
    played_out(rules, seats, random_move)
    played_out(rules, seats, by_all_levels)


@pytest.mark.timeout(long(180, 3_600))
@settings(
    max_examples=long(12, 5_000),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(name=st.sampled_from(list(rulesets())), options=drawn_options(), seats=st.integers(2, 5))
@example(name="life", options={"deal.hand": 1, "deal.down": 0, "arrange.mode": "none", "draw.to": 0}, seats=2)
def test_any_rules_are_refused_or_played_to_the_end(name: str, options: Options, seats: int) -> None:
    """Whatever the combination: a refusal names its keys in one line, and the rest is a game that ends."""
    rules = accepted(name, options)
    assert all(len(json.dumps(value)) <= LONGEST_IN_RECORDS for value in rules.options.values())
    most = most_seats(rules)
    check_playable(rules, most if seats == 5 else max(rules.seats_min, min(seats, most)))


@settings(max_examples=long(8, 2_000), derandomize=True, database=None, deadline=None)
@given(name=st.sampled_from(list(rulesets())), house=drawn_options(), changes=drawn_options())
def test_options_over_options_are_one_set_of_options(name: str, house: Options, changes: Options) -> None:
    """A table of changed house rules is known by its options alone, so they must make the same rules from the base."""
    rules = accepted(name, house)
    try:
        changed = rules.with_options(changes)
    except BadRules:
        return
    assert ruleset(name).with_options(changed.options).keys() == changed.keys()


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ({"deal.up": 3, "arrange.lay": 0}, ["arrange.lay", "arrange.mode"]),
        ({"arrange.mode": "lay-reserve", "arrange.lay": 0}, ["arrange.lay", "arrange.mode"]),
        ({"deal.down": 21}, ["deal.hand", "deal.down", "deal.up", "seats.min", "deck.copies"]),
        ({"arrange.lay": 7}, ["arrange.lay", "arrange.mode", "deal.hand", "deal.up"]),
    ],
)
def test_a_clash_names_every_key_that_takes_part(options: Options, keys: list[str]) -> None:
    """Without cards to lay no seat could be ready. The refusal is one line that names the changed key."""
    with pytest.raises(BadRules) as caught:
        ruleset("life").with_options(options)
    (problem,) = caught.value.problems
    assert re.findall(r"[a-z]+\.[a-z_]+", problem) == keys


def test_a_power_can_be_taken_away() -> None:
    """The rank is then an ordinary one, the sheet says so, and the power can be given back as a new one."""
    rules = ruleset("quatch").with_options({"special.10.effect": "none"})
    assert [*rules.special] == [0]
    assert "A 10 is an ordinary card." in rules_sheet(rules).splitlines()
    given_back = rules.with_options({"special.T.effect": "burn"})
    assert given_back.special[8] == Power("burn")
    assert ruleset("quatch").with_options(given_back.options).keys() == given_back.keys()


@pytest.mark.parametrize("part", ["on", "again", "blocks"])
def test_a_rank_without_a_power_has_no_parts_of_one(part: str) -> None:
    """They would have no meaning."""
    value: Json = {"on": "any", "again": "no", "blocks": []}[part]
    with pytest.raises(BadRules) as caught:
        ruleset("quatch").with_options({"special.10.effect": "none", f"special.10.{part}": value})
    assert caught.value.problems == [f"special.10.{part}: has no meaning if special.10.effect is none"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({f"special.{n}": 1 for n in range(101)}, "options: there may be 100 at most, not 101"),
        ({"special.T.on": "any", "special.10.on": "any"}, "special.10.on: is the same key as special.T.on"),
        ({"deck.copies.t": 1, "deck.copies.T": 1}, "deck.copies.T: is the same key as deck.copies.t"),
        ({"x" * 100_000: 1}, f"'{'x' * 39}...: no such key"),
        ({"draw.to\nbeat": 1}, "'draw.to\\nbeat': no such key"),
        (
            {"special.7.blocks": ["10"] * 14},
            "special.7.blocks: must be a list of 13 ranks at most, not ['10', '10', '10', '10', '10', '10', '10...",
        ),
    ],
)
def test_options_are_bounded(options: Options, problem: str) -> None:
    """Records hold them all, and a refusal is one short line."""
    with pytest.raises(BadRules) as caught:
        ruleset("life").with_options(options)
    assert caught.value.problems == [problem]


def test_there_are_fewer_keys_than_options_may_be() -> None:
    """Every key can be changed at once."""
    assert len(plain_keys()) + len(RANKS) * (1 + len(power_keys())) <= MOST_OPTIONS
