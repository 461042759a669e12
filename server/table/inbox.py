"""A bounded inbox of requests. One task carries them out in order, and each caller waits for its answer.

This is the one place that keeps the rule of a table: one thing after the other. A request, or what is due by itself,
begins only after the one before has ended, also while that waits for the log. So what a request finds changes only by
what it writes itself and by what it reads of other processes; `Journal.write` decides anew after that.

The time that a request takes is charged to its caller (`fair_queue`).
"""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

import structlog

from engine.errors import InputError
from server.fair_queue import PAYER, UNLIMITED, Payer
from server.limits import REQUESTS_WAITING

P = ParamSpec("P")
Owner = TypeVar("Owner", bound="HasInbox")
Method: TypeAlias = Callable[Concatenate[Owner, P], Coroutine[Any, Any, None]]
Request: TypeAlias = Callable[[], Coroutine[Any, Any, None]]
Waiting: TypeAlias = tuple[Request, "asyncio.Future[None]", Payer]

log = structlog.get_logger("quatch.inbox")


class Inbox:
    """Requests that wait for the task that owns an object, such as a table."""

    def __init__(self, closed_message: str) -> None:
        """``closed_message`` is the answer to every request after the owner has gone."""
        self._closed_message = closed_message
        self._closed = False
        self._waiting: asyncio.Queue[Waiting] = asyncio.Queue()

    async def ask(self, request: Request, *, may_refuse: bool = True) -> None:
        """Have a request carried out. Raises what it raises, and InputError if there is no room or no owner."""
        if self._closed:
            raise InputError("closed", self._closed_message)
        if may_refuse and self._waiting.qsize() >= REQUESTS_WAITING:
            raise InputError("too_fast", "the table is busy: try again in a moment")
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((request, answer, PAYER.get()))
        await answer

    @property
    def is_empty(self) -> bool:
        """Whether no request waits."""
        return self._waiting.empty()

    def wake(self) -> None:
        """Interrupt `serve_next` although there is no request."""
        if not self._closed:
            self._waiting.put_nowait((_nothing, asyncio.get_running_loop().create_future(), UNLIMITED))

    async def serve_next(self, until: float | None) -> None:
        """Carry out the next request; wait for it until this time at most. If it fails, its caller is told."""
        if until is not None and until <= asyncio.get_running_loop().time():
            # Far cheaper than a timeout that has passed already, as it has after each move of an AI player.
            await asyncio.sleep(0)
            if self._waiting.empty():
                return
        try:
            async with asyncio.timeout_at(until):
                request, answer, payer = await self._waiting.get()
        except TimeoutError:
            return
        try:
            await payer.run(request(), waits=False)
        except InputError as error:
            _fail(answer, error)
        except Exception:
            log.exception("request failed")
            _fail(answer, InputError("internal", "that went wrong here and is logged; the table goes on"))
        except BaseException:
            _fail(answer, InputError("closed", self._closed_message))
            raise
        else:
            if not answer.done():
                answer.set_result(None)

    def close(self) -> None:
        """Tell every caller who still waits that the owner has gone."""
        self._closed = True
        while not self._waiting.empty():
            _fail(self._waiting.get_nowait()[1], InputError("closed", self._closed_message))


class HasInbox(Protocol):
    """An object with an inbox."""

    inbox: Inbox


def request(*, may_refuse: bool = True) -> Callable[[Method[Owner, P]], Method[Owner, P]]:
    """Make a method a request: the task that serves its object's ``inbox`` runs it, and the caller waits for that.

    A request must not await another one: the task would wait for itself. ``may_refuse`` is that of `Inbox.ask`.
    """

    def decorate(method: Method[Owner, P]) -> Method[Owner, P]:
        @functools.wraps(method)
        async def ask(owner: Owner, /, *args: P.args, **kwargs: P.kwargs) -> None:
            await owner.inbox.ask(functools.partial(method, owner, *args, **kwargs), may_refuse=may_refuse)

        return ask

    return decorate


async def _nothing() -> None:
    pass


def _fail(answer: "asyncio.Future[None]", error: InputError) -> None:
    if not answer.done():
        answer.set_exception(error)
        # The caller may be gone: then the error need not be retrieved.
        answer.exception()
