"""Where AI players think: quick levels at once, the others in worker processes, so that the event loop never waits.

A worker that dies or takes too long is replaced, and hard makes that one move. A worker is sent no more than a view.
"""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeVar, cast

import structlog

from engine.ai import player, uses_search
from engine.ai.review import Judgement, judge
from engine.errors import InputError
from engine.legality import legal_moves
from engine.moves import Move, parse_move
from engine.view import View
from server.ops.metrics import UNREAD, Metrics

FALLBACK: Final = "hard"
PATIENCE_SECONDS: Final = 20.0
"""After so long a worker is taken for dead."""
END_SECONDS: Final = 5.0
"""How long the end of workers that were killed is waited for."""
BUSY: Final = 4
"""With so many moves waiting for each worker, the next ones are thought about less."""
GAMES_AT_ONCE: Final = 8
"""Finished games that are looked back on at a time: each always has one question waiting."""
HURRIED_SIMULATIONS: Final = 60
"""How often Master looks ahead when many wait."""

log = structlog.get_logger("quatch.thinking")


@dataclass(frozen=True, slots=True)
class Question:
    """What an AI player has to decide. The same question has the same answer."""

    level: str
    style: str
    view: View
    seat: int
    chance: str
    """What chance is drawn from."""
    simulations: int | None = None
    """How often Master may look ahead; None for as often as it likes."""


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """A turn of a finished game to be looked back on. The same has the same answer."""

    view: View
    made: Move
    chance: str
    """What chance is drawn from."""
    simulations: int


Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class WorkerFailed(Exception):
    """A worker died, took too long, was let go, or could not answer; it has been logged."""


class AIPool:
    """All thinking of one server."""

    def __init__(self, workers: int = 0, metrics: Metrics = UNREAD) -> None:
        """Without workers every level thinks at once, in this process."""
        self._workers = workers
        self._metrics = metrics
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False
        self._endings: list[threading.Thread] = []
        """Those who see to the ends of workers that were let go."""
        self._waiting = 0
        """Moves that workers have not answered yet."""
        self._looking_back: list[str | None] = []
        """Who looks back on a finished game."""

    def think(self, question: Question) -> asyncio.Future[Move]:
        """Find the move of an AI player. Levels that do not look ahead have found it when this returns."""
        if self._workers and uses_search(question.level, question.view):
            return asyncio.create_task(self._think_elsewhere(question))
        found = asyncio.get_running_loop().create_future()
        with self._metrics.thinking_seconds[question.level].time():
            found.set_result(choose(question))
        return found

    async def judge(self, turn: ReviewQuestion) -> Judgement:
        """What a turn of a finished game promised, and cost. Raises WorkerFailed."""
        return await (self._ask(_look_back, turn) if self._workers else asyncio.to_thread(_look_back, turn))

    @contextmanager
    def review_task(self, who: str | None = None) -> Iterator[None]:
        """Somebody looks back on a whole game. Raises InputError where they do so already, or too many others.

        None is for those who see to it themselves that they do one thing at a time.
        """
        if who is not None and who in self._looking_back:
            raise InputError("too_fast", "you are looking back on a game already: wait for that")
        if len(self._looking_back) >= GAMES_AT_ONCE:
            raise InputError("too_fast", f"{GAMES_AT_ONCE} games are being looked back on: try again in a minute")
        self._looking_back.append(who)
        try:
            yield
        finally:
            self._looking_back.remove(who)

    async def close(self) -> None:
        """Let the workers go, whatever they think of, and wait until they are gone; nobody asks them any more."""
        self._closed = True
        self._let_go()
        # A process that ends before its pools do may wait for workers that nobody tells any more.
        await asyncio.gather(*(asyncio.to_thread(ending.join, END_SECONDS) for ending in self._endings))
        if any(ending.is_alive() for ending in self._endings):
            log.warning("workers do not end", seconds=END_SECONDS)

    def _let_go(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None and (ending := _end(pool)) is not None:
            self._endings = [*(before for before in self._endings if before.is_alive()), ending]

    async def _think_elsewhere(self, question: Question) -> Move:
        with self._metrics.thinking_seconds[question.level].time():
            return await self._ask_worker(question)

    async def _ask_worker(self, question: Question) -> Move:
        if self._waiting >= BUSY * self._workers:
            question = replace(question, simulations=HURRIED_SIMULATIONS)
        self._waiting += 1
        try:
            return parse_move(await self._ask(_answer, question))
        except WorkerFailed:
            return choose(replace(question, level=FALLBACK))
        finally:
            self._waiting -= 1

    async def _ask(self, answer: Callable[[Asked], Answer], asked: Asked) -> Answer:
        """What a worker answers. Raises WorkerFailed where it does not."""
        if self._closed:
            raise WorkerFailed
        pool = self._pool = self._pool or self._new_pool()
        try:
            work = asyncio.wrap_future(pool.submit(answer, asked))
            return await asyncio.wait_for(work, PATIENCE_SECONDS)
        except (BrokenProcessPool, TimeoutError) as error:
            # Whoever waited for the same one comes here, too; by then there may be another.
            if self._pool is pool:
                log.warning("worker replaced", problem=type(error).__name__)
                self._metrics.workers_replaced.inc()
                self._let_go()
            raise WorkerFailed from error
        except asyncio.CancelledError as error:
            # Either nobody wants to know any more, or the worker is let go while this waits for its turn.
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
            raise WorkerFailed from error
        except Exception as error:
            log.exception("worker failed")
            raise WorkerFailed from error

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn"), initializer=_begin_work)


def _end(pool: ProcessPoolExecutor) -> threading.Thread | None:
    """End workers that may never come to an end by themselves, and the thread that sees to it.

    ``kill_workers`` does so from Python 3.14 on; before there is no other way.
    """
    workers = list((pool._processes or {}).values())  # noqa: SLF001
    ending = cast("threading.Thread | None", pool._executor_manager_thread)  # noqa: SLF001
    # First: a pool that finds its workers dead fails at moves that nobody waits for any more.
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.kill()
    return ending


def choose(question: Question) -> Move:
    """The move of an AI player; any legal one where it fails."""
    try:
        return player(question.level, question.style, question.simulations)(question.view, Random(question.chance))
    except Exception:
        log.exception("AI player failed", level=question.level)
        return legal_moves(question.view, question.seat)[0]


def _answer(question: Question) -> str:
    """In a worker: the move that answers a question."""
    return str(choose(question))


def _look_back(turn: ReviewQuestion) -> Judgement:
    return judge(turn.view, turn.made, Random(turn.chance), turn.simulations)


def _begin_work() -> None:
    """In a worker: people's keys come before thinking, and without a server there is nothing to think about."""
    with suppress(OSError):
        os.nice(10)
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    # A server that is killed cannot let its workers go; each would wait for the next question for ever.
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)
