"""Finds the least to send to a terminal so that it shows the next rows.

Rows are values (`cells.Row`), and what turns one row into another is a pure function of the two (`_change`). A row
that has not changed sends nothing. Of a changed row only the part that differs is sent, if all its characters are known
to take one cell: two rows are compared as large numbers, by one operation. The players of a table see nearly the same,
one right after the other, so that most changes are found once for all of them. Rows that have moved up together are
moved by the terminal itself.
"""

import re
from codecs import utf_16_le_decode, utf_16_le_encode
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import compress, count, repeat
from operator import ne
from typing import Final

from server.cells import BLANK, PLAIN, STYLES, Row, fit, is_narrow, text_width

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
CHANGES_KEPT: Final = 64
"""How many changes of rows are kept for other terminals: those of about four tables, which takes 50 KiB."""
ROWS_KEPT: Final = 2 * CHANGES_KEPT
"""How many rows are kept as numbers: what was the new row of a change is the old one of the next."""
_VISIBLE_SPACES: Final = {"paper", "reverse", "underline"}
_UNCHANGED_RUN: Final = re.compile(f"\0{{{LEAST_SKIPPED},}}").finditer
_CLEAR: Final = "\x1b[2J"
_ERASE_REST: Final = "\x1b[K"
_HIDE: Final = "\x1b[?25l"
_SHOW: Final = "\x1b[?25h"
_ATTRIBUTES: Final = {"bold": "1", "dim": "2", "underline": "4", "reverse": "7", "paper": "30;47;107"}
"""A terminal that does not know bright white, 107, keeps white, 47."""
_COLOURS: Final = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36"}
"""Those of the sixteen usual colours that can be read on a light and on a dark background."""


class Painter:
    """The rows that one terminal shows."""

    def __init__(self, *, colour: bool, has_signs: bool = False) -> None:
        """``has_signs``: not only the characters of ASCII are known to take one cell there."""
        self._shows = colour, has_signs
        self._shown: Sequence[Row] | None = None
        """None if it is not known what the terminal shows."""
        self._width = 0
        self._cursor: tuple[int, int] | None = (0, 0)

    def forget(self) -> None:
        """Paint everything the next time, since the terminal may show anything."""
        self._shown = None

    def paint_last(self, row: Row, width: int, cursor: tuple[int, int] | None) -> str:
        """Returns what to send to show this row as the last one, below those that are shown."""
        return self.paint((*self._shown[:-1], row), width, cursor) if self._shown else ""

    def paint(self, rows: Sequence[Row], width: int, cursor: tuple[int, int] | None) -> str:
        """Returns what to send to show these rows, with the cursor at this column and row, counted from 0.

        What does not fit into the width is cut off, so that nothing wraps. Another width paints everything anew.
        Without a cursor (None) it stays hidden.
        """
        sent: list[str] = []
        if self._shown is None or len(self._shown) != len(rows) or width != self._width:
            shown = [BLANK] * len(rows)
            sent.append(sgr(PLAIN, colour=self._shows[0]) + _CLEAR)
        else:
            shown = [*self._shown]
        changed = _differing(shown, rows)
        if len(changed) >= LEAST_SCROLLED and (scrolled := _scroll(shown, rows, changed)):
            sent.append(scrolled)
            changed = _differing(shown, rows)
        changes = map(
            _change, map(shown.__getitem__, changed), map(rows.__getitem__, changed), repeat(width), repeat(self._shows)
        )
        sent += [f"\x1b[{y + 1}{part}" for y, parts in zip(changed, changes, strict=True) for part in parts]
        if not sent and cursor == self._cursor:
            return ""
        self._shown, self._width, self._cursor = rows, width, cursor
        return "".join((_HIDE, *sent, *((f"\x1b[{cursor[1] + 1};{cursor[0] + 1}H", _SHOW) if cursor else ())))


@lru_cache(ROWS_KEPT)
def _seen_in(row: Row, width: int) -> tuple[str, str, int]:
    """A row's text and styles up to this width, without the spaces at its end that nobody sees; and both as a number.

    It has 16 bits for each character of the text, with the first one in the lowest bits, and above them, from the width
    on, as many for each style.
    """
    text, styles = row.text[:width], row.styles[:width]
    if text.endswith(" "):
        end = len(text.rstrip(" "))
        end += len(styles[end:].rstrip(_unseen_spaces(len(STYLES))))
        text, styles = text[:end], styles[:end]
    units, _ = utf_16_le_encode(text.ljust(width, "\0") + styles, "surrogatepass")
    return text, styles, int.from_bytes(units, "little")


@lru_cache(1)
def _unseen_spaces(known: int) -> str:
    """The characters of the first so many styles in which a space is not seen, and need not be sent."""
    return "".join(chr(at) for at in range(known) if _VISIBLE_SPACES.isdisjoint(STYLES[at].split()))


@lru_cache(CHANGES_KEPT)
def _change(old: Row, new: Row, width: int, shows: tuple[bool, bool]) -> tuple[str, ...]:
    """Returns what turns the old row into the new one on a terminal that shows colours, and signs in one cell, or not.

    Each part stands behind `ESC [` and the row's number, goes to its cell first, and ends in plain style.
    """
    colour, has_signs = shows
    both = old.text + new.text
    if not (both.isascii() or (has_signs and is_narrow(both))):
        # Terminals disagree about the width of some characters, so nothing of the old row may stay.
        text, styles, _ = _seen_in(fit(new, width), len(new.text))
        return ("H" + _ERASE_REST + _styled(text, styles, 0, colour=colour),)
    before, _, number_before = _seen_in(old, width)
    text, styles, number = _seen_in(new, width)
    if number == number_before:
        return ()
    differ = number ^ number_before
    differ = (differ | differ >> 16 * width) & (1 << 16 * width) - 1
    start, end = (differ & -differ).bit_length() - 1 >> 4, differ.bit_length() + 15 >> 4
    sent = []
    if len(before) != len(text):
        end = len(text)
    for first, last in _ranges(differ, start, end) if end - start >= LEAST_SPLIT else ((start, end),):
        sent.append((f";{first + 1}H" if first else "H") + _styled(text[:last], styles[:last], first, colour=colour))
    if len(text) < len(before):
        sent[-1] += _ERASE_REST
    return tuple(sent)


def _styled(text: str, styles: str, at: int, *, colour: bool) -> str:
    """Returns a text from this cell on with escape sequences; it begins and ends in plain style."""
    sent, style, end = "", PLAIN, len(text)
    while at < end:
        after_run = end - len(styles[at:].lstrip(styles[at]))
        run, style, at = text[at:after_run], STYLES[ord(styles[at])], after_run
        sent += (sgr(style, colour=colour) if style or sent else "") + (run if run.isprintable() else _printable(run))
    return sent + (sgr(PLAIN, colour=colour) if style else "")


def _printable(text: str) -> str:
    """Replace what is not printable. `clean` should have left none; this is the last defence against stray controls."""
    return "".join(char if char.isprintable() else "?" * text_width(char) for char in text)


@cache
def sgr(style: str, *, colour: bool) -> str:
    """Returns the escape sequence that sets this style, whatever was set before; without colours all but its colour."""
    if not style:
        return "\x1b[m"
    words = _ATTRIBUTES | _COLOURS if colour else {**_ATTRIBUTES, **dict.fromkeys(_COLOURS, "")}
    return "\x1b[" + ";".join(["0", *filter(None, (words[word] for word in style.split()))]) + "m"


def _differing(shown: Sequence[Row], rows: Sequence[Row]) -> list[int]:
    return [*compress(count(), map(ne, shown, rows))]


def _scroll(shown: list[Row], rows: Sequence[Row], changed: Sequence[int]) -> str:
    """If several rows have moved up, as in a log, returns what has the terminal move them; ``shown`` is changed too."""
    for by in SCROLLED:
        # Below those that have moved as many others have changed.
        moved = [y for y in changed[:-by] if rows[y] == shown[y + by]]
        for first in moved if len(moved) >= LEAST_SCROLLED else ():
            end = first + by
            while end < len(rows) and rows[end - by] == shown[end] != shown[end - by]:
                end += 1
            if end - by - first >= LEAST_SCROLLED:
                shown[first:end] = [*shown[first + by : end], *[BLANK] * by]
                return f"\x1b[{first + 1};{end}r\x1b[{end}H" + "\n" * by + "\x1b[r"
    return ""


def _ranges(differ: int, start: int, end: int) -> list[tuple[int, int]]:
    """The ranges of columns to send: from start to end, without the long unchanged runs between."""
    cells, _ = utf_16_le_decode(differ.to_bytes(2 * max(end, differ.bit_length() + 15 >> 4), "little"))
    ranges = list[tuple[int, int]]()
    for unchanged in _UNCHANGED_RUN(cells, start, end):
        ranges.append((start, unchanged.start()))
        start = unchanged.end()
    return [*ranges, (start, end)]
