"""The features of the program, one a line, and what a feature is.

A feature is a package, whose `__init__.py` has a `COMMAND_LINE` (`command_line.py`), or one module, which gives the
command line nothing and has its `FEATURE`. The program works without it, if its line and its folder or file are gone.
A type of which features may give values is an extension point: a command, a service that each
process runs, a table of settings. It is declared where the core uses it, and the core asks for all values of it:

    for command in lobby.features.all(Command): ...

So the core knows no feature, and a new extension point is one more type. The README of the server lists them.
"""

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

FEATURES: Final[tuple[str, ...]] = (
    "rankings",
    "own_page",
    "linking",
    "seasons",
    "tournament",
    "lesson",
    "plain_questions",
    "daily",
    "puzzles",
    "review",
    "replay",
    "board",
    "lan",
    "console",
    "telnet",
    "web",
    "bot_protocol",
    "database_move",
    "doctor",
    "moderation",
    "returning_guests",
    "privacy",
    "timed_backups",
    "proxy_protocol",
    "retention",
    "alarms",
    "blocked_loop",
    "damage_check",
    "metrics",
    "keeper",
    "cluster",
    "postgres",
)
"""The names of their packages and modules, in the order in which help lists their commands."""
ALL: Final = "all"
"""Stands for every feature but bots where features are left out: a small server has its players and theirs."""
BOTS: Final = "bot_protocol"
"""The feature that is left out by its own name alone."""
BEGINS: Final = "keeper"
"""The feature that keeps the processes of servers: if it is here, the program begins with its module `begin`."""

Given = TypeVar("Given")


class Feature(NamedTuple):
    """A part of the program that can be left out."""

    name: str
    """The name of its package or module."""
    gives: tuple[object, ...]
    """Its values for extension points, in the order in which the core uses them."""
    asked: Mapping[str, bytes] = MappingProxyType({})
    """What `quatch bench growth` types besides, and a part of each answer."""


class Features:
    """The features of a running program, in the order of `FEATURES`. It is given to what needs it."""

    def __init__(self, features: tuple[Feature, ...] = ()) -> None:
        self.features = features
        self._found: dict[type[Any], tuple[Any, ...]] = {}
        """What `all` has found, by type."""

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features)

    def all(self, kind: type[Given]) -> tuple[Given, ...]:
        """Every value of this type that a feature gives."""
        if kind not in self._found:
            gives = (value for feature in self.features for value in feature.gives)
            self._found[kind] = tuple(value for value in gives if isinstance(value, kind))
        return self._found[kind]


NO_FEATURES: Final = Features()


def is_left_out(name: str, without: Collection[str]) -> bool:
    """Whether a server without these leaves out the feature of this name."""
    return name in without or (ALL in without and name != BOTS)


def is_package(name: str) -> bool:
    """Whether a feature is a package; if not, it is one module."""
    found = find_spec(f"server.{name}")
    return found is not None and found.submodule_search_locations is not None


def load(without: Collection[str] = ()) -> Features:
    """Import the features, without those that are to be left out."""
    wanted = [name for name in FEATURES if not is_left_out(name, without)]
    places = [
        import_module(f"server.{name}").COMMAND_LINE.feature if is_package(name) else f"server.{name}:FEATURE"
        for name in wanted
    ]
    return Features(tuple(resolve_name(place) for place in places if place))
