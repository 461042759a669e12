"""Reads the text of a rule set or of house rules (TOML) into a `Rules` value. Opens no file."""

import tomllib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from engine.errors import BadRules
from engine.rules import Json, Rules, either, quoted, read_keys


def rules_from_toml(name: str, text: str, bases: Mapping[str, Rules] = MappingProxyType({})) -> Rules:
    """Read a rule set, or house rules: a text that names a ``base`` and overrides some of its keys.

    House rules keep the name of their base: they are the base with options and a title of their own.

    Args:
        name: the name of the rule set.
        text: the TOML.
        bases: the rule sets that house rules may name, by name.

    Raises:
        BadRules: the text is invalid; one problem for each fault, which names its key.
    """
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadRules([f"not TOML: {error}"]) from None
    title, base, levels = tree.pop("title", name), tree.pop("base", None), tree.pop("at_level", {})
    about, plies = tree.pop("about", ""), tree.pop("usual_plies", 0)
    if type(plies) is not int:
        raise BadRules([f"usual_plies: must be a whole number, not {quoted(plies)}"])
    _check_texts("the file", {"title": title, "about": about})
    if base is not None:
        if base not in bases:
            wrong = f"base: must be {either(tuple(bases))}, not {quoted(base)}"
            raise BadRules([wrong, *_faults_with_any(bases.values(), _flat(tree))])
        return bases[base].overridden(_flat(tree), title)
    clauses = tree.pop("clauses", {})
    _check_texts("clauses", clauses)
    described = {"name": name, "title": title, "about": about, "usual_plies": plies}
    rules = Rules(**described, clauses=clauses, at_level=levels, **read_keys(_flat(tree)))
    if not isinstance(levels, dict):
        raise BadRules(["at_level: must be a table of levels"])
    for level, options in levels.items():
        if not isinstance(options, dict):
            raise BadRules([f"at_level.{level}: must be a table of keys"])
        rules.with_options(options)
    return rules


def _faults_with_any(bases: Iterable[Rules], options: Mapping[str, Json]) -> list[str]:
    """What is wrong with these options whichever base they have."""
    faults = list[list[str]]()
    for base in bases:
        try:
            base.with_options(options)
        except BadRules as error:
            faults.append(error.problems)
        else:
            return []
    return [each for each in faults[0] if all(each in others for others in faults)] if faults else []


def _check_texts(where: str, texts: object) -> None:
    if not isinstance(texts, dict):
        raise BadRules([f"{where}: must be a table"])
    if problems := [f"{where}.{key}: must be text" for key, text in texts.items() if not isinstance(text, str)]:
        raise BadRules(problems)


def _flat(tree: Mapping[str, Json], prefix: str = "") -> dict[str, Json]:
    """Nested tables as dotted keys; ``deck.copies`` stays one key whose value is a table."""
    result: dict[str, Json] = {}
    for part, value in tree.items():
        key = prefix + part
        if isinstance(value, dict) and key != "deck.copies":
            result |= _flat(value, f"{key}.")
        else:
            result[key] = value
    return result
