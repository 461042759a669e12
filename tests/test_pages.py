"""Pages are easy to read in a terminal and in a diff, and the glossary stays short."""

from typing import Final

import pytest

from tests.support.sources import ROOT

FOLDERS: Final = ("server", "engine", "tests", "deploy")
PAGES: Final = sorted([*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))])
WIDTH: Final = 120
GLOSSARY_LINES: Final = 51


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES])
def test_the_lines_of_a_page_are_short(page: str) -> None:
    """Except in tables, whose rows cannot be divided, and in examples of what programs write."""
    lines = enumerate((ROOT / page).read_text("utf-8").splitlines(), 1)
    assert [n for n, line in lines if len(line) > WIDTH and not line.startswith(("|", "    "))] == []


def test_the_glossary_is_short() -> None:
    """So that it is read as a whole."""
    assert len((ROOT / "server" / "GLOSSARY.md").read_text("utf-8").splitlines()) <= GLOSSARY_LINES
