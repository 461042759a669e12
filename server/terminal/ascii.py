"""Text for terminals that show ASCII only: each other character becomes a similar one of the same width."""

import unicodedata
from typing import Final

from wcwidth import wcwidth

from engine.cards import SUIT_SIGNS, SUITS

_LIKE: Final = str.maketrans(
    dict(zip(SUIT_SIGNS, SUITS, strict=True))
    | dict(zip("\u2500\u2502\u256d\u256e\u2570\u256f\u2591\u2524\u251c\u253c\u252c", "-|..''#++++", strict=True))
    | dict(zip("\u2018\u2019\u201c\u201d\u2013\u2014", "''\"\"--", strict=True))
)
"""Suit signs, the lines around cards, quotes and dashes."""


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
