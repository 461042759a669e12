"""A review of a finished game that a player waits for while they go on with what they do."""

import asyncio
from typing import Final

import structlog

from engine.errors import InputError
from server.ai.pool import WorkerFailed
from server.fair_queue import PAYER
from server.player.front_end import FrontEnd
from server.player.player_session import PlayerSession
from server.render.scene import AfterGame
from server.review.review import ReviewSubject, review_game
from server.review.text import (
    REVIEW_INTERRUPTED,
    REVIEW_STOPPED,
    how_to_see_moves,
    review_intro,
    review_lines,
    review_progress,
    review_ready,
)

PARTS: Final = 5
"""How often plain lines tell of the progress."""

log = structlog.get_logger("quatch.review")


def begin_review(session: PlayerSession, subject: ReviewSubject) -> list[str]:
    """Begin a review, in place of what the player waits for. Returns what to say meanwhile."""
    before = session.waits_for
    session.stop_waiting()
    session.waits_for = task = ReviewTask(session)
    return task.begin(subject, before.task if isinstance(before, ReviewTask) else None)


class ReviewTask:
    """A review that a player waits for."""

    def __init__(self, session: PlayerSession) -> None:
        """A player who looks at something else when it is done is told that it is ready, and not shown it."""
        self.task: asyncio.Task[None] | None = None
        self._session = session
        self._front_end = session.front_end

    def begin(self, past: ReviewSubject, before: asyncio.Task[None] | None) -> list[str]:
        """Begin it, when the review ``before`` has freed its place. Returns what to say meanwhile."""
        intro = review_intro(past)
        progress = _Progress(past, self._front_end, intro)
        self.task = asyncio.create_task(self._run(past, progress, self._session.looked_at, before))
        return [intro]

    def stop(self) -> list[str]:
        """Stop it. Returns what to say."""
        return [REVIEW_STOPPED] if self.task is not None and self.task.cancel() else []

    async def _run(
        self, past: ReviewSubject, progress: "_Progress", asked_at: object, before: asyncio.Task[None] | None
    ) -> None:
        """Make the review, and show it or say that it is ready."""
        if before is not None:
            await asyncio.wait([before])

        def tick(done: int, turns: int) -> None:
            if self._session.looked_at == asked_at:
                progress.tell(done, turns)

        number_means = ""
        try:
            review = await PAYER.get().run(review_game(past, self._session.lobby.ai_pool, tick))
            is_drawn = self._front_end.is_drawn
            lines = review_lines(review, plot=is_drawn)
            ways = [each.at_move for each in self._session.lobby.features.all(AfterGame) if each.at_move]
            if ways and self._session.may_look_back:
                number_means = ways[0].format(game=past.record.id, move="{}", seat=past.seat + 1)
                lines.append(how_to_see_moves(review, number_means, on_page=is_drawn))
        except InputError as error:
            lines = [error.sentence]
        except WorkerFailed:
            lines = [InputError("failed", REVIEW_INTERRUPTED).sentence]
        except Exception:
            log.exception("review failed", game=past.record.id)
            lines = ["That went wrong here; it is logged."]
        if self._session.looked_at == asked_at and not self._front_end.is_reading:
            self._front_end.answered("review", lines, number_means=number_means)
        else:
            self._session.note_anywhere(review_ready(past) if len(lines) > 1 else lines[0])


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
