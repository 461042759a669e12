"""On how many days in a row an account has finished the daily deal. Pure."""

from datetime import date
from typing import Final

from msgspec import json
from msgspec.structs import replace

from server.typed_json import Versioned, read_versioned, write_versioned

STREAK: Final = "daily-streak"
"""The kind of the texts that hold each account's days."""


class DailyStreak(Versioned, frozen=True):
    """The days of one account."""

    last: str = ""
    """The date of the last day on which it finished the deal."""
    days: int = 0
    """How many days in a row led to that one."""
    best: int = 0
    """The most days in a row."""

    def after(self, day: str) -> "DailyStreak":
        """The days after a deal of this date was finished. The same day counts once, and no earlier one counts."""
        if day <= self.last:
            return self
        days = self.days + 1 if self.last and _distance(self.last, day) == 1 else 1
        return replace(self, last=day, days=days, best=max(self.best, days))

    def at(self, today: str) -> int:
        """How many days in a row, as it stands on this day: today's deal can still be played."""
        return self.days if self.last and _distance(self.last, today) <= 1 else 0

    def to_json(self) -> str:
        """As the log keeps it."""
        return write_versioned(self)


_STREAK: Final = json.Decoder(DailyStreak)


def read_streak(text: str | None) -> DailyStreak:
    """The days in a text; none without one. Raises ValueError with one line, as for one of a newer version."""
    return DailyStreak() if text is None else read_versioned(text, _STREAK)


def _distance(earlier: str, later: str) -> int:
    return (date.fromisoformat(later) - date.fromisoformat(earlier)).days
