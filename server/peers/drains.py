"""Drains processes of the server at the request of an op: all of them, or those of one node."""

from typing import Final, NamedTuple

from server.lobby.lobby import Lobby
from server.lobby.peers import Origin
from server.peers.channel import Channel, loop_time
from server.peers.messages import DrainAsked
from server.peers.other_processes import OtherProcesses, Process
from server.peers.people_here import PeopleHere

REPEAT_SECONDS: Final = 30.0
"""How long a request is repeated to a process that has not heard it."""


class _Asked(NamedTuple):
    """What was asked of another process; times are of the event loop."""

    at: float
    stops_at: float | None
    """When it stops at the latest; None if it goes on."""
    is_part: bool


class Drains:
    """What ops ask of this process and, through it, of others."""

    def __init__(
        self, lobby: Lobby, channel: Channel, others: OtherProcesses, people_here: PeopleHere, node: str
    ) -> None:
        """``node`` is the name of the node that this process belongs to."""
        self._lobby, self._channel, self._others, self._people_here = lobby, channel, others, people_here
        self._node = node
        self._asked: dict[str, _Asked] = {}
        """By process, until it has done so."""
        channel.on(DrainAsked, self._hear)

    def nodes(self) -> list[str]:
        """The names of all nodes."""
        return sorted({self._node, *(each.node for each in self._others.by_name.values())})

    def is_active(self, node: str) -> bool:
        """Whether another process of this node drains, or of any if it is empty."""
        return any(each.stops_at is not None for each in self._of(node))

    def ask(self, seconds: float | None, node: str) -> bool:
        """Have the others of a node drain, or go on (None), or all if it is empty. Returns whether some go on."""
        names, now = [each.name for each in self._of(node)], loop_time()
        is_part = bool(node) and self.nodes() != [node]
        asked = _Asked(now, None if seconds is None else now + seconds, is_part)
        self._asked |= dict.fromkeys(names, asked)
        self._channel.tell(DrainAsked(names, seconds, is_part))
        self._people_here.beat_soon()  # this process may drain, too
        return is_part

    def _of(self, node: str) -> list[Process]:
        """The other processes of a node, or all of them if it is empty."""
        return [each for each in self._others.by_name.values() if node in {"", each.node}]

    def repeat(self, process: Process) -> None:
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
            self._lobby.drain_here(asked.seconds, is_part=asked.is_part)
            self._people_here.beat_soon()
