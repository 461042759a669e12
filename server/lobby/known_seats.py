"""Which seats a player has, and under which names: at tables that are loaded, and at those that lie in the log."""

from collections.abc import Collection, Mapping
from contextlib import suppress

from server.lobby.listed_tables import ListedTables
from server.lobby.peers import Peers
from server.people.names import NamesInUse, looks
from server.storage.table_log import NotSaved, TableLog
from server.table.table import Table


class KnownSeats:
    """The seats at the tables of one server, those known here and those in the log."""

    def __init__(self, store: TableLog, peers: Peers) -> None:
        self.here: dict[int, Table] = {}
        """The tables that run in this process, by number."""
        self.seat_names = NamesInUse()
        """The names on the seats of people and bots, by loaded table."""
        self.listed = ListedTables(self.here, peers)
        """The tables that are awake, whichever process runs them."""
        self._store = store

    async def seats_of(self, player_id: str) -> dict[int, str]:
        """The names on the seats of this player, by table; on those at tables that are not loaded, too."""
        try:
            seats = await self._store.seats_of(player_id)
        except NotSaved:
            seats = []
        return self.seats_now(player_id, dict(seats))

    def seats_now(self, player_id: str, read: Mapping[int, str]) -> dict[int, str]:
        """The names on the seats of this player, by table; at tables that do not run here, as they were ``read``."""
        return self.seat_names.by_holder(player_id) | {
            table: name for table, name in read.items() if table not in self.here
        }

    def first_of(self, seats: Collection[int]) -> int:
        """Of the tables at which a player has a seat one at which others wait for them, else the first."""
        awaited = (number for number in seats if number in self.here and self.here[number].is_awaited)
        return next(awaited, next(iter(seats)))

    async def sleeping_seats(self, player_id: str) -> tuple[int, ...]:
        """The tables at which a seat is kept for this player and which are not listed, since they sleep in the log."""
        return tuple(sorted((await self.seats_of(player_id)).keys() - self.here.keys() - {*self.listed}))

    async def is_free(self, name: str, player_id: str) -> bool:
        """Whether no other player has a seat under a name that looks like this one."""
        with suppress(NotSaved):
            if await self._store.is_seat_name(sorted(looks(name)), player_id):
                return False
        return self.seat_names.is_free(name, player_id)

    async def kept_seat(self, player_id: str) -> tuple[int, str] | None:
        """The number of the table that keeps a seat for this player, and the name on it; None if there is none."""
        return next(iter((await self.seats_of(player_id)).items()), None)
