"""The manual page."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

from server.cli.arguments import build_parser
from server.cli.manual import manual

PAGE: Final = Path(__file__).parents[3] / "deploy" / "quatch.1"


def test_the_page_is_current() -> None:
    """`make man` writes it anew."""
    assert PAGE.read_text("utf-8") == manual()
    for name in build_parser().sub_commands:
        assert f".SS quatch {name}" in manual()


@pytest.mark.needs("mandoc")
def test_the_page_is_well_formed() -> None:
    """No macro is misused. The date is left out, so that the page changes only with the parser."""
    told = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", PAGE], capture_output=True, text=True, check=False)
    assert [line for line in told.stdout.splitlines() if "missing date" not in line] == []
