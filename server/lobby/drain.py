"""Draining: before the server stops, running games are finished and no new ones begin, until a deadline."""

import asyncio
from math import inf

from engine.errors import InputError


class Drain:
    """Whether the server drains, and its deadline."""

    def __init__(self) -> None:
        self._deadline = inf
        """In the event loop's time."""
        self.begun = asyncio.Event()

    @property
    def is_active(self) -> bool:
        """Whether the server drains."""
        return self.begun.is_set()

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return self.is_active and asyncio.get_running_loop().time() >= self._deadline

    @property
    def notice(self) -> str:
        """What players are told; empty if the server does not drain."""
        if not self.is_active:
            return ""
        minutes = max(0.0, self._deadline - asyncio.get_running_loop().time()) / 60
        return (
            "The server stops when the running games are over, "
            f"in {minutes:.0f} min at the latest. No new games begin; games that are not over by then are kept."
        )

    def begin(self, seconds: float) -> None:
        """Start draining, with a deadline in so many seconds."""
        self._deadline = asyncio.get_running_loop().time() + seconds
        self.begun.set()

    def cancel(self) -> None:
        """Stop draining and go on."""
        self.begun.clear()

    def refuse_if_active(self) -> None:
        """Raises InputError while the server drains."""
        if self.is_active:
            raise InputError("draining", "the server stops soon, so no new games begin: come again later")
