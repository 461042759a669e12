"""What guests type and scan: the lines, and QR codes read back from a terminal."""

import pyte
import pytest

from server.cells import BLANK
from server.config import Config
from server.joining import BORDER, WORDS, fingerprint_words, own_join_lines, qr_modules, qr_rows
from server.terminal.painter import Painter
from tests.support.each import for_each

KEY = "SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"


def test_every_address_has_its_line() -> None:
    """First the one that this machine uses itself."""
    others = ["10.0.0.5", "192.168.1.23", "169.254.7.7"]
    found = own_join_lines(Config(host=("10.0.0.5",)), {"ssh": 2222}, KEY, others)
    assert found.lines == ["ssh -p 2222 10.0.0.5", "ssh -p 2222 192.168.1.23", "ssh -p 2222 169.254.7.7"]
    assert found.link == "ssh://guest@10.0.0.5:2222"
    named = own_join_lines(Config(), {"ssh": 22}, KEY, ["192.168.1.23"], only_others=True)
    assert (named.lines, named.link) == (["ssh 192.168.1.23"], "ssh://guest@192.168.1.23:22")
    public = own_join_lines(Config(public_host="cards.example", public_port=22), {"ssh": 2222}, KEY, ["192.168.1.23"])
    assert public.lines == ["ssh cards.example", "ssh 192.168.1.23"]


def test_a_server_that_is_not_announced_has_one_line() -> None:
    """That of the address at which it listens."""
    found = own_join_lines(Config(host=("::1",)), {"ssh": 2222}, KEY)
    assert (found.lines, found.link) == (["ssh -p 2222 ::1"], "ssh://guest@[::1]:2222")


def test_the_words_of_a_fingerprint_never_change() -> None:
    """People have written them down."""
    assert fingerprint_words(KEY) == "acorn album amber anchor ankle apple"
    other = "SHA256:/v38+/r5+Pf29fTz8vHw7+7t7Ovq6ejn5uXk4+Lh4N8"
    assert fingerprint_words(other) == "yellow wolf wizard window willow whale"


def test_no_two_words_can_be_mistaken_for_each_other() -> None:
    """Each byte has one of its own, which its first three letters tell."""
    assert sorted(set(WORDS)) == WORDS
    assert len({word[:3] for word in WORDS}) == len(WORDS) == 256
    assert all(word.isascii() and word.isalpha() and word.islower() and 3 <= len(word) <= 8 for word in WORDS)


pytest.importorskip("segno")

LINKS = [
    "ssh://guest@10.0.0.1:22",
    "http://192.168.1.23:8080/",
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


@for_each("colour", [True, False])
@for_each("link", LINKS)
def test_what_is_painted_is_the_code(link: str, *, colour: bool) -> None:
    """In black on white whatever the terminal's colours, with a border on all four sides."""
    modules = qr_modules(link)
    assert modules is not None
    rows = qr_rows(modules)
    width, height = rows[0].width, len(rows)
    screen = pyte.Screen(width + 5, height + 2)
    painter = Painter(colour=colour)
    painted = painter.paint([BLANK] * (height + 1), width, (0, 0)) + painter.paint([*rows, BLANK], width, (0, height))
    pyte.Stream(screen).feed(painted)
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
    assert (rows[0].width, len(rows)) <= (37, 19)
    modules = qr_modules("ssh://guest@192.168.1.23:2222")
    assert modules is not None
    rows = qr_rows(modules)
    assert (rows[0].width, len(rows)) == (33, 17)
