"""How often Python looks for garbage: seldom, since nearly all of ours is freed without looking.

By its default a server full of people stops for 30 ms and more, again and again, to look through all they hold.
"""

import gc
from typing import Final

THRESHOLDS: Final = (10_000, 20, 100)


def settle() -> None:
    """To be called when the program has started: what it holds now it holds for good, and is not looked through."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
