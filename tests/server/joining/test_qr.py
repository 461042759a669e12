"""QR codes as they are painted, read back from a terminal."""

import pyte
import pytest

from server.cells import row_width
from server.joining.qr import BORDER, qr_modules, qr_rows
from server.terminal.painter import Painter

pytest.importorskip("segno")

LINKS = [
    "ssh://guest@10.0.0.1:22",
    "ssh://guest@192.168.1.23:2222",
    "ssh://guest@192.168.100.230:65535",
    "ssh://guest@[fd00::1234:5678]:2222",
    "ssh://guest@cards.example:2222",
    "ssh://guest@a-rather-long-name-of-a-host-at-a-university.cards.example:22222",
]
DARK, LIGHT = "black", "brightwhite"


def seen(screen: pyte.Screen, width: int, height: int) -> list[list[int]]:
    """The modules that a phone sees: two in each cell, the colour of its character and that behind it."""
    modules = []
    for y in range(height):
        cells = [screen.buffer[y][x] for x in range(width)]
        assert all((cell.fg, cell.bg) == (DARK, LIGHT) for cell in cells)
        modules.append([int(cell.data in "\u2580\u2588") for cell in cells])
        modules.append([int(cell.data in "\u2584\u2588") for cell in cells])
    return modules


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("link", LINKS)
def test_what_is_painted_is_the_code(link: str, *, colour: bool) -> None:
    """In black on white whatever the terminal's colours, with a border on all four sides."""
    modules = qr_modules(link)
    assert modules is not None
    rows = qr_rows(modules)
    width, height = row_width(rows[0]), len(rows)
    screen = pyte.Screen(width + 5, height + 2)
    painter = Painter(colour=colour)
    pyte.Stream(screen).feed(painter.paint([(), *[()] * height], (0, 0)) + painter.paint([*rows, ()], (0, height)))
    found = seen(screen, width, height)
    assert found[: len(modules)] == [list(row) for row in modules]
    assert not any(map(any, found[len(modules) :]))
    for side in (found, list(zip(*found, strict=True))):
        assert not any(map(any, [*side[:BORDER], *side[-BORDER:]]))


def test_the_usual_link_fits_into_a_small_terminal() -> None:
    """33x17 cells, so that the lines beside it fit into 24 rows."""
    modules = qr_modules("ssh://guest@192.168.100.230:22222")
    assert modules is not None
    rows = qr_rows(modules)
    assert (row_width(rows[0]), len(rows)) <= (37, 19)
    modules = qr_modules("ssh://guest@192.168.1.23:2222")
    assert modules is not None
    rows = qr_rows(modules)
    assert (row_width(rows[0]), len(rows)) == (33, 17)
