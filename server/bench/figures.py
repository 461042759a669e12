"""What the benches share to get their figures."""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


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


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """A pause of this process would count as one of the server that it measures."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
