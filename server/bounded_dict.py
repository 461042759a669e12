"""Mappings that hold only so much: they make room for what is new."""

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def make_room(values: dict[K, V], most: int, is_forgettable: Callable[[V], bool] = lambda _: False) -> None:
    """Have fewer than so many values: if there are too many, all go that can be forgotten, else the oldest."""
    if len(values) < most:
        return
    for key in [key for key, value in values.items() if is_forgettable(value)]:
        del values[key]
    if len(values) >= most:
        del values[next(iter(values))]
