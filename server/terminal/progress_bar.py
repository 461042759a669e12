"""A progress bar on standard error."""

import sys
import time
from typing import Final, TextIO

WIDTH: Final = 30
DRAW_SECONDS: Final = 0.1
"""The shortest time between two drawings."""


class ProgressBar:
    """Shows how much of some work is done; nothing if standard error is no terminal."""

    def __init__(self, what: str, total: int, out: TextIO | None = None) -> None:
        self._what, self._total, self._done = what, max(total, 1), 0
        self._out = out if out is not None else sys.stderr
        self._shown = self._out.isatty()
        self._begin, self._last = time.monotonic(), 0.0

    def add(self, count: int = 1) -> None:
        """Note that ``count`` more steps are done."""
        self._done += count
        now = time.monotonic()
        if self._shown and (now - self._last >= DRAW_SECONDS or self._done >= self._total):
            self._last = now
            self._draw(now)

    def close(self) -> None:
        """Erase the bar."""
        if self._shown:
            self._out.write("\r\x1b[K")
            self._out.flush()

    def _draw(self, now: float) -> None:
        part = min(self._done / self._total, 1.0)
        full = int(part * WIDTH)
        left = (now - self._begin) / part * (1 - part) if part else 0.0
        bar = "#" * full + "." * (WIDTH - full)
        self._out.write(f"\r\x1b[K{self._what} [{bar}] {self._done}/{self._total}, {left:.0f} s left")
        self._out.flush()
