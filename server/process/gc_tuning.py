"""When Python's garbage collector runs: after connections have closed, hardly ever in between, not during the start.

A full collection over the objects of a thousand players takes a tenth of a second or more, during which no player is
served. With its defaults Python collects again and again, because every screen is made of new objects, and finds
nothing. The only cyclic garbage here is closed connections, some 300 objects each.
"""

import gc
from typing import Final

THRESHOLDS: Final = (5_000, 1_000, 1_000)
"""As `gc.set_threshold` takes them: new objects are looked at once, 5,000 at a time, which takes a millisecond. The
others are a safety net for garbage that we have not thought of."""
CLOSED: Final = 200
"""The least number of closed connections before a collection: their objects take some 15 MiB."""


def pause_until_started() -> None:
    """Call once before the start: what it makes stays, and looking through that would take a sixth of its time."""
    gc.disable()


def freeze_startup_objects() -> None:
    """Call once when the program has started: the objects of now live until the end and are never collected.

    Among them are a thousand that are garbage: they are not worth the time for finding them.
    """
    gc.freeze()
    gc.enable()
    gc.set_threshold(*THRESHOLDS)


class DisconnectCollector:
    """Collects the garbage of closed connections, less often the more are open, so that each costs the same."""

    def __init__(self) -> None:
        self._closed = 0

    def closed(self, still_open: int) -> None:
        """A connection has closed, and so many are still open."""
        self._closed += 1
        if self._closed > max(CLOSED, still_open):
            self._closed = 0
            gc.collect()
