"""The rule sets that ship with the engine, one TOML file each, and how such files are read.

What it must not know: positions and moves; a rule set is data.
Where to begin: `quatch.toml`, with `KEYS.md` for its keys and `README.md` for the clauses that it cites.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from engine.errors import NoSuch
from engine.rules import Rules
from engine.rulesets.toml_reader import rules_from_toml

DEFAULT: Final = "quatch"


@cache
def rulesets() -> Mapping[str, Rules]:
    """Every built-in rule set by name, the default first."""
    texts = {
        file.name.removesuffix(".toml"): file.read_text("utf-8")
        for file in files("engine.rulesets").iterdir()
        if file.name.endswith(".toml")
    }
    names = sorted(texts, key=lambda name: (name != DEFAULT, name))
    return {name: rules_from_toml(name, texts[name]) for name in names}


def ruleset(name: str) -> Rules:
    """The built-in rule set of this name. Raises InputError (unknown_rules) if there is none."""
    found = rulesets().get(name)
    if found is None:
        raise NoSuch("unknown_rules", "rule set", name, rulesets())
    return found
