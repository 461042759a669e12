"""What is left on the clock of a decision, by fives, and the last seconds one by one."""

import asyncio
import math
from collections.abc import Callable
from typing import Final

LAST_SECONDS: Final = 10
"""From here on every second counts."""
STEP: Final = 5
SLACK: Final = 0.05
"""A timer may come this much early."""


class Countdown:
    """One clock that runs down to a deadline, or none."""

    def __init__(self, tick: Callable[[], None]) -> None:
        """``tick`` is called when another number is left than before."""
        self.left: int | None = None
        """Whole seconds; None where there is no clock."""
        self._tick = tick
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, deadline: float | None, *, by_seconds: bool) -> None:
        """Count down to this deadline, in the loop's time, instead of to the last one; None stops it.

        ``by_seconds``: the last ones one by one, else by fives to the end.
        """
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.left = None
        if deadline is None:
            return
        loop = asyncio.get_running_loop()
        left = self.left = max(0, math.ceil(deadline - loop.time() - SLACK))
        if left:
            shown_next = left - 1 if by_seconds and left <= LAST_SECONDS else (left - 1) // STEP * STEP
            self._timer = loop.call_at(deadline - shown_next, self._ring, deadline, by_seconds)

    def _ring(self, deadline: float, by_seconds: bool) -> None:  # noqa: FBT001
        self.watch(deadline, by_seconds=by_seconds)
        self._tick()
