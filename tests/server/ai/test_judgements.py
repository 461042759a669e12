"""Judgements that a server keeps, and long work that is done in steps."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from engine.ai.judging import CLOSER
from engine.ai.verdict import Depth, Verdict
from engine.moves import play_of
from engine.view import view_of
from server.ai.pool import AIPool
from tests.support.positions import at

T = TypeVar("T")
VIEW = view_of(at("college", "hand 8c 8d Kh / up 9c", "hand Kc Ac 4d", pile="6h"), 0)
MADE = play_of(6, 1)


async def test_a_judgement_answers_no_question_of_another_kind() -> None:
    """The game of the night asks for a quick look; a review must not get it, though game, ply and simulations agree."""
    pool, alone = AIPool(), AIPool()
    night, review = Depth(simulations=20), Depth(simulations=20, playouts=60, checked=20)
    for depth in (night, review, CLOSER):
        assert await pool.judge(VIEW, MADE, "GAME 7", depth) == await alone.judge(VIEW, MADE, "GAME 7", depth)
        alone = AIPool()
    first, second = await asyncio.gather(*(pool.judge(VIEW, MADE, "GAME 8", review) for _ in range(2)))
    assert first is second, "a review joins one that judges the same decision"
    assert (await pool.judge(VIEW, MADE, "GAME 7", night)) is await pool.judge(VIEW, MADE, "GAME 7", night)
    assert await pool.judge(VIEW, MADE, "GAME 7", night) != await pool.judge(VIEW, MADE, "GAME 7", review)


async def test_each_step_is_a_request_and_a_turn_of_its_own() -> None:
    """So others have their turn in between, and an AI player waits for one step only."""

    class Counting(AIPool):
        asked = 0

        async def run(self, work: Callable[[], T], *, in_background: bool = False) -> T:
            self.asked += 1
            return await super().run(work, in_background=in_background)

    pool = Counting()
    found = await pool.finish(Verdict(VIEW, "hint", Depth(40, 3, 100)), in_background=False)
    assert found.is_over
    assert pool.asked >= 4
