"""Background tasks of a server. Their errors are logged and reach no player."""

import asyncio
from collections.abc import Callable, Coroutine

import structlog

from server.storage.database import NotSaved, OutcomeUnknown

log = structlog.get_logger("quatch.background")


class BackgroundTasks:
    """The background tasks of one server."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[bool]] = set()

    def begin(self, work: Coroutine[None, None, object], name: str) -> asyncio.Task[bool]:
        """Start a task."""
        task = asyncio.create_task(attempt(work, name), name=name)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        task.add_done_callback(lambda _: work.close())  # if it was cancelled before it began
        return task

    async def finish(self, work: Coroutine[None, None, None], name: str) -> bool:
        """Start a task and wait for its end; it goes on if the caller is cancelled. Returns whether it is done."""
        return await asyncio.shield(self.begin(work, name))

    def repeat(
        self, work: Callable[[], Coroutine[None, None, object]], seconds: float, name: str, *, first_after: float = 0.0
    ) -> None:
        """Start a task that does the work every so many seconds, also after it has failed."""

        async def keep_doing() -> None:
            await asyncio.sleep(first_after)
            while True:
                await attempt(work(), name)
                await asyncio.sleep(seconds)

        self.begin(keep_doing(), name)

    async def stop(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def attempt(work: Coroutine[None, None, object], what: str) -> bool:
    """Run a task and log its failure, which may be temporary. Returns whether it is done."""
    try:
        await work
    except (NotSaved, OutcomeUnknown) as error:
        log.warning("not done now", what=what, problem=str(error))
    except Exception:
        log.exception("went wrong", what=what)
    else:
        return True
    return False
