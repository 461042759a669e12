"""A player on the server, as the lobby knows them: a session here, or in another process."""

from collections.abc import Mapping
from typing import Protocol

from server.people.players import Caller, Player
from server.people.settings import Settings
from server.table.snapshot import Listing, Notice, Presence, Subscriber
from server.table.table import Table


class Visitor(Protocol):
    """A player session as the lobby knows it, here or in another process."""

    @property
    def caller(self) -> Caller:
        """The connection's key, address and wished-for name."""

    @property
    def player(self) -> Player:
        """The player's name and account."""

    @property
    def table_number(self) -> int | None:
        """The number of the table the player is at; None in the lobby."""

    @property
    def is_watching(self) -> bool:
        """Whether the player is at a table without a seat."""

    def hear(self, name: str, line: str, invitation: str = "") -> None:
        """Show what somebody has said. ``invitation``: the line that goes to the table to which they invite."""

    def dismiss(self, farewell: str) -> None:
        """End the session; ``farewell`` says why."""


class LocalVisitor(Visitor, Subscriber, Protocol):
    """A player session in this process."""

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[Presence, ...]) -> None:
        """Tables or people have changed. Players at a table are told only while they have an invitation."""

    @property
    def follows_lobby(self) -> bool:
        """Whether the player is told of that."""

    @property
    def seats_read(self) -> Mapping[int, str]:
        """The names on the player's seats, by table, as they were read last."""

    async def read_seats(self) -> None:
        """Read the names on these seats again: one of these tables was unloaded or has changed."""

    async def read_settings(self) -> None:
        """Read again what the player has chosen."""

    async def come_in_again(self) -> None:
        """Become the player whom the key or the code stands for by now."""

    def be_called(self, name: str) -> None:
        """Have this name at once, so that no other player gets it meanwhile; see `Names`."""

    asks_name: bool
    """Whether the player is asked how they want to be called."""

    @property
    def settings(self) -> Settings:
        """What the player has chosen."""

    def call(self) -> None:
        """Have the player notice that something waits for them."""

    def show_first(self, notice: Notice | None) -> None:
        """Have the player read this before all else from now on; None for nothing."""

    async def be_brought_to(self, table: Table, to: str) -> None:
        """Go to a table at which the player has a seat, from wherever they are. Raises InputError.

        ``to``: where they go, as the players at the table that they leave are told: "the next table".
        """
