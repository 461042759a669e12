"""Where AI players think: quick levels at once, the others in worker processes, so that the event loop never waits.

A worker that dies or takes too long is replaced, and hard makes that one move. A worker is sent no more than a view.
"""

import asyncio
import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeAlias

import structlog

from engine.ai import looks_ahead, player
from engine.legality import legal_moves
from engine.moves import Move, parse_move
from engine.view import View
from server.metrics import UNREAD, Metrics

FALLBACK: Final = "hard"
PATIENCE_SECONDS: Final = 20.0
"""After so long a worker is taken for dead."""
BUSY: Final = 4
"""With so many moves waiting for each worker, the next ones are thought about less."""
HURRIED_LOOKS: Final = 60
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
    looks: int | None = None
    """How often Master may look ahead; None for as often as it likes."""


Thought: TypeAlias = "Move | asyncio.Task[Move]"


class Thinker:
    """All thinking of one server."""

    def __init__(self, workers: int = 0, metrics: Metrics = UNREAD) -> None:
        """Without workers every level thinks at once, in this process."""
        self._workers = workers
        self._metrics = metrics
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0

    def think(self, question: Question) -> Thought:
        """The move of an AI player, or the task that finds it; any legal one where the player fails."""
        if self._workers and looks_ahead(question.level, question.view):
            return asyncio.create_task(self._think_elsewhere(question))
        with self._metrics.thinking_seconds[question.level].time():
            return choose(question)

    def close(self) -> None:
        """Let the workers go."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    async def _think_elsewhere(self, question: Question) -> Move:
        with self._metrics.thinking_seconds[question.level].time():
            return await self._ask_worker(question)

    async def _ask_worker(self, question: Question) -> Move:
        if self._waiting >= BUSY * self._workers:
            question = replace(question, looks=HURRIED_LOOKS)
        self._waiting += 1
        try:
            if self._pool is None:
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self._workers, spawn, initializer=_begin_work)
            work = asyncio.get_running_loop().run_in_executor(self._pool, _answer, question)
            return parse_move(await asyncio.wait_for(work, PATIENCE_SECONDS))
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("worker replaced", problem=type(error).__name__, level=question.level)
            self._metrics.workers_replaced.inc()
            self.close()
        except Exception:
            log.exception("worker failed", level=question.level)
        finally:
            self._waiting -= 1
        return choose(replace(question, level=FALLBACK))


def choose(question: Question) -> Move:
    """The move of an AI player; any legal one where it fails."""
    try:
        return player(question.level, question.style, question.looks)(question.view, Random(question.chance))
    except Exception:
        log.exception("AI player failed", level=question.level)
        return legal_moves(question.view, question.seat)[0]


def _answer(question: Question) -> str:
    """In a worker: the move that answers a question."""
    return str(choose(question))


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
