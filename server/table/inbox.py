"""What one table does, one thing after the other: requests, and what is due by itself.

This is the one place that keeps the rule of a table. A request, or what is due, begins only after the one before has
ended, even if that one is waiting for the log. The oldest request comes first. So what a request finds changes only by
what it writes itself and by what it reads of other processes; `Journal.write` decides anew after that.

If nothing goes on, a request begins at once, inside the call that asks for it. It needs no task: it goes on in the
callback that has what it waits for, mostly the answer of the log. So it may not use what asks for the current task, as
`asyncio.timeout` does.

The time that a request takes is charged to its caller, and what is due to the payer who has loaded the table
(`fair_queue`).
"""

import asyncio
import functools
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeAlias, TypeVar

import structlog

from engine.errors import InputError
from server.fair_queue import PAYER, Payer
from server.limits import BUSY_SECONDS, REQUESTS_WAITING
from server.storage.pending import Pending

P = ParamSpec("P")
Owner = TypeVar("Owner", bound="HasInbox")
Method: TypeAlias = Callable[Concatenate[Owner, P], Coroutine[Any, Any, None]]
Request: TypeAlias = Callable[[], Coroutine[Any, Any, None]]

log = structlog.get_logger("quatch.inbox")


class Reply:
    """What has come of a request, as soon as it has been carried out or refused. It can be awaited, by one at most."""

    __slots__ = ("_error", "_then", "is_there")

    def __init__(self) -> None:
        self.is_there = False
        self._error: InputError | None = None
        self._then: Callable[[], None] = lambda: None

    def then(self, call: Callable[[], None]) -> None:
        """Have this called inside the step that ends the request, or now if that has ended."""
        if self.is_there:
            call()
        else:
            self._then = call

    def give(self, error: InputError | None) -> None:
        """Note that the request has ended, or was refused with this error."""
        if not self.is_there:
            self.is_there, self._error = True, error
            try:
                self._then()
            except Exception:
                log.exception("a reply was not taken")

    def result(self) -> None:
        """Raises the InputError with which the request was refused."""
        if self._error is not None:
            raise self._error

    def __await__(self) -> Generator[Any, None, None]:
        """Wait for the reply. Raises InputError."""
        if not self.is_there:
            given = asyncio.get_running_loop().create_future()
            self._then = lambda: None if given.done() else given.set_result(None)
            yield from given
        self.result()


class _Asked(NamedTuple):
    request: Request
    reply: Reply
    payer: Payer


class Inbox:
    """The requests to one table that wait, and the one that is carried out."""

    def __init__(self, closed_message: str, next_due: Callable[[], float | None], do_due: Request) -> None:
        """``closed_message`` is the answer to every request after the table has gone.

        ``next_due`` returns when something is due by itself, in the event loop's time; None if nothing ever is. It is
        asked whenever something has been done. ``do_due`` does what is due, if anything is.
        """
        self._closed_message = closed_message
        self._next_due = next_due
        self._do_due = do_due
        self._payer = PAYER.get()
        self._waiting: list[_Asked] = []
        self._asked: _Asked | None = None
        """What is carried out now."""
        self._work: Coroutine[Any, Any, None]
        self._is_due = False
        """Whether `do_due` is next."""
        self._timer: asyncio.TimerHandle | None = None
        """Rings when something is due. It may ring too early, which costs less than to set it anew at each move."""
        self._serves = False
        """Whether `serve` runs. What is asked for before it waits."""
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def serve(self) -> None:
        """Do what is due and carry out requests until `end`. Raises what ``next_due`` raises."""
        self._serves = True
        try:
            self.look_again()
            self._go_on()
            await self._ended
        finally:
            self._close()

    def end(self) -> None:
        """Serve no more."""
        self._serves = False
        if not self._ended.done():
            self._ended.set_result(None)

    def ask(self, request: Request, *, may_refuse: bool = True) -> Reply:
        """Have a request carried out. It is refused if there is no room, or no table any more."""
        reply = Reply()
        if self._ended.done():
            reply.give(self._has_closed)
        elif may_refuse and len(self._waiting) >= REQUESTS_WAITING.share:
            reply.give(REQUESTS_WAITING.refuse(BUSY_SECONDS))
        else:
            self._waiting.append(_Asked(request, reply, PAYER.get()))
            self._go_on()
        return reply

    @property
    def _has_closed(self) -> InputError:
        return InputError("closed", self._closed_message)

    @property
    def is_empty(self) -> bool:
        """Whether no request waits."""
        return not self._waiting

    def look_again(self, *, after_request: bool = False) -> None:
        """Find out anew what is due, at once unless something goes on.

        What is due right after a request comes before the next one. All else begins in another turn of the event loop.
        """
        if self._asked is not None or not self._serves:
            return
        try:
            when = self._next_due()
        except Exception as error:  # noqa: BLE001 - `serve` raises it
            self._serves = False
            self._ended.set_exception(error)
            return
        if when is None:
            return
        if after_request and when <= asyncio.get_running_loop().time():
            self._is_due = True
        elif self._timer is None or when < self._timer.when():
            self._stop_timer()
            self._timer = asyncio.get_running_loop().call_at(when, self._payer.call, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._asked is None:  # else it is looked at anew when that has ended, and requests wait no longer
            self._is_due = True
            self._go_on()

    def _go_on(self) -> None:
        """Begin what is due, or else the oldest request, unless something goes on already."""
        while self._serves and self._asked is None and (self._is_due or self._waiting):
            if self._is_due:
                self._is_due = False
                asked = _Asked(self._do_due, Reply(), self._payer)
            else:
                asked = self._waiting.pop(0)
            self._asked, self._work = asked, asked.request()
            asked.payer.call(self._step, may_wait=False)

    def _resume(self, _: object = None) -> None:
        if self._asked is not None:
            self._asked.payer.call(self._step, may_wait=False)
            self._go_on()

    def _step(self) -> None:
        """Carry out what goes on up to its next wait. If it fails, its caller is told."""
        asked, error = self._asked, None
        assert asked is not None  # noqa: S101 - something goes on
        try:
            awaited = self._work.send(None)
        except StopIteration:
            pass
        except InputError as refusal:
            error = refusal
        except asyncio.CancelledError:
            error = self._has_closed
        except Exception:
            log.exception("request failed")
            error = InputError("internal", "that went wrong here and is logged; the table goes on")
        else:
            if isinstance(awaited, Pending):
                awaited.then = self._resume
            elif awaited is None:
                asyncio.get_running_loop().call_soon(self._resume)
            else:
                awaited.add_done_callback(self._resume)
            return
        self._asked = None
        self.look_again(after_request=asked.request is not self._do_due)
        if self._serves:
            asked.reply.give(error)
        else:  # only once the table is gone for everybody
            self._ended.add_done_callback(lambda _: asked.reply.give(error))

    def _close(self) -> None:
        """Tell every caller who still waits that the table has gone."""
        self.end()
        self._stop_timer()
        if self._asked is not None:
            self._waiting.append(self._asked)
            self._asked = None
            self._work.close()
        while self._waiting:
            self._waiting.pop(0).reply.give(self._has_closed)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class HasInbox(Protocol):
    """An object with an inbox."""

    inbox: Inbox


def request(*, may_refuse: bool = True) -> Callable[[Method[Owner, P]], Callable[Concatenate[Owner, P], Reply]]:
    """Make a method a request, which its object's ``inbox`` carries out; its reply can be awaited.

    A request must not await another one: it would wait for itself. ``may_refuse`` is that of `Inbox.ask`.
    """

    def decorate(method: Method[Owner, P]) -> Callable[Concatenate[Owner, P], Reply]:
        @functools.wraps(method)
        def ask(owner: Owner, /, *args: P.args, **kwargs: P.kwargs) -> Reply:
            return owner.inbox.ask(functools.partial(method, owner, *args, **kwargs), may_refuse=may_refuse)

        return ask

    return decorate
