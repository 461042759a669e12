"""The thinking of one table's AI players: begun as soon as there is something to decide, so that the pace hides it."""

import asyncio
from collections.abc import Callable

from engine.errors import InputError
from engine.moves import Move
from server.ai.pool import AIPool, Question, Thought
from server.people.ai_players import style_of
from server.storage.store import Head
from server.table.broadcaster import Stage
from server.table.state import Seat


class AITurns:
    """What the AI player whose turn it is thinks of; forgotten when the table moves on without it."""

    def __init__(self, stage: Stage, ai_pool: AIPool, wake: Callable[[], None]) -> None:
        """``wake`` is called when a thought has come to its end elsewhere."""
        self._stage = stage
        self._ai_pool = ai_pool
        self._wake = wake
        self._about: tuple[Head, int] | None = None
        self._thought: Thought | None = None

    def is_ready(self, number: int) -> bool:
        """Whether it is known what this seat does; if not, it is being thought of."""
        thought = self._think(number)
        return not isinstance(thought, asyncio.Task) or thought.done()

    async def move(self, number: int) -> Move:
        """What this seat does."""
        thought = self._think(number)
        return await thought if isinstance(thought, asyncio.Task) else thought

    def _think(self, number: int) -> Thought:
        about = (self._stage.journal.head, number)
        if self._thought is None or self._about != about:
            if isinstance(self._thought, asyncio.Task):
                self._thought.cancel()
            self._about, self._thought = about, self._ai_pool.think(self._question(number))
            if isinstance(self._thought, asyncio.Task):
                self._thought.add_done_callback(lambda _: self._wake())
        return self._thought

    def _question(self, number: int) -> Question:
        state = self._stage.state
        seat, view = state.seats[number], state.view(number)
        if seat is None or view is None:
            raise InputError("wrong_phase", "nobody decides here now")
        chance = f"{state.settings.secret} {self._stage.journal.head.seq} {number}"
        return Question(self._level(seat), style_of(seat.player), view, number, chance)

    def _level(self, seat: Seat) -> str:
        return seat.player.level or self._stage.state.settings.level
