"""The thought of the AI player whose turn it is at one table."""

import asyncio
from collections.abc import Callable
from typing import Self

from engine.errors import InputError
from engine.moves import Move
from server.ai.pool import AIPool, Question
from server.people.ai_players import manner_of
from server.table.state import TableState


class AITurns:
    """At most one thought at a time; it is dropped when the table moves on without it."""

    def __init__(self, ai_pool: AIPool, wake: Callable[[], None]) -> None:
        """``wake`` is called when a thought has come to its end in a worker."""
        self._ai_pool = ai_pool
        self._wake = wake
        self._thought: asyncio.Future[Move] | None = None

    def begin(self, question: Question) -> Self:
        """Let an AI player think; quick levels have found their move when this returns."""
        self.drop()
        self._thought = self._ai_pool.think(question)
        if not self._thought.done():
            self._thought.add_done_callback(lambda _: self._wake())
        return self

    def drop(self) -> None:
        """Forget the thought."""
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None

    @property
    def found(self) -> Move | None:
        """The move, as soon as it is found."""
        return self._thought.result() if self._thought is not None and self._thought.done() else None

    async def move(self) -> Move:
        """Wait for the move of the thought that has begun."""
        if self._thought is None:
            raise InputError("wrong_phase", "nobody decides here now")
        return await self._thought


def question_of(state: TableState, seq: int, number: int) -> Question:
    """What the AI player of a seat has to decide. Raises InputError if there is no game.

    ``seq`` is that of the log's last entry: the next time the same decision may come out otherwise.
    """
    view = state.view(number)
    if view is None:
        raise InputError("wrong_phase", "nobody decides here now")
    player = state.sitting(number).player
    chance = f"{state.settings.secret} {seq} {number}"
    return Question(player.level or state.settings.level, manner_of(player), view, number, chance)
