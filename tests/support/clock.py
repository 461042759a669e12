"""A time of day that tests set."""

import asyncio
from datetime import UTC, datetime
from typing import Final

NOON: Final = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()
DAY: Final = 86400.0


class Clock:
    """The time of day, in seconds since 1970, which tests set; it goes on with the event loop's time."""

    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        """The time."""
        return self.now + asyncio.get_running_loop().time()


class StillClock:
    """A time of day, in seconds since 1970, which stands still until it is set."""

    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        """The time."""
        return self.now
