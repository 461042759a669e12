"""Drains processes of the server at the request of an op: all of them, or those of one node."""

from collections.abc import Callable
from typing import Final, NamedTuple

from server.lobby.channel import Channel, Origin, loop_time
from server.lobby.drain import Drain, notice
from server.lobby.messages import DrainAsked
from server.lobby.other_processes import OtherProcesses, Process
from server.lobby.visitors import Visitors

REPEAT_SECONDS: Final = 30.0
"""How long a request is repeated to a process that has not heard it."""


class _Asked(NamedTuple):
    """What was asked of another process; times are of the event loop."""

    at: float
    stops_at: float | None
    """When it stops at the latest; None if it goes on."""
    is_part: bool


class SharedDrain:
    """What ops ask of this process and, through it, of others."""

    def __init__(self, channel: Channel, drain: Drain, others: OtherProcesses, visitors: Visitors, node: str) -> None:
        """``node`` is the name of the node that this process belongs to."""
        self._channel, self._drain, self._others, self._visitors, self._node = channel, drain, others, visitors, node
        self.changed: Callable[[], None] = lambda: None
        """Called when this process begins to drain, or goes on."""
        self._asked: dict[str, _Asked] = {}
        """By process, until it has done so."""
        others.beaten = self._repeat
        channel.on(DrainAsked, self._hear)

    @property
    def nodes(self) -> list[str]:
        """The names of all nodes."""
        return sorted({self._node, *(each.node for each in self._others.by_name.values())})

    def is_active(self, node: str) -> bool:
        """Whether a process of this node drains, or of any if it is empty."""
        is_here = self._drain.is_active and node in {"", self._node}
        return is_here or any(each.stops_at is not None for each in self._of(node))

    def begin(self, seconds: float, node: str) -> str:
        """Drain the processes of a node, or all if it is empty; what players are told."""
        is_part = bool(node) and self.nodes != [node]
        self._ask(node, seconds, is_part=is_part)
        return notice(seconds, is_part=is_part)

    def cancel(self, node: str) -> None:
        """Have the processes of a node go on, or all if it is empty."""
        self._ask(node, None, is_part=bool(node) and self.nodes != [node])

    def _of(self, node: str) -> list[Process]:
        """The other processes of a node, or all of them if it is empty."""
        return [each for each in self._others.by_name.values() if node in {"", each.node}]

    def _ask(self, node: str, seconds: float | None, *, is_part: bool) -> None:
        names, now = [each.name for each in self._of(node)], loop_time()
        asked = _Asked(now, None if seconds is None else now + seconds, is_part)
        self._asked |= dict.fromkeys(names, asked)
        self._channel.tell(DrainAsked(names, seconds, is_part))
        if node in {"", self._node}:
            self._do(seconds, is_part=is_part)

    def _repeat(self, process: Process) -> None:
        """Ask a process again if it does something else, unless it has done as it was asked before."""
        asked = self._asked.get(process.name)
        if asked is None:
            return
        if (process.stops_at is None) == (asked.stops_at is None) or loop_time() - asked.at >= REPEAT_SECONDS:
            del self._asked[process.name]
        else:
            seconds = None if asked.stops_at is None else max(0.0, asked.stops_at - loop_time())
            self._channel.tell(DrainAsked([process.name], seconds, asked.is_part))

    def _hear(self, origin: Origin, asked: DrainAsked) -> None:
        for name in (*asked.processes, origin.process):
            self._asked.pop(name, None)  # the last request counts
        if self._channel.process in asked.processes:
            self._do(asked.seconds, is_part=asked.is_part)

    def _do(self, seconds: float | None, *, is_part: bool) -> None:
        """Drain this process, or go on, and tell the players here."""
        if seconds is not None:
            self._drain.begin(seconds, is_part=is_part)
            self._visitors.announce_here(self._drain.notice)
        elif self._drain.is_active:
            self._drain.cancel()
            what = "This part of the server" if is_part else "The server"
            self._visitors.announce_here(f"{what} does not stop: new games can start.")
        self.changed()
