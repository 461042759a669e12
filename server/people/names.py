"""Names that cannot be confused: which names look alike, which are in use, and a free one close to a wish.

After Unicode's report 39 (UTS 39): each character is replaced by the prototype of all characters that look like it. Two
names with the same result cannot be told apart on a screen. Names may mix scripts: a Cyrillic letter in a Latin name
counts as the Latin letter that it looks like.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain, repeat
from random import Random
from string import ascii_uppercase, digits
from typing import Any, Final
from unicodedata import lookup, normalize

from server.cells import cut
from server.clean_text import clean_name
from server.limits import NAME_LENGTH

RESERVED_NAMES: Final = frozenset({"you", "host", "admin", "server", "bot", "quatch", "free"})
"""What the server calls itself, a player and a free seat.

Names of AI players are not reserved: people come first. Nor is "all", because Ali looks like it.
"""
NAMELESS: Final = "guest"
"""The name of players who wish for none. Nobody can own it, see `is_nobodys`."""
_SMALL_NUMBERS: Final = range(2, 10)
_DIGITS: Final = (*(size for size in range(2, 7) for _ in range(3)), 8)
"""How many digits the number has at each try once no small one is free; the last is for all further tries."""

_CAPITALS: Final = {letter: letter.lower() for letter in ascii_uppercase}
_LATIN: Final = str.maketrans(
    _CAPITALS
    | {lookup(f"LATIN LETTER SMALL CAPITAL {letter}"): small for letter, small in _CAPITALS.items() if letter != "X"}
    | {"i": "l", "w": "vv"}
)
"""What Unicode's data lacks: the cases of Latin letters (i is I, which looks like l), and that w looks like vv."""
_DIRECTION: Final = "\u200e"
"""The data puts this mark around characters that are written from right to left."""


class NamesInUse:
    """The names of the players that each holder has: a session, or a table. A question takes constant time."""

    def __init__(self) -> None:
        self._names: dict[object, Mapping[str, str]] = {}
        """By holder, then by player id."""
        self._player_ids: dict[str, tuple[str, ...]] = {}
        """By look: the ids of the players with such a name, once for each holder that has it for them."""

    def put(self, holder: object, names: Mapping[str, str]) -> None:
        """Replace the names of a holder by these, which are by player id, and must not be changed later."""
        before = self._names.get(holder, {})
        if before == names:
            return
        for player_id, name in before.items():
            for look in looks(name):
                self._drop(look, player_id)
        self._names.pop(holder, None)
        if names:
            self._names[holder] = names
        for player_id, name in names.items():
            for look in looks(name):
                self._player_ids[look] = (*self._player_ids.get(look, ()), player_id)

    def is_free(self, name: str, player_id: str) -> bool:
        """Whether no other player has a name that looks like this one."""
        return all({*self._player_ids.get(look, ())} <= {player_id} for look in looks(name))

    def by_holder(self, player_id: str) -> dict[Any, str]:
        """The names that a player has, by holder."""
        return {holder: names[player_id] for holder, names in self._names.items() if player_id in names}

    def _drop(self, look: str, player_id: str) -> None:
        player_ids = [*self._player_ids.pop(look)]
        player_ids.remove(player_id)
        if player_ids:
            self._player_ids[look] = tuple(player_ids)


def skeleton(name: str) -> str:
    r"""The name with each character replaced by its prototype. A skeleton's skeleton is itself.

    Both cases of a Latin letter count as the same, and so do those of other letters that look like one Latin letter.

    >>> skeleton("\u0410drnin0")  # the first letter is Cyrillic
    'adrnlno'
    """
    if name.isascii():
        return name.translate(_ascii_prototypes())
    return normalize("NFD", normalize("NFKD", name).translate(_prototypes()))


def looks(name: str) -> set[str]:
    """The skeletons of a name and of the name in small letters; no two names may share one.

    A Greek capital may look like one Latin letter and its small letter like another, as N and v do.
    """
    return {skeleton(name)} if name.isascii() else {skeleton(name), skeleton(name.casefold())}


def is_nobodys(look: str) -> bool:
    """Whether names with this look cannot be owned: it is that of `NAMELESS`, with a number or without."""
    nameless = skeleton(NAMELESS)
    return look.startswith(nameless) and not look.removeprefix(nameless).strip(skeleton(digits))


def names_near(wished: str, player_id: str) -> Iterator[str]:
    """The wished name, cleaned, then names close to it without end; none looks like a reserved name.

    However many players wish for one name, each finds a free one after a few tries: the numbers behind it are drawn at
    random, from a generator that ``player_id`` seeds.
    """
    reserved = _reserved_looks()
    near = _near(clean_name(wished) or NAMELESS, player_id)
    return (name for name in near if reserved.isdisjoint(looks(name)))


def _near(name: str, player_id: str) -> Iterator[str]:
    """The name, then the name with a number behind it, cut to fit."""
    yield name
    chance = Random(player_id)
    drawn = (chance.randrange(10 ** (size - 1), 10**size) for size in chain(_DIGITS, repeat(_DIGITS[-1])))
    for number in map(str, chain(_SMALL_NUMBERS, drawn)):
        yield cut(name, NAME_LENGTH - len(number)) + number


@cache
def _reserved_looks() -> frozenset[str]:
    return frozenset(chain.from_iterable(map(looks, RESERVED_NAMES)))


@cache
def _ascii_prototypes() -> Mapping[int, str]:
    """The prototype of every ASCII character: most names are ASCII, and a table without gaps is fast."""
    return {code: normalize("NFD", normalize("NFKD", chr(code)).translate(_prototypes())) for code in range(128)}


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
