"""How much the long tests try: a bounded amount in `make test`, all of it in `make soak`.

They report their figures, which pytest prints at the end.
"""

import os
from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")
SOAKING: Final = "SOAK" in os.environ
TIMES: Final = int(os.environ.get("SOAK", "1"))
"""How many times as many worlds `make soak TIMES=N` simulates."""
Figure: TypeAlias = Callable[[str], None]
"""The type of the fixture `figure`, which reports what a test has tried and found."""


def long(bounded: T, whole: T) -> T:
    """How much to try: ``bounded`` in `make test`, ``whole`` in `make soak`."""
    return whole if SOAKING else bounded
