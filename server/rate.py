"""How often somebody may do something: a burst, and then so many a second."""

import asyncio


class Rate:
    """A bucket that fills with time; every act takes one from it."""

    def __init__(self, burst: float, per_second: float) -> None:
        self._interval = 1 / per_second
        self._slack = burst * self._interval
        self._used_until = float("-inf")

    def take(self) -> float:
        """Take one; the seconds until it may be used, 0 for at once."""
        now = asyncio.get_running_loop().time()
        delay = self._used_until + self._interval - now
        self._used_until = max(self._used_until, now - self._slack) + self._interval
        return max(0.0, delay)

    def take_if_free(self) -> bool:
        """Take one only if it may be used at once."""
        return self.wait() == 0.0 and self.take() == 0.0

    def spend(self, amount: float) -> float:
        """Have an amount taken that is known only afterwards; the seconds until it is made up for, mostly 0."""
        self._used_until = max(self._used_until, self._now() - self._slack) + amount * self._interval
        return max(0.0, self._used_until - self._now())

    def wait(self) -> float:
        """The seconds until one may be used, 0 for at once."""
        return max(0.0, self._used_until + self._interval - self._now())

    @property
    def rested(self) -> bool:
        """Whether it is as if nothing had ever been taken."""
        return self._used_until <= self._now() - self._slack

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
