"""Pages of text: how they are divided into screens, and what their frame says."""

from dataclasses import replace
from itertools import pairwise

import pytest

from server.cells import row_text
from server.render.frame import draw, page_of, turned
from server.render.scene import Page, Scene
from tests.support.positions import at
from tests.support.snapshots import snapshot_of


@pytest.mark.parametrize("lines", [20, 21, 22, 43, 64])
def test_the_screens_of_a_page_are_about_as_full(lines: int) -> None:
    """No line stands alone on the last one, and each line is shown once."""
    page: Page | None = page_of("rules", [f"line {n}" for n in range(lines)], 80)
    shown = []
    while page is not None:
        shown.append([row_text(row) for row in draw(Scene("ana", page=page), 80, 24).rows[2:] if row_text(row).strip()])
        page = turned(page, 1, 80, 24)
    assert [line for screen in shown for line in screen] == [f" line {n}" for n in range(lines)]
    assert max(map(len, shown)) - min(map(len, shown)) < len(shown)


def test_no_screen_of_a_page_begins_within_a_line() -> None:
    """A line that was broken goes on below with an indent. One that fills screens is broken all the same."""
    lines = [f"command {n:<22} what it does, in more words than one row has" for n in range(40)]
    for columns, rows in ((60, 20), (60, 21), (70, 23)):
        page: Page | None = page_of("help", lines, columns)
        while page is not None:
            assert row_text(draw(Scene("ana", page=page), columns, rows).rows[2]).startswith(" command ")
            page = turned(page, 1, columns, rows)
    page = page_of("log", ["word " * 600], 60)
    assert len(seen := page.lines) > 40
    at = []
    while page is not None:
        at.append(page.at)
        page = turned(page, 1, 60, 20)
    assert at == sorted({*at})
    assert max(after - before for before, after in pairwise([*at, len(seen)])) <= 17


def test_a_page_says_whose_turn_it_is() -> None:
    """The player reads, and the others wait; a lesson waits for nobody."""
    page = page_of("rules", ["a line"], 80)
    scene = Scene("ana", snapshot=snapshot_of(at("quatch", "hand 4c 9d", "hand 5c", pile="8h")), page=page)
    assert "* YOUR TURN *" in row_text(draw(scene, 80, 24).rows[0])
    theirs = snapshot_of(at("quatch", "hand 4c 9d", "hand 5c", pile="8h", to_move=1))
    assert "TURN" not in row_text(draw(replace(scene, snapshot=theirs), 80, 24).rows[0])
    assert "TURN" not in row_text(draw(replace(scene, snapshot=None), 80, 24).rows[0])
