"""A rate limit: a burst, then so many a second."""

import asyncio

from server.bounded_dict import make_room
from server.limits import RATES_REMEMBERED, RateLimit


class Rate:
    """A token bucket: it fills with time, and each action takes one token."""

    __slots__ = ("_interval", "_slack", "_used_until")

    def __init__(self, limit: RateLimit) -> None:
        self._interval = 1 / limit.per_second
        self._slack = limit.burst * self._interval
        self._used_until = float("-inf")

    def take(self) -> float:
        """Take one token. Returns the seconds until it may be used, 0 for now."""
        now = asyncio.get_running_loop().time()
        delay = self._used_until + self._interval - now
        self._used_until = max(self._used_until, now - self._slack) + self._interval
        return max(0.0, delay)

    def give_back(self) -> None:
        """Put back a token that was taken."""
        self._used_until -= self._interval

    def take_if_free(self) -> bool:
        """Take one token if it may be used now. Returns whether it was taken."""
        return self.wait() == 0.0 and self.take() == 0.0

    def spend(self, amount: float) -> float:
        """Take an amount that has been used already. Returns the seconds until it is refilled, mostly 0."""
        now = self._now()
        self._used_until = max(self._used_until, now - self._slack) + amount * self._interval
        return max(0.0, self._used_until - now)

    def wait(self) -> float:
        """The seconds until one token may be used, 0 for now."""
        return max(0.0, self._used_until + self._interval - self._now())

    @property
    def rested(self) -> bool:
        """Whether the bucket is full."""
        return self._used_until <= self._now() - self._slack

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


class Rates:
    """A rate for each of many keys; the one that was used longest ago is forgotten first."""

    def __init__(self, limit: RateLimit) -> None:
        self._limit = limit
        self._rates: dict[object, Rate] = {}

    def of(self, key: object) -> Rate:
        """The rate of one key."""
        rate = self._rates.pop(key, None)
        make_room(self._rates, RATES_REMEMBERED)
        self._rates[key] = rate = rate or Rate(self._limit)
        return rate
