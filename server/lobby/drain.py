"""The server is about to stop: what has begun is played to its end, and nothing new begins. A deadline and no more."""

import asyncio

from engine.errors import InputError


class Drain:
    """Whether the server is about to stop, and when at the latest."""

    def __init__(self) -> None:
        self._deadline: float | None = None
        """In the event loop's time; None where the server goes on."""
        self.begun = asyncio.Event()

    @property
    def is_on(self) -> bool:
        """Whether it is."""
        return self._deadline is not None

    @property
    def is_over(self) -> bool:
        """Whether there is no time left."""
        return self._deadline is not None and asyncio.get_running_loop().time() >= self._deadline

    @property
    def words(self) -> str:
        """What everybody should know; empty where the server goes on."""
        if self._deadline is None:
            return ""
        minutes = max(0.0, self._deadline - asyncio.get_running_loop().time()) / 60
        return (
            "The server stops when the running games are over, "
            f"in {minutes:.0f} minutes at the latest; nothing new begins. What is not over by then is kept."
        )

    def begin(self, seconds: float) -> None:
        """Stop when the running games are over, or after so long."""
        self._deadline = asyncio.get_running_loop().time() + seconds
        self.begun.set()

    def call_off(self) -> None:
        """Go on after all."""
        self._deadline = None
        self.begun.clear()

    def must_be_off(self) -> None:
        """Raises InputError where nothing new may begin."""
        if self.is_on:
            raise InputError("draining", "the server stops soon, so nothing new begins: come again later")
