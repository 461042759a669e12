"""What a feature is to the core: a name, and values of the types that the core asks for.

A type of which features may give values is an extension point: a command, a service that each process runs, a table
of settings. It is declared where the core uses it, and the core asks for all values of it:

    for command in lobby.features.all(Command): ...

So the core knows no feature, and a new extension point is one more type. The README of the server lists them.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeVar

Given = TypeVar("Given")


class Feature(NamedTuple):
    """A part of the program that can be left out, in a package of its own."""

    name: str
    """The name of its package."""
    gives: tuple[object, ...]
    """Its values for extension points, in the order in which the core uses them."""


class Features:
    """The features of a running program, in the order of `features.FEATURES`. It is given to what needs it."""

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
