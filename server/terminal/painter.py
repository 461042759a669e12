"""Finds the least to send to a terminal so that it shows the next rows.

Rows are values, and what turns one row into another is a pure function of the two (`_change`). A row that has not
changed sends nothing. Of a changed row only the part that differs is sent, if all its characters are known to take one
cell. The players of a table see nearly the same, one right after the other, so that most changes are found once for
all of them. Rows that have moved up together are moved by the terminal itself. Every row must be narrower than the
terminal, so that nothing wraps.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from operator import ne
from typing import Final

from server.cells import PLAIN, Row, row_text, text_width

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
ROWS_KEPT: Final = 256
"""How many rows are kept as cells: each is new for one change and old for the next, which takes 300 KiB."""
CHANGES_KEPT: Final = 256
"""How many changes of rows are kept for other terminals: those of about fifteen tables, which takes 200 KiB."""
_MOVED_RUN: Final = re.compile(b"\1{%d,}" % LEAST_SCROLLED)
_UNCHANGED_RUN: Final = re.compile(b"\0{%d,}" % LEAST_SKIPPED)
_CLEAR: Final = "\x1b[2J"
_ERASE_REST: Final = "\x1b[K"
_HIDE: Final = "\x1b[?25l"
_SHOW: Final = "\x1b[?25h"
_ATTRIBUTES: Final = {"bold": "1", "dim": "2", "underline": "4", "reverse": "7", "paper": "30;47;107"}
"""A terminal that does not know bright white, 107, keeps white, 47."""
_VISIBLE_SPACES: Final = {"paper", "reverse", "underline"}
"""Styles in which a space is seen."""
_COLOURS: Final = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36"}
"""Those of the sixteen usual colours that can be read on a light and on a dark background."""


class Painter:
    """The rows that one terminal shows."""

    def __init__(self, *, colour: bool, narrow: str = "") -> None:
        """``narrow`` are the characters that are known to take one cell there, besides those of ASCII."""
        self._colour = colour
        self._narrow = narrow
        self._shown: Sequence[Row] | None = None
        """None if it is not known what the terminal shows."""
        self._cursor: tuple[int, int] | None = (0, 0)

    def forget(self) -> None:
        """Paint everything the next time, since the terminal may show anything."""
        self._shown = None

    def paint(self, rows: Sequence[Row], cursor: tuple[int, int] | None) -> str:
        """Return what to send to show these rows, with the cursor at this column and row, counted from 0.

        Without a cursor (None) it stays hidden.
        """
        sent: list[str] = []
        if self._shown is None or len(self._shown) != len(rows):
            shown: list[Row] = [()] * len(rows)
            sent.append(sgr(PLAIN, colour=self._colour) + _CLEAR)
        else:
            shown = [*self._shown]
            if sum(map(ne, shown, rows)) >= LEAST_SCROLLED:
                sent += _scroll(shown, rows)
        for y, (old, new) in enumerate(zip(shown, rows, strict=True)):
            if old != new:
                sent += [_goto(x, y) + text for x, text in _change(old, new, self._narrow, colour=self._colour)]
        if not sent and cursor == self._cursor:
            return ""
        self._shown, self._cursor = rows, cursor
        return "".join((_HIDE, *sent, *((_goto(*cursor), _SHOW) if cursor is not None else ())))


@lru_cache(CHANGES_KEPT)
def _change(old: Row, new: Row, narrow: str, *, colour: bool) -> tuple[tuple[int, str], ...]:
    """Return what turns the old row into the new one: columns, and what to send there; all in plain style outside."""
    (before, old_styles, is_old_narrow), (after, new_styles, is_new_narrow) = _cells(old, narrow), _cells(new, narrow)
    if not (is_old_narrow and is_new_narrow):
        # Terminals disagree about the width of some characters, so nothing of the old row may stay.
        return ((0, _ERASE_REST + _styled(after, new_styles, colour=colour)),)
    differ = bytes(map(ne, zip(before, old_styles, strict=True), zip(after, new_styles, strict=True)))
    start = differ.find(b"\1") if any(differ) else len(differ)
    end = max(start, differ.rfind(b"\1") + 1) if len(before) == len(after) else len(after)
    sent = [
        (first, _styled(after[first:last], new_styles[first:last], colour=colour))
        for first, last in _ranges(differ, start, end)
    ]
    if len(after) < len(before):
        sent[-1] = (sent[-1][0], sent[-1][1] + _ERASE_REST)
    return tuple(sent)


@cache
def _narrow_characters(narrow: str) -> frozenset[str]:
    return frozenset(map(chr, range(128))).union(narrow)


def _styled(cells: str, styles: Sequence[str], *, colour: bool) -> str:
    """Return the cells as text with escape sequences; it begins and ends in plain style."""
    sent, end = "", 0
    for style, run in groupby(styles):
        start, end = end, end + len([*run])
        text = cells[start:end]
        sent += (sgr(style, colour=colour) if style or sent else "") + (
            text if text.isprintable() else _printable(text)
        )
    return sent + (sgr(PLAIN, colour=colour) if styles and styles[-1] else "")


def _printable(text: str) -> str:
    """Replace what is not printable. `clean` should have left none; this is the last defence against stray controls."""
    return "".join(char if char.isprintable() else "?" * text_width(char) for char in text)


@cache
def sgr(style: str, *, colour: bool) -> str:
    """Return the escape sequence that sets this style, whatever was set before; without colours, all but its colour."""
    if not style:
        return "\x1b[m"
    words = _ATTRIBUTES | _COLOURS if colour else {**_ATTRIBUTES, **dict.fromkeys(_COLOURS, "")}
    return "\x1b[" + ";".join(["0", *filter(None, (words[word] for word in style.split()))]) + "m"


def _scroll(shown: list[Row], rows: Sequence[Row]) -> Iterator[str]:
    """If several rows have moved up, as in a log, yield what has the terminal move them; ``shown`` is changed too."""
    for by in SCROLLED:
        moved = bytes([new == below != here for new, here, below in zip(rows, shown, shown[by:], strict=False)])
        if run := _longest(_MOVED_RUN.finditer(moved)):
            first, end = run.start(), run.end() + by
            shown[first:end] = [*shown[first + by : end], *[()] * by]
            yield f"\x1b[{first + 1};{end}r{_goto(0, end - 1)}" + "\n" * by + "\x1b[r"
            return


def _longest(runs: Iterable[re.Match[bytes]]) -> re.Match[bytes] | None:
    """Return the longest of these runs of flags; None if there is none."""
    return max(runs, key=lambda run: len(run[0]), default=None)


@lru_cache(ROWS_KEPT)
def _cells(row: Row, narrow: str) -> tuple[str, Sequence[str], bool]:
    """Return the characters of a row, the style of each, and whether all are known to take one cell.

    The spaces at its end are left out: to erase them is shorter.
    """
    text, styles = row_text(row), [style for style, part in row for _ in part]
    is_narrow = _narrow_characters(narrow).issuperset(text)
    while styles and text[len(styles) - 1] == " " and not _VISIBLE_SPACES.intersection(styles[-1].split()):
        styles.pop()
    return text[: len(styles)], styles, is_narrow


def _goto(x: int, y: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H"


def _ranges(differ: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges of columns to send: from start to end, or two ranges around a long unchanged middle."""
    if end - start >= LEAST_SPLIT and (run := _longest(_UNCHANGED_RUN.finditer(differ, start, end))):
        return [(start, run.start()), (run.end(), end)]
    return [(start, end)]
