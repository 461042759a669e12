"""Tables for tests: one that runs, and members that remember what they were told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engine.events import Event
from server.facts import Facts, apply, read_change
from server.players import Opened, Player
from server.store import MemoryLog
from server.table import Table
from server.update import Update

ANA = Player("SHA256:ana", "ana")
BO = Player("guest:bo", "bo")


class Watcher:
    """A member that remembers what it was told."""

    def __init__(self) -> None:
        self.update: Update | None = None
        self.events: list[Event] = []
        self.lines: list[str] = []
        self.changed = asyncio.Event()

    def push(self, update: Update, events: tuple[Event, ...]) -> None:
        """The table has changed."""
        self.update = update
        self.events.extend(events)
        self.changed.set()

    def note(self, line: str) -> None:
        """Somebody came or went."""
        self.lines.append(line)

    def hear(self, line: str) -> None:
        """Somebody said something."""
        self.lines.append(line)

    def closed(self) -> None:
        """The table is no more."""
        self.lines.append("closed")

    async def until(self, phase: str) -> Update:
        """Wait until it is one's turn in this phase, or until the game is over."""
        async with asyncio.timeout(10):
            while not (self.update and self.update.view and self.update.view.phase in {phase, "over"}):
                self.changed.clear()
                await self.changed.wait()
        return self.update


@asynccontextmanager
async def running(store: MemoryLog, seats: int = 2, pace: float = 0) -> AsyncIterator[Table]:
    """A table of quatch that is open."""
    table = Table(1, Opened("quatch", {}, seats, "hard"), store, pace=pace, keep=60, changed=lambda: None)
    task = asyncio.create_task(table.run())
    try:
        yield table
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def folded(entries: list[bytes]) -> Facts:
    """A table read back from its log."""
    first, *rest = map(read_change, entries)
    assert isinstance(first, Opened)
    facts = Facts.opened(first)
    for change in rest:
        facts, _ = apply(facts, change)
    return facts
