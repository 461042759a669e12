"""Counters and timings of one server: plain numbers, which anybody may read. They tell kinds, never names or cards."""

import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from math import inf
from typing import Final, Literal, TypeAlias, get_args

from engine.levels import LEVEL_NAMES

Denial: TypeAlias = Literal["banned", "unlisted", "full", "place_full", "too_fast", "penalty", "made_room"]
"""Why a connection was denied: its key or address is banned, or its key is not on the host's list; the server or its
address (``place_full``) has too many; it came too fast, or during a penalty; it was closed to make room."""
DENIALS: Final[tuple[Denial, ...]] = get_args(Denial)
KINDS: Final = ("person", "bot", "ai")
"""What kinds of player move."""
FAILURES: Final = ("not_saved", "unknown")
"""How an append to the log fails: nothing was written, or it is unknown."""
SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""The bounds of all histograms."""


class Count:
    """A counter. A plain number costs a tenth of one of the library's, and each move counts a few times."""

    def __init__(self, help_text: str) -> None:
        self.help = help_text
        self.value = 0

    def inc(self) -> None:
        """Count one more."""
        self.value += 1


class Timing:
    """A histogram of times, with the bounds of `SECONDS`."""

    def __init__(self, help_text: str) -> None:
        self.help = help_text
        self.counts = [0] * (len(SECONDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Count a time."""
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.total += seconds

    @contextmanager
    def time(self) -> Iterator[None]:
        """Count the time that the context takes."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - began)

    @property
    def by_bound(self) -> tuple[tuple[float, float], ...]:
        """For each bound in seconds, the last one infinite, how many times are no longer."""
        return tuple(zip((*SECONDS, inf), accumulate(self.counts), strict=True))


class Counters:
    """What one server counts, and how monitoring explains it."""

    def __init__(self) -> None:
        self.refused = {reason: Count("Connections refused, or closed to make room for others.") for reason in DENIALS}
        self.penalties = Count("Penalties put on addresses.")
        self.moves = {kind: Count("Moves, by the kind of player.") for kind in KINDS}
        self.games = Count("Games that have ended, kept or not.")
        self.logins = {kind: Count("Sessions of players that have begun.") for kind in KINDS[:2]}
        self.move_seconds = Timing("Seconds from a request to move until the move is durable.")
        self.append_seconds = Timing("Seconds to write an entry of the log durably.")
        self.log_failures = {
            failure: Count("Entries that were not written, or may not have been.") for failure in FAILURES
        }
        self.frames_drawn = Count("Screens composed; only changes are sent.")
        self.frames_skipped = Count("Screens skipped because the client had not read the last one.")
        self.bytes_out = Count("Bytes sent to terminals, before encryption.")
        self.thinking_seconds = {
            level: Timing("Seconds that an AI player thinks about a move.") for level in LEVEL_NAMES
        }
        self.workers_replaced = Count("Worker processes replaced because they died or took too long.")
        self.loop_lag_seconds = Timing("Seconds that the event loop took to answer the watchdog.")
        self.loop_stalls = Count("Times that the event loop took so long that its stack was logged.")


UNREAD: Final = Counters()
"""The counters of objects that belong to no server."""
