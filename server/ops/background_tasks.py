"""What a server does in the background: what goes wrong there is logged, and nobody else notices."""

import asyncio
from collections.abc import Coroutine

import structlog

from server.storage.store import NotSaved, Unknown

log = structlog.get_logger("quatch.chores")


class BackgroundTasks:
    """Everything that one server does in the background."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[None, None, None], name: str) -> None:
        """Have something done."""
        task = asyncio.create_task(attempt(work, name), name=name)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def stop(self) -> None:
        """Have nothing done any more."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def attempt(work: Coroutine[None, None, None], what: str) -> None:
    """Do something that is done again soon if it cannot be done now."""
    try:
        await work
    except (NotSaved, Unknown) as error:
        log.warning("not done now", what=what, problem=str(error))
    except Exception:
        log.exception("went wrong", what=what)
