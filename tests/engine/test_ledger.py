"""Every rule of the rule ledger has its test, and every test of a clause names one that is there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

RULE_CLAUSES: Final = {
    "D0": "02-08 10-25 27-39 42-46 48-51",
    "D1": "01-28",
    "D2": "01-11 14-18 20-45",
    "D3": "01-15 17-27 29-36",
    "D4": "01 03-29",
    "G": "01-16",
}
"""The clauses of kind R (and A/R) of the five documents, and the gaps; what is left out is no rule of play."""

NOT_TESTED: Final[dict[str, str]] = {
    "G-04": "the turn clock is the table's: the engine knows no time",
    "G-05": "leaving and coming back are the table's: the engine knows seats, not who sits there",
    "G-07": "the order in which a hand is shown is the screen's: to the engine a hand is a set",
    "G-14": "what the AI players take for lowest is tested with them",
}
"""Clause -> why no test of the engine covers it."""


def _clauses(ranges: dict[str, str]) -> Iterator[str]:
    for document, texts in ranges.items():
        for text in texts.split():
            first, _, last = text.partition("-")
            yield from (f"{document}-{n:02}" for n in range(int(first), int(last or first) + 1))


def _tested() -> set[str]:
    """The clauses that name a test function in this folder."""
    text = "\n".join(file.read_text("utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    return {f"{document.upper()}-{n}" for document, n in re.findall(r"^def test_(d\d|g)_(\d\d)_", text, re.MULTILINE)}


def test_every_rule_clause_has_a_test() -> None:
    """Each clause names a test function or stands in NOT_TESTED with the reason, and no test names another clause."""
    clauses, tested = set(_clauses(RULE_CLAUSES)), _tested()
    of_documents = {clause for clause in tested if clause.startswith("D")}
    print(f"{len(of_documents)} clauses and {len(tested - of_documents)} gaps covered, {len(NOT_TESTED)} not")

    assert tested | NOT_TESTED.keys() == clauses
    assert not tested & NOT_TESTED.keys()
