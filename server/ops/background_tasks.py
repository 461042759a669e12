"""Background tasks of a server. Their errors are logged and reach no player."""

import asyncio
from collections.abc import Coroutine

import structlog

from server.storage.table_log import NotSaved, OutcomeUnknown

log = structlog.get_logger("quatch.background")


class BackgroundTasks:
    """The background tasks of one server."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[None, None, None], name: str) -> None:
        """Start a task."""
        task = asyncio.create_task(attempt(work, name), name=name)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        task.add_done_callback(lambda _: work.close())  # if it was cancelled before it began

    async def stop(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def attempt(work: Coroutine[None, None, None], what: str) -> None:
    """Run a task and log its failure, which may be temporary."""
    try:
        await work
    except (NotSaved, OutcomeUnknown) as error:
        log.warning("not done now", what=what, problem=str(error))
    except Exception:
        log.exception("went wrong", what=what)
