"""What was learned: two lists of numbers for each rule set, in files of names that a person can read.

A file that is missing or damaged is a problem to be told, never an error: the general weights, fitted on all rule sets
and on mixes of house rules, stand in for it.
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
"""The weights of rules that have none of their own."""

TableSize: TypeAlias = Literal["two", "more"]
"""Two seats are another game than more."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of `Value` and of `move_features`, in their order."""

    value: Sequence[float]
    moves: Sequence[float]
    simulations: int = 0
    """How often Extreme looks ahead before a move; 0 where weighing alone is enough to beat Hard."""


@dataclass(frozen=True, slots=True)
class Model:
    """What AI players know about a rule set and a number of seats: `Weights`, made ready."""

    value: Value
    moves: Sequence[float]
    simulations: int = 0


def model_for(rules: Rules, seats: int) -> Model:
    """What AI players know about these rules with so many seats."""
    return _learned(rules, "two" if seats == 2 else "more")


@lru_cache(64)
def _learned(rules: Rules, table_size: TableSize) -> Model:
    weights = weights_of(rules.name)[0][table_size]
    return Model(Value(rules, weights.value), weights.moves, weights.simulations)


@cache
def weights_of(name: str) -> tuple[Mapping[TableSize, Weights], str | None]:
    """The weights of the rule set of this name, and what is wrong with its file where others stand in for it."""
    try:
        return read_weights(_text(name)), None
    except OSError as error:
        problem = f"weights of {name}: {error.strerror or error}"
    except ValueError as error:
        problem = f"weights of {name}: {error}"
    return (weights_of(GENERAL)[0] if name != GENERAL else _nothing()), problem


def weight_problems(names: Sequence[str]) -> list[str]:
    """A sentence for each of these rule sets whose weights cannot be used, for the log."""
    return [problem for name in (*names, GENERAL) if (problem := weights_of(name)[1])]


def read_weights(text: str) -> dict[TableSize, Weights]:
    """The weights that a file holds. Raises ValueError with what is wrong."""
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
    """Weights as files hold them, by name; what is 0 is left out."""

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
        # Not finite numbers are refused too: they would make every move as good as any other.
        if type(number) not in {int, float} or not abs(number) < LARGEST:
            raise ValueError(f"{where}: {name}: must be a number, not {number!r}")
    return [float(source.get(name, 0.0)) for name in names]


LARGEST: Final = 1_000.0
MOST_SIMULATIONS: Final = 1_000
"""More would make Extreme slower than Master."""


def _text(name: str) -> str:
    return (files("engine.ai") / "weights" / f"{name}.json").read_text("utf-8")


def _nothing() -> dict[TableSize, Weights]:
    """No opinion at all: what is left when even the general weights are gone."""
    empty = Weights([0.0] * len(value_names()), [0.0] * len(feature_names()))
    return {"two": empty, "more": empty}
