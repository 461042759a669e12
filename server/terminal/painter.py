"""Finds the least to send to a terminal so that it shows the next rows.

The rows are compared with those that were sent last, and a row that has not changed sends nothing. Of a changed row
only the part that differs is sent, if all its characters are known to take one cell. Rows that have moved up together
are moved by the terminal itself. Every row must be narrower than the terminal, so that nothing wraps.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import eq, ne
from typing import Final

from server.cells import PLAIN, Fragment, Row, row_text, text_width

START: Final = "\x1b[?1049h\x1b[?2004h\x1b[?7l"
"""Switches to the alternate screen, has pasted text marked, and has rows that are too long cut and not wrapped."""
SCROLLED: Final = (1, 2, 3)
"""By how many rows a log may have moved up for the terminal to be told to move it."""
LEAST_SCROLLED: Final = 4
"""How many rows must have moved together."""
LEAST_SKIPPED: Final = 12
"""How many unchanged characters in the middle of a row must there be for the cursor to jump over them."""
LEAST_SPLIT: Final = 24
"""How long the changed part must be for such characters to be looked for."""
_CLEAR: Final = "\x1b[2J"
_ERASE_REST: Final = "\x1b[K"
_HIDE: Final = "\x1b[?25l"
_SHOW: Final = "\x1b[?25h"
_ATTRIBUTES: Final = {"bold": "1", "dim": "2", "underline": "4", "reverse": "7"}
_COLOURS: Final = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36"}
"""Those of the sixteen usual colours that can be read on a light and on a dark background."""


class Painter:
    """The rows that one terminal shows."""

    def __init__(self, *, colour: bool, narrow: str = "") -> None:
        """``narrow`` are the characters that are known to take one cell there, besides those of ASCII."""
        self._colour = colour
        self._narrow = str.maketrans("", "", narrow)
        self._shown: Sequence[Row] | None = None
        """None if it is not known what the terminal shows."""
        self._cursor = (0, 0)

    def forget(self) -> None:
        """Paint everything the next time, since the terminal may show anything."""
        self._shown = None

    def paint(self, rows: Sequence[Row], cursor: tuple[int, int]) -> str:
        """Return what to send to show these rows, with the cursor at this column and row, counted from 0."""
        sent: list[str] = []
        if self._shown is None or len(self._shown) != len(rows):
            shown: list[Row] = [()] * len(rows)
            sent.append(sgr(PLAIN, colour=self._colour) + _CLEAR)
        else:
            shown = [*self._shown]
            sent += _scroll(shown, rows)
        for y, (old, new) in enumerate(zip(shown, rows, strict=True)):
            if old != new:
                sent += self._row(y, _trimmed(old), _trimmed(new))
        if not sent and cursor == self._cursor:
            return ""
        self._shown, self._cursor = rows, cursor
        return "".join((_HIDE, *sent, _goto(*cursor), _SHOW))

    def _row(self, y: int, old: Row, new: Row) -> Iterator[str]:
        """Yield what turns the old row ``y`` into the new one; begins and ends in plain style."""
        before, after = row_text(old), row_text(new)
        if not (self._is_exact(before) and self._is_exact(after)):
            # Terminals disagree about the width of some characters, so nothing of the old row may stay.
            yield _goto(0, y) + _ERASE_REST
            yield from self._styled(new)
            return
        start, end = _alike(old, new), len(after)
        if len(before) == end:
            end -= min(_alike(_mirrored(old), _mirrored(new)), end - start)
        for first, last in _differing(old, new, start, end):
            yield _goto(first, y)
            yield from self._styled(_part(new, first, last))
        if len(after) < len(before):
            yield _ERASE_REST

    def _is_exact(self, text: str) -> bool:
        return text.isascii() or text.translate(self._narrow).isascii()

    def _styled(self, row: Iterable[Fragment]) -> Iterator[str]:
        now = PLAIN
        for style, text in row:
            if style != now:
                yield sgr(style, colour=self._colour)
                now = style
            yield text if text.isprintable() else _printable(text)
        if now != PLAIN:
            yield sgr(PLAIN, colour=self._colour)


@cache
def sgr(style: str, *, colour: bool) -> str:
    """Return the escape sequence that sets this style, whatever was set before; without colours, all but its colour."""
    if not style:
        return "\x1b[m"
    words = _ATTRIBUTES | _COLOURS if colour else {**_ATTRIBUTES, **dict.fromkeys(_COLOURS, "")}
    return "\x1b[" + ";".join(["0", *filter(None, (words[word] for word in style.split()))]) + "m"


def _scroll(shown: list[Row], rows: Sequence[Row]) -> Iterator[str]:
    """If several rows have moved up, as in a log, yield what has the terminal move them; ``shown`` is changed too."""
    if sum(map(ne, shown, rows)) < LEAST_SCROLLED:
        return
    for by in SCROLLED:
        moved = [new == below != here for new, here, below in zip(rows, shown, shown[by:], strict=False)]
        first, length = _longest_run(moved)
        if length >= LEAST_SCROLLED:
            end = first + length + by
            shown[first:end] = [*shown[first + by : end], *[()] * by]
            yield f"\x1b[{first + 1};{end}r{_goto(0, end - 1)}" + "\n" * by + "\x1b[r"
            return


def _longest_run(flags: Iterable[bool]) -> tuple[int, int]:
    """Return where the longest run of set flags begins, and its length."""
    begin = longest = run = 0
    for end, flag in enumerate(flags, 1):
        run = run + 1 if flag else 0
        if run > longest:
            begin, longest = end - run, run
    return begin, longest


def _trimmed(row: Row) -> Row:
    """Return the row without the spaces at its end, which take fewer bytes to erase than to send."""
    while row and row[-1][1][-1:] in {" ", ""}:
        style, text = row[-1]
        if "reverse" in style or "underline" in style:
            return row
        rest = text.rstrip(" ")
        row = (*row[:-1], (style, rest)) if rest else row[:-1]
    return row


def _goto(x: int, y: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H"


def _mirrored(row: Row) -> Row:
    return tuple([(style, text[::-1]) for style, text in reversed(row)])


def _alike(old: Row, new: Row) -> int:
    """Return how many characters at the start of two rows are the same, in the same style."""
    alike = 0
    for (style_before, before), (style, after) in zip(old, new, strict=False):
        if style != style_before:
            break
        if before != after:
            pairs = zip(before, after, strict=False)
            differing = (at for at, (one, other) in enumerate(pairs) if one != other)
            return alike + next(differing, min(len(before), len(after)))
        alike += len(after)
    return alike


def _differing(old: Row, new: Row, start: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges of columns to send: from start to end, or two ranges around a long unchanged middle."""
    if end - start < LEAST_SPLIT:
        return [(start, end)]
    alike = map(eq, row_text(old)[start:end], row_text(new)[start:end])
    first, length = _longest_run(alike)
    first, last = start + first, start + first + length
    if length < LEAST_SKIPPED or [*_part(old, first, last)] != [*_part(new, first, last)]:
        return [(start, end)]
    return [(start, first), (last, end)]


def _part(row: Row, start: int, end: int) -> Iterator[Fragment]:
    """Yield the part of a row from one column up to another."""
    at = 0
    for style, text in row:
        if start < at + len(text) and at < end:
            yield style, text[max(0, start - at) : end - at]
        at += len(text)


def _printable(text: str) -> str:
    """Replace what is not printable. `clean` should have left none; this is the last defence against stray controls."""
    return "".join(char if char.isprintable() else "?" * text_width(char) for char in text)
