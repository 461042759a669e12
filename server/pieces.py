"""Long computations as generators: a server runs them in pieces, so that others have their turn in between."""

import asyncio
import time
from collections.abc import Generator, Iterable
from typing import TypeAlias, TypeVar

from server.limits import PIECE_SECONDS

T = TypeVar("T")
Work: TypeAlias = Generator[None, None, T]
"""A computation that yields wherever it may pause, and returns its result."""


def collected(items: Iterable[T]) -> Work[list[T]]:
    """A list of all items, with a pause after each."""
    found = list[T]()
    for item in items:
        found.append(item)
        yield
    return found


def at_once(work: Work[T]) -> T:
    """Do the work without a pause."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


async def in_pieces(work: Work[T]) -> T:
    """Do the work, and let others have their turn every few milliseconds."""
    until = time.perf_counter() + PIECE_SECONDS
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        if time.perf_counter() >= until:
            await asyncio.sleep(0)
            until = time.perf_counter() + PIECE_SECONDS
