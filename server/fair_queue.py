"""Computing time is charged to the address that causes it, and an address that has used a lot waits in a fair queue.

What a session does is measured step by step: a line is carried out up to its first wait, a few keys are handled, a
frame is painted. A step runs at once while its address is within its share, and while such steps have not taken long in
this turn of the event loop. Otherwise it waits until it is the turn of its address. In each turn of the event loop
those within their shares come first, as many as there is time for. If there are none, one of the others has a step, and
while somebody is being answered only every few turns. What takes long is done in pieces (`pieces`).
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from heapq import heapify, heappop, heappush
from math import inf
from operator import attrgetter
from types import coroutine
from typing import Any, Final, TypeAlias, TypeVar

from server.ledger import Rate, RateLimit
from server.limits import COMPUTING, TURN_SECONDS, WAIT_TOLD_SECONDS

T = TypeVar("T")
Step: TypeAlias = Callable[[], None]

HAS_TO_WAIT: Final = "You have asked for a lot: your next answers come a little later."
"""What a session is told once."""
TURNS_BETWEEN: Final = 8
"""In so many turns of the event loop an answer waits for at most one step of those who have used up their shares."""


class AddressGroup:
    """The sessions of one address, which share its computing time."""

    __slots__ = ("__weakref__", "busy_period", "queue", "share", "steps", "tag", "used")

    def __init__(self, queue: "FairQueue", share: str) -> None:
        self.queue = queue
        self.share = share
        """The share that other uses are charged to (`addresses.share_of`); empty for nobody's."""
        self.used = Rate(queue.share)
        """What it has used, in seconds: it is within its share from `Rate.used_until` on, if nothing more is used."""
        self.steps: dict[Step, tuple[Payer, float]] = {}
        """The steps that wait, the next one first: whose it is, and since when it waits."""
        self.tag = 0.0
        """What it has used, in the virtual time of the queue."""
        self.busy_period = -1
        """In which busy period of the queue it last waited."""


class Payer:
    """A session: its steps are charged to its address, and wait if that has used much."""

    __slots__ = ("_queue", "_when_waiting", "address")

    def __init__(self, address: AddressGroup) -> None:
        self.address = address
        self._queue = address.queue
        self._when_waiting: Step | None = None

    def when_waiting(self, tell: Step) -> None:
        """Tell this once: a step has waited so long that a person notices, since this payer has used up a share."""
        self._when_waiting = tell

    def call(self, step: Step, *, may_wait: bool = True) -> None:
        """Do a step at once, or when it is this payer's turn if it ``may_wait``, and charge for it.

        Inside another step of this payer it is a part of that.
        """
        queue = self._queue
        paying = queue.paying
        if paying is self:
            step()
            return
        if may_wait and self._must_wait:
            self.enqueue(step)
            return
        payer_before = PAYER.set(self)
        began, charged_before, queue.paying = queue.clock(), queue.charged, self
        try:
            step()
        finally:
            queue.paying = paying
            PAYER.reset(payer_before)
            self._charge(began, charged_before)

    @coroutine
    def run(self, work: Coroutine[Any, Any, T]) -> Generator[Any, None, T]:
        """Await this work, and charge for each of its steps; each waits for its turn.

        Meanwhile `PAYER` is this payer, so that it also pays for what tables do at its request.
        """
        # This is `await work` written out (PEP 380), because what is between two waits must be measured.
        payer_before, awaited = PAYER.get(), None
        PAYER.set(self)
        has_begun = False
        try:
            while True:
                resume, value = work.send, None
                try:
                    if has_begun:
                        yield awaited
                    if self._must_wait:
                        turn = asyncio.Event()
                        self.enqueue(turn.set)
                        yield from turn.wait().__await__()
                        del turn  # it takes 800 bytes, and what is awaited next may be the end of the session
                except BaseException as error:  # noqa: BLE001 - cancelled, or the carrier of the work has ended
                    resume, value = work.throw, error
                queue, paying, has_begun = self._queue, self._queue.paying, True
                began, charged_before, queue.paying = queue.clock(), queue.charged, self
                try:
                    awaited = resume(value)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                finally:
                    queue.paying = paying
                    self._charge(began, charged_before)
        finally:
            PAYER.set(payer_before)

    def serve(self, step: Step, since: float, now: float) -> None:
        """Do a step that has waited since a time."""
        if self._when_waiting and now - since >= WAIT_TOLD_SECONDS and self.address.used.used_until > now:
            tell, self._when_waiting = self._when_waiting, None
            tell()
        self.call(step, may_wait=False)

    @property
    def _must_wait(self) -> bool:
        """Whether the next step has to wait for its turn."""
        queue, now = self._queue, asyncio.get_running_loop().time()
        if now - queue.charged_at > queue.seconds_per_turn:
            queue.turn_ends = queue.charged + queue.seconds_per_turn  # others have had their turns meanwhile
        return bool(self.address.steps) or queue.charged >= queue.turn_ends or self.address.used.used_until > now

    def enqueue(self, step: Step) -> None:
        """Do a step when it is the turn of its address. A step that waits already is not queued again."""
        self.address.steps.setdefault(step, (self, asyncio.get_running_loop().time()))
        self._queue.add(self.address)
        self._queue.wake()

    def _charge(self, began: float, charged_before: float) -> None:
        """Charge for a step that began at this time, without what was charged inside it to others."""
        queue, now = self._queue, asyncio.get_running_loop().time()
        seconds = queue.clock() - began - (queue.charged - charged_before)
        address, used, share = self.address, self.address.used, queue.share
        if used.used_until <= now:
            queue.answering = TURNS_BETWEEN
        # As `Rate.use`, without what that tells: this is done for each input and each frame.
        used.used_until = max(used.used_until, now - share.burst / share.per_second) + seconds / share.per_second
        address.tag += seconds
        queue.charged += seconds
        queue.charged_at = now
        if queue.charged >= queue.turn_ends:
            # A turn that begins with time left from the last one needs no such callback: most do.
            queue.wake()


class FairQueue:
    """The addresses of one server whose steps wait, by start-time fair queueing (Goyal, Vin and Cheng, 1996).

    The waiting address with the lowest tag is next. Its tag then becomes the virtual time. An address that was idle
    begins a little before that, so that it does not wait for each of those that always ask; all begin so when nobody
    has waited (the start of a busy period), so that what a player did before is no debt. Unlike in the paper, none
    begins more than a burst later, and addresses within their shares come before the others.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.thread_time,
        turn: float = TURN_SECONDS,
        share: RateLimit = COMPUTING.share,
        ahead: float = TURN_SECONDS,
    ) -> None:
        """``clock`` measures computing time, in seconds; ``turn`` is how much fits into one turn of the event loop.

        ``share`` is that of each address; ``ahead``: so much an idle address begins before the virtual time.
        """
        self.clock, self.share, self._ahead = clock, share, ahead
        self.charged = 0.0
        """All computing time that has been charged."""
        self.charged_at = 0.0
        """When some was charged last, by the clock of the event loop."""
        self.paying: Payer | None = None
        """Whose step is done now."""
        self.waiting: dict[AddressGroup, None] = {}
        """The addresses that have steps which wait."""
        self._virtual_time, self._busy_period = 0.0, 0
        self.seconds_per_turn = turn
        self.turn_ends = turn
        """Up to what `charged` steps are done in this turn of the event loop."""
        self._next_turn: asyncio.Handle | None = None
        self.answering = 0
        """For how many turns somebody who is within their share may still be waiting for the rest of an answer."""
        self._pause = 0
        """For how many turns those that are not within their shares still have to wait."""

    def address(self, share: str = "") -> AddressGroup:
        """A new address, whose uses of other resources are charged to this share; empty for nobody's."""
        return AddressGroup(self, share)

    def add(self, address: AddressGroup) -> None:
        """Let an address wait that has steps; does nothing if it waits already."""
        if address in self.waiting:
            return
        self.waiting[address] = None
        earliest = self._virtual_time - self._ahead
        latest = earliest + self.share.burst if address.busy_period == self._busy_period else earliest
        address.tag, address.busy_period = min(max(address.tag, earliest), latest), self._busy_period

    def serve(self, address: AddressGroup, now: float) -> None:
        """Do a step of an address that waits."""
        del self.waiting[address]
        self._virtual_time = max(self._virtual_time, address.tag)
        step = next(iter(address.steps))
        payer, since = address.steps.pop(step)
        try:
            payer.serve(step, since, now)
        finally:
            if address.steps:
                self.waiting[address] = None
            if not self.waiting:
                self._busy_period += 1

    def wake(self) -> None:
        """Have the next turn of the event loop begin with a step that waits, if there is one."""
        if self._next_turn is None:
            self._next_turn = asyncio.get_running_loop().call_soon(self._begin_turn)

    def _begin_turn(self) -> None:
        """Do the steps within their shares, as long as there is time; if there is none, do another unless it pauses."""
        self._next_turn = None
        self._pause -= 1
        self.answering -= 1
        self.turn_ends = self.charged + self.seconds_per_turn
        now = asyncio.get_running_loop().time()
        # Shares grow back with time, so each turn finds them anew. A step may charge other addresses that wait.
        next_ones = [(each.tag, at, each) for at, each in enumerate(self.waiting) if each.used.used_until <= now]
        heapify(next_ones)
        try:
            if not next_ones and self.waiting and self._pause <= 0:
                self._pause = TURNS_BETWEEN if self.answering > 0 else 0
                self.serve(min(self.waiting, key=attrgetter("tag")), now)
            while next_ones and self.charged < self.turn_ends:
                tag, at, address = heappop(next_ones)
                if tag == address.tag and address.used.used_until <= now:
                    self.serve(address, now)
                if address.steps and address.used.used_until <= now:
                    heappush(next_ones, (address.tag, at, address))
        finally:
            if self.waiting:
                self.wake()


UNLIMITED: Final = Payer(FairQueue(lambda: 0.0, inf, RateLimit(inf, 1.0)).address())
"""The payer of what costs nobody a share: the only player of a process, and the server's own work. It never waits."""
PAYER: Final[ContextVar[Payer]] = ContextVar("PAYER", default=UNLIMITED)
"""The payer of what is done now."""
