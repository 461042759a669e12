"""Cleans text from players: afterwards nothing in it can move a cursor, hide, reverse or flood other text.

Letters of every language, digits, punctuation and symbols pass. Controls, escape sequences, format and private
characters (bidi, zero width, tags) are removed. No cell has more than two combining marks.
"""

import re
import unicodedata
from itertools import chain
from typing import Final

from server.cells import char_width, text_width
from server.limits import NAME_LENGTH, TALK_LENGTH

MARKS_PER_CELL: Final = 2
_INVISIBLE: Final = frozenset(
    map(chr, chain(range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0), [0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0xFFFC]))
)
"""Fillers and variation selectors: not control characters, but invisible."""
_SKIN_TONES: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)
"""Some terminals draw two of these as one picture and others do not, so that their width is unknown."""
_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P^_X][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[@-Z\\-_])?")


def clean(text: str, cells: int = TALK_LENGTH) -> str:
    r"""The text as it may be shown and logged: one line, at most so many cells wide.

    >>> clean("hi \x1b]52;c;AAAA\x07there\u202e  you")
    'hi there you'
    """
    text = text[: cells * 8]
    if text.isascii() and text.isprintable():
        return " ".join(text.split())[:cells].rstrip()
    shown = " ".join("".join(map(_shown, _ESCAPES.sub("", text))).split())
    kept: list[str] = []
    marks = width = 0
    for char in unicodedata.normalize("NFC", shown):
        size = char_width(char)
        width += size
        marks = marks + 1 if size == 0 else 0
        if width > cells:
            break
        if marks <= (MARKS_PER_CELL if kept and kept[-1] != " " else 0):
            kept.append(char)
    return "".join(kept).rstrip()


def clean_name(text: str) -> str:
    """A display name: letters, digits, dot, dash and underscore, at most `NAME_LENGTH` cells. It may be empty."""
    # Cut first, since the text may be as long as a client likes.
    plain = clean(unicodedata.normalize("NFKC", text[: NAME_LENGTH * 16]), NAME_LENGTH * 2)
    kept = (char for char in plain if char.isalnum() or char in "._-")
    name = "".join(kept).lstrip("._-")
    while text_width(name) > NAME_LENGTH:
        name = name[:-1]
    return name.rstrip("._-")


def _shown(char: str) -> str:
    """The character to show: a space for white space, nothing for what is removed, the letter for a flag letter."""
    if ord(char) in _FLAG_LETTERS:
        return chr(ord("A") + ord(char) - _FLAG_LETTERS.start)
    if char in "\t\r\n":
        return " "
    category = unicodedata.category(char)
    if (
        char in _INVISIBLE
        or char in _SKIN_TONES
        or category[0] == "C"
        or category in {"Zl", "Zp", "Me"}
        or char_width(char) < 0
    ):
        return ""
    return " " if category == "Zs" else char
