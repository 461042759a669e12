"""One log shared by several simulated nodes, in a world as bad as one likes; the same seed, the same world.

For `tests.server.virtual_time`: every wait is a timer of the event loop's. What a node does happens at its calls to the
log, so freezing those is freezing the node: what it had decided arrives when it thaws, when others have long moved on.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeVar

from server.storage.database import (
    Database,
    LogEntry,
    Move,
    NotSaved,
    OutcomeUnknown,
    Value,
    Write,
)
from server.storage.sqlite_database import MemoryDatabase

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """How bad a world is: chances from 0 to 1, and seconds."""

    latency: float = 0.0
    """The longest that the way to the log takes, and the way back."""
    not_saved: float = 0.0
    """That a call fails with NotSaved."""
    unknown_before: float = 0.0
    """That a write ends with OutcomeUnknown and was not made."""
    unknown_after: float = 0.0
    """That a write ends with OutcomeUnknown and was made."""
    bell_lost: float = 0.0
    bell_again: float = 0.0
    """That a bell that has rung rings again."""
    bell_late: float = 0.0
    late_by: float = 1.0
    """The longest that a late bell is late."""
    message_lost: float = 0.0
    freeze: float = 0.0
    """That a call freezes its node."""
    frozen_for: float = 3.0
    """The longest that a node then stays frozen."""


PERFECT: Final = Faults()


class World:
    """The log itself, and the nodes that share it."""

    def __init__(self, seed: int = 0, faults: Faults = PERFECT) -> None:
        self.faults = faults
        self.chance = Random(seed)
        self.log = MemoryDatabase()
        """What has really been written."""
        self.nodes: dict[str, SimulatedLog] = {}

    def node(self, name: str) -> "SimulatedLog":
        """The log as the node of this name has it."""
        return self.nodes.setdefault(name, SimulatedLog(self))

    def happens(self, chance: float) -> bool:
        """Whether something of this chance happens now."""
        return chance > 0 and self.chance.random() < chance

    def written_by(self, writer: "SimulatedLog") -> None:
        """Ring the bells of the others."""
        writer.written += 1
        for node in self.nodes.values():
            if node is not writer:
                node.hear()


class SimulatedLog(Database):
    """The log as one node has it; freeze and thaw it by hand or leave that to chance."""

    problem = ""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._messages = deque[str]()
        self._world = world
        self._awake = asyncio.Event()
        self._awake.set()
        self._is_closed = False
        self._ringing: asyncio.TimerHandle | None = None

    def freeze(self) -> None:
        """From now on nothing that this node does gets anywhere, and nothing reaches it."""
        self._awake.clear()

    def thaw(self) -> None:
        """Go on where it stood."""
        self._awake.set()
        self.hear()

    def hear(self) -> None:
        """Another process has written: ring, if all goes well. A bell that is yet to ring tells of this too."""
        world, faults = self._world, self._world.faults
        if self._ringing is None and not world.happens(faults.bell_lost):
            late = faults.late_by if world.happens(faults.bell_late) else faults.latency
            self._ringing = asyncio.get_running_loop().call_later(world.chance.random() * late, self._ring)

    def _ring(self) -> None:
        self._ringing = None
        if self._awake.is_set():
            self.tell_of_change()
            if self._world.happens(self._world.faults.bell_again):
                self.hear()

    def send(self, message: str) -> None:
        super().send(message)
        for node in self._world.nodes.values():
            if node is not self and self._awake.is_set() and not self._is_closed:
                node.pass_on(message)

    def pass_on(self, message: str) -> None:
        """Another node has sent a message: hear it soon, if all goes well."""
        world = self._world
        if self._awake.is_set() and not world.happens(world.faults.message_lost):
            self._messages.append(message)
            asyncio.get_running_loop().call_later(world.chance.random() * world.faults.latency, self._hear_message)

    def _hear_message(self) -> None:
        message = self._messages.popleft()  # they keep their order
        if self._awake.is_set() and not self._is_closed:
            self.tell_message(message)

    async def open(self) -> None: ...

    async def close(self) -> None:
        self.tell_of_change = lambda: None
        self._is_closed = True

    async def select(self, statement: str, *values: Value) -> list[Any]:
        return await self._call(lambda log: log.select(statement, *values))

    async def select_many(self, statement: str, values: Sequence[tuple[Value, ...]]) -> list[Any]:
        return await self._call(lambda log: log.select_many(statement, values))

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        return await self._call(lambda log: log.read(table, after))

    async def append_move(self, move: Move) -> bool:
        return await self._write(lambda log: log.append_move(move))

    async def write(self, write: Write, table: int | None = None) -> None:
        await self._write(lambda log: log.write(write, table))

    async def _write(self, act: Callable[[Database], Awaitable[T]]) -> T:
        world, faults = self._world, self._world.faults

        async def write(log: Database) -> T:
            if world.happens(faults.unknown_before):
                raise OutcomeUnknown("lost on the way there")
            done = await act(log)
            if done is not False:
                world.written_by(self)
            if world.happens(faults.unknown_after):
                raise OutcomeUnknown("lost on the way back")
            return done

        return await self._call(write)

    async def _call(self, act: Callable[[Database], Awaitable[T]]) -> T:
        await self._travel()
        try:
            if self._is_closed:
                raise NotSaved("the database is closed")
            if self._world.happens(self._world.faults.not_saved):
                raise NotSaved("the disk is full")
            return await act(self._world.log)  # in no time: nothing comes between comparing and appending
        finally:
            await self._travel()

    async def _travel(self) -> None:
        world, faults = self._world, self._world.faults
        if world.happens(faults.freeze):
            self.freeze()
            asyncio.get_running_loop().call_later(world.chance.random() * faults.frozen_for, self.thaw)
        await asyncio.sleep(world.chance.random() * faults.latency if faults.latency else 0)
        await self._awake.wait()
