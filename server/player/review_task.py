"""A review of a finished game that a player waits for while they go on with what they do."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

import structlog

from engine.errors import InputError
from server.ai.pool import AIPool, WorkerFailed
from server.fair_queue import PAYER
from server.history.review import ReviewSubject, review_game
from server.history.review_text import (
    REVIEW_INTERRUPTED,
    REVIEW_STOPPED,
    how_to_see_moves,
    review_intro,
    review_lines,
    review_progress,
    review_ready,
)
from server.player.front_end import FrontEnd

PARTS: Final = 5
"""How often plain lines tell of the progress."""

log = structlog.get_logger("quatch.review")


class Reader(Protocol):
    """The player who waits."""

    @property
    def looked_at(self) -> object:
        """What the player looks at; another value means something newer."""

    @property
    def may_replay(self) -> bool:
        """Whether the player can look at a finished game."""


class ReviewTask:
    """The one review that a player waits for, or none."""

    def __init__(self, ai_pool: AIPool, front_end: FrontEnd, reader: Reader, note: Callable[[str], None]) -> None:
        """If the player looks at something else by now, ``note`` takes a line, and the review is not shown."""
        self._ai_pool = ai_pool
        self._front_end = front_end
        self._reader = reader
        self._note = note
        self._task: asyncio.Task[None] | None = None

    def begin(self, past: ReviewSubject) -> list[str]:
        """Begin a review instead of the last one; what to say meanwhile."""
        before = self._task
        self.stop()
        intro = review_intro(past)
        progress = _Progress(past, self._front_end, intro)
        self._task = asyncio.create_task(self._run(past, progress, self._reader.looked_at, before))
        return [intro]

    def stop(self) -> list[str]:
        """Stop the review, if there is one; what to say then."""
        task, self._task = self._task, None
        return [REVIEW_STOPPED] if task is not None and task.cancel() else []

    async def _run(
        self, past: ReviewSubject, progress: "_Progress", asked_at: object, before: asyncio.Task[None] | None
    ) -> None:
        """Make the review, and show it or say that it is ready. The review ``before`` has to free its place first."""
        if before is not None:
            await asyncio.wait([before])

        def tick(done: int, turns: int) -> None:
            if self._reader.looked_at == asked_at:
                progress.tell(done, turns)

        number_means = ""
        try:
            review = await PAYER.get().run(review_game(past, self._ai_pool, tick))
            is_drawn = self._front_end.is_drawn
            lines = review_lines(review, plot=is_drawn)
            if self._reader.may_replay:
                number_means = f"replay {past.record.id} {{}} {past.seat + 1}"
                lines.append(how_to_see_moves(review, number_means, on_page=is_drawn))
        except InputError as error:
            lines = [error.sentence]
        except WorkerFailed:
            lines = [InputError("failed", REVIEW_INTERRUPTED).sentence]
        except Exception:
            log.exception("review failed", game=past.record.id)
            lines = ["That went wrong here; it is logged."]
        if self._reader.looked_at == asked_at and not self._front_end.is_reading:
            self._front_end.answered("review", lines, number_means=number_means)
        else:
            self._note(review_ready(past) if len(lines) > 1 else lines[0])


class _Progress:
    """How many turns of a review are done: on a screen every one, in lines every fifth part."""

    def __init__(self, past: ReviewSubject, front_end: FrontEnd, intro: str) -> None:
        self._past = past
        self._front_end = front_end
        self._said = intro

    def tell(self, done: int, turns: int) -> None:
        line = review_progress(self._past, done, turns)
        if self._front_end.is_drawn:
            self._front_end.progressed(line, instead_of=self._said)
            self._said = line
        elif done < turns and PARTS * done // turns > PARTS * (done - 1) // turns:
            self._front_end.told([line])
