"""Text for terminals that show ASCII only: each other character becomes a similar one of the same width."""

import unicodedata
from typing import Final

from wcwidth import wcwidth

from engine.cards import SUIT_SIGNS, SUITS
from server.cells import ASCII_STROKES, STROKES

_QUOTES_AND_DASHES: Final = "\u2018\u2019\u201c\u201d\u2013\u2014"
_LIKE: Final = str.maketrans(SUIT_SIGNS + STROKES + _QUOTES_AND_DASHES, SUITS + ASCII_STROKES + "''\"\"--")


def in_ascii(text: str) -> str:
    """Return the text in ASCII; a character that resembles none becomes a question mark for each of its cells.

    >>> in_ascii("Zo\u00eb: 7\u2665 \u6f22")
    'Zoe: 7h ??'
    """
    return text if text.isascii() else "".join(map(_like, text.translate(_LIKE)))


def _like(char: str) -> str:
    if char.isascii():
        return char
    base = unicodedata.normalize("NFKD", char)[0]
    cells = max(0, wcwidth(char))
    return base if base.isascii() and base.isprintable() and cells == 1 else "?" * cells
