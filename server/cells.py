"""Rows of styled text and their width in terminal cells. Knows nothing of what they say."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from wcwidth import wcswidth, wcwidth

Fragment: TypeAlias = tuple[str, str]
"""A prompt_toolkit style string, and text."""
Row: TypeAlias = tuple[Fragment, ...]

PLAIN: Final = ""
BOLD: Final = "bold"
DIM: Final = "dim"
LOUD: Final = "bold reverse"


def wrap(line: str, width: int) -> list[str]:
    """A line broken at spaces to fit this many cells; words longer than that are cut."""
    rows = [""]
    for word in line.split(" "):
        if rows[-1] and wcswidth(f"{rows[-1]} {word}") <= width:
            rows[-1] += f" {word}"
        elif not rows[-1]:
            rows[-1] = cut(word, width)
        else:
            rows.append(cut(f"  {word}", width))
    return rows


def chunks(code: str, width: int) -> list[str]:
    """Digits and letters without spaces, cut into rows."""
    return [code[at : at + width] for at in range(0, len(code), width)]


def cut(text: str, width: int) -> str:
    """As much of a text as fits into this many cells."""
    used = 0
    for at, char in enumerate(text):
        used += max(0, wcwidth(char))
        if used > width:
            return text[:at]
    return text


def pad(text: str, width: int) -> str:
    """The text cut or filled up to exactly this many cells."""
    fitted = cut(text, width)
    return fitted + " " * (width - wcswidth(fitted))


def rule(width: int) -> Row:
    """A line across."""
    return ((PLAIN, "-" * width),)


def titled_rule(title: str, width: int) -> Row:
    """A line across with a title in it."""
    return ((PLAIN, f"-- {title} ".ljust(width, "-")),)


def newest(lines: Iterable[str], height: int, width: int) -> list[str]:
    """The last of these lines, wrapped, as exactly so many rows."""
    wrapped = [part for line in lines for part in wrap(line, width)]
    kept = wrapped[-height:] if height > 0 else []
    return kept + [""] * (height - len(kept))


def ends(left: Row, right: Fragment, width: int) -> Row:
    """A row with a text at its other end, which is kept whole."""
    room = width - wcswidth(right[1]) - 1
    kept = fit(left, room)
    return (*kept, (PLAIN, " " * (room - row_width(kept) + 1)), right)


def joined(between: str, rows: Iterable[Row]) -> Row:
    """Rows one behind the other, with a text between them."""
    result: Row = ()
    for row in rows:
        result = (*result, (PLAIN, between), *row) if result else row
    return result


def row_width(row: Row) -> int:
    """The cells that a row takes."""
    return sum(wcswidth(text) for _, text in row)


def fit(row: Row, width: int) -> Row:
    """The row cut to the width."""
    result: list[Fragment] = []
    for style, text in row:
        part = cut(text, width)
        result.append((style, part))
        width -= wcswidth(part)
    return tuple(result)
