"""Draining: before a process stops, its running games are finished and no new ones begin, until a deadline."""

import asyncio
from math import inf
from typing import Final

from engine.errors import InputError

RENEWED: Final = "The server has been renewed: come in again for a new game."


class Drain:
    """Whether this process drains, and its deadline."""

    def __init__(self) -> None:
        self._deadline = inf
        """In the event loop's time."""
        self.is_part = False
        """Whether other processes of the server go on."""
        self.begun = asyncio.Event()
        self.renewed = False
        """Whether a newer process has taken the place of this one: no new games begin here."""

    @property
    def is_active(self) -> bool:
        """Whether the process drains."""
        return self.begun.is_set()

    @property
    def seconds_left(self) -> float | None:
        """How many seconds are left until the deadline; None if the process does not drain."""
        return max(0.0, self._deadline - asyncio.get_running_loop().time()) if self.is_active else None

    @property
    def notice(self) -> str:
        """What players are told; empty if new games may begin here."""
        if self.seconds_left is None:
            return RENEWED if self.renewed else ""
        return notice(self.seconds_left, is_part=self.is_part)

    def begin(self, seconds: float, *, is_part: bool = False) -> None:
        """Start draining, with a deadline in so many seconds. ``is_part``: other processes of the server go on."""
        self._deadline = asyncio.get_running_loop().time() + seconds
        self.is_part = is_part
        self.begun.set()

    def cancel(self) -> None:
        """Stop draining and go on."""
        self.begun.clear()

    def must_allow_games(self) -> None:
        """Raises InputError while the process drains, and if it has been renewed."""
        if self.is_active and self.is_part:
            raise InputError("draining", "this part of the server stops soon: come in again, and play on another part")
        if self.is_active:
            raise InputError("draining", "the server stops soon, so no new games begin: come again later")
        if self.renewed:
            raise InputError("draining", "the server has been renewed: come in again, and begin there")


def notice(seconds: float, *, is_part: bool) -> str:
    """What players are told when the server stops in so many seconds at the latest, or the part that they are on."""
    within = f"in {max(1, round(seconds / 60))} min at the latest"
    if is_part:
        return (
            f"This part of the server stops when the games on it are over, {within}. No new games begin on it: "
            "leave and come in again to play on. Games that are not over by then are kept."
        )
    return (
        f"The server stops when the running games are over, {within}. "
        "No new games begin; games that are not over by then are kept."
    )
