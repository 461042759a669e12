"""Computing time is charged to the player who causes it, and a player who has used a lot waits in a fair queue.

What a session does is measured step by step: a line is carried out up to its first wait, a few keys are handled, a
frame is painted. The time is charged to the session, to its account and to its address. A step runs at once while all
three are within their shares, and while such steps have not taken long in this turn of the event loop. Otherwise it
waits in the queue, a tree of turns: addresses take turns, at each address its accounts, and of each
account its sessions, so that each gets as much computing time as the others beside it. In each turn of the event loop
the queue does those steps first that are within their shares, as many as there is time for. If there are none, it does
one of the others, and while somebody is being answered it does so only every few turns.

A step cannot be interrupted: what takes more than a few milliseconds is done in pieces (`pieces`).
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from operator import attrgetter
from types import coroutine
from typing import Any, Final, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from server.bounded_dict import make_room
from server.ledger import Rate
from server.limits import ACCOUNTS_REMEMBERED, SHARE, TURN_SECONDS, WAIT_TOLD_SECONDS

T = TypeVar("T")
Step: TypeAlias = Callable[[], None]

HAS_TO_WAIT: Final = "You have asked for a lot: your next answers come a little later."
"""What a session is told once."""
TURNS_BETWEEN: Final = 8
"""An answer takes several turns of the event loop. In so many it waits for one step at most of players who have used up
their shares."""
FORGIVEN_SECONDS: Final = SHARE.burst / SHARE.per_second
"""After so long without work the whole share is free again."""
_TAG: Final = attrgetter("tag")


class Node(ABC):
    """A node of the tree of turns: everybody, an address, an account at an address, or a session."""

    __slots__ = ("__weakref__", "busy_period", "parent", "tag", "usages")

    def __init__(self, parent: "Group | None", usages: tuple[Rate, ...]) -> None:
        """``usages``: what it has used, if it has a share of its own, and what the nodes above have."""
        self.parent = parent
        self.usages = usages
        self.tag = 0.0
        """The computing time that it has used, in seconds of the virtual time of its group."""
        self.busy_period = -1
        """In which busy period of its group it last waited."""

    @property
    @abstractmethod
    def waits(self) -> bool:
        """Whether steps wait here or below."""

    @abstractmethod
    def serve(self, now: float) -> None:
        """Do the next step that waits here or below; ``now`` is the event loop's time."""

    @property
    def has_share(self) -> bool:
        """Whether it, and each node above it, is within its share."""
        return self.is_within_share_at(asyncio.get_running_loop().time())

    @property
    def is_rested(self) -> bool:
        """Whether a new one would have no larger share."""
        return not self.waits and all(usage.rested for usage in self.usages)

    def is_within_share_at(self, now: float) -> bool:
        """Whether it, and each node above it, is within its share at this time, if nothing more is used."""
        # A loop, since each step of each session asks: a generator would take three times as long.
        for usage in self.usages:  # noqa: SIM110
            if usage.used_until > now:
                return False
        return True

    def advance(self, seconds: float) -> None:
        """Count computing time that it has used: the nodes beside it, and beside those above it, come before it."""
        node: Node | None = self
        while node is not None:
            node.tag += seconds
            node = node.parent

    def enqueue(self) -> None:
        """Let this node, and the groups above it, wait for their turns."""
        node: Node = self
        while node.parent is not None:
            node.parent.add(node)
            node = node.parent


class Group(Node):
    """Nodes that take turns by start-time fair queueing (Goyal, Vin and Cheng, 1996).

    The waiting node with the lowest tag is next. Its tag then becomes the virtual time of the group. A node that was
    idle begins at the virtual time, so that an idle time gives no credit; all begin so when nobody has waited (the
    start of a busy period), so that what a player did before is no debt. Unlike in the paper, no node begins more than
    a burst later, and nodes within their shares come before the others.
    """

    __slots__ = ("_busy_period", "_virtual_time", "_waiting")

    def __init__(self, parent: "Group | None" = None, usages: tuple[Rate, ...] = ()) -> None:
        super().__init__(parent, usages)
        self._waiting: dict[Node, None] = {}
        self._virtual_time = 0.0
        self._busy_period = 0

    @property
    def waits(self) -> bool:
        """Whether any node of the group waits."""
        return bool(self._waiting)

    def is_within_share_at(self, now: float) -> bool:
        """Whether it is within its share, and so is a node of it that waits: an account may be here from elsewhere."""
        for usage in self.usages:
            if usage.used_until > now:
                return False
        for node in self._waiting:  # noqa: SIM110 - as above
            if node.is_within_share_at(now):
                return True
        return False

    def add(self, node: Node) -> None:
        """Let a node of this group wait; does nothing if it waits already."""
        if node in self._waiting:
            return
        self._waiting[node] = None
        earliest = self._virtual_time
        latest = earliest + SHARE.burst if node.busy_period == self._busy_period else earliest
        node.tag, node.busy_period = min(max(node.tag, earliest), latest), self._busy_period

    def next_within_share(self, now: float) -> Node | None:
        """The node whose turn it is among those within their shares at this time; None if there is none."""
        # Tags of nodes that wait change, and shares come back with time: a heap would have to be built anew.
        first = min(self._waiting, key=_TAG, default=None)
        if first is None or first.is_within_share_at(now):
            return first
        return min((node for node in self._waiting if node.is_within_share_at(now)), key=_TAG, default=None)

    def serve(self, now: float) -> None:
        """Do a step of the node whose turn it is, if one waits: those within their shares come first."""
        if self._waiting:
            self.serve_node(self.next_within_share(now) or min(self._waiting, key=_TAG), now)

    def serve_node(self, node: Node, now: float) -> None:
        """Do a step of this node, which waits."""
        del self._waiting[node]
        self._virtual_time = node.tag
        try:
            node.serve(now)
        finally:
            if node.waits:
                self._waiting[node] = None
            if not self._waiting:
                self._busy_period += 1


class AddressGroup(Group):
    """The sessions and accounts of one address, which share its computing time."""

    __slots__ = ("_queue", "share")

    def __init__(self, queue: "FairQueue", share: str) -> None:
        super().__init__(queue.everybody, (Rate(SHARE),))
        self.share = share
        """The share that other uses are charged to (`addresses.share_of`); empty for nobody's."""
        self._queue = queue

    def session(self, account: str | None = None) -> "Payer":
        """A new session from this address; a guest has no account."""
        parent = self if account is None else self._queue.account(self, account)
        return Payer(self._queue, self, parent, (Rate(SHARE), *parent.usages))


class Payer(Node):
    """A session: its steps are charged to it, to its account and to its address, and wait if these have used much."""

    __slots__ = ("_queue", "_steps", "_when_waiting", "address")

    def __init__(self, queue: "FairQueue", address: AddressGroup, parent: Group, usages: tuple[Rate, ...]) -> None:
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
        if self._queue.paying is self:
            step()
        elif self._must_wait:
            self._queue_step(step)
        else:
            self.do(step)

    def do(self, step: Step) -> None:
        """Do a step now, and charge for it. Inside another step of this payer it is a part of that."""
        queue = self._queue
        paying = queue.paying
        if paying is self:
            step()
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

        Meanwhile `PAYER` is this one, so that it is charged for what a table does for it.
        """
        # This is `await work` written out (PEP 380), because what is between two waits must be measured.
        payer_before = PAYER.get()
        PAYER.set(self)
        resume, value, is_error = work.send, None, False
        try:
            while True:
                if not is_error and self._must_wait:
                    try:
                        yield from self._wait_for_turn()
                    except BaseException as error:  # noqa: BLE001 - cancelled: the work is told, and waits no longer
                        resume, value, is_error = work.throw, error, True
                queue, paying = self._queue, self._queue.paying
                began, charged_before, queue.paying = queue.clock(), queue.charged, self
                try:
                    awaited = resume(value)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                finally:
                    queue.paying = paying
                    self._charge(began, charged_before)
                try:
                    yield awaited
                except BaseException as error:  # noqa: BLE001 - cancelled, or the carrier of the work has ended
                    resume, value, is_error = work.throw, error, True
                else:
                    resume, value, is_error = work.send, None, False
        finally:
            PAYER.set(payer_before)

    def serve(self, now: float) -> None:
        """Do the step that has waited longest."""
        step = next(iter(self._steps))
        has_waited_long = now - self._steps.pop(step) >= WAIT_TOLD_SECONDS
        if self._when_waiting is not None and has_waited_long and not self.has_share:
            tell, self._when_waiting = self._when_waiting, None
            tell()
        self.do(step)

    @property
    def _must_wait(self) -> bool:
        """Whether the next step has to wait for its turn."""
        if self._steps or self._queue.charged >= self._queue.turn_ends:
            return True
        return not self.is_within_share_at(asyncio.get_running_loop().time())

    def _wait_for_turn(self) -> "asyncio.Future[None]":
        """A future that is done when it is this payer's turn."""
        turn = asyncio.get_running_loop().create_future()
        self._queue_step(lambda: None if turn.done() else turn.set_result(None))
        return turn

    def _queue_step(self, step: Step) -> None:
        self._steps.setdefault(step, asyncio.get_running_loop().time())
        self.enqueue()
        self._queue.wake()

    def _charge(self, began: float, charged_before: float) -> None:
        """Charge for a step that began at this time, without what was charged inside it to others."""
        queue, now = self._queue, asyncio.get_running_loop().time()
        seconds = queue.clock() - began - (queue.charged - charged_before)
        forgiven, used, is_within_share = now - FORGIVEN_SECONDS, seconds / SHARE.per_second, True
        for usage in self.usages:
            if usage.used_until > now:
                is_within_share = False
            usage.used_until = max(usage.used_until, forgiven) + used
        self.advance(seconds)
        queue.charged += seconds
        if is_within_share:
            queue.answering = TURNS_BETWEEN
        if queue.charged >= queue.turn_ends:
            # A turn that begins with time left from the last one needs no such callback: most do.
            queue.wake()


class FairQueue:
    """The tree of turns of one server: everybody, their addresses, the accounts at each address, the sessions."""

    def __init__(self, clock: Callable[[], float] = time.thread_time, turn: float = TURN_SECONDS) -> None:
        """``clock`` measures computing time, in seconds; ``turn`` is how much fits into one turn of the event loop."""
        self.clock = clock
        self.charged = 0.0
        """All computing time that has been charged."""
        self.paying: Payer | None = None
        """Whose step is done now."""
        self.everybody = Group()
        """The group of all addresses."""
        self._usage_by_account: dict[str, Rate] = {}
        """What each account has used, from whatever addresses, until it is forgiven."""
        self._accounts: WeakValueDictionary[tuple[AddressGroup, str], Group] = WeakValueDictionary()
        self._seconds_per_turn = turn
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

    def account(self, address: AddressGroup, name: str) -> Group:
        """The account of this name at an address."""
        if name not in self._usage_by_account:
            make_room(self._usage_by_account, ACCOUNTS_REMEMBERED, lambda usage: usage.rested)
        usage = self._usage_by_account.setdefault(name, Rate(SHARE))
        return self._accounts.setdefault((address, name), Group(address, (usage, *address.usages)))

    def wake(self) -> None:
        """Have the next turn of the event loop begin with a step that waits, if there is one."""
        if self._next_turn is None:
            self._next_turn = asyncio.get_running_loop().call_soon(self._begin_turn)

    def _begin_turn(self) -> None:
        """Do the steps within their shares, as long as there is time; if there is none, do another unless it pauses."""
        self._next_turn = None
        self._pause -= 1
        self.answering -= 1
        self.turn_ends = self.charged + self._seconds_per_turn
        if not self.everybody.waits:
            return
        now, nobody_served = asyncio.get_running_loop().time(), True
        try:
            while self.charged < self.turn_ends and (node := self.everybody.next_within_share(now)):
                nobody_served = False
                self.everybody.serve_node(node, now)
            if nobody_served and self._pause <= 0:
                self._pause = TURNS_BETWEEN if self.answering > 0 else 0
                self.everybody.serve(now)
        finally:
            if self.everybody.waits:
                self.wake()


class _Unlimited(Payer):
    """A payer without a limit: it never waits, so nothing is measured."""

    def __init__(self) -> None:
        queue = FairQueue()
        super().__init__(queue, queue.address(), queue.everybody, usages=())

    def call(self, step: Step) -> None:
        """Do a step at once."""
        payer_before = PAYER.set(self)
        try:
            step()
        finally:
            PAYER.reset(payer_before)

    do = call

    @coroutine
    def run(self, work: Coroutine[Any, Any, T]) -> Generator[Any, None, T]:
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
