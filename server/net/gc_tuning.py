"""When Python looks for garbage: nearly all of ours is freed without looking, so it is when connections have gone.

To look through all that a thousand people hold takes a tenth of a second and more, in which nobody is served. By its
default Python does so again and again, since every screen is made of new objects, and finds nothing. What refers to
itself and has to be looked for is a connection that has ended, some 300 objects each.
"""

import gc
from typing import Final

THRESHOLDS: Final = (100_000, 50, 1_000)
"""For Python's own looking, as `gc.set_threshold` takes them: for what nobody has thought of."""
GONE: Final = 200
"""Connections whose remains may lie about at least: some 15 MiB."""


def settle() -> None:
    """To be called when the program has started: what it holds now it holds for good, and is not looked through."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


class Sweeper:
    """Clears away what connections leave behind: seldom where many are there, so that each costs the same."""

    def __init__(self) -> None:
        self._gone = 0

    def gone(self, there: int) -> None:
        """A connection has ended, and so many are there still."""
        self._gone += 1
        if self._gone > max(GONE, there):
            self._gone = 0
            gc.collect()
