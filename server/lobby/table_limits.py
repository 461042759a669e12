"""How many tables an address and a player may run and keep, so that nobody can use them all up."""

from collections.abc import Collection
from typing import Final

from engine.errors import InputError
from server.addresses import AddressSet, network_of
from server.config import Config
from server.limits import TABLES, TABLES_PER_CONNECTION, TABLES_PER_PLAYER
from server.people.players import Caller
from server.storage.table_log import TableLog

PART_OF_FREE: Final = 16
"""An address may run one in so many of the tables that are still free: it takes seventy addresses to run all."""


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
        free, address = TABLES - len(running), self._address(caller)
        by_address = sum(self._run_by.get(table) == address for table in running) if address else 0
        if free <= 0 or (by_address and by_address * PART_OF_FREE >= free):
            raise InputError("too_many", f"{len(running)} tables are in use: sit down at one of them, or come later")
        if by_address >= self._most:
            raise InputError("too_many", f"{self._most} tables are in use from your address: sit down at one of them")

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
                raise InputError("too_many", f"you have opened {most} tables: sit down at one of them, or leave one")
            closing += [table for _, _, table in empty[: max(0, too_many)]]
        return closing

    def _address(self, caller: Caller) -> str:
        """What a caller's address counts as; empty if it has no limit."""
        if caller.address is None or caller.address in self._unlimited:
            return ""
        return f"address {network_of(caller.address)}"
