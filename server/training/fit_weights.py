"""`quatch fit`: learns a file of weights by self-play in a few minutes on one core."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from engine.ai.features import feature_names
from engine.ai.value import value_names
from engine.ai.weights import GENERAL, TableSize, Weights, weights_json, weights_of
from engine.errors import BadRules, InputError
from engine.rules import Json, Rules
from engine.rulesets import ruleset, rulesets
from server.terminal.progress_bar import progress_bar
from server.training.arena import MOST_GAMES
from server.training.learning import Fit, Tick, fit_imitation, fit_moves, fit_value, share_against_hard, simple_players

LearningStep = Callable[[Fit, int, str, Tick], float]
"""Learns from so many games of this seed; returns a figure of what it has learned."""
SHIPPED: Final = Path(__file__).parents[2] / "engine" / "ai" / "weights"
SEATS: Final[Mapping[TableSize, int]] = {"two": 2, "more": 4}
SLIP_CHANCES: Final = (0.0, 0.03, 0.12)
"""How often the players make a random move in the games that the final card values are fitted on."""
STRONG_ENOUGH: Final[Mapping[TableSize, float]] = {"two": 0.55, "more": 0.25}
"""The share against Hard with which weights alone are strong enough; with four seats that is more than chance."""
SIMULATIONS: Final = 60
"""How many simulations Extreme runs for a move if its share is below `STRONG_ENOUGH`; more gain little."""
VALUE_GAMES: Final = 6_000
IMITATION_GAMES: Final = 600
MATCH_GAMES: Final = 2_000
"""The most games for these steps: more teach nothing new, while learning to move gains from tens of thousands."""
MIXES: Final = 60
"""How many mixes of house rules the general weights are fitted on, besides the rule sets themselves."""
HOUSE_RULES: Final[tuple[Mapping[str, Json], ...]] = (
    {"special.3.effect": "mirror", "special.3.on": "any"},
    {"special.8.effect": "skip", "special.8.on": "any"},
    {"special.8.effect": "skip"},
    {"special.5.effect": "reverse", "special.5.on": "any"},
    {"special.J.effect": "reverse"},
    {"special.7.effect": "lower", "special.7.on": "rank-or-lower"},
    {"special.7.effect": "lower", "special.7.on": "any"},
    {"special.10.effect": "burn", "special.10.on": "rank"},
    {"special.6.effect": "reset"},
    {"deck.copies": {}},
    {"beat": "higher"},
    {"beat": "equal-or-higher"},
    {"play.whole_sets": True},
    {"play.up_at_once": 4},
    {"pickup.by_choice": True},
    {"pickup.lift_up": 3},
    {"four.scope": "off"},
    {"four.scope": "in-a-row", "four.again": "may"},
    {"out.last_special": "eaten"},
    {"out.last_special": "allowed"},
    {"out.ends": "last-loser"},
    {"special.2.again": "may"},
)
"""House rules that tables often use."""


def fit_weights(name: str, games: int, seed: str, folder: Path) -> Iterator[str]:
    """Fit the weights of a rule set, or the general ones, into ``folder``; yield lines about the results.

    Raises InputError if there is no such rule set, or the number of games is wrong.
    """
    if not 0 < games <= MOST_GAMES:
        raise InputError("bad_request", f"--games: 1 to {MOST_GAMES}, not {games}")
    tables = house_mixes() if name == GENERAL else [ruleset(name)]
    command = f"quatch fit {name} --games {games} --seed {seed}"
    found: dict[TableSize, Weights] = {}
    figures: dict[str, Json] = {}
    for table_size, seats in SEATS.items():
        fit = _begin(name, table_size, [rules for rules in tables if rules.seats_min <= seats <= rules.seats_max])
        found[table_size], figures[table_size] = _fit_for(fit, table_size, games, seed)
        yield f"{name}, {table_size}: {json.dumps(figures[table_size])}"
    file = folder / f"{name}.json"
    file.write_text(
        json.dumps({"command": command, "figures": figures, **weights_json(found)}, indent=1) + "\n", "utf-8"
    )
    yield f"written: {file}"


def _fit_for(fit: Fit, table_size: TableSize, games: int, seed: str) -> tuple[Weights, dict[str, Json]]:
    """The weights for one number of seats, and a figure for each step."""
    some, few, fair = (
        max(min(games // part, most), 1) for part, most in ((3, VALUE_GAMES), (30, IMITATION_GAMES), (10, MATCH_GAMES))
    )

    first = partial(fit_value, choosers=simple_players())
    last = partial(fit_value, choosers=[*map(fit.learned_player, SLIP_CHANCES), simple_players()[0]])

    def done(label: str, work: LearningStep, games: int, name: str) -> float:
        with progress_bar(f"{table_size}: {label}", games) as add:
            return round(work(fit, games, f"{seed}/{name}", add), 4)

    # The last words go into the seeds: with others, the weights that we ship could not be fitted again.
    figures: dict[str, Json] = {
        "cross entropy of first card values": done("first card values", first, some, "first"),
        "cross entropy beside hard": done("imitation", fit_imitation, few, "manners"),
        "share against hard while learning": done("moves", fit_moves, games, "moves"),
        "cross entropy of card values": done("card values", last, some, "last"),
    }
    share = done("against hard", share_against_hard, fair, "match")
    weak = share < STRONG_ENOUGH[table_size]
    return Weights(fit.value, fit.moves, SIMULATIONS if weak else 0), figures | {"share against hard": share}


def _begin(name: str, table_size: TableSize, tables: Sequence[Rules]) -> Fit:
    """The weights to start from: the general ones, or zeros when fitting the general ones."""
    if name == GENERAL:
        return Fit(tables, SEATS[table_size], [0.0] * len(value_names()), [0.0] * len(feature_names()))
    general = weights_of(GENERAL)[0][table_size]
    return Fit(tables, SEATS[table_size], list(general.value), list(general.moves))


def house_mixes() -> list[Rules]:
    """Every rule set, and mixes of a few house rules on each in turn; always the same ones."""
    rng, bases = Random("house mixes"), list(rulesets().values())
    mixes = list(bases)
    while len(mixes) < len(bases) + MIXES:
        options: dict[str, Json] = {}
        for chosen in rng.sample(HOUSE_RULES, rng.randint(1, 4)):
            options |= chosen
        try:
            mixes.append(bases[len(mixes) % len(bases)].with_options(options))
        except BadRules:
            continue
    return mixes
