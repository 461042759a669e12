"""The rule sets of this server: those of the engine, and the house rules in the host's folder."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from engine.errors import BadRules, NoSuch
from engine.rules import Rules
from engine.rulesets import DEFAULT, ruleset, rulesets
from engine.rulesets.toml_reader import rules_from_toml
from engine.wording.rules_sheet import differences, rules_sheet

ENDING: Final = ".toml"
PERSON_SECONDS: Final = (4.0, 10.0)
"""What a person takes for a move: a player who knows the game, and one who reads the screen each time."""
AI_SECONDS: Final = 0.7
"""What an AI player at the usual pace takes."""
SEATS: Final = 3
"""The seats of a usual table, one of them a person's."""


class Rulebook:
    """Rule sets by name. The name of house rules is that of their file."""

    def __init__(self, house: Mapping[str, str] = MappingProxyType({})) -> None:
        """``house``: the texts of house rules."""
        self._house = {name: rules_from_toml(name, text, rulesets()) for name, text in house.items()}
        self._rules = {**rulesets(), **self._house}

    def take(self, other: "Rulebook") -> None:
        """Have the rule sets of another one; tables keep the rules that they were opened with."""
        self._rules, self._house = other._rules, other._house  # noqa: SLF001 - our own class

    @property
    def names(self) -> list[str]:
        """All names, the default first."""
        return list(self._rules)

    def find(self, text: str) -> Rules:
        """The rule set with this name or such a part, or that begins so. Raises InputError, which lists the names."""
        name = text.lower()
        found = [name] if name in self._rules else [known for known in self._rules if f"-{name}" in f"-{known}"]
        if len(found) == 1:
            return self._rules[found[0]]
        raise NoSuch("unknown_rules", "rule set", text, self._rules)

    def name_of(self, rules: Rules) -> str:
        """The name of rules that `find` has found."""
        return next(name for name, known in self._rules.items() if known is rules)

    def title_of(self, *names: str) -> str:
        """The title of the first of these rule sets that is here; empty if none is."""
        return next((self._rules[name].title for name in names if name in self._rules), "")

    def listed(self) -> list[str]:
        """Every rule set in one line; house rules with their differences."""
        return [f"{name:<15}  {self._described(name)}" for name in self._rules]

    def _described(self, name: str) -> str:
        rules = self._rules[name]
        if name not in self._house:
            return f"{introduction(rules)}. {rules.seats_min}-{rules.seats_max} players, {minutes(rules)}"
        base = ruleset(rules.name)
        return f"{rules.title}: {base.title}, but: {' '.join(differences(rules, base))}"


def introduction(rules: Rules) -> str:
    """What a rule set feels like, in a few words."""
    return rules.about or rules.title


def minutes(rules: Rules) -> str:
    """How long a usual game takes a quick and a slow player, as in "2-5 min"."""
    rounds = rules.usual_plies / SEATS / 60
    both = [max(1, round(rounds * (each + (SEATS - 1) * AI_SECONDS))) for each in PERSON_SECONDS]
    return f"{'-'.join(map(str, dict.fromkeys(both)))} min"


def changed_rules(rules: Rules) -> str:
    """What the options or the level of a table change in its rule set, as a sentence; empty if they change nothing."""
    base = ruleset(rules.name)
    new, old = differences(rules, base), differences(base, rules)
    if len(new) == 1 and len(old) <= 1:
        levels = " or ".join(level for level, brings in base.at_level.items() if brings == rules.options)
        return f"One rule is not as usual{levels and f' at a table of level {levels}'}: {new[0]}"
    return "Some rules are not as usual: type rules to read them." if new or old else ""


def sheet(rules: Rules) -> list[str]:
    """The rules sheet; for changed rules with the lines marked that differ from their base."""
    base = ruleset(rules.name) if rules.options else ruleset(DEFAULT)
    title, *lines = rules_sheet(rules).split("\n")
    if not (new := set(differences(rules, base))):
        return [title, *lines]
    marked = [f"{'* ' if line in new else ''}{line}" for line in lines]
    return [f"{title} Lines with * differ from {base.title}.", *marked]


def read_house_rules(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The texts of the house rules in a folder that are right, and a line with file, line and key for each error."""
    house: dict[str, str] = {}
    problems: list[str] = []
    try:
        files = sorted(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        return {}, [f"{folder}: {error.strerror}"]
    for file in (each for each in files if each.suffix == ENDING):
        name = file.stem.lower()
        if name in rulesets():
            problems.append(f"{file.name}: there is a rule set of that name already")
            continue
        try:
            house[name] = _checked(file)
        except BadRules as error:
            problems += error.problems
    return house, problems


def read_rules_file(file: Path) -> Rules:
    """Read one file of rules. Raises BadRules; each problem names file, line and key."""
    return rules_from_toml(file.stem.lower(), _checked(file), rulesets())


def _checked(file: Path) -> str:
    """The text of a file of rules; see `read_rules_file`."""
    try:
        text = file.read_text("utf-8")
        rules_from_toml(file.stem.lower(), text, rulesets())
    except (OSError, UnicodeDecodeError) as error:
        raise BadRules([f"{file}: {getattr(error, 'strerror', None) or error}"]) from None
    except BadRules as error:
        problems = sorted((_line_of(problem, text), problem) for problem in error.problems)
        where = [f"{file.name}, line {line}" if line else file.name for line, _ in problems]
        raise BadRules([f"{file}: {problem}" for file, (_, problem) in zip(where, problems, strict=True)]) from None
    return text


def _line_of(problem: str, text: str) -> int:
    """The line of the first key that a problem names and the text has, or of the table that should have it; or 0."""
    lines, table = dict[str, int](), ""
    for number, line in enumerate(text.replace('"', "").splitlines(), 1):
        if header := re.match(r"\s*\[([\w.-]+)\]", line):
            table = f"{header[1]}."
        key = header[1] if header else table + line.partition("=")[0].strip()
        lines.setdefault(key, number)
    named = [problem.partition(":")[0], *re.findall(r"[a-z]+(?:\.\w+)+", problem)]
    found = [lines[key] for key in (*named, *(key.rpartition(".")[0] for key in named)) if key in lines]
    return found[0] if found else 0
