"""What the benches share: a figure beside its baseline, and how it is found."""

import asyncio
import gc
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias


class Figure(NamedTuple):
    """One figure of one run."""

    name: str
    """The same in every run; it begins with the name of the bench."""
    value: float
    baseline: float
    unit: str
    text: str
    """The line that tells it."""

    def __str__(self) -> str:
        return self.text

    @property
    def ratio(self) -> float:
        """How many times the baseline the figure is; infinite if there is no baseline."""
        return self.value / self.baseline if self.baseline else math.inf


class Missing(str):
    """A line that says why figures are missing."""

    __slots__ = ()


Line: TypeAlias = str | Figure
"""What a bench yields: headings and notes are plain text."""


def percentile(values: Sequence[float], percent: float) -> float:
    """The value below which this share of all lie."""
    return sorted(values)[min(int(len(values) * percent / 100), len(values) - 1)]


def rate(work: Iterator[int], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Units a second of endless work, which yields how many units it has done since the last time."""
    begin, done = clock(), 0
    while True:
        done += next(work)
        if (spent := clock() - begin) >= seconds:
            return done / spent


async def until(is_so: Callable[[], bool], seconds: float) -> None:
    """Wait until this is so. Raises TimeoutError if it takes longer than so many seconds."""
    async with asyncio.timeout(seconds):
        while not is_so():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.05)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """A pause of this process would count as one of the server that it measures."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
