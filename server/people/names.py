"""Names that cannot be confused: which names look alike, and the closest one that is free.

After Unicode's report 39 (UTS 39): each character is replaced by the prototype of all characters that look like it. Two
names with the same result cannot be told apart on a screen. Names may mix scripts: a Cyrillic letter in a Latin name
counts as the Latin letter that it looks like.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, count
from string import ascii_uppercase
from typing import Final
from unicodedata import lookup, normalize

from server.cells import cut
from server.clean import clean_name
from server.limits import NAME_LENGTH
from server.people.ai_players import AI_NAMES

RESERVED_NAMES: Final = frozenset({"you", "host", "admin", "server", "bot", "quatch", "free", *AI_NAMES})
"""What the server calls itself, its players and a free seat. "all" is not reserved, because Ali looks like it."""
NAMELESS: Final = "guest"

_CAPITALS: Final = {letter: letter.lower() for letter in ascii_uppercase}
_LATIN: Final = str.maketrans(
    _CAPITALS
    | {lookup(f"LATIN LETTER SMALL CAPITAL {letter}"): small for letter, small in _CAPITALS.items() if letter != "X"}
    | {"i": "l", "w": "vv"}
)
"""What Unicode's data lacks: the cases of Latin letters (i is I, which looks like l), and that w looks like vv."""
_DIRECTION: Final = "\u200e"
"""The data puts this mark around characters that are written from right to left."""


@lru_cache(16_384)
def skeleton(name: str) -> str:
    r"""The name with each character replaced by its prototype. A skeleton's skeleton is itself.

    Both cases of a Latin letter count as the same, and so do those of other letters that look like one Latin letter.

    >>> skeleton("\u0410drnin0")  # the first letter is Cyrillic
    'adrnlno'
    """
    return normalize("NFD", normalize("NFKD", name).translate(_prototypes()))


def free_name(wished: str, taken: Iterable[str]) -> str:
    """The closest name to the wished one, cleaned, that looks like no taken and no reserved name."""
    looks = set(chain.from_iterable(map(_skeletons, chain(taken, RESERVED_NAMES))))
    return next(name for name in _near(clean_name(wished) or NAMELESS) if looks.isdisjoint(_skeletons(name)))


def _near(name: str) -> Iterator[str]:
    """The name, then the name with a number behind it, cut to fit."""
    yield name
    for number in map(str, count(2)):
        yield cut(name, NAME_LENGTH - len(number)) + number


def _skeletons(name: str) -> set[str]:
    """The skeletons of a name and of the name in small letters; no two names may share one.

    A Greek capital may look like one Latin letter and its small letter like another, as N and v do.
    """
    return {skeleton(name), skeleton(name.casefold())}


@cache
def _prototypes() -> Mapping[int, str]:
    """The prototype of each character that looks like another; read when the first name is checked.

    The data lists look-alikes in both directions. The prototype is the character with the most look-alikes; if two have
    only each other, a sequence is the prototype.
    """
    data = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8"))
    alike = {one.strip(_DIRECTION): [other["c"].strip(_DIRECTION) for other in others] for one, others in data.items()}
    nearest = {
        ord(one): min(one, *others, key=lambda char: (-len(alike[char]), -len(char), char))
        for one, others in alike.items()
        if len(one) == 1
    }
    return {code: _replaced(char, nearest) for code, char in nearest.items()}


def _replaced(text: str, nearest: Mapping[int, str]) -> str:
    """The text with every character replaced until nothing changes."""
    replaced = normalize("NFKD", text).translate(_LATIN).translate(nearest)
    return text if replaced == text else _replaced(replaced, nearest)
