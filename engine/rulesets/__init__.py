"""The five rule sets that ship with the engine: one TOML file each, read once."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from engine.errors import InputError
from engine.rules import Rules
from engine.rulesets.toml_reader import rules_from_toml

DEFAULT: Final = "quatch"


@cache
def rulesets() -> Mapping[str, Rules]:
    """Every rule set that ships with the engine, by name, the default first."""
    texts = {
        file.name.removesuffix(".toml"): file.read_text("utf-8")
        for file in files("engine.rulesets").iterdir()
        if file.name.endswith(".toml")
    }
    names = sorted(texts, key=lambda name: (name != DEFAULT, name))
    return MappingProxyType({name: rules_from_toml(name, texts[name]) for name in names})


def ruleset(name: str) -> Rules:
    """The rule set of this name. Raises InputError (unknown_rules) that names those there are."""
    found = rulesets().get(name)
    if found is None:
        raise InputError("unknown_rules", f"no rule set {name[:40]!r}: there are {', '.join(rulesets())}")
    return found
