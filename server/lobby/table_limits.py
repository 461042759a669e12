"""How many tables an address and a player may run and keep, so that nobody can use them all up.

While there are free tables an address may run some of them. If none is free, a player from an address that runs none
still gets one: a table of the address that runs the most of them gives way; if no address runs two, a table at which
nothing has happened for five minutes.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Final

import structlog

from engine.errors import InputError
from server.addresses import share_of
from server.bounded_dict import make_room
from server.config import Config
from server.limits import ADDRESSES_REMEMBERED, TABLES, TABLES_OF_OCCASION, TABLES_PER_CONNECTION, TABLES_PER_PLAYER
from server.lobby.listed_tables import ListedTables
from server.lobby.peers import Message, PayerName, Peers
from server.people.players import Caller
from server.storage.database import Database
from server.table.occasion import Occasion
from server.table.table import Table

PART_OF_FREE: Final = 16
"""An address may run at most a sixteenth of the tables that are still free: it takes 66 addresses to run all."""
IDLE_SECONDS: Final = 300.0
"""If no address runs two tables, one gives way at which nothing has happened for so long."""

log = structlog.get_logger("quatch.tables")


class TableRuns(Message, frozen=True, tag="runs"):
    """A table was opened or woken in another process, and counts for this address, or for none if it is empty."""

    table: int
    address: PayerName


class TableLimits:
    """Which address runs which table, and what each may still open.

    Tables run while somebody is present, and count for the address that opened or woke them, in all processes together.
    Tables that are asleep count for the address and the player who opened them; the log keeps that, so a restart does
    not change it.
    """

    def __init__(
        self, config: Config, store: Database, here: Mapping[int, Table], listed: ListedTables, peers: Peers
    ) -> None:
        """``here``: the tables that run in this process, by number. ``listed``: those that are awake."""
        peers.on(TableRuns, lambda _, told: self._note(told.table, told.address))
        self._peers = peers
        self._store = store
        self._here = here
        self._listed = listed
        self._connections = config.per_address
        self._per_address = TABLES_PER_CONNECTION.share * config.per_address
        self._spared = config.spared
        self.tables = TABLES.share
        """How many tables may run."""
        self.part_of_free = PART_OF_FREE
        """An address may run at most 1/`part_of_free` of the tables that are still free."""
        self.per_player = TABLES_PER_PLAYER.share
        """How many tables a player may have opened."""
        self._run_by: dict[int, str] = {}
        """By table: the address that has opened or woken it."""

    def note(self, table: int, caller: Caller) -> None:
        """Note that a caller has opened or woken a table here."""
        address = self._address(caller)
        self._note(table, address)
        # Others are told even if it counts for nobody: they may count the last table of this number for an address.
        self._peers.tell(TableRuns(table, address))

    def tell_all(self) -> None:
        """Tell the other processes, one of which has just begun, whom the tables here count for."""
        for table in self._run_by.keys() & self._here.keys():
            self._peers.tell(TableRuns(table, self._run_by[table]))

    def _note(self, table: int, address: str) -> None:
        make_room(self._run_by, ADDRESSES_REMEMBERED)
        self._run_by[table] = address

    def forget(self, table: int) -> None:
        """Note that a table was unloaded or has closed."""
        self._run_by.pop(table, None)

    def openers(self, caller: Caller, player_id: str) -> list[str]:
        """What a new table counts for."""
        return [opener for opener in (self._address(caller), player_id and f"player {player_id}") if opener]

    async def openers_for(self, occasion: Occasion, caller: Caller) -> list[str]:
        """What a table for an occasion counts for. Raises InputError if its address has too many, NotSaved."""
        if not (address := self._address(caller)):
            return []
        opener = f"{occasion.kind} {address}"
        if len(await self._store.opened_by(opener)) >= TABLES_OF_OCCASION.share * self._connections:
            raise TABLES_OF_OCCASION.refuse(what=occasion.name)
        return [opener]

    async def make_room(self, caller: Caller) -> None:
        """Make room in memory for one more table. Raises InputError if the caller may not have it run."""
        if len(self.running()) >= self.tables and (table := self._giving_way(caller)) is not None:
            log.info("table gives way", table=table.number)
            with suppress(InputError):  # it is not saved, or has just closed
                await table.give_way()
        self.must_admit(caller, self.running())
        if len(self._here) >= self.tables:
            deserted = (table for table in self._here.values() if table.runtime.deserted)
            with suppress(InputError):  # somebody has just come
                await min(deserted, key=lambda table: table.runtime.empty_since).unload()

    def running(self) -> set[int]:
        """The tables at which somebody is present."""
        return {number for number, table in self._here.items() if not table.runtime.deserted} | self._listed.running()

    def must_admit(self, caller: Caller, running: Collection[int]) -> None:
        """Raises InputError if the caller may not have one more table run; ``running`` are those that do."""
        free, by_address = self.tables - len(running), self._run_from(self._address(caller), running)
        if free <= 0 or (by_address and by_address * self.part_of_free >= free):
            raise TABLES.refuse()
        if by_address >= self._per_address:
            raise TABLES_PER_CONNECTION.refuse(most=self._per_address)

    async def excess(self, openers: Collection[str], in_use: Collection[int], closing_by: float) -> list[int]:
        """The tables to be closed before these may open one more, if they have too many: those that are due first.

        Tables ``in_use`` cannot be closed, and those that are due by the time ``closing_by``, in seconds since 1970, do
        not count any more. Raises InputError if too few others are left; NotSaved.
        """
        closing = list[int]()
        for opener in openers:
            of_player = opener.startswith("player ")
            most = self.per_player if of_player else self._per_address
            opened = [
                (table, due)
                for table, due in await self._store.opened_by(opener)
                if table not in closing and (due is None or due > closing_by)
            ]
            too_many = len(opened) - most + 1
            # An empty table that is still awake has just been left, so it would be closed last.
            empty = sorted((due is None, due or 0.0, table) for table, due in opened if table not in in_use)
            if too_many > len(empty):
                raise (TABLES_PER_PLAYER if of_player else TABLES_PER_CONNECTION).refuse(most=most)
            closing += [table for _, _, table in empty[: max(0, too_many)]]
        return closing

    def _giving_way(self, caller: Caller) -> Table | None:
        """The table that gives way to a caller if all tables are in use; None if no table should.

        A table between games comes first: a player who does not return to a running game loses it.
        """
        address, now = self._address(caller), asyncio.get_running_loop().time()
        if not address or self._run_from(address, self.running()):
            return None
        present = ((number, table, table.runtime) for number, table in self._here.items())
        tables = {number: table for number, table, state in present if state.here and not state.elsewhere}
        by_address = Counter(self._run_by[number] for number in self.running() if self._run_by.get(number))
        most = max((by_address[self._run_by.get(number, "")] for number in tables), default=0)
        found = [table for n, table in tables.items() if most > 1 and by_address[self._run_by.get(n, "")] == most]
        found = found or [table for table in tables.values() if now - table.runtime.changed_at >= IDLE_SECONDS]
        return min(found, key=lambda table: (table.playing, table.runtime.changed_at), default=None)

    def _run_from(self, address: str, running: Collection[int]) -> int:
        """How many of these tables an address runs; none if it is spared."""
        return sum(self._run_by.get(table) == address for table in running) if address else 0

    def _address(self, caller: Caller) -> str:
        """What a caller's address counts as; empty if it is spared."""
        if caller.address is None or caller.address in self._spared:
            return ""
        return f"address {share_of(caller.address)}"
