"""The clauses of `engine/rulesets/README.md`: each rule has its test, and no file cites a clause that is not there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.rulesets import rulesets

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = "engine/rulesets/README.md"
TEXTS: Final = re.findall(r"^\| `(\w+)` \|", (ROOT / PAGE).read_text("utf-8"), re.MULTILINE)
"""The ids of the texts that clauses come from, as the table of the page lists them."""
CLAUSE: Final = re.compile(r"\b(?:D\d|G)-\d\d\b")
LINE: Final = re.compile(r"^- `((?:D\d|G)-\d\d)` (?:(Table|Screen|AI|Remark):)?", re.MULTILINE)


def clauses() -> dict[str, str]:
    """Every clause of the page with what it is about if it is no rule of play ("Table", "AI"), else ''."""
    return dict(LINE.findall((ROOT / PAGE).read_text("utf-8")))


def files() -> Iterator[Path]:
    """Every text file that may cite a clause, apart from the page itself."""
    for folder in ("engine", "server", "tests", "deploy"):
        for kind in ("*.py", "*.toml", "*.md"):
            yield from (file for file in (ROOT / folder).rglob(kind) if file != ROOT / PAGE)
    yield from ROOT.glob("*.md")


def test_the_page_numbers_the_clauses_of_each_text_without_a_gap() -> None:
    """D0-01, D0-02 and so on, each once."""
    found = LINE.findall((ROOT / PAGE).read_text("utf-8"))
    assert {clause.partition("-")[0] for clause, _ in found} == {*TEXTS}
    for text in TEXTS:
        ids = [clause for clause, _ in found if clause.startswith(f"{text}-")]
        assert ids == [f"{text}-{number:02}" for number in range(1, len(ids) + 1)]


def test_every_clause_that_a_file_cites_stands_on_the_page() -> None:
    """Code, rule files, tests and documents cite only clauses that a reader can look up."""
    known = clauses().keys()
    for file in files():
        assert set(CLAUSE.findall(file.read_text("utf-8"))) <= known, file


def test_every_clause_behind_a_refusal_stands_on_the_page() -> None:
    """A bot or a player who is told a clause finds it there."""
    for rules in rulesets().values():
        assert set(rules.clauses.values()) <= clauses().keys(), rules.name


def test_every_rule_of_play_has_a_test_that_names_it() -> None:
    """``test_d2_16_...`` and ``@clauses("D2-16")``; what is about tables, screens and AI is tested with them."""
    tests = "\n".join(file.read_text("utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    named = re.findall(r"^def test_(d\d|g)_(\d\d)_", tests, re.MULTILINE)
    shared = " ".join(re.findall(r"^@clauses\((.*)\)$", tests, re.MULTILINE))
    assert {f"{text.upper()}-{number}" for text, number in named} | {*CLAUSE.findall(shared)} == {
        clause for clause, about in clauses().items() if not about
    }
