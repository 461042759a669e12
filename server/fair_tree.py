"""The tree of turns of a fair queue: whose step is next."""

import asyncio
import math
from abc import ABC, abstractmethod
from operator import attrgetter
from typing import Final

from server.limits import SHARE

FORGIVEN_SECONDS: Final = SHARE.burst / SHARE.per_second
"""After so long without work the whole share is free again."""
_TAG: Final = attrgetter("tag")


class Usage:
    """The computing time that one session, account or address has used."""

    __slots__ = ("used_until",)

    def __init__(self) -> None:
        self.used_until = -math.inf
        """When the time that was used, except for a burst, will be forgiven; in the event loop's time."""

    @property
    def is_forgiven(self) -> bool:
        """Whether the whole share is free again."""
        return self.used_until <= asyncio.get_running_loop().time() - FORGIVEN_SECONDS


class Node(ABC):
    """A node of the tree of turns: everybody, an address, an account at an address, or a session."""

    __slots__ = ("__weakref__", "busy_period", "parent", "tag", "usages")

    def __init__(self, parent: "Group | None", usages: tuple[Usage, ...]) -> None:
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
    def serve(self) -> None:
        """Do the next step that waits here or below."""

    @property
    def has_share(self) -> bool:
        """Whether it, and each node above it, is within its share."""
        return self.is_within_share_at(asyncio.get_running_loop().time())

    @property
    def is_rested(self) -> bool:
        """Whether a new one would have no larger share."""
        return not self.waits and all(usage.is_forgiven for usage in self.usages)

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
        if self.parent is not None:
            self.parent.add(self)
            self.parent.enqueue()


class Group(Node):
    """Nodes that take turns by start-time fair queueing (Goyal, Vin and Cheng, 1996).

    The waiting node with the lowest tag is next. Its tag then becomes the virtual time of the group. A node that was
    idle begins at the virtual time, so that an idle time gives no credit; all begin so when nobody has waited (the
    start of a busy period), so that what a player did before is no debt. Unlike in the paper, no node begins more than
    a burst later, and nodes within their shares come before the others.
    """

    __slots__ = ("_busy_period", "_virtual_time", "_waiting")

    def __init__(self, parent: "Group | None" = None, usages: tuple[Usage, ...] = ()) -> None:
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
        return super().is_within_share_at(now) and any(node.is_within_share_at(now) for node in self._waiting)

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

    def serve(self) -> None:
        """Do a step of the node whose turn it is, if one waits: those within their shares come first."""
        if self._waiting:
            within = self.next_within_share(asyncio.get_running_loop().time())
            self.serve_node(within or min(self._waiting, key=_TAG))

    def serve_node(self, node: Node) -> None:
        """Do a step of this node, which waits."""
        del self._waiting[node]
        self._virtual_time = node.tag
        try:
            node.serve()
        finally:
            if node.waits:
                self._waiting[node] = None
            if not self._waiting:
                self._busy_period += 1
