"""How a style is said to a terminal: words like "bold" and "red" as SGR codes, with colours or without."""

from functools import cache
from typing import Final

_LOOKS: Final = {"bold": "1", "dim": "2", "underline": "4", "reverse": "7"}
_COLOURS: Final = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36"}
"""Of the sixteen that every terminal with colours has, those that can be read on light and on dark."""


@cache
def sgr(style: str, *, colour: bool) -> str:
    """The escape sequence from any style to this one; without colours only the looks are left of it."""
    if not style:
        return "\x1b[m"
    words = _LOOKS | _COLOURS if colour else {**_LOOKS, **dict.fromkeys(_COLOURS, "")}
    return "\x1b[" + ";".join(["0", *filter(None, (words[word] for word in style.split()))]) + "m"
