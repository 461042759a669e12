"""A progress bar on standard error."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

WIDTH: Final = 30
DRAW_SECONDS: Final = 0.1
"""The shortest time between two drawings."""


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how much of some work is done; nothing if standard error is no terminal.

    Yields the function to call with the number of further steps that are done.
    """
    out, begin, last, done, total = sys.stderr, time.monotonic(), 0.0, 0, max(total, 1)

    def add(count: int) -> None:
        nonlocal last, done
        done += count
        now = time.monotonic()
        if out.isatty() and (now - last >= DRAW_SECONDS or done >= total):
            last = now
            left = (total - done) * (now - begin) / done if 0 < done <= total else 0.0
            bar = ("#" * (WIDTH * done // total)).ljust(WIDTH, ".")
            out.write(f"\r\x1b[K{what} [{bar:.{WIDTH}}] {done}/{total}, {left:.0f} s left")
            out.flush()

    try:
        yield add
    finally:
        if out.isatty():
            out.write("\r\x1b[K")
            out.flush()
