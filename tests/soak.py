"""How long the long tests are: a bounded form in `make test`, the whole of it in `make soak` (SOAK in the environment).

They tell their figures, which stand at the end of what pytest prints.
"""

import os
from collections.abc import Callable
from typing import Final, TypeAlias

SOAK: Final = int(os.environ.get("SOAK", "1"))
"""1, or by how much more than usual is tried."""
Figure: TypeAlias = Callable[[str], None]
"""The fixture `figure`: tells what a test has tried and found."""


def long(bounded: int, whole: int) -> int:
    """So many in `make test`, so many in `make soak`."""
    return bounded if SOAK == 1 else whole
