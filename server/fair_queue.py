"""Computing time is charged to the player who causes it, and a player who has used a lot waits in a fair queue.

What a session does is measured step by step: a line is carried out up to its first wait, a few keys are handled, a
frame is painted. The time is charged to the session, to its account and to its address. A step runs at once while all
three are within their shares, and while such steps have not taken long in this turn of the event loop. Otherwise it
waits in the queue, a tree of turns (`fair_tree`): addresses take turns, at each address its accounts, and of each
account its sessions, so that each gets as much computing time as the others beside it. In each turn of the event loop
the queue does those steps first that are within their shares, as many as there is time for. If there are none, it does
one of the others, and while somebody is being answered it does so only every few turns.

A step cannot be interrupted: what takes more than a few milliseconds is done in pieces (`pieces`).
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from types import coroutine
from typing import Any, Final, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from server.bounded_dict import make_room
from server.fair_tree import FORGIVEN_SECONDS, Group, Node, Usage
from server.limits import ACCOUNTS_REMEMBERED, SHARE, TURN_SECONDS, WAIT_TOLD_SECONDS

T = TypeVar("T")
Step: TypeAlias = Callable[[], None]

HAS_TO_WAIT: Final = "You have asked for a lot: your next answers come a little later."
"""What a session is told once."""
TURNS_BETWEEN: Final = 8
"""An answer takes several turns of the event loop: for so many, it waits only once for a step of somebody who has used
up their share."""


class AddressGroup(Group):
    """The sessions and accounts of one address, which share its computing time."""

    __slots__ = ("_queue",)

    def __init__(self, queue: "FairQueue") -> None:
        super().__init__(queue.everybody, (Usage(),))
        self._queue = queue

    def session(self, account: str | None = None) -> "Payer":
        """A new session from this address; a guest has no account."""
        parent = self if account is None else self._queue.account(self, account)
        return Payer(self._queue, self, parent, (Usage(), *parent.usages))


class Payer(Node):
    """A session: its steps are charged to it, to its account and to its address, and wait if these have used much."""

    __slots__ = ("_queue", "_steps", "_when_waiting", "address")

    def __init__(self, queue: "FairQueue", address: Group, parent: Group, usages: tuple[Usage, ...]) -> None:
        """``parent``: the group of its account, or that of its address for a guest."""
        super().__init__(parent, usages)
        self.address = address
        """The group of its address."""
        self._when_waiting: Step | None = None
        self._queue = queue
        self._steps: dict[Step, float] = {}
        """The steps that wait, the next one first, and since when."""

    @property
    def waits(self) -> bool:
        """Whether any of its steps waits."""
        return bool(self._steps)

    def when_waiting(self, tell: Step) -> None:
        """Tell this once: a step has waited so long that a person notices, since this payer has used up a share."""
        self._when_waiting = tell

    def call(self, step: Step) -> None:
        """Do a step at once, or when it is this payer's turn. A step that waits already is not queued again."""
        if self._must_wait:
            self._queue_step(step)
        else:
            self._do(step)

    @coroutine
    def run(self, work: Coroutine[Any, Any, T], *, waits: bool = True) -> Generator[Any, None, T]:
        """Await this work, and charge for each of its steps; each waits for its turn unless ``waits`` is false.

        Meanwhile `PAYER` is this one, so that it is charged for what a table does for it.
        """
        # This is `await work` written out (PEP 380), because what is between two waits must be measured.
        payer_before = PAYER.get()
        PAYER.set(self)
        resume, value, is_error = work.send, None, False
        try:
            while True:
                if waits and not is_error and self._must_wait:
                    try:
                        yield from self._wait_for_turn()
                    except BaseException as error:  # noqa: BLE001 - cancelled: the work is told, and waits no longer
                        resume, value, is_error = work.throw, error, True
                began, charged_before = self._queue.clock(), self._queue.charged
                try:
                    awaited = resume(value)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                finally:
                    self._charge(began, charged_before)
                try:
                    yield awaited
                except BaseException as error:  # noqa: BLE001 - cancelled, or the carrier of the work has ended
                    resume, value, is_error = work.throw, error, True
                else:
                    resume, value, is_error = work.send, None, False
        finally:
            PAYER.set(payer_before)

    def serve(self) -> None:
        """Do the step that has waited longest."""
        step = next(iter(self._steps))
        since = self._steps.pop(step)
        has_waited_long = asyncio.get_running_loop().time() - since >= WAIT_TOLD_SECONDS
        if self._when_waiting is not None and has_waited_long and not self.has_share:
            tell, self._when_waiting = self._when_waiting, None
            tell()
        self._do(step)

    @property
    def _must_wait(self) -> bool:
        """Whether the next step has to wait for its turn."""
        return bool(self._steps) or not self._queue.has_time or not self.has_share

    def _wait_for_turn(self) -> "asyncio.Future[None]":
        """A future that is done when it is this payer's turn."""
        turn = asyncio.get_running_loop().create_future()
        self._queue_step(lambda: None if turn.done() else turn.set_result(None))
        return turn

    def _queue_step(self, step: Step) -> None:
        self._steps.setdefault(step, asyncio.get_running_loop().time())
        self.enqueue()
        self._queue.wake()

    def _do(self, step: Step) -> None:
        """Do a step now, and charge for it."""
        began, charged_before = self._queue.clock(), self._queue.charged
        try:
            step()
        finally:
            self._charge(began, charged_before)

    def _charge(self, began: float, charged_before: float) -> None:
        """Charge for a step that began at this time, without what was charged inside it to others."""
        queue, now = self._queue, asyncio.get_running_loop().time()
        seconds = queue.clock() - began - (queue.charged - charged_before)
        queue.charge(seconds, within_share=self.is_within_share_at(now))
        forgiven, used = now - FORGIVEN_SECONDS, seconds / SHARE.per_second
        for usage in self.usages:
            usage.used_until = max(usage.used_until, forgiven) + used
        self.advance(seconds)


class FairQueue:
    """The tree of turns of one server: everybody, their addresses, the accounts at each address, the sessions."""

    def __init__(self, clock: Callable[[], float] = time.thread_time, turn: float = TURN_SECONDS) -> None:
        """``clock`` measures computing time, in seconds; ``turn`` is how much fits into one turn of the event loop."""
        self.clock = clock
        self.charged = 0.0
        """All computing time that has been charged."""
        self.everybody = Group()
        """The group of all addresses."""
        self._usage_by_account: dict[str, Usage] = {}
        """What each account has used, from whatever addresses, until it is forgiven."""
        self._accounts: WeakValueDictionary[tuple[AddressGroup, str], Group] = WeakValueDictionary()
        self._seconds_per_turn = turn
        self._turn_ends = turn
        """Up to what `charged` steps are done in this turn of the event loop."""
        self._next_turn: asyncio.Handle | None = None
        self._answering = 0
        """For how many turns somebody who is within their share may still be waiting for the rest of an answer."""
        self._pause = 0
        """For how many turns those that are not within their shares still have to wait."""

    def address(self) -> AddressGroup:
        """A new address."""
        return AddressGroup(self)

    def account(self, address: AddressGroup, name: str) -> Group:
        """The account of this name at an address."""
        if name not in self._usage_by_account:
            make_room(self._usage_by_account, ACCOUNTS_REMEMBERED, lambda usage: usage.is_forgiven)
        usage = self._usage_by_account.setdefault(name, Usage())
        return self._accounts.setdefault((address, name), Group(address, (usage, *address.usages)))

    @property
    def has_time(self) -> bool:
        """Whether there is computing time left in this turn of the event loop."""
        return self.charged < self._turn_ends

    def charge(self, seconds: float, *, within_share: bool) -> None:
        """Count computing time that was used in this turn by somebody who was within their share, or was not."""
        self.charged += seconds
        if within_share:
            self._answering = TURNS_BETWEEN
        if not self.has_time:
            # A turn that begins with time left from the last one needs no such callback: most do.
            self.wake()

    def wake(self) -> None:
        """Have the next turn of the event loop begin with a step that waits, if there is one."""
        if self._next_turn is None:
            self._next_turn = asyncio.get_running_loop().call_soon(self._begin_turn)

    def _begin_turn(self) -> None:
        """Do the steps within their shares, as long as there is time; if there is none, do another unless it pauses."""
        self._next_turn = None
        self._pause -= 1
        self._answering -= 1
        self._turn_ends = self.charged + self._seconds_per_turn
        try:
            if node := self._next_within_share:
                self._serve_those_within_share(node)
            elif self._pause <= 0:
                self._pause = TURNS_BETWEEN if self._answering > 0 else 0
                self.everybody.serve()
        finally:
            if self.everybody.waits:
                self.wake()

    def _serve_those_within_share(self, node: Node | None) -> None:
        """Do a step of this node and of the next ones, as long as there is time."""
        while node is not None and self.has_time:
            self.everybody.serve_node(node)
            node = self._next_within_share

    @property
    def _next_within_share(self) -> Node | None:
        """The address whose turn it is among those within their shares, at which somebody within theirs waits."""
        return self.everybody.next_within_share(asyncio.get_running_loop().time())


class _Unlimited(Payer):
    """A payer without a limit: it never waits, so nothing is measured."""

    def __init__(self) -> None:
        everybody = Group()
        super().__init__(FairQueue(), everybody, everybody, usages=())

    def call(self, step: Step) -> None:
        """Do a step at once."""
        step()

    @coroutine
    def run(self, work: Coroutine[Any, Any, T], *, waits: bool = True) -> Generator[Any, None, T]:  # noqa: ARG002
        """Await this work; it never waits."""
        payer_before = PAYER.get()
        PAYER.set(self)
        try:
            return (yield from work.__await__())
        finally:
            PAYER.set(payer_before)


UNLIMITED: Final[Payer] = _Unlimited()
"""The payer of what costs nobody a share: the only player of a process, and the server's own work."""
PAYER: Final[ContextVar[Payer]] = ContextVar("PAYER", default=UNLIMITED)
"""The payer of what is done now."""
