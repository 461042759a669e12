"""A player on the server, as the lobby knows them: a session here, or in another process."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from server.people.players import Caller, Player
from server.table.snapshot import Listing, Presence, Subscriber
from server.table.table import Table
from server.tournament.events import Event
from server.tournament.state import Tournament
from server.tournament.waiting import Wait


class TournamentNews(NamedTuple):
    """Something that has happened in a tournament."""

    state: Tournament
    """The tournament after it."""
    event: Event


class Visitor(Protocol):
    """A player session as the lobby knows it, here or in another process."""

    @property
    def caller(self) -> Caller:
        """The connection's key, address and wished-for name."""

    @property
    def player(self) -> Player:
        """The player's name and account."""

    @property
    def at_table(self) -> bool:
        """Whether the player is at a table; if not, they are in the lobby."""

    @property
    def table_number(self) -> int | None:
        """The number of the table the player is at; None in the lobby."""

    @property
    def is_watching(self) -> bool:
        """Whether the player is at a table without a seat."""

    def hear(self, name: str, line: str) -> None:
        """Show what somebody has said."""

    def dismiss(self, farewell: str) -> None:
        """End the session; ``farewell`` says why."""


class LocalVisitor(Visitor, Subscriber, Protocol):
    """A player session in this process."""

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[Presence, ...]) -> None:
        """Tables or people have changed. Players at a table are not told."""

    @property
    def seats_read(self) -> Mapping[int, str]:
        """The names on the player's seats, by table, as they were read last."""

    async def read_seats(self) -> None:
        """Read them again: one of these tables was unloaded or has changed."""

    async def rename(self, wished: str) -> None:
        """Change the player's name to a free one close to this, for this session and the next."""

    def told_of(self, news: TournamentNews) -> None:
        """Something has happened in a tournament, perhaps one that the player has not entered."""

    def waits(self, wait: Wait | None, now: float, may_enter: Tournament | None) -> None:
        """When the player's next table in a tournament comes, twice a second; None if they are in none.

        ``now``: the time in the terms of `Wait.until`. ``may_enter``: a tournament that takes players, if they are in
        none.
        """

    async def be_brought_to(self, table: Table, to: str) -> None:
        """Go to a table at which the player has a seat, from wherever they are. Raises InputError.

        ``to``: what those are told whom they leave, as in "a tournament's table".
        """


class ElsewhereVisitor(Visitor, Protocol):
    """A player session in another process."""

    process: str
    """The name of the process."""
    came: float
    """When the player came, by the clock of the event loop here."""
