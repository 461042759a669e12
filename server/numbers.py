"""Numbers as people type them."""

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
