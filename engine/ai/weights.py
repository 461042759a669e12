"""The learned weights: for each rule set a JSON file with a number for each named feature.

A missing or damaged file is not an error. The general weights, fitted on all rule sets and on mixes of house rules,
replace it, and `weight_problems` reports it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

from engine.ai.features import feature_names
from engine.ai.value import Value, value_names
from engine.rules import Json, Rules

GENERAL: Final = "general"
"""The weights for rules that have no file of their own."""
LARGEST_WEIGHT: Final = 1_000.0
MOST_SIMULATIONS: Final = 1_000
"""With more, Extreme would be slower than Master."""

TableSize: TypeAlias = Literal["two", "more"]
"""Weights are fitted separately for two seats and for more."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of `Value` and of `move_features`, in the order of `value_names` and `feature_names`."""

    value: Sequence[float]
    moves: Sequence[float]
    simulations: int = 0
    """Extreme's simulations for a move (``looks`` in files); 0 if the weights alone beat Hard clearly."""


@dataclass(frozen=True, slots=True)
class Model:
    """The `Weights` for a rule set and a number of seats, ready for use."""

    value: Value
    moves: Sequence[float]
    simulations: int = 0


@lru_cache(64)
def model_for(rules: Rules, seats: int) -> Model:
    """The model for these rules with this many seats."""
    weights = weights_of(rules.name)[0]["two" if seats == 2 else "more"]
    return Model(Value(rules, weights.value), weights.moves, weights.simulations)


@cache
def weights_of(name: str) -> tuple[Mapping[TableSize, Weights], str | None]:
    """The weights of a rule set; if the general weights replace them, also a sentence that says why."""
    try:
        return read_weights(_text(name)), None
    except OSError as error:
        problem = f"weights of {name}: {error.strerror or error}"
    except ValueError as error:
        problem = f"weights of {name}: {error}"
    return (weights_of(GENERAL)[0] if name != GENERAL else _zero_weights()), problem


def weight_problems(names: Sequence[str]) -> list[str]:
    """A sentence for each of these rule sets whose weight file cannot be used."""
    return [problem for name in (*names, GENERAL) if (problem := weights_of(name)[1])]


def read_weights(text: str) -> dict[TableSize, Weights]:
    """Read the text of a weight file. Raises ValueError if it is not one."""
    tree = json.loads(text)
    if not isinstance(tree, dict):
        raise ValueError("must be an object")
    names = {"value": value_names(), "moves": feature_names()}
    found: dict[TableSize, Weights] = {}
    for table_size in ("two", "more"):
        parts = tree.get(table_size)
        if not isinstance(parts, dict):
            raise ValueError(f"{table_size}: must be an object")
        lists = {part: _numbers(parts.get(part), names[part], f"{table_size}.{part}") for part in names}
        found[table_size] = Weights(**lists, simulations=_simulations(parts.get("looks", 0), table_size))
    return found


def weights_json(weights: Mapping[TableSize, Weights]) -> dict[str, Json]:
    """Weights as files hold them, by name; zeros are left out."""

    def named(names: list[str], numbers: Sequence[float]) -> dict[str, Json]:
        return {name: round(number, 3) for name, number in zip(names, numbers, strict=True) if abs(number) >= 0.0005}

    return {
        table_size: {
            "looks": each.simulations,
            "value": named(value_names(), each.value),
            "moves": named(feature_names(), each.moves),
        }
        for table_size, each in weights.items()
    }


def _simulations(source: object, where: str) -> int:
    if isinstance(source, bool) or not isinstance(source, int) or not 0 <= source <= MOST_SIMULATIONS:
        raise ValueError(f"{where}.looks: must be 0 to {MOST_SIMULATIONS}, not {source!r}")
    return source


def _numbers(source: object, names: list[str], where: str) -> list[float]:
    if not isinstance(source, dict):
        raise ValueError(f"{where}: must be an object")
    if unknown := source.keys() - set(names):
        raise ValueError(f"{where}: no such weight: {min(unknown)}")
    for name, number in source.items():
        # NaN and infinity fail this comparison too; with them all moves would seem alike.
        if type(number) not in {int, float} or not abs(number) < LARGEST_WEIGHT:
            raise ValueError(f"{where}: {name}: must be a number, not {number!r}")
    return [float(source.get(name, 0.0)) for name in names]


def _text(name: str) -> str:
    return (files("engine.ai") / "weights" / f"{name}.json").read_text("utf-8")


def _zero_weights() -> dict[TableSize, Weights]:
    """All weights zero, for when even the general weights cannot be read."""
    empty = Weights([0.0] * len(value_names()), [0.0] * len(feature_names()))
    return {"two": empty, "more": empty}
