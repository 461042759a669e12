"""Rows of styled text and their width in terminal cells. Knows nothing of what they say."""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Final, TypeAlias

from wcwidth import wcwidth

Fragment: TypeAlias = tuple[str, str]
"""A style (see `styles`), and text."""
Row: TypeAlias = tuple[Fragment, ...]

PLAIN: Final = ""
BOLD: Final = "bold"
DIM: Final = "dim"
LOUD: Final = "bold reverse"
WIDTHS_KEPT: Final = 4096
"""Rules across the screen and cards with suit signs come again in every screen."""
_NOTHING: Final[Row] = ()


def text_width(text: str) -> int:
    """How many cells a text takes; a control character, of which none should be left in it, is shown as one."""
    return len(text) if text.isascii() else _width_by_cells(text)


@lru_cache(WIDTHS_KEPT)
def _width_by_cells(text: str) -> int:
    return sum(abs(wcwidth(char)) for char in text)


def wrap(line: str, width: int) -> list[str]:
    """A line broken at spaces to fit this many cells, at least 8; words longer than that are broken too.

    What a line is set in by is kept, and what goes on is set in by two more.

    >>> wrap("  a queen and two fours", 14)
    ['  a queen and', '    two fours']
    """
    if text_width(line) <= width:
        return [line]
    width = max(width, 8)
    text = line.lstrip(" ")
    margin = " " * min(len(line) - len(text), width // 2)
    rows, row = [], margin
    for word in text.split(" "):
        gap = " " if row.strip() else ""
        if gap and text_width(row + gap + word) > width:
            rows.append(row)
            row, gap = f"{margin}  ", ""
        row += gap + word
        while text_width(row) > width:
            rows.append(cut(row, width))
            row = f"{margin}  {row[len(rows[-1]) :]}"
    return [*rows, row]


def cut(text: str, width: int) -> str:
    """As much of a text as fits into this many cells."""
    if text.isascii():
        return text[: max(0, width)]
    used = 0
    for at, char in enumerate(text):
        used += abs(wcwidth(char))
        if used > width:
            return text[:at]
    return text


def pad(text: str, width: int) -> str:
    """The text cut or filled up to exactly this many cells."""
    fitted = cut(text, width)
    return fitted + " " * (width - text_width(fitted))


@cache
def titled_rule(title: str, width: int, stroke: str, style: str) -> Row:
    """A line across with a title in it, if there is one."""
    if not title:
        return ((style, stroke * width),)
    return ((style, stroke * 2), (PLAIN, f" {title} "), (style, stroke * max(0, width - text_width(title) - 4)))


def newest(lines: Sequence[str], height: int, width: int) -> list[str]:
    """The last of these lines, wrapped, as exactly so many rows."""
    kept = list[str]()
    for line in reversed(lines):
        if len(kept) >= height:
            break
        kept[:0] = wrap(line, width)
    return kept[max(0, len(kept) - height) :] + [""] * (height - len(kept))


def ends(left: Row, right: Fragment, width: int) -> Row:
    """A row with a text at its other end, which is kept whole."""
    room = width - text_width(right[1]) - 1
    kept = fit(left, room)
    return (*kept, (PLAIN, " " * (room - row_width(kept) + 1)), right)


def joined(between: str, rows: Iterable[Row]) -> Row:
    """Rows one behind the other, with a text between them."""
    result: Row = ()
    for row in rows:
        result = (*result, (PLAIN, between), *row) if result else row
    return result


def beside(left: Sequence[Row], right: Sequence[Row], width: int, between: Fragment) -> list[Row]:
    """Rows next to rows, the left ones cut or filled up to a width, as many as there are on the longer side."""
    return [(*filled(one, width), between, *other) for one, other in zip_longest(left, right, fillvalue=_NOTHING)]


def filled(row: Row, width: int) -> Row:
    """The row cut or filled up to exactly so many cells."""
    kept = fit(row, width)
    space = " " * (width - row_width(kept))
    if kept and kept[-1][0] == PLAIN:
        return (*kept[:-1], (PLAIN, kept[-1][1] + space))
    return (*kept, (PLAIN, space)) if space else kept


def row_width(row: Row) -> int:
    """The cells that a row takes."""
    return text_width(row_text(row))


def row_text(row: Row) -> str:
    """What a row says."""
    return "".join([text for _, text in row])


def fit(row: Row, width: int) -> Row:
    """The row cut to the width."""
    if row_width(row) <= width:
        return row
    result: list[Fragment] = []
    for style, text in row:
        part = cut(text, width)
        result.append((style, part))
        width -= text_width(part)
    return tuple(result)
