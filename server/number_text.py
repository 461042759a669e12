"""Numbers as people type them, and times as they read them."""

import math
import re
from typing import Final

from engine.wording.phrases import quantity

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,7}")
_DECIMAL: Final = re.compile(r"(?=\.?[0-9])[0-9]{0,8}(?:\.[0-9]{0,8})?")
_UNITS: Final = (("day", 86_400), ("hour", 3600), ("minute", 60))


def read_number(text: str) -> int | None:
    """The whole number that a text is: at most eight ASCII digits, no sign, no leading zeros; None for other text."""
    return int(text) if _NUMBER.fullmatch(text) else None


def read_decimal(text: str) -> float | None:
    """The number that a text is, with a fraction or without: ASCII digits and a point, no sign; None for other text."""
    return float(text) if _DECIMAL.fullmatch(text) else None


def countdown_text(seconds: float) -> str:
    """A time as a clock shows it that runs down, as in 1:05."""
    left = max(0, math.ceil(seconds))
    return f"{left // 60}:{left % 60:02}"


def duration_text(seconds: float) -> str:
    """A time in one unit, as in 10 minutes."""
    left = max(1, math.ceil(seconds))
    unit, length = next((each for each in _UNITS if left == each[1] or left >= 2 * each[1]), ("second", 1))
    return quantity(round(left / length), unit)
