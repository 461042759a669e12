"""Styles, words such as "bold red", as the escape sequences that set them (ECMA-48, SGR)."""

from functools import cache
from typing import Final

_ATTRIBUTES: Final = {"bold": "1", "dim": "2", "underline": "4", "reverse": "7"}
_COLOURS: Final = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36"}
"""Those of the sixteen usual colours that can be read on a light and on a dark background."""


@cache
def sgr(style: str, *, colour: bool) -> str:
    """Return the escape sequence that sets this style, whatever was set before; without colours, all but its colour."""
    if not style:
        return "\x1b[m"
    words = _ATTRIBUTES | _COLOURS if colour else {**_ATTRIBUTES, **dict.fromkeys(_COLOURS, "")}
    return "\x1b[" + ";".join(["0", *filter(None, (words[word] for word in style.split()))]) + "m"
