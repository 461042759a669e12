"""Numbers as people type them."""

import re
from typing import Final

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,7}")


def read_number(text: str) -> int | None:
    """The whole number that a text is: at most eight ASCII digits, no sign, no leading zeros; None for other text."""
    return int(text) if _NUMBER.fullmatch(text) else None
