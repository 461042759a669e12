"""Names that cannot be mistaken for one another: which ones look alike, and the nearest one that is free.

After Unicode's report 39: each character is replaced by the one that stands for all that look like it; names that come
out the same cannot be told apart on a screen. Names may mix scripts: a Cyrillic letter in a Latin name counts as the
Latin letter that it looks like.
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
"""What the server calls itself and others, an open seat included. Not "all": Ali would look like it."""
NAMELESS: Final = "guest"

_CAPITALS: Final = {letter: letter.lower() for letter in ascii_uppercase}
_LATIN: Final = str.maketrans(
    _CAPITALS
    | {lookup(f"LATIN LETTER SMALL CAPITAL {letter}"): small for letter, small in _CAPITALS.items() if letter != "X"}
    | {"i": "l", "w": "vv"}
)
"""What the data does not tell: the cases of Latin letters (i is I, which looks like l), and that w looks like vv."""
_DIRECTION: Final = "\u200e"
"""What the data puts around characters that are written from right to left."""


@lru_cache(16_384)
def skeleton(name: str) -> str:
    r"""The name with one character for all that look alike. A skeleton's own skeleton is itself.

    Latin letters count the same in either case; letters of other scripts do where both look like one Latin letter.

    >>> skeleton("\u0410drnin0")  # the first letter is Cyrillic
    'adrnlno'
    """
    return normalize("NFD", normalize("NFKD", name).translate(_stand_ins()))


def alike(one: str, other: str) -> bool:
    """Whether one name might be taken for the other, as they are shown or as they are typed."""
    return not _looks(one).isdisjoint(_looks(other))


def free_name(wished: str, taken: Iterable[str]) -> str:
    """The name nearest to the one wished for, cleaned, that is like none that is taken or reserved."""
    looks = set(chain.from_iterable(map(_looks, chain(taken, RESERVED_NAMES))))
    return next(name for name in _near(clean_name(wished) or NAMELESS) if looks.isdisjoint(_looks(name)))


def _near(name: str) -> Iterator[str]:
    """The name, then with numbers behind it, as much of it as there is room for."""
    yield name
    for number in map(str, count(2)):
        yield cut(name, NAME_LENGTH - len(number)) + number


def _looks(name: str) -> set[str]:
    """What no two names may have in common: how they look, and how they look in small letters.

    A Greek capital may look like one Latin letter and its small letter like another, N and v.
    """
    return {skeleton(name), skeleton(name.casefold())}


@cache
def _stand_ins() -> Mapping[int, str]:
    """What stands for each character that something looks like; read when the first name is looked at.

    The data says of each character what it looks like, both ways: one stands for many, which have nothing but that one.
    Of two that have only each other, a sequence stands for a character.
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
    """A text in which every character has been replaced until it stands for itself."""
    replaced = normalize("NFKD", text).translate(_LATIN).translate(nearest)
    return text if replaced == text else _replaced(replaced, nearest)
