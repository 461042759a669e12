"""Rows of styled text, and widths in terminal cells."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import zip_longest
from operator import attrgetter
from typing import Final

from msgspec import Struct

from engine.cards import SUIT_SIGNS

PLAIN: Final = ""
BOLD: Final = "bold"
DIM: Final = "dim"
LOUD: Final = "bold reverse"
PAPER: Final = "paper"
"""Black on white on any terminal, also on one for which colours are off: a QR code is nothing without them."""

STYLES: Final[list[str]] = []
"""All styles that have been used; see `Row`."""

MEASURE: Final = 78
"""The most cells in a line of a page: longer lines are hard to read."""
HALVES: Final = " \u2580\u2584\u2588"
"""A cell of a QR code shows two modules: none dark, the upper one, the lower one, both."""
STROKES: Final = "\u2500\u2502\u256d\u256e\u2570\u256f\u2591\u2524\u251c\u253c\u252c"
ASCII_STROKES: Final = "-|..''#++++"
"""The characters of lines, and those that stand for them in ASCII. `render.theme.Strokes` names them."""
is_narrow: Final = re.compile(f"[\x00-\x7f{SUIT_SIGNS}{STROKES}{HALVES}]*").fullmatch
"""Whether all characters of a text take one cell each on a terminal that shows suit signs (`Terminal.has_signs`)."""


class Row(Struct, frozen=True, gc=False):
    """A row of styled text, or a part of one."""

    text: str
    styles: str
    """For each character another one whose number is that of its style in `STYLES`."""

    @property
    def width(self) -> int:
        """The cells that it takes."""
        text = self.text
        return len(text) if text.isascii() or is_narrow(text) else text_width(text)

    def __add__(self, other: "Row") -> "Row":
        return Row(self.text + other.text, self.styles + other.styles)


@lru_cache(1024)  # most are those of a moment ago, or of the others at a table, who keep one object
def styled(style: str, text: str) -> Row:
    """A text in one style (see `terminal.painter.sgr`)."""
    return Row(text, _mark(style) * len(text))


@cache
def _mark(style: str) -> str:
    STYLES.append(style)
    return chr(len(STYLES) - 1)


BLANK: Final = Row("", "")
_TEXT: Final = attrgetter("text")
_STYLES: Final = attrgetter("styles")


@lru_cache(1024)
def char_width(char: str) -> int:
    """The cells of a character: 0 for a mark on the one before it, -1 for a control character."""
    from wcwidth import wcwidth  # noqa: PLC0415 - its tables take long to load, and ASCII text needs none

    return wcwidth(char)


def text_width(text: str) -> int:
    """The cells that a text takes. A control character, which should not be in it, counts as one."""
    return len(text) if text.isascii() or is_narrow(text) else sum(map(abs, map(char_width, text)))


@lru_cache(256)  # every screen of a table wraps the same lines of the log
def wrap(line: str, width: int) -> Sequence[str]:
    """Break a line at spaces to fit this many cells, at least 8; longer words are broken too.

    The line's indent is kept, and following rows are indented by two more.

    >>> wrap("  a queen and two fours", 14)
    ('  a queen and', '    two fours')
    """
    width_of = len if line.isascii() else text_width
    if width_of(line) <= width:
        return (line,)
    width = max(width, 8)
    text = line.lstrip(" ")
    margin = " " * min(len(line) - len(text), width // 2)
    rows, row = [], margin
    for word in text.split(" "):
        gap = " " if row.strip() else ""
        if gap and width_of(row + gap + word) > width:
            rows.append(row)
            row, gap = f"{margin}  ", ""
        row += gap + word
        while width_of(row) > width:
            rows.append(cut(row, width))
            row = f"{margin}  {row[len(rows[-1]) :]}"
    return (*rows, row)


def whole_lines(lines: Iterable[str], height: int, width: int) -> list[str]:
    """The first of these lines, wrapped; as many whole ones as fit into so many rows."""
    rows = list[str]()
    for line in lines:
        parts = wrap(line, width)
        if len(rows) + len(parts) > height:
            break
        rows += parts
    return rows


def cut(text: str, width: int) -> str:
    """As much of a text as fits into this many cells."""
    if text.isascii():
        return text[: max(0, width)]
    used = 0
    for at, char in enumerate(text):
        used += abs(char_width(char))
        if used > width:
            return text[:at]
    return text


def pad(text: str, width: int) -> str:
    """The text cut or filled to exactly this many cells."""
    if text.isascii():
        return text[:width].ljust(width)
    fitted = cut(text, width)
    return fitted + " " * (width - text_width(fitted))


def newest(lines: Sequence[str], height: int, width: int) -> list[str]:
    """The last of these lines, wrapped, as exactly so many rows. The beginning of each line is there."""
    kept = list[str]()
    for line in reversed(lines):
        rows = wrap(line, width)
        if kept and len(kept) + len(rows) > height:
            break
        kept[:0] = rows
    return kept[: max(0, height)] + [""] * (height - len(kept))


def justify(left: Row, right: Row, width: int) -> Row:
    """A row with a second text at its right end, which is always whole."""
    free = width - text_width(left.text + right.text)
    if free < 1:
        left = fit(left, width - right.width - 1)
        free = width - left.width - right.width
    return Row(left.text + " " * free + right.text, left.styles + _mark(PLAIN) * free + right.styles)


def joined(between: str, rows: Iterable[Row]) -> Row:
    """Rows joined into one, with a text between them."""
    parts = [*rows]
    return Row(between.join(map(_TEXT, parts)), styled(PLAIN, between).styles.join(map(_STYLES, parts)))


def hconcat(left: Sequence[Row], right: Sequence[Row], width: int, between: Row = BLANK) -> list[Row]:
    """Two blocks of rows side by side, the left one cut or filled to a width; as high as the higher one."""
    return [
        joined("", (filled(one, width), between, other)) for one, other in zip_longest(left, right, fillvalue=BLANK)
    ]


def filled(row: Row, width: int) -> Row:
    """The row cut or filled to exactly so many cells."""
    free = width - row.width
    if free < 0:
        row = fit(row, width)
        free = width - row.width
    return Row(row.text + " " * free, row.styles + _mark(PLAIN) * free)


def fit(row: Row, width: int) -> Row:
    """The row cut to the width."""
    if row.width <= width:
        return row
    text = cut(row.text, width)
    return Row(text, row.styles[: len(text)])
