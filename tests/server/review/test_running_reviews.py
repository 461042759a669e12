"""While a review goes on: its progress, who may have how many, and what stops it."""

import asyncio
import multiprocessing
from contextlib import AsyncExitStack
from pathlib import Path

import asyncssh
import pytest

from engine.ai.judging import Judgement
from engine.ai.verdict import Depth
from engine.moves import Move
from engine.view import View
from server.ai.pool import AIPool, WorkerFailed
from server.limits import SEARCHES_PER_ADDRESS
from server.review import review
from server.review.review import review_game, review_subject
from server.session.terminal_session import HASTE_SECONDS
from tests.server.review.reviews import golden, log_with_a_game
from tests.support.people import RunningServer, running_server
from tests.support.recorded import GAME
from tests.support.resources import settled


def searches(here: RunningServer) -> int:
    """How many long searches run."""
    return round(sum(here.app.lobby.ledger.used(SEARCHES_PER_ADDRESS).values()))


async def test_leaving_stops_the_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one line says so. The search stops."""
    monkeypatch.setattr(review, "SIMULATIONS", 100_000)
    async with running_server(tmp_path, await log_with_a_game(), workers=1) as here, here.person() as ana:

        async def begin() -> None:
            ana.type(f"review {GAME}")
            await settled(lambda: searches(here) == 1)
            await ana.until("Reviewing your turns")

        await begin()
        await ana.enter("leave", "The review has stopped.")
        await settled(lambda: searches(here) == 0)
        await begin()
        await asyncio.sleep(HASTE_SECONDS)
        await ana.enter("", "YOU")
        assert searches(here) == 1, "it goes on, and Enter does what the screen says"
        await ana.enter("leave", "so the game does not count for you.")
        await ana.until("The review has stopped.")
        await settled(lambda: searches(here) == 0)
        assert "turns." not in ana.shown
        await ana.enter(f"review {GAME}", "Reviewing")
        await ana.enter(f"review {GAME} 2", "Fox's turns in game")
        await settled(lambda: searches(here) == 1)
        ana.process.close()
        await settled(lambda: searches(here) == 0)


async def test_one_address_cannot_have_all_reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever keys its players have, inside and by ssh commands. A player from another address has one at once."""
    judge, goes_on = AIPool.judge, asyncio.Event()

    async def slow(pool: AIPool, view: View, made: Move, seed: str, depth: Depth) -> Judgement:
        await goes_on.wait()
        return await judge(pool, view, made, seed, depth)

    monkeypatch.setattr(AIPool, "judge", slow)
    async with running_server(tmp_path, await log_with_a_game(), exempt=[]) as here, AsyncExitStack() as stack:
        for number in range(SEARCHES_PER_ADDRESS.share):
            key = asyncssh.generate_private_key("ssh-ed25519") if number % 2 else None
            command = f"review {GAME} 1" if number > 1 else None
            flood = await stack.enter_async_context(here.person(f"bo{number}", key=key, term=None, command=command))
            if command is None:
                flood.type(f"review {GAME} 2")
            await settled(lambda number=number: searches(here) == number + 1)  # type: ignore[misc]
        async with here.person("cy", term=None, command=f"review {GAME} 1") as one_more:
            assert await one_more.until_gone() == 2
            assert "4 games are being reviewed from your address: try again when one of them is done." in one_more.text
        async with here.person("ana", source="127.0.0.3") as ana:
            ana.type(f"review {GAME}")
            await settled(lambda: searches(here) == SEARCHES_PER_ADDRESS.share + 1)
            goes_on.set()
            await ana.until(" before move ")


async def test_progress_is_shown_and_the_end_never_over_something_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, then turn by turn; a page that is read stays. A second review is there at once."""
    begins, goes_on = asyncio.Event(), asyncio.Event()
    judge, judged = AIPool.judge, list[str]()

    async def slow(pool: AIPool, view: View, made: Move, seed: str, depth: Depth) -> Judgement:
        judged.append(seed)
        await begins.wait()
        if len(judged) == 8:
            await goes_on.wait()
        return await judge(pool, view, made, seed, depth)

    monkeypatch.setattr(AIPool, "judge", slow)
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person() as ana:
        await ana.enter(f"review {GAME}", "Reviewing your turns in game 7KQ2M9XA: this takes a few seconds.")
        begins.set()
        await ana.until("Reviewing your turns in game 7KQ2M9XA: 7 of 20.")
        await ana.enter(f"review {GAME}", "Reviewing your turns in game 7KQ2M9XA: 7 of 20.")
        await ana.enter("rules", "Enter goes ")
        goes_on.set()
        await settled(lambda: not searches(here))
        assert " before move " not in ana.shown
        await ana.press(b"q\r", "The review of game 7KQ2M9XA is ready: type review 7KQ2M9XA 1")
        monkeypatch.setattr(AIPool, "finish", None)  # no search is made again
        await ana.enter(f"review {GAME}", " before move ")


async def test_a_worker_that_dies_is_said() -> None:
    """A player who waits for a review is told to ask again, and AI players think on."""
    ai_pool = AIPool(1)
    await review_game(review_subject(golden(), "2"), ai_pool)
    past = review_subject(golden(), "1")
    looking = asyncio.create_task(review_game(past, ai_pool))
    await asyncio.sleep(0)
    for worker in multiprocessing.active_children():
        worker.kill()
    with pytest.raises(WorkerFailed):
        await looking
    assert await review_game(past, ai_pool) == await review_game(past, AIPool())
    await ai_pool.close()
