"""Calls that wait together are carried out together: whatever arrives meanwhile goes into the next round.

Many writes share one transaction, and so one sync; many reads share one way to the database and back.
"""

import asyncio
from asyncio import Future, Task
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Generic, TypeVar

Q = TypeVar("Q")
R = TypeVar("R")


class Grouped(Generic[Q, R]):
    """Calls that are carried out in groups, one group at a time."""

    def __init__(self, carry_out: Callable[[list[Q]], Awaitable[Sequence[R | Exception]]]) -> None:
        """``carry_out`` returns for each call its result, or what it raises."""
        self._carry_out = carry_out
        self._waiting: list[tuple[Q, Future[R]]] = []
        self._running: Task[None] | None = None

    async def __call__(self, call: Q) -> R:
        """Return the result of this call when its group was carried out, or raise its error."""
        answer: Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((call, answer))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await answer

    async def finish(self) -> None:
        """Wait until nothing waits."""
        if self._running is not None:
            await asyncio.wait([self._running])

    async def _run(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            results: Sequence[R | Exception]
            try:
                results = await self._carry_out([call for call, _ in group])
            except Exception as error:  # noqa: BLE001 - goes to the callers
                results = [error] * len(group)
            settle([answer for _, answer in group], results)
        self._running = None


def settle(answers: Iterable[Future[R]], results: Sequence[R | Exception]) -> None:
    """Give each call of a group its result, or its error."""
    for answer, result in zip(answers, results, strict=True):
        if answer.done():  # the caller was cancelled
            continue
        if isinstance(result, Exception):
            answer.set_exception(result)
        else:
            answer.set_result(result)
