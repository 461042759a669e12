"""Player sessions for tests, and a front end that they tell what happens."""

from engine.events import Event
from server.addresses import read_address
from server.lobby.lobby import Lobby
from server.people.players import Caller, Kind
from server.player.player_session import FrontEnd, PlayerSession
from server.table.snapshot import Snapshot
from tests.support.accounts import keep_account


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


async def come_in(
    lobby: Lobby,
    name: str = "ana",
    key: str | None = None,
    address: str = "192.0.2.7",
    kind: Kind = "person",
    front_end: Remembering | None = None,
) -> tuple[PlayerSession, Remembering]:
    """A player who has come in, and what they are told."""
    front_end = front_end or Remembering()
    session = PlayerSession(lobby, Caller(name, key, read_address(address)), front_end, kind)
    await keep_account(lobby, session.caller)
    await session.identify()
    await session.begin()
    return session, front_end
