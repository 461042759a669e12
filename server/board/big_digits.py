"""Digits of five rows, for a clock that is read from the other end of a room. They are made of spaces alone."""

from typing import Final

from server.cells import PLAIN, Row

HEIGHT: Final = 5
_DIGITS: Final = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    ":": (" ", "#", " ", "#", " "),
}
"""Each character of a pattern is two cells wide, so that it looks square."""


def big_digits(text: str) -> list[Row]:
    """Digits and colons drawn large."""
    return [_row(" ".join(_DIGITS[character][y] for character in text)) for y in range(HEIGHT)]


def _row(pattern: str) -> Row:
    return tuple([("reverse" if pixel == "#" else PLAIN, "  ") for pixel in pattern])
