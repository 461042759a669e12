"""An event loop whose clock never waits: when nothing is ready it jumps to the next timer.

Hours of play take as long as their computing, and everything happens in the same order each time. Threads have no place
in it: time runs on without them.
"""

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Standstill(Exception):
    """Every task waits, and no timer is set."""


class _Jumping(selectors.DefaultSelector):
    """Asked to wait, it says that the time has passed."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready at once."""
        if timeout is None:
            raise Standstill("everything waits, and no timer is set")
        self.now += timeout
        return super().select(0)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """For `asyncio.Runner(loop_factory=VirtualTimeLoop)`. Its clock starts at 0."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Seconds that would have passed."""
        return self._jumping.now

    def compute(self, seconds: float) -> None:
        """Let time pass while a callback computes."""
        self._jumping.now += seconds


def in_virtual_time(test: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Make a coroutine function, such as a test, one that runs in a virtual time of its own."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
            return runner.run(test(*args, **kwargs))

    return run
