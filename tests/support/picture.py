"""Draws the screen of an emulator as an SVG for a page, such as the README on GitHub.

Each text is as wide as its cells, whatever font the reader has, and lines are drawn, not written, so that they join.
The picture has its own background, on which each colour can be read.
"""

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Final

import pyte
from pyte.screens import Char

CELL: Final = (9, 20)
"""The width and height of a cell; the width of a letter is 0.6 of `FONT_SIZE` in the usual fonts."""
FONT_SIZE: Final = 15
BASELINE: Final = 15
MARGIN: Final = 14
FONTS: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
BACKGROUND: Final = "#0d1117"
COLOURS: Final = {
    "default": "#e6edf3",
    "red": "#ff8f87",
    "green": "#7ee787",
    "brown": "#e3b341",
    "blue": "#8cc8ff",
    "magenta": "#d2a8ff",
    "cyan": "#76e3ea",
}
"""The names are those of pyte."""
FAINT: Final = 0.65
"""How much of its colour a faint text has; the rest is background."""
ACROSS: Final = "\u2500"
STROKES: Final = {
    ACROSS: "m0 10h9",
    "\u2502": "m4.5 0v20",
    "\u256d": "m9 10q-4.5 0-4.5 10",
    "\u256e": "m0 10q4.5 0 4.5 10",
    "\u2570": "m9 10q-4.5 0-4.5-10",
    "\u256f": "m0 10q4.5 0 4.5-10",
}
"""The characters of lines, as paths from the top left corner of their cell."""


def svg(screen: pyte.Screen, title: str) -> str:
    """The picture. The title is what a screen reader says."""
    width, height = screen.columns * CELL[0] + 2 * MARGIN, screen.lines * CELL[1] + 2 * MARGIN
    frame = f'x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" fill="{BACKGROUND}" stroke="#6e7681"'
    text = f'font-family="{FONTS}" font-size="{FONT_SIZE}" fill="{COLOURS["default"]}"'
    cursor = f'x="{screen.cursor.x * CELL[0]}" y="{screen.cursor.y * CELL[1] + 1}" width="2" height="18"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<rect {frame}/>",
        f'<g transform="translate({MARGIN} {MARGIN})" {text}>',
        *(drawn for y in range(screen.lines) for drawn in _row(screen, y)),
        f"<rect {cursor}/>",
        "</g>",
        "</svg>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _row(screen: pyte.Screen, y: int) -> Iterator[str]:
    """Texts and lines. A text ends where its style changes, and where letters meet signs, perhaps of another font."""
    cells = [(x, screen.buffer[y][x]) for x in range(screen.columns)]
    for _, group in groupby(cells, lambda at: (at[1]._replace(data=""), at[1].data.isascii())):
        (x, char), *more = group
        text = char.data + "".join(cell.data for _, cell in more)
        ink, left, top = colour(char), x * CELL[0], y * CELL[1]
        if char.reverse:
            yield f'<rect x="{left}" y="{top}" width="{len(text) * CELL[0]}" height="{CELL[1]}" fill="{ink}"/>'
            ink = BACKGROUND
        if char.data in STROKES:
            yield f'<path d="{_path(text, left, top)}" stroke="{ink}" fill="none"/>'
        else:
            yield from _texts(text, (left, top + BASELINE), ink, bold=char.bold)


def _path(strokes: str, left: int, top: int) -> str:
    """The path of characters side by side, those across as one line."""
    found = re.finditer(f"{ACROSS}+|.", strokes)
    parts = ((left + part.start() * CELL[0], part[0]) for part in found)
    return "".join(f"M{x} {top}{STROKES[part[0]].replace('h9', f'h{len(part) * CELL[0]}')}" for x, part in parts)


def _texts(text: str, at: tuple[int, int], ink: str, *, bold: bool) -> Iterator[str]:
    """A text of one style, in parts where there is more than one space."""
    style = f' fill="{ink}"' * (ink != COLOURS["default"]) + ' font-weight="bold"' * bold
    for part in re.finditer(r"\S+(?: \S+)*", text):
        width = len(part[0]) * CELL[0]
        yield (
            f'<text x="{at[0] + part.start() * CELL[0]}" y="{at[1]}" textLength="{width}" '
            f'lengthAdjust="spacingAndGlyphs"{style}>{escape(part[0], quote=False)}</text>'
        )


def colour(char: Char) -> str:
    """The colour of a character, in hexadecimal. The emulator of the tests has italics for faint text."""
    ink = COLOURS[char.fg]
    if not char.italics:
        return ink
    mixed = (FAINT * one + (1 - FAINT) * other for one, other in zip(channels(ink), channels(BACKGROUND), strict=True))
    return "#" + "".join(f"{round(channel):02x}" for channel in mixed)


def channels(colour: str) -> list[int]:
    """Red, green and blue of a colour like #0d1117."""
    return [*bytes.fromhex(colour[1:])]
