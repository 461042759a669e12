"""A review of a finished game that a player waits for while they go on with what they do."""

import asyncio

import structlog

from engine.errors import InputError
from server.ai.pool import AIPool, WorkerFailed
from server.fair_queue import PAYER
from server.history.review import ReviewSubject, review_game
from server.history.review_text import review_intro, review_lines
from server.player.front_end import FrontEnd

log = structlog.get_logger("quatch.review")


class ReviewTask:
    """The one review that a player waits for, or none."""

    def __init__(self, ai_pool: AIPool, front_end: FrontEnd) -> None:
        self._ai_pool = ai_pool
        self._front_end = front_end
        self._task: asyncio.Task[None] | None = None

    def begin(self, past: ReviewSubject) -> list[str]:
        """Begin a review instead of the last one; what to say meanwhile."""
        self.stop()
        self._task = asyncio.create_task(self._run(past))
        return [review_intro(past)]

    def stop(self) -> bool:
        """Stop the review, if there is one; whether there was."""
        task, self._task = self._task, None
        return task is not None and task.cancel()

    async def _run(self, past: ReviewSubject) -> None:
        try:
            lines = review_lines(await PAYER.get().run(review_game(past, self._ai_pool)), plot=self._front_end.is_drawn)
        except InputError as error:
            lines = [error.sentence]
        except WorkerFailed:
            lines = ["That could not be thought through now: type review once more."]
        except Exception:
            log.exception("review failed", game=past.record.id)
            lines = ["That went wrong here; it is logged."]
        self._front_end.answered("review", lines)
