"""A bounded inbox of requests that one task carries out in order; whoever asks waits for the answer."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog

from engine.errors import InputError
from server.limits import REQUESTS_WAITING

Request: TypeAlias = Callable[[], Awaitable[None]]
Waiting: TypeAlias = tuple[Request, "asyncio.Future[None]"]

log = structlog.get_logger("quatch.inbox")


class Inbox:
    """Requests on their way to the task that owns something."""

    def __init__(self, closed_message: str) -> None:
        """The message is what everybody is told who asks after the owner has gone."""
        self._closed_message = closed_message
        self._closed = False
        self._waiting: asyncio.Queue[Waiting] = asyncio.Queue()

    async def ask(self, request: Request, *, may_refuse: bool = True) -> None:
        """Have a request carried out; raises what it raises, and InputError where there is no room or no owner."""
        if self._closed:
            raise InputError("closed", self._closed_message)
        if may_refuse and self._waiting.qsize() >= REQUESTS_WAITING:
            raise InputError("too_fast", "the table is busy: try again in a moment")
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((request, answer))
        await answer

    def wake(self) -> None:
        """Have the owner look around although nobody asks for anything."""
        if not self._closed:
            self._waiting.put_nowait((_nothing, asyncio.get_running_loop().create_future()))

    async def serve_next(self, until: float | None) -> None:
        """Wait for a request, in the event loop's time at most until then, and carry it out.

        Whatever goes wrong goes to who asked; the owner lives on.
        """
        try:
            async with asyncio.timeout_at(until):
                waiting = await self._waiting.get()
        except TimeoutError:
            return
        await self._serve(waiting)

    async def _serve(self, waiting: Waiting) -> None:
        request, answer = waiting
        try:
            await request()
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
        """The owner goes: whoever waits is told."""
        self._closed = True
        while not self._waiting.empty():
            _fail(self._waiting.get_nowait()[1], InputError("closed", self._closed_message))


async def _nothing() -> None:
    pass


def _fail(answer: "asyncio.Future[None]", error: InputError) -> None:
    if not answer.done():
        answer.set_exception(error)
        # Who asked may have gone meanwhile: then nobody has to hear of it.
        answer.exception()
