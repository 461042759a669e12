"""Computing time is charged to the player who causes it, and a player who has used a lot waits in a fair queue.

What a session does is measured step by step: a line is carried out up to its first wait, a few keys are handled, a
frame is painted. The time is charged to the session, to its account and to its address. A step runs at once while all
three are within their shares. Otherwise it waits in the queue, which takes turns: by address, then by account, then by
session, so that each gets as much computing time as the others. One step is done at a time, and everybody else is
served in between; while nobody else asks for anything the queue hardly rests.

A step cannot be interrupted: what takes more than a few milliseconds is done in pieces (`pieces`).
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from types import coroutine
from typing import Any, Final, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from server.limits import SHARE, WAIT_TOLD_SECONDS

T = TypeVar("T")
Step: TypeAlias = Callable[[], None]

HAS_TO_WAIT: Final = "You have asked for a lot: your next answers come a little later."
"""What a session is told once."""
TURNS_BETWEEN: Final = 8
"""An answer takes several turns of the event loop: it must not wait for a step of the queue in each of them."""
_FORGIVEN_SECONDS: Final = SHARE.burst / SHARE.per_second
"""After so long without work the whole share is free again."""


class Share:
    """The computing time that one session, account or address has used."""

    used_until = float("-inf")
    """When the time that was used, except for a burst, will be forgiven; in the event loop's time."""


class Payer:
    """A session, or an account or address with its sessions: it is charged, and it takes turns.

    Only sessions have steps that wait; the others pass their turns on.
    """

    def __init__(self, queue: "FairQueue", parent: "Payer | None", shares: tuple[Share, ...]) -> None:
        """``shares`` are those that are charged."""
        self.on_wait: Step | None = None
        """Called once, when a step has waited for so long that a person notices."""
        self.shares = shares
        self._queue = queue
        self.parent = parent
        self._steps: dict[Step, float] = {}
        """The steps that wait, the next one first, and since when."""
        self.below: dict[Payer, None] = {}
        """Those below it that wait."""
        self.tag = 0.0
        """Computing time that it has used, as the order of turns counts it: whoever has the least is next."""
        self.tag_served = 0.0
        """The tag of the one below that was served last."""

    def session(self, account: str | None = None) -> "Payer":
        """A new session from this address; a guest has no account."""
        parent = self if account is None else self._queue.account(self, account)
        return Payer(self._queue, parent, (Share(), *parent.shares))

    @property
    def waits(self) -> bool:
        """Whether steps wait here or below."""
        return bool(self._steps or self.below)

    @property
    def is_rested(self) -> bool:
        """Whether a new payer in its place would not be served sooner, so that this one can be forgotten."""
        rested_at = asyncio.get_running_loop().time() - _FORGIVEN_SECONDS
        return not self.waits and all(share.used_until <= rested_at for share in self.shares)

    def call(self, step: Step) -> None:
        """Do a step at once, or when it is this payer's turn. A step that waits already is not queued again."""
        now = asyncio.get_running_loop().time()
        if self._steps or any(share.used_until > now for share in self.shares):
            self._wait(step)
        else:
            self._measure(step)

    @coroutine
    def run(self, work: Coroutine[Any, Any, T], *, waits: bool = True) -> Generator[Any, None, T]:
        """Await this work, and charge for each of its steps; each waits for its turn unless ``waits`` is false.

        Meanwhile `PAYER` is this one, so that it is charged for what a table does for it.
        """
        before = PAYER.get()
        PAYER.set(self)
        resume, value = work.send, None
        try:
            while True:
                try:
                    now = asyncio.get_running_loop().time()
                    if waits and (self._steps or any(share.used_until > now for share in self.shares)):
                        yield from self._turn()
                except BaseException as error:  # noqa: BLE001 - cancelled: the work hears of it, and waits no longer
                    resume, value = work.throw, error
                begun, inside = self._queue.clock(), self._queue.charged
                try:
                    awaited = resume(value)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                finally:
                    self._charge(begun, inside)
                resume, value = work.send, None
                try:
                    yield awaited
                except BaseException as error:  # noqa: BLE001 - as above
                    resume, value = work.throw, error
        finally:
            PAYER.set(before)

    def serve(self) -> None:
        """Do the step whose turn it is."""
        if self.below:
            payer = min(self.below, key=lambda below: below.tag)
            del self.below[payer]
            self.tag_served = payer.tag
            try:
                payer.serve()
            finally:
                if payer.waits:
                    self.below[payer] = None
            return
        step = next(iter(self._steps))
        since = self._steps.pop(step)
        if self.on_wait is not None and asyncio.get_running_loop().time() - since >= WAIT_TOLD_SECONDS:
            on_wait, self.on_wait = self.on_wait, None
            on_wait()
        self._measure(step)

    def _turn(self) -> "asyncio.Future[None]":
        turn = asyncio.get_running_loop().create_future()
        self._wait(lambda: None if turn.done() else turn.set_result(None))
        return turn

    def _wait(self, step: Step) -> None:
        self._steps.setdefault(step, asyncio.get_running_loop().time())
        self.take_turns()
        self._queue.wake()

    def take_turns(self) -> None:
        """Wait among those beside it, and have those above do the same.

        An idle time gives no credit and earlier work is no lasting debt, so its tag is close to that of the others.
        """
        parent = self.parent
        if parent is not None:
            if self not in parent.below:
                parent.below[self] = None
                served = parent.tag_served
                self.tag = min(max(self.tag, served), served + SHARE.burst)
            parent.take_turns()

    def _measure(self, step: Step) -> None:
        begun, inside = self._queue.clock(), self._queue.charged
        try:
            step()
        finally:
            self._charge(begun, inside)

    def _charge(self, begun: float, inside: float) -> None:
        """Charge for a step that began at this time, without what was charged inside it."""
        queue, now = self._queue, asyncio.get_running_loop().time()
        seconds = queue.clock() - begun - (queue.charged - inside)
        queue.charged += seconds
        for share in self.shares:
            share.used_until = max(share.used_until, now - _FORGIVEN_SECONDS) + seconds / SHARE.per_second
        payer: Payer | None = self
        while payer is not None:
            payer.tag += seconds
            payer = payer.parent


class FairQueue:
    """All payers of one server."""

    def __init__(self, clock: Callable[[], float] = time.thread_time) -> None:
        """``clock`` measures computing time, in seconds."""
        self.clock = clock
        self.charged = 0.0
        """All computing time that has been charged."""
        self.everybody = Payer(self, None, ())
        """Above all addresses. It has no share, so it never has to wait itself."""
        self._shares: WeakValueDictionary[str, Share] = WeakValueDictionary()
        """The share of each account that is here, from whatever addresses."""
        self._accounts: WeakValueDictionary[tuple[Payer, str], Payer] = WeakValueDictionary()
        self._serving: asyncio.Handle | None = None

    def address(self) -> Payer:
        """A new address."""
        return Payer(self, self.everybody, (Share(),))

    def account(self, address: Payer, name: str) -> Payer:
        """The account of this name at an address."""
        share = self._shares.setdefault(name, Share())
        return self._accounts.setdefault((address, name), Payer(self, address, (share, *address.shares)))

    def wake(self) -> None:
        """Serve those that wait, a step at a time, and let the event loop turn `TURNS_BETWEEN` times in between."""
        if self._serving is None:
            self._turn(TURNS_BETWEEN)

    def _turn(self, left: int) -> None:
        if left:
            self._serving = asyncio.get_running_loop().call_soon(self._turn, left - 1)
            return
        self._serving = None
        try:
            self.everybody.serve()
        finally:
            if self.everybody.waits:
                self.wake()


UNLIMITED: Final = FairQueue().everybody
"""For whom nobody else has to wait: the only player of a process, and the server's own work."""
PAYER: Final[ContextVar[Payer]] = ContextVar("PAYER", default=UNLIMITED)
"""Who pays for what is done now."""
