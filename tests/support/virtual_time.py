"""Event loops whose clocks never wait: when nothing is ready they jump to the next timer.

Hours of play take as long as their computing. In a `VirtualTimeLoop` everything happens in the same order each time.
Sockets and threads have no place in it: time runs on without them. A `SkippingLoop` waits for them.
"""

import asyncio
import concurrent.futures
import functools
import selectors
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final, ParamSpec, TypeVar

from server.storage.sqlite_database import Worker

P = ParamSpec("P")
T = TypeVar("T")


MOMENT_SECONDS: Final = 0.0005
"""How long bytes may be under way from one socket of this machine to another while the machine is busy."""


def now() -> float:
    """The time of the running event loop; in a virtual time tests take it for the time of day, too."""
    return asyncio.get_running_loop().time()


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

    def run_in_executor(
        self, executor: concurrent.futures.Executor | None, func: Callable[..., T], *args: object
    ) -> "asyncio.Future[T]":
        """Do it at once: nobody can wait for a thread, which takes real time."""
        assert executor is None
        answer = self.create_future()
        try:
            answer.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - goes to the caller
            answer.set_exception(error)
        return answer


class _Skipping(selectors.DefaultSelector):
    """Asked to wait while nothing is under way, it says that the time has passed."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0
        self.at_work = 0
        """How many threads and processes have not answered yet, besides those of the log."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready. All sockets are on this machine: if nothing is ready in a moment, nothing is under way."""
        if timeout is None or timeout <= 0 or self.at_work + asked_of_logs():
            return super().select(timeout)
        ready = super().select(min(timeout, MOMENT_SECONDS))
        if not ready:
            self.skipped += timeout
        return ready


def asked_of_logs() -> int:
    """How many calls the threads of logs have not answered yet."""
    return sum(thread.unanswered for thread in threading.enumerate() if isinstance(thread, Worker))


class SkippingLoop(asyncio.SelectorEventLoop):
    """For real servers and clients in one process: computing takes its time, and waiting for a timer takes none."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        """Seconds on a clock that only goes forward."""
        return super().time() + self._skipping.skipped

    @property
    def at_work(self) -> int:
        """How many threads and processes have not answered yet."""
        return self._skipping.at_work + asked_of_logs()

    def run_in_executor(
        self, executor: concurrent.futures.Executor | None, func: Callable[..., T], *args: object
    ) -> "asyncio.Future[T]":
        """Note that a thread works."""
        return self._until_done(super().run_in_executor(executor, func, *args))

    def wrap_future(self, future: "concurrent.futures.Future[T]") -> "asyncio.Future[T]":
        """In place of `asyncio.wrap_future`: note that a thread or a process works."""
        return self._until_done(asyncio.futures.wrap_future(future, loop=self))

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109
        """Wait for the threads as long as they take: the time that is skipped says nothing about them."""
        await super().shutdown_default_executor()

    def _until_done(self, answer: "asyncio.Future[T]") -> "asyncio.Future[T]":
        def done(_: object) -> None:
            self._skipping.at_work -= 1

        self._skipping.at_work += 1
        answer.add_done_callback(done)
        return answer


def wrap_future(future: "concurrent.futures.Future[T]") -> "asyncio.Future[T]":
    """In place of `asyncio.wrap_future` where the running loop is a `SkippingLoop`."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    return loop.wrap_future(future)


def in_virtual_time(test: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Make a coroutine function, such as a test, one that runs in a virtual time of its own."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
            return runner.run(test(*args, **kwargs))

    return run
