"""Lets AI players think: quick levels at once, the others in worker processes, so that the event loop never waits.

A worker that dies or takes too long is replaced, and the level hard makes that one move. A worker gets only a view.
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from math import inf
from random import Random
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar, cast
from weakref import WeakKeyDictionary, WeakValueDictionary

import structlog
from msgspec import Struct
from msgspec.structs import replace

from engine.ai import AIPlayer, player, uses_search
from engine.ai.arranging import arranging_move
from engine.ai.judging import Judgement, Look
from engine.ai.verdict import Depth
from engine.cards import ALL_RANKS
from engine.legality import check, legal_moves
from engine.moves import Move
from engine.view import View
from server.bounded_dict import make_room
from server.fair_queue import PAYER, AddressGroup, FairQueue, Payer
from server.limits import WORK
from server.process.counters import UNREAD, Counters

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

FALLBACK_LEVEL: Final = "hard"
PATIENCE_SECONDS: Final = 20.0
BACKGROUND_PATIENCE_SECONDS: Final = 300.0
"""The patience with work that is in no hurry: under load a worker takes long to start. A move behind it still waits no
longer than usual."""
MOST_RESTS: Final = 50
"""Such work rests up to so many times as long while players wait for moves."""
END_SECONDS: Final = 5.0
HURRIED_SIMULATIONS: Final = 60
"""The simulations of a move that is hurried."""
QUIET_TRACKER: Final = "ignore::UserWarning:multiprocessing.resource_tracker"
"""Python's helper says in the log what it tidies up behind a server that was killed: nobody needs to know."""
JUDGEMENTS_KEPT: Final = 5_000
"""Judged decisions that are kept, the latest ones: those of about a hundred games."""

log = structlog.get_logger("quatch.ai")
BUSY: Final = 4
"""More moves of an address than so many for each worker are hurried. In the queue it begins so many before others."""
CROWD: Final = 50
"""If so many others within their shares wait for each worker, every move is hurried: each would wait too long."""
ABOUT_SECONDS: Final = 60.0
"""How long after it has asked for a move an address is about: it asks again soon."""


class Question(Struct, frozen=True):
    """A decision of an AI player. The same question has the same answer."""

    level: str
    style: str
    view: View
    seat: int
    seed: str
    simulations: int | None = None
    """How many simulations a level that searches runs; None for its usual number."""


class Thought(Struct, frozen=True):
    """What an AI player has found."""

    move: Move
    is_hurried: bool = False
    """Whether it had less time than its level has; see `WorkTurns.move`."""


class Steps(Protocol):
    """Long work that is done in steps; it can be pickled between them."""

    @property
    def is_over(self) -> bool:
        """Whether it is done."""

    def step(self) -> Self:
        """Take the next step. Returns the work, for a process that has only a copy of it."""


T = TypeVar("T")
Work = TypeVar("Work", bound=Steps)


class WorkerFailed(Exception):
    """A worker died, took too long, was killed by `AIPool.close`, or could not answer. It has been logged."""


class AIPool:
    """Where all AI players of one server think."""

    def __init__(self, workers: int = 0, counters: Counters = UNREAD) -> None:
        """Without workers every level thinks at once, in this process."""
        self.patience = PATIENCE_SECONDS
        """After so many seconds without an answer a worker counts as dead."""
        self.end_seconds = END_SECONDS
        """How long `close` waits for killed workers to end."""
        self.turns = WorkTurns(max(1, workers))
        """Who has the next free worker."""
        self._judged: dict[tuple[str, Depth], Judgement] = {}
        self._judging = WeakValueDictionary[tuple[str, Depth], asyncio.Lock]()
        self._workers = workers
        self._counters = counters
        self._executor: ProcessPoolExecutor | None = None
        self._closed = False
        self._ending: list[threading.Thread] = []
        """The threads that wait for killed workers to end."""

    def think(self, question: Question) -> asyncio.Future[Thought]:
        """Find the move of an AI player. Levels that do not search have found it when this returns.

        The future never fails: if the AI player or its worker does, the move is another legal one.
        """
        if self._workers and uses_search(question.level, question.view):
            return asyncio.create_task(self._think_in_worker(question))
        found = asyncio.get_running_loop().create_future()
        found.set_result(Thought(self._think_here(question)))
        return found

    def think_at_once(self, question: Question) -> Move:
        """The move of an AI player; a level that searches is replaced by the level hard."""
        if uses_search(question.level, question.view):
            question = replace(question, level=FALLBACK_LEVEL)
        return self._think_here(question)

    async def judge(self, view: View, made: Move, seed: str, depth: Depth) -> Judgement:
        """Judge a decision of a finished game; the same question has the same answer. Raises WorkerFailed.

        ``seed`` names the game and the decision: its latest judgements are kept, so that no search is made twice.
        """
        key = (seed, depth)
        async with self._judging.setdefault(key, asyncio.Lock()):
            found = self._judged.get(key)
            if found is None:
                look = await self.finish(Look(view, made, seed, depth), in_background=True)
                found = look.judgement
                assert found is not None  # noqa: S101 - the look is over
                make_room(self._judged, JUDGEMENTS_KEPT)
                self._judged[key] = found
            return found

    async def finish(self, work: Work, *, in_background: bool) -> Work:
        """Do long work in steps, so that the move of an AI player waits for one step only. Raises WorkerFailed."""
        while not work.is_over:
            work = await self.run(work.step, in_background=in_background)
        return work

    async def run(self, work: Callable[[], T], *, in_background: bool = False) -> T:
        """Call a function in a worker when it is the payer's turn, or without workers in a thread.

        Raises WorkerFailed, also if it takes longer than `patience`; work that is in no hurry, ``in_background``, may
        take up to `BACKGROUND_PATIENCE_SECONDS`.
        """
        async with self.turns.turn():
            if not self._workers:
                return await asyncio.to_thread(work)
            return await self._ask_worker(work, BACKGROUND_PATIENCE_SECONDS if in_background else self.patience)

    @property
    def has_workers(self) -> bool:
        """Whether work is done in processes of its own."""
        return self._workers > 0

    async def rest(self, seconds: float) -> None:
        """Rest before more work that is in no hurry: up to `MOST_RESTS` times as long while players wait for moves."""
        for _ in range(MOST_RESTS):
            await asyncio.sleep(seconds)
            if not self.turns.moves:
                return

    async def close(self) -> None:
        """Kill the workers, whatever they are thinking about, and wait until they have ended."""
        self._closed = True
        self._kill_workers()
        # Python waits for the threads of executors when it exits, so they must have ended by then.
        await asyncio.gather(*(asyncio.to_thread(thread.join, self.end_seconds) for thread in self._ending))
        if any(thread.is_alive() for thread in self._ending):
            log.warning("workers do not end", seconds=self.end_seconds)

    def _think_here(self, question: Question) -> Move:
        with self._counters.thinking_seconds[question.level].time():
            return choose(question)

    async def _think_in_worker(self, question: Question) -> Thought:
        with self._counters.thinking_seconds[question.level].time():
            async with self.turns.move() as is_hurried:
                if is_hurried:
                    question = replace(question, simulations=HURRIED_SIMULATIONS)
                try:
                    return Thought(await self._ask_worker(partial(choose, question), self.patience), is_hurried)
                except WorkerFailed:
                    return Thought(choose(replace(question, level=FALLBACK_LEVEL)), is_hurried=True)

    async def _ask_worker(self, work: Callable[[], T], patience: float) -> T:
        """Call a function in a worker that is free; ``patience`` is in seconds. Raises WorkerFailed."""
        if self._closed:
            raise WorkerFailed
        if self._executor is None:
            if QUIET_TRACKER not in sys.warnoptions:
                sys.warnoptions.append(QUIET_TRACKER)  # what is started from now on has it, too
            from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - a server is ready before it needs this
            from multiprocessing import get_context  # noqa: PLC0415

            self._executor = ProcessPoolExecutor(self._workers, get_context("spawn"), initializer=_begin_work)
        executor = self._executor
        try:
            # Python 3.11's `wait_for` forgets that the caller was cancelled if the answer comes at that moment.
            async with asyncio.timeout(patience):
                return await asyncio.wrap_future(executor.submit(work))
        except (BrokenExecutor, TimeoutError) as error:
            # Everybody who waited for the same worker comes here. By then there may be another.
            if self._executor is executor:
                log.warning("an AI worker was replaced", problem="slow" if type(error) is TimeoutError else "it died")
                self._counters.workers_replaced.inc()
                self._kill_workers()
            raise WorkerFailed from error
        except asyncio.CancelledError as error:
            # Either the caller is cancelled, or the worker was killed before it came to this question.
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
            raise WorkerFailed from error
        except Exception as error:
            log.exception("worker failed")
            raise WorkerFailed from error

    def _kill_workers(self) -> None:
        executor, self._executor = self._executor, None
        if executor is not None and (thread := _kill(executor)) is not None:
            self._ending = [*(earlier for earlier in self._ending if earlier.is_alive()), thread]


def _kill(executor: "ProcessPoolExecutor") -> threading.Thread | None:
    """Kill workers that may never end by themselves. Returns the thread that waits for their end.

    ``ProcessPoolExecutor.kill_workers`` does so from Python 3.14 on. Before that there is no public way.
    """
    workers = list((executor._processes or {}).values())  # noqa: SLF001
    thread = cast("threading.Thread | None", executor._executor_manager_thread)  # noqa: SLF001
    # This comes first: an executor that finds its workers dead fails on the questions that are cancelled here.
    executor.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.kill()
    return thread


def choose(question: Question, player: Callable[[str, str, int | None], AIPlayer] = player) -> Move:
    """The move of an AI player. If the player fails or makes an illegal move, the level hard makes it.

    ``player`` gives the AI player of a level, a style and a number of simulations.
    """
    for level in (question.level, FALLBACK_LEVEL):
        try:
            move = player(level, question.style, question.simulations)(question.view, Random(question.seed))
            check(question.view, question.seat, move)
        except Exception:
            log.exception("AI player failed", level=level, seat=question.seat, position=question.view)
        else:
            return move
    return any_moves(question.view, question.seat)[0]


def any_moves(view: View, seat: int) -> list[Move]:
    """Every move that this seat may make, or one that arranges its cards; for when no AI player finds a move."""
    return legal_moves(view, seat) or [arranging_move(view, seat, ALL_RANKS)]


def _begin_work() -> None:
    """In a worker: give way to the server, and end when it does."""
    # Ctrl-C in a terminal reaches the workers too. The server stops them; they need not print where they stood.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(10)
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    # A server that is killed cannot kill its workers. Without this they would wait for a question for ever.
    from multiprocessing import parent_process  # noqa: PLC0415 - as above

    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)


class _Asking(Payer):
    """An address that asks for work."""

    moves = 0
    """How many moves of AI players wait for their answers."""
    asked_at = -inf
    """When it asked for the last one."""


class WorkTurns(FairQueue):
    """The turns of moves of AI players, hints and long searches, by address.

    Work for a table is charged to the address of the player who has loaded it. An address that has used up its share
    comes after the others. While they are about it is hurried, since work that has begun is not stopped. Each address
    has one payer here, whose steps each take a worker.
    """

    def __init__(self, at_once: int) -> None:
        """``at_once``: how much work is done at a time, one for each worker."""
        super().__init__(lambda: 0.0, share=WORK.share, ahead=BUSY)
        self._at_once = at_once
        self.going_on = 0
        """How much is done now."""
        self._asking: WeakKeyDictionary[AddressGroup, _Asking] = WeakKeyDictionary()
        """By the address in the queue for computing time."""

    @property
    def moves(self) -> int:
        """How many moves of AI players wait for their answers."""
        return sum(each.moves for each in self._asking.values())

    @asynccontextmanager
    async def move(self) -> AsyncIterator[bool]:
        """Wait for a worker for a move of an AI player. The body has it, and is told whether it has to hurry."""
        own = self._payer()
        own.moves, own.asked_at = own.moves + 1, asyncio.get_running_loop().time()
        try:
            async with self.turn():
                yield self._must_hurry(own)
        finally:
            own.moves -= 1

    def _must_hurry(self, own: _Asking) -> bool:
        """Whether a move that begins now is hurried."""
        now = asyncio.get_running_loop().time()
        others = [each for each in self._asking.values() if each is not own and each.address.used.used_until <= now]
        if own.moves > BUSY * self._at_once or sum(each.moves > 0 for each in others) >= CROWD * self._at_once:
            return True
        takes_last = self.going_on == self._at_once and own.address.used.used_until > now
        return takes_last and any(now - each.asked_at < ABOUT_SECONDS for each in others)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a worker; the body has it until it is done."""
        payer, now = self._payer(), asyncio.get_running_loop().time
        job = asyncio.get_running_loop().create_future()

        def begin() -> None:
            if not job.done():  # it was not cancelled
                self.going_on += 1
                payer.address.tag += 1.0  # all work counts alike
                job.set_result(None)

        payer.enqueue(begin)
        try:
            await job
            began = now()
            try:
                yield
            finally:
                payer.address.used.take(now() - began)
        finally:
            if job.done() and not job.cancelled():
                self.going_on -= 1
                self.wake()

    def wake(self) -> None:
        """Begin the next work, while there is room: that of addresses within their shares comes first."""
        now = asyncio.get_running_loop().time()
        while self.going_on < self._at_once and self.waiting:
            self.serve(min(self.waiting, key=lambda each: (each.used.used_until > now, each.tag)), now)

    def _payer(self) -> _Asking:
        return self._asking.setdefault(PAYER.get().address, _Asking(self.address()))
