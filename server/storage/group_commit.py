"""Many writes share one transaction, and so one sync: whatever arrives during a transaction goes into the next one."""

import asyncio
from asyncio import Future, Task
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

W = TypeVar("W")


class GroupCommit(Generic[W]):
    """Writes that wait for a transaction. One transaction runs at a time."""

    def __init__(self, commit: Callable[[list[W]], Awaitable[list[Exception | None]]]) -> None:
        """``commit`` carries out writes together, and returns for each what its caller is to be told; None: done."""
        self._commit = commit
        self._waiting: list[tuple[W, Future[None]]] = []
        self._committing: Task[None] | None = None

    async def write(self, write: W) -> None:
        """Return when this is committed. Raises what ``commit`` has returned for it."""
        done: Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, done))
        if self._committing is None:
            self._committing = asyncio.create_task(self._run())
        await done

    async def finish(self) -> None:
        """Wait until nothing waits."""
        if self._committing is not None:
            await asyncio.wait([self._committing])

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            outcomes = await self._commit([write for write, _ in batch])
            for (_, done), outcome in zip(batch, outcomes, strict=True):
                if done.done():  # the caller was cancelled
                    continue
                if outcome is None:
                    done.set_result(None)
                else:
                    done.set_exception(outcome)
        self._committing = None
