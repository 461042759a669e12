"""Tables for tests: one that runs, and members that remember what they were told."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from math import inf
from typing import Final, TypeVar

from msgspec.structs import replace

from engine.events import Event
from engine.rules import Json
from engine.state import State
from engine.view import View
from server.addresses import AddressSet
from server.ai.pool import AIPool
from server.config import Config
from server.ledger import Ledger
from server.limits import RESOURCES
from server.people.players import Player
from server.process.counters import UNREAD, Counters
from server.storage.database import Database
from server.table.apply_changes import apply
from server.table.entries import Change, Committed, Dealt, Moved, Sat, TableSettings, read_change
from server.table.journal import Journal
from server.table.recent_talk import Said
from server.table.snapshot import Snapshot
from server.table.state import TableState
from server.table.table import Table
from server.table.table_events import UnloggedNews

AnyChange = TypeVar("AnyChange", bound=Change)

ANA = Player("account:ana", "ana")
BO = Player("guest:bo", "bo")
FOX, OWL = Player("ai:Fox", "Fox", "ai", "easy"), Player("ai:Owl", "Owl", "ai", "easy")
SHORT: Final[dict[str, Json]] = {"deal.down": 1, "deal.up": 1, "deal.hand": 1, "draw.to": 0}
"""Options of games that are over after about ten moves, for tests of what comes of games."""


def known_seeds() -> Callable[[], str]:
    """Seeds that are the same in every run, so that a test plays the same games."""
    numbers = itertools.count()
    return lambda: f"{next(numbers):064x}"


def put(table: Table, game: State) -> None:
    """Have the game at a table stand so."""
    table.journal.state = replace(table.journal.state, game=game)
    table.show()


class NothingAround:
    """What is around a table in a test: no other tables, people or processes."""

    def __init__(self, config: Config | None = None, ai_pool: AIPool | None = None) -> None:
        self.config, self.ai_pool = config or Config(), ai_pool or AIPool()
        self.new_seed = known_seeds()
        self.ledger = Ledger(RESOURCES, AddressSet(()), AddressSet(()))
        self.must_allow_games: Callable[[], None] = lambda: None
        self.elsewhere: Callable[[int], frozenset[str]] = lambda _: frozenset()
        self.tell_others: Callable[[int, UnloggedNews], None] = lambda *_: None

    def table_changed(self, number: int) -> None:
        """Do nothing."""

    def are_looked_at(self) -> bool:
        """Nobody looks at them."""
        return False

    def is_a_persons_name(self, name: str) -> bool:  # noqa: ARG002 - others need it
        """No name is."""
        return False


class Watcher:
    """A member that remembers what it was told."""

    patience = 10.0
    """Seconds after which a test gives up waiting."""

    def __init__(self) -> None:
        self.snapshot: Snapshot | None = None
        self.events: list[Event] = []
        self.recalled: list[Event] = []
        self.lines: list[str] = []
        self.why_closed = ""
        self.changed = asyncio.Event()

    @property
    def seen(self) -> Snapshot:
        """What it was shown last; it must have been shown something."""
        assert self.snapshot is not None
        return self.snapshot

    @property
    def view(self) -> View:
        """The game that it sees; there must be one."""
        assert self.seen.view is not None
        return self.seen.view

    def push(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """The table has changed."""
        self.snapshot = snapshot
        self.events.extend(events)
        self.changed.set()

    def recall(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:  # noqa: ARG002
        """What happened before."""
        self.recalled.extend(events)

    def recall_talk(self, said: Sequence[Said]) -> None:
        """What was said before."""
        self.lines += [f"before: {each.name}: {each.line}" for each in said]

    def hear(self, name: str, line: str, invitation: str = "") -> None:  # noqa: ARG002
        """A player has said something."""
        self.lines.append(f"{name}: {line}")

    def closed(self, why: str = "the table has closed") -> None:
        """The table has closed, or sleeps."""
        self.lines.append("closed")
        self.why_closed = why

    async def until(self, seen: Callable[[Snapshot], bool] | str) -> Snapshot:
        """Wait until this holds, or until the game is in this phase or over."""
        test = (
            (lambda snapshot: snapshot.view is not None and snapshot.view.phase in {seen, "over"})
            if isinstance(seen, str)
            else seen
        )
        async with asyncio.timeout(self.patience):
            while self.snapshot is None or not test(self.snapshot):
                self.changed.clear()
                await self.changed.wait()
        return self.snapshot


def table_settings(seats: int = 2, clock: float = 60, word: str = "") -> TableSettings:
    """What a table of quatch is opened for."""
    return TableSettings("quatch", {}, seats, "hard", clock=clock, word=word, secret="s")  # noqa: S106 - it is no password


def after(state: TableState, *changes: Change) -> TableState:
    """A table after these changes, one a second."""
    for change in changes:
        state, _ = apply(state, change, state.since + 1)
    return state


async def add(journal: Journal, change: Change) -> None:
    """Write this change to the log of a table, whatever the table is like by then."""
    await journal.write(lambda _: change)


async def changes(store: Database, *kinds: type[AnyChange]) -> list[AnyChange]:
    """The changes of these kinds at table 1, in the order of the log."""
    return [change for entry in await store.read(1) if isinstance(change := read_change(entry.data), kinds)]


async def begun(store: Database) -> Journal:
    """A table at which two AI players have been dealt a game, and one of them is ready."""
    journal = await Journal.begin(store, 1, table_settings(), time.time)
    for change in (Sat(0, FOX), Sat(1, OWL), Committed("GAME1", "seed"), Dealt(None), Moved(0, "ready")):
        await add(journal, change)
    return journal


async def read_on(table: Table) -> None:
    """Have a table read what other processes have written."""

    async def read() -> None:
        await table.journal.catch_up()

    await table.inbox.ask(read, may_refuse=False)


@asynccontextmanager
async def live(journal: Journal, config: Config | None = None, ai_pool: AIPool | None = None) -> AsyncIterator[Table]:
    """A table that runs."""
    table = Table(journal, NothingAround(config or Config(pace=0), ai_pool))
    table.runtime.stays_loaded = inf
    task = asyncio.create_task(table.run())
    try:
        yield table
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def running(
    store: Database, seats: int = 2, counters: Counters = UNREAD, ai_pool: AIPool | None = None, **settings: float
) -> AsyncIterator[Table]:
    """A table of quatch that is open; AI players move at once."""
    journal = await Journal.begin(store, 1, table_settings(seats), time.time, counters)
    config = Config(**{"pace": 0, **settings})  # type: ignore[arg-type]
    async with live(journal, config, ai_pool) as table:
        yield table
