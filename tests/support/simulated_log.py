"""One log shared by several simulated nodes, in a world as bad as one likes; the same seed, the same world.

For `tests.server.virtual_time`: every wait is a timer of the event loop's. What a node does happens at its calls to the
log, so freezing those is freezing the node: what it had decided arrives when it thaws, when others have long moved on.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeVar, Unpack

from server.storage.memory_log import MemoryLog
from server.storage.message_check import check_message
from server.storage.table_log import (
    FinishedGame,
    Head,
    LogEntry,
    NotSaved,
    OutcomeUnknown,
    StandingRow,
    TableChange,
    TableLog,
    TakenSeat,
    TextRow,
)
from tests.support.log_entries import Along

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
        self.log = MemoryLog()
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
        for node in self.nodes.values():
            if node is not writer:
                node.hear()


class SimulatedLog:
    """The log as one node has it; freeze and thaw it by hand or leave that to chance."""

    def __init__(self, world: World) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.heard: Callable[[str], None] = lambda _: None
        self._messages = deque[str]()
        self.problem = ""
        self.clock_ahead = 0.0
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
            self.changed()
            if self._world.happens(self._world.faults.bell_again):
                self.hear()

    def send(self, message: str) -> None:
        check_message(message)
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
            self.heard(message)

    async def open(self) -> None: ...

    async def close(self) -> None:
        self.changed = lambda: None
        self._is_closed = True

    async def append(
        self, head: Head, entry: LogEntry, game: FinishedGame | None = None, **along: Unpack[Along]
    ) -> None:
        await self._write(lambda log: log.append(head, entry, game, **along))

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        return await self._call(lambda log: log.read(table, after))

    async def delete(
        self, table: int, head: Head, game: FinishedGame | None = None, *, due_by: float | None = None
    ) -> None:
        await self._write(lambda log: log.delete(table, head, game, due_by=due_by))

    async def changes(self, after: int) -> list[TableChange]:
        return await self._call(lambda log: log.changes(after))

    async def last_change(self) -> int:
        return await self._call(lambda log: log.last_change())

    async def awake(self) -> list[int]:
        return await self._call(lambda log: log.awake())

    async def put_to_sleep(self, table: int, head: Head, due: float, seats: Sequence[TakenSeat]) -> None:
        await self._write(lambda log: log.put_to_sleep(table, head, due, seats))

    async def wake(self, table: int) -> None:
        await self._write(lambda log: log.wake(table))

    async def due(self, by: float, limit: int) -> list[int]:
        return await self._call(lambda log: log.due(by, limit))

    async def seats_of(self, player_id: str) -> list[tuple[int, str]]:
        return await self._call(lambda log: log.seats_of(player_id))

    async def count_asleep(self) -> int:
        return await self._call(lambda log: log.count_asleep())

    async def is_seat_name(self, looks: Sequence[str], besides: str) -> bool:
        return await self._call(lambda log: log.is_seat_name(looks, besides))

    async def opened_by(self, opener: str) -> list[tuple[int, float | None]]:
        return await self._call(lambda log: log.opened_by(opener))

    async def free_number(self, after: int) -> int:
        return await self._call(lambda log: log.free_number(after))

    async def game(self, game_id: str) -> FinishedGame | None:
        return await self._call(lambda log: log.game(game_id))

    async def games(self, after: int = 0, limit: int = 1000) -> list[tuple[int, FinishedGame]]:
        return await self._call(lambda log: log.games(after, limit))

    async def latest(self, limit: int) -> list[FinishedGame]:
        return await self._call(lambda log: log.latest(limit))

    async def delete_games(self, before: float, up_to: int, limit: int) -> int:
        deleted = 0

        async def delete(log: TableLog) -> None:
            nonlocal deleted
            deleted = await log.delete_games(before, up_to, limit)

        await self._write(delete)
        return deleted

    async def counted(self) -> int:
        return await self._call(lambda log: log.counted())

    async def put_standings(self, before: int, after: int, rows: Sequence[StandingRow]) -> None:
        await self._write(lambda log: log.put_standings(before, after, rows))

    async def standing(self, rules: str, key: str) -> str | None:
        return await self._call(lambda log: log.standing(rules, key))

    async def standings_of(self, key: str) -> list[str]:
        return await self._call(lambda log: log.standings_of(key))

    async def best(self, rules: str | None, limit: int) -> list[str]:
        return await self._call(lambda log: log.best(rules, limit))

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        await self._write(lambda log: log.put_text(kind, key, value))

    async def oldest_texts(self, kind: str, limit: int) -> list[TextRow]:
        return await self._call(lambda log: log.oldest_texts(kind, limit))

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        return await self._call(lambda log: log.read_texts(kind, after))

    async def text(self, kind: str, key: str) -> str | None:
        return await self._call(lambda log: log.text(kind, key))

    async def count_texts(self, kind: str) -> int:
        return await self._call(lambda log: log.count_texts(kind))

    async def linked_keys(self, account: str) -> list[str]:
        return await self._call(lambda log: log.linked_keys(account))

    async def name_owners(self, looks: Iterable[str]) -> list[str]:
        return await self._call(lambda log: log.name_owners(looks))

    async def put_name(self, key: str, name: str, looks: Sequence[str]) -> None:
        await self._write(lambda log: log.put_name(key, name, looks))

    async def size(self) -> int:
        return await self._call(lambda log: log.size())

    async def _write(self, act: Callable[[TableLog], Awaitable[None]]) -> None:
        world, faults = self._world, self._world.faults

        async def write(log: TableLog) -> None:
            if world.happens(faults.unknown_before):
                raise OutcomeUnknown("lost on the way there")
            await act(log)
            world.written_by(self)
            if world.happens(faults.unknown_after):
                raise OutcomeUnknown("lost on the way back")

        await self._call(write)

    async def _call(self, act: Callable[[TableLog], Awaitable[T]]) -> T:
        await self._travel()
        try:
            if self._is_closed:
                raise NotSaved("the log is closed")
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
