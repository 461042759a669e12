"""Numbers as people type them, and times as they read them."""

import math
import re
from typing import Final

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,7}")
_DECIMAL: Final = re.compile(r"(?=\.?[0-9])[0-9]{0,8}(?:\.[0-9]{0,8})?")


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
