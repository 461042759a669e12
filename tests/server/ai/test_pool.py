"""AI players that think in workers choose the same moves as here. If a worker fails they still get a move."""

import asyncio
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast

import pytest
from structlog.testing import capture_logs

from engine.ai import AIPlayer, player, weights
from engine.ai.verdict import Depth
from engine.legality import check, legal_moves
from engine.moves import READY
from server.ai.pool import AIPool, Question, Thought, WorkerFailed, choose
from server.process.counters import Counters
from server.storage.sqlite_database import MemoryDatabase
from tests.support.people import running_server
from tests.support.questions import answered, views
from tests.support.tables import ANA, BO, Watcher, running

HURRIED = 5
ROOT = Path(__file__).parents[3]


@pytest.fixture
def counters() -> Counters:
    """What the workers of one test are counted in."""
    return Counters()


@pytest.fixture
async def ai_pool(counters: Counters) -> AsyncIterator[AIPool]:
    """Worker processes for one test."""
    made = AIPool(1, counters)
    yield made
    await made.close()


@pytest.mark.parametrize("rules", ["quatch", "life"])
async def test_a_worker_chooses_what_would_be_chosen_here(ai_pool: AIPool, rules: str) -> None:
    """The same view and the same chance, the same move, with house rules too."""
    for view, seat in views(rules):
        question = Question("master", "arsonist", view, seat, "chance", HURRIED)
        assert ai_pool.think(Question("hard", "plain", view, seat, "chance")).done()
        assert await answered(ai_pool, question) == choose(question)


async def test_a_worker_that_dies_is_replaced(ai_pool: AIPool, counters: Counters) -> None:
    """Hard makes the move that it was thinking about, as hurried; a new worker thinks about the next one."""
    (view, seat), *_ = views("quatch")
    question = Question("master", "plain", view, seat, "chance", HURRIED)
    await answered(ai_pool, question)
    (worker,) = multiprocessing.active_children()
    thought = ai_pool.think(Question("master", "plain", view, seat, "chance", 100_000))
    assert not thought.done()
    await asyncio.sleep(0)
    worker.kill()
    assert await thought == Thought(choose(Question("hard", "plain", view, seat, "chance")), is_hurried=True)
    assert await answered(ai_pool, question) == choose(question)
    assert counters.workers_replaced.value == 1
    assert counters.thinking_seconds["master"].by_bound[-1][1] == 3


async def test_ctrl_c_does_not_end_a_worker(ai_pool: AIPool, counters: Counters) -> None:
    """A terminal sends it to the workers too; the server ends them when it stops."""
    (view, seat), *_ = views("quatch")
    question = Question("master", "plain", view, seat, "chance", HURRIED)
    await answered(ai_pool, question)
    (worker,) = multiprocessing.active_children()
    for _ in range(20):
        os.kill(cast(int, worker.pid), signal.SIGINT)
        await asyncio.sleep(0.005)
    await answered(ai_pool, question)
    assert multiprocessing.active_children() == [worker]
    assert counters.workers_replaced.value == 0


async def test_a_worker_that_takes_too_long_is_replaced(ai_pool: AIPool) -> None:
    """And hard makes the move."""
    (view, seat), *_ = views("quatch")
    ai_pool.patience = 0.0
    question = Question("master", "plain", view, seat, "chance", 2_000)
    assert await answered(ai_pool, question) == choose(Question("hard", "plain", view, seat, "chance"))


async def test_every_table_that_waits_for_a_replaced_worker_gets_a_move(ai_pool: AIPool) -> None:
    """Also those whose question the worker has not begun."""
    (view, seat), *_ = views("quatch")
    question = Question("master", "plain", view, seat, "chance", HURRIED)
    await answered(ai_pool, question)
    ai_pool.patience = 0.2
    slow = ai_pool.think(Question("master", "plain", view, seat, "chance", 5_000))
    await asyncio.sleep(0)
    ai_pool.patience = 20.0
    thoughts = [slow, *(ai_pool.think(question) for _ in range(8))]
    assert not any(thought.done() for thought in thoughts)
    assert {each.move for each in await asyncio.gather(*thoughts)} <= set(legal_moves(view, seat))
    assert await answered(ai_pool, question) == choose(question)


async def test_work_in_the_background_may_take_longer(ai_pool: AIPool) -> None:
    """Under load a worker takes long to start; without a player who waits that is no failure."""
    ai_pool.patience = 0.0
    assert await ai_pool.run(list, in_background=True) == []
    with pytest.raises(WorkerFailed):
        await ai_pool.run(list)


async def test_closing_kills_the_workers(ai_pool: AIPool) -> None:
    """At once, in the middle of a thought. A table that waits gets a move, so a stop never waits for a worker."""
    (view, seat), *_ = views("quatch")
    await answered(ai_pool, Question("master", "plain", view, seat, "chance", HURRIED))
    workers = multiprocessing.active_children()
    thought = ai_pool.think(Question("master", "plain", view, seat, "chance", 10_000_000))
    assert not thought.done()
    await asyncio.sleep(0)
    await ai_pool.close()
    assert [worker.exitcode for worker in workers] == [-signal.SIGKILL]
    assert (await thought).move == choose(Question("hard", "plain", view, seat, "chance"))


async def test_after_closing_no_worker_is_started() -> None:
    """An AI player decides as hard does; a review fails."""
    (view, seat), *_ = views("quatch")
    ai_pool = AIPool(1)
    await ai_pool.close()
    question = Question("master", "plain", view, seat, "chance", HURRIED)
    assert await answered(ai_pool, question) == choose(Question("hard", "plain", view, seat, "chance"))
    with pytest.raises(WorkerFailed):
        await ai_pool.judge(view, legal_moves(view, seat)[0], "chance", Depth(HURRIED))
    assert not multiprocessing.active_children()


async def test_closing_waits_for_replaced_workers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits a few seconds for workers that do not end, as a stopped one does not, and then it says so."""
    (view, seat), *_ = views("quatch")
    ai_pool = AIPool(1)
    question = Question("master", "plain", view, seat, "chance", HURRIED)
    await answered(ai_pool, question)
    (worker,) = multiprocessing.active_children()
    with monkeypatch.context() as patched:
        ai_pool.patience = 0.0
        patched.setattr(BaseProcess, "kill", lambda process: os.kill(process.pid, signal.SIGSTOP))
        await answered(ai_pool, question)
        closing = asyncio.create_task(ai_pool.close())
        await asyncio.wait([closing], timeout=0.1)
        assert not closing.done()
        ai_pool.end_seconds = 0.0
        with capture_logs() as logs:
            await asyncio.wait_for(ai_pool.close(), 5)
        assert [line["event"] for line in logs] == ["workers do not end"]
    worker.kill()
    await closing


async def test_a_worker_ends_with_its_server() -> None:
    """A server that is killed cannot kill its workers, so they watch it."""
    script = """
import asyncio, multiprocessing, os
from server.ai.pool import AIPool, Question
from tests.support.questions import answered, views
async def think():
    view, seat = next(views("quatch"))
    await answered(ai_pool, Question("master", "plain", view, seat, "x", 5))
    print(len(multiprocessing.active_children()), flush=True)
    os.abort()
ai_pool = AIPool(1)
asyncio.run(think())
"""
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", script, cwd=ROOT, stdout=subprocess.PIPE)
    # The worker has the same standard output, so this waits for the end of both.
    told, _ = await asyncio.wait_for(server.communicate(), 20)
    assert (told, server.returncode) == (b"1\n", -signal.SIGABRT)


@pytest.mark.parametrize("level", ["no such level", "illegal"])
def test_hard_moves_for_a_level_that_fails(level: str) -> None:
    """If a level raises an error or makes an illegal move, that is logged once, with the position."""

    def unsound(name: str, style: str, simulations: int | None) -> AIPlayer:
        return (lambda *_: READY) if name == "illegal" else player(name, style, simulations)

    (view, seat), *_ = views("quatch")
    with capture_logs() as logs:
        move = choose(Question(level, "plain", view, seat, "x"), unsound)
    assert move == choose(Question("hard", "plain", view, seat, "x"))
    assert [(line["event"], line["level"], line["position"]) for line in logs] == [("AI player failed", level, view)]


@pytest.mark.parametrize("rules", ["quatch", "college"])
def test_a_seat_moves_although_every_level_fails(rules: str) -> None:
    """Also a seat that has to lay cards before it can be ready."""

    def failing(*_: object) -> AIPlayer:
        raise ZeroDivisionError

    for view, seat in views(rules):
        check(view, seat, choose(Question("hard", "plain", view, seat, "x"), failing))


async def test_a_question_that_cannot_be_sent_to_a_worker_is_answered() -> None:
    """By the level hard."""
    (view, seat), *_ = views("quatch")
    unpicklable = cast("str", lambda: "x")
    assert await answered(AIPool(1), Question("master", "plain", view, seat, unpicklable)) in legal_moves(view, seat)


class Pondering(AIPool):
    """Every AI player thinks until all may answer."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.may_answer = asyncio.Event()

    def think(self, question: Question) -> asyncio.Future[Thought]:
        """Find the move later."""
        self.asked += 1
        return asyncio.create_task(self._ponder(question))

    async def _ponder(self, question: Question) -> Thought:
        await self.may_answer.wait()
        return Thought(self.think_at_once(question))


async def test_a_table_of_masters_answers_while_they_think() -> None:
    """The table serves requests at once; the move comes when it is found."""
    pondering, ana, bo = Pondering(), Watcher(), Watcher()
    async with running(MemoryDatabase(), 2, ai_pool=pondering) as table:
        await table.sit(ana, ANA)
        await table.add(ana, "master")
        await table.start(ana)
        await table.move(ana, 0, READY)
        assert pondering.asked
        await table.come(bo, BO)
        assert (await bo.until("arrange")).view.ready.count(True) == 1  # type: ignore[union-attr]
        pondering.may_answer.set()
        await ana.until(lambda snapshot: snapshot.view is not None and snapshot.view.phase == "play")
        await ana.until(lambda snapshot: snapshot.my_turn)


def forget_weights() -> None:
    """Clear the caches, so that weights are read again."""
    weights.weights_of.cache_clear()
    weights.model_for.cache_clear()


async def test_damaged_weights_are_told_in_the_log_and_do_not_keep_anybody_from_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line names the file and what is wrong with it; the general weights stand in."""
    folder = tmp_path / "ai"
    shutil.copytree(Path(weights.__file__).parent / "weights", folder / "weights")
    (folder / "weights" / "life.json").write_text("{")
    monkeypatch.setattr(weights, "files", lambda _: folder)
    forget_weights()
    with capture_logs() as logs:
        async with running_server(tmp_path) as here, here.person() as ana:
            await ana.enter("play life seats=2 level=extreme", "YOU")
    (told,) = [line for line in logs if line["log_level"] == "warning"]
    assert told["event"] == "general weights stand in for these"
    assert told["problem"].startswith("weights of life: ")
    monkeypatch.undo()
    forget_weights()


KILLED = """
import asyncio, os, signal
from server.ai.pool import AIPool

async def main():
    await AIPool(1).run(os.getpid)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_nothing_is_said_behind_a_server_that_was_killed(tmp_path: Path) -> None:
    """Only what the server logs is on its standard error."""
    program = tmp_path / "killed.py"
    program.write_text(KILLED)
    environment = os.environ | {"PYTHONDEVMODE": ""}  # or asyncio tells there how long a step took
    ended = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, cwd=ROOT, env=environment, check=False
    )
    assert (ended.returncode, ended.stderr) == (-signal.SIGKILL, "")
