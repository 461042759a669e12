"""The screen of a terminal emulator, read back as text."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import pyte
from pyte import modes
from pyte.screens import Char

from engine.cards import SUIT_SIGNS
from server.cells import HALVES, STROKES

# A cell of pyte is made by this for each character that is drawn: a quarter of what emulated terminals cost.
Char._replace = lru_cache(100_000)(Char._replace)  # type: ignore[method-assign]
_of_one_cell = re.compile(f"[ -~{SUIT_SIGNS}{STROKES}{HALVES}]*").fullmatch


@lru_cache(10_000)
def _cells(look: Char, text: str) -> Sequence[Char]:
    """The letters of a text that looks so."""
    return [look._replace(data=letter) for letter in text]


class Emulator(pyte.Screen):
    """A screen that tells where its cursor is, when asked. Its cells are italic where the text is faint."""

    def __init__(self, columns: int, rows: int, answer: Callable[[bytes], None]) -> None:
        """``answer`` takes what it says."""
        super().__init__(columns, rows)
        self._answer = answer
        self._texts: dict[int, str] = {}
        """The rows as text, but for those that have changed since."""

    def write_process_input(self, data: str) -> None:
        """See `pyte.Screen`."""
        self._answer(data.encode())

    def draw(self, data: str) -> None:
        """See `pyte.Screen`, which takes letters one by one: here those that fit into the row are drawn at once."""
        begin, end = self.cursor.x, self.cursor.x + len(data)
        if end > self.columns or not _of_one_cell(data) or modes.IRM in self.mode or self.charset:
            super().draw(data)
            return
        letters = _cells(self.cursor.attrs, data.translate(self.g0_charset))
        self.buffer[self.cursor.y].update(zip(range(begin, end), letters, strict=True))
        self.cursor.x = end
        self.dirty.add(self.cursor.y)

    def texts(self) -> list[str]:
        """What `pyte.Screen.display` gives, far faster: the second cell of a wide character holds no text."""
        columns, blanks = range(self.columns), [self.default_char] * self.columns
        for y in self.dirty:
            self._texts[y] = "".join([cell.data for cell in map(self.buffer[y].get, columns, blanks)])
        self.dirty.clear()
        return [self._texts[y] for y in range(self.lines)]

    def select_graphic_rendition(self, *attrs: int) -> None:
        """See `pyte.Screen`, which knows no faint text (SGR 2)."""
        super().select_graphic_rendition(*attrs)
        if 2 in attrs:
            self.cursor.attrs = self.cursor.attrs._replace(italics=True)


def shown_by(screen: Emulator) -> str:
    """What an emulator shows, as text: a wide character once, nothing for its second cell.

    The suggestion behind the cursor is left out, see `suggested_by`.
    """
    rows = [row.rstrip() for row in screen.texts()]
    rows[-1] = rows[-1].removesuffix(suggested_by(screen)).rstrip()
    return "\n".join(rows)


def suggested_by(screen: pyte.Screen) -> str:
    """The faint text behind the cursor, in the row where one types."""
    cells = screen.buffer[screen.lines - 1]
    return "".join(cells[x].data for x in range(screen.columns) if cells[x].italics)
