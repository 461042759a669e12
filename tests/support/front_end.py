"""A front end of a player session for tests."""

from engine.events import Event
from server.player.front_end import FrontEnd
from server.table.snapshot import Snapshot


class Remembering(FrontEnd):
    """A front end that remembers what it was told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.updates: list[tuple[Snapshot | None, Snapshot]] = []
        self.closings: list[str] = []
        self.farewells: list[str] = []
        self.calls = 0

    def updated(self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...]) -> None:  # noqa: ARG002
        """The table has changed."""
        self.updates.append((before, snapshot))

    def told(self, lines: list[str]) -> None:
        """Lines to read."""
        self.lines += lines

    def called(self) -> None:
        """Something waits."""
        self.calls += 1

    def table_closed(self, why: str) -> None:
        """The table has closed, or sleeps."""
        self.closings.append(why)

    def ended(self, farewell: str) -> None:
        """The session ends."""
        self.farewells.append(farewell)
