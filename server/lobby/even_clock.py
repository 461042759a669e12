"""A clock for what lasts for hours: it tells the time, and goes on evenly when the time of day is set."""

import asyncio
from collections.abc import Callable


class EvenClock:
    """The time in seconds since 1970 as it was at the first question, and what has passed since."""

    def __init__(self, wall: Callable[[], float]) -> None:
        """``wall`` returns the time of day in seconds since 1970; it may jump."""
        self._wall = wall
        self._ahead: float | None = None
        """By how much it is ahead of the event loop's clock."""

    def now(self) -> float:
        """The time."""
        loop = asyncio.get_running_loop().time()
        if self._ahead is None:
            self._ahead = self._wall() - loop
        return loop + self._ahead

    def not_before(self, at: float) -> None:
        """Have the clock not lie behind a log, however far: the time of day was put back while no server ran."""
        late = at - self.now()
        if late > 0 and self._ahead is not None:
            self._ahead += late
