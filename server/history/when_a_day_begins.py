"""When a night begins: a day goes from 05:00 to 05:00 by the server's clock, so that no evening is cut in two."""

import time
from datetime import UTC, date, datetime, timedelta
from typing import Final

HOUR: Final = 5
"""The hour at which a night begins and the one before it ends."""
END_TEXT: Final = f"{HOUR:02}:00"
"""The time at which a night ends."""


def night_at(now: float) -> date:
    """The date on which the night of this time, in seconds since 1970, began."""
    local = datetime.fromtimestamp(now, UTC).astimezone()
    return local.date() - timedelta(days=local.hour < HOUR)


def begin_of(night: date) -> float:
    """When the night of this date begins, in seconds since 1970."""
    # mktime knows the offset of that morning; the day of a clock change has 23 or 25 hours.
    return time.mktime((night.year, night.month, night.day, HOUR, 0, 0, 0, 0, -1))
