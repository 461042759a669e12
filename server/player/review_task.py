"""One person's look back on a finished game, while they go on with what they do. The newest is the one wanted."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from engine.errors import InputError
from server.ai.pool import AIPool, WorkerFailed
from server.history.review import ReviewSubject, review_game
from server.history.review_text import review_intro, review_lines
from server.render.scene import Scene

log = structlog.get_logger("quatch.review")

ASKED: Final = "review"


class ReviewTask:
    """What is being thought about for one person."""

    def __init__(self, ai_pool: AIPool, scene: Scene, answer: Callable[[str, list[str]], None]) -> None:
        """``answer`` shows what was asked for, and the lines of the answer."""
        self._ai_pool = ai_pool
        self._scene = scene
        self._answer = answer
        self._task: asyncio.Task[None] | None = None

    def begin(self, subject: ReviewSubject) -> list[str]:
        """Begin to think; what to say meanwhile."""
        self.stop()
        self._task = asyncio.create_task(self._run(subject))
        return [review_intro(subject)]

    def stop(self) -> bool:
        """Nobody waits for it any more; whether there was anything to stop."""
        task, self._task = self._task, None
        return task is not None and task.cancel()

    async def _run(self, subject: ReviewSubject) -> None:
        try:
            review = await review_game(subject, self._ai_pool)
            self._answer(ASKED, review_lines(review, plot=self._scene.drawn))
        except InputError as error:
            self._answer(ASKED, [error.sentence])
        except WorkerFailed:
            self._answer(ASKED, ["That could not be thought through now: say review once more."])
        except Exception:
            log.exception("review failed", game=subject.record.id)
            self._answer(ASKED, ["That went wrong here; it is logged."])
