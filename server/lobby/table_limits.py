"""How many tables an address and a player may run and keep, so that nobody can use them all up.

While there are free tables an address may run some of them. If none is free, a player from an address that runs none
still gets one: a table of the address that runs the most of them gives way.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

from engine.errors import InputError
from server.addresses import AddressSet, network_of
from server.config import Config
from server.limits import TABLES, TABLES_PER_CONNECTION, TABLES_PER_PLAYER
from server.people.players import Caller
from server.storage.table_log import TableLog

PART_OF_FREE: Final = 16
"""An address may run one in so many of the tables that are still free: it takes seventy addresses to run all."""
IDLE_SECONDS: Final = 300.0
"""If no address runs more than one table, one gives way at which nothing has happened for so long."""


class TableLimits:
    """Which address runs which table, and what each may still open.

    Tables run while somebody is present, and count for the address that opened or woke them. Tables that are asleep
    count for the address and the player who opened them; the log keeps that, so a restart does not change it.
    """

    def __init__(self, config: Config, store: TableLog) -> None:
        self._store = store
        self._most = TABLES_PER_CONNECTION * config.per_address
        self._unlimited = AddressSet((*config.exempt, *config.proxies))
        self._run_by: dict[int, str] = {}
        """By table: the address that has opened or woken it here."""

    def note(self, table: int, caller: Caller) -> None:
        """Note that a caller has opened or woken a table."""
        self._run_by[table] = self._address(caller)

    def forget(self, table: int) -> None:
        """Note that a table was unloaded or has closed."""
        self._run_by.pop(table, None)

    def openers(self, caller: Caller, player_id: str) -> list[str]:
        """What a new table counts for."""
        return [opener for opener in (self._address(caller), player_id and f"player {player_id}") if opener]

    def must_admit(self, caller: Caller, running: Collection[int]) -> None:
        """Raises InputError if the caller may not have one more table run; ``running`` are those that do."""
        free, by_address = TABLES - len(running), self._run_from(self._address(caller), running)
        if free <= 0 or (by_address and by_address * PART_OF_FREE >= free):
            raise InputError("too_many", "too many tables are in use: sit down at one of them, or come later")
        if by_address >= self._most:
            raise InputError("too_many", f"{self._most} tables are in use from your address: sit down at one of them")

    def giving_way(self, caller: Caller, changed_at: Mapping[int, float], now: float) -> int | None:
        """The table that gives way to a caller if all tables are in use; None if no table should.

        ``changed_at``: when something last happened at each table that can give way, in the same seconds as ``now``.
        """
        if self._run_from(address := self._address(caller), changed_at) or not address:
            return None
        by_address = Counter(self._run_by[table] for table in changed_at if self._run_by.get(table))
        most = max(by_address.values(), default=0)
        found = [table for table in changed_at if most > 1 and by_address[self._run_by.get(table, "")] == most]
        found = found or [table for table, changed in changed_at.items() if now - changed >= IDLE_SECONDS]
        return min(found, key=lambda table: changed_at[table], default=None)

    async def excess(self, openers: Collection[str], in_use: Collection[int]) -> list[int]:
        """The tables to be closed before these may open one more, if they have too many: those that are due first.

        Raises InputError if somebody is present at all of them; NotSaved.
        """
        closing = list[int]()
        for opener in openers:
            most = TABLES_PER_PLAYER if opener.startswith("player ") else self._most
            opened = [each for each in await self._store.opened_by(opener) if each[0] not in closing]
            too_many = len(opened) - most + 1
            # An empty table that is still awake has just been left, so it would be closed last.
            empty = sorted((due is None, due or 0.0, table) for table, due in opened if table not in in_use)
            if too_many > len(empty):
                who = "you have" if opener.startswith("player ") else "your address has"
                raise InputError("too_many", f"{who} opened {most} tables: sit down at one of them, or leave one")
            closing += [table for _, _, table in empty[: max(0, too_many)]]
        return closing

    def _run_from(self, address: str, running: Collection[int]) -> int:
        """How many of these tables an address runs; none if it has no limit."""
        return sum(self._run_by.get(table) == address for table in running) if address else 0

    def _address(self, caller: Caller) -> str:
        """What a caller's address counts as; empty if it has no limit."""
        if caller.address is None or caller.address in self._unlimited:
            return ""
        return f"address {network_of(caller.address)}"
