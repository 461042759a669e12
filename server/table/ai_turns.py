"""How the AI players of one table find their moves. `Table` decides when they think, and writes the moves."""

import asyncio
from collections.abc import Callable

import structlog

from engine.ai.hesitation import hesitation
from engine.errors import Refused
from server.ai.pool import AIPool, Question, Thought, any_moves
from server.table.entries import Moved
from server.table.journal import Journal
from server.table.unlogged_state import UnloggedState

log = structlog.get_logger("quatch.table")


class AITurns:
    """The thought about the pending decision, and the moves that AI players make without one."""

    def __init__(
        self, journal: Journal, runtime: UnloggedState, ai_pool: AIPool, look_again: Callable[[], None]
    ) -> None:
        """``look_again`` has the table find out what is due."""
        self._journal = journal
        self._runtime = runtime
        self._ai_pool = ai_pool
        self._look_again = look_again
        self._thought: asyncio.Future[Thought] | None = None
        """The AI player's move that `runtime.thinking` is about, as soon as it is found."""

    def begin_thought(self, seat: int) -> None:
        """Let the AI player of a seat think; the table looks again when it has found its move."""
        question = self._question(seat)
        self._runtime.hesitation = hesitation(question.view) if self._runtime.pace else 0.0
        thought = self._ai_pool.think(question)
        if not thought.done():
            thought.add_done_callback(lambda _: self._look_again())
        self._thought, self._runtime.thinking = thought, seat

    def note_found(self) -> None:
        """Note the move that the AI player has found, if it has."""
        if self._thought is not None and self._thought.done():
            self._runtime.found = self._thought.result()

    def drop_thought(self) -> None:
        """Think no more about the decision that was pending."""
        if self._thought is not None:
            self._thought.cancel()
        self._thought = self._runtime.thinking = self._runtime.found = None

    def move_at_once(self, seat: int) -> Moved:
        """A move for a player whose clock has run out, found without thinking long."""
        return Moved(seat, str(self._ai_pool.think_at_once(self._question(seat))))

    def other_move(self, moved: Moved, refused: Refused) -> Moved:
        """Another move in place of one that the rules refuse, so that the table goes on; the same if there is none."""
        view = self._question(moved.seat).view
        problem, number = refused.message, self._journal.number
        log.warning("AI move refused", table=number, move=moved.move, problem=problem, position=view)
        others = (str(move) for move in any_moves(view, moved.seat) if str(move) != moved.move)
        return Moved(moved.seat, next(others, moved.move))

    def _question(self, seat: int) -> Question:
        return self._journal.state.question(self._journal.head.seq, seat)
