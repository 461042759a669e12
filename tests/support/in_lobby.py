"""A session as the lobby knows it, without a front end."""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from server.people.players import Caller, Player
from server.people.settings import Settings
from server.table.snapshot import Listing, Notice, Presence
from server.table.table import Table
from tests.support.tables import Watcher


class InLobby(Watcher):
    """A player in the lobby who remembers what they were told."""

    at_table = is_watching = False
    follows_lobby = True
    table_number = None
    asks_name = False
    settings = Settings()
    seats_read: Mapping[int, str] = MappingProxyType({})

    def __init__(self, player: Player, key: str | None = None) -> None:
        """``key``: the fingerprint that the player has proven."""
        super().__init__()
        self.player, self.caller = player, Caller(key=key)
        self.people: tuple[Presence, ...] = ()

    def lobby_changed(self, _: tuple[Listing, ...], people: tuple[Presence, ...]) -> None:
        """Tables or players have changed."""
        self.people = people

    async def read_seats(self) -> None:
        """The player has none."""

    async def read_settings(self) -> None:
        """The player chooses nothing."""

    async def come_in_again(self) -> None:
        """The player stays who they are."""

    def be_called(self, name: str) -> None:
        """Have this name."""
        self.player = replace(self.player, name=name)

    def call(self) -> None:
        """Of no interest here."""

    def show_first(self, notice: Notice | None) -> None:
        """Of no interest here."""

    async def be_brought_to(self, table: Table, to: str) -> None:
        """Of no interest here."""

    def dismiss(self, farewell: str) -> None:
        """The session is ended."""
        self.lines.append(farewell)
