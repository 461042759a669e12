"""All tables of this process: those opened here, and those found in the log, which other processes write, too."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Final

import structlog
from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import listed
from server.addresses import AddressSet, network_of
from server.ai.pool import AIPool
from server.config import Config
from server.fair_queue import PAYER
from server.limits import TABLES, TABLES_PER_CONNECTION
from server.lobby.drain import Drain
from server.lobby.other_processes import OtherProcesses
from server.numbers import read_number
from server.ops.background_tasks import BackgroundTasks, attempt
from server.ops.metrics import Metrics
from server.people.names import NamesInUse
from server.people.players import Caller
from server.storage.table_log import Conflict, NotSaved, TableLog
from server.table.entries import TableSettings
from server.table.journal import Closed, Journal
from server.table.snapshot import Listing
from server.table.table import Table
from server.table.table_task import TableTask
from server.table.unreadable import UnreadableTable
from server.version import VERSION

LOOK_SECONDS: Final = 2.0
"""How often the log is read even if it does not say that it has changed."""

log = structlog.get_logger("quatch.tables")


class Tables:
    """The open tables. Each runs in a task of its own."""

    def __init__(
        self,
        config: Config,
        store: TableLog,
        drain: Drain,
        new_seed: Callable[[], str],
        wall: Callable[[], float],
        metrics: Metrics,
        changed: Callable[[], None],
    ) -> None:
        """Call `open` next. ``changed`` is called when a table opens or closes, or when its listing changes."""
        self.here: dict[int, Table] = {}
        self._config = config
        self._store = store
        self._drain = drain
        self._new_seed = new_seed
        self._wall = wall
        self._metrics = metrics
        self._changed = changed
        self.ai_pool = AIPool(config.workers, metrics)
        self.background = BackgroundTasks()
        self._log_changed = asyncio.Event()
        self._elsewhere = OtherProcesses(store)
        self._unreadable: dict[int, UnreadableTable] = {}
        """By their numbers."""
        self._unlimited = AddressSet((*config.exempt, *config.proxies))
        self._opened_from: dict[int, object] = {}
        """The network from which each table was opened here."""
        self.seat_names = NamesInUse()
        """The names on the seats of people and bots, by table."""

    async def open(self) -> None:
        """Load every table in the log, and follow the log. Raises NotSaved if it cannot be read."""
        await self._elsewhere.load()
        await self.read_log()
        self._store.changed = self._log_changed.set
        self.background.begin(self._follow_log(), "reading what others write")
        self.background.begin(self._keep_exchanging_players(), "telling others who is here")

    async def close(self) -> None:
        """Stop the tables of this process; the log keeps them."""
        self._store.changed = lambda: None
        await self.background.stop()
        await self.ai_pool.close()

    async def begin(self, settings: TableSettings, caller: Caller = Caller()) -> Table:  # noqa: B008 - never changed
        """Open a table under the lowest free number. Raises InputError if that is not possible."""
        self._drain.refuse_if_active()
        if len(self.here) >= TABLES:
            raise InputError("too_many", f"there are {TABLES} tables already: sit down at one of them")
        network = self._counted_network(caller)
        settings = replace(settings, secret=self._new_seed(), version=VERSION)
        for number in count(1):
            if number in self.here:
                continue
            try:
                journal = await Journal.begin(self._store, number, settings, self._wall, self._metrics)
            except Conflict:
                continue
            if network is not None:
                self._opened_from[number] = network
            # `read_log` may have found the table while its opener waited for the answer.
            return self.here.get(number) or self._add(journal)
        raise AssertionError("numbers never end")

    def find(self, text: str) -> Table:
        """The table of this number. Raises InputError if it cannot go on, or with all numbers if there is none."""
        number = read_number(text) or 0
        table = self.here.get(number)
        if number in self._unreadable:
            raise InputError("cannot_go_on", self._unreadable[number].message)
        if table is None:
            numbers = listed([str(number) for number in sorted(self.here)], "and")
            there = f"there are tables {numbers}" if len(self.here) > 1 else f"the only one is table {numbers}"
            there = there if self.here else "type new to open one"
            raise InputError("no_such_table", f"no table {text[:20]!r}: {there}" if text else f"which table? {there}")
        return table

    def with_seat_of(self, player_id: str) -> list[Table]:
        """The tables at which this player has a seat."""
        return [table for table in self.here.values() if table.seat_name(player_id) is not None]

    def refuse_if_unreadable(self, player_id: str) -> None:
        """Raises InputError if this player has a seat at a table that cannot go on here."""
        for table in self._unreadable.values():
            if player_id in table.player_ids:
                raise InputError("cannot_go_on", table.message)

    def listings(self) -> tuple[Listing, ...]:
        """The tables as the lobby lists them, by number."""
        return tuple(table.listing() for _, table in sorted(self.here.items()))

    def in_use(self) -> bool:
        """Whether somebody is present at a table where a game is going on."""
        return any(table.present() and table.listing().playing for table in self.here.values())

    async def read_log(self) -> None:
        """Read which tables other processes have opened, changed or closed."""
        heads = await self._store.heads()
        self._unreadable = {number: each for number, each in self._unreadable.items() if heads.get(number) == each.head}
        for number, head in heads.items():
            if number not in self.here:
                if number not in self._unreadable:
                    await self._load(number)
            elif self.here[number].head != head:
                await self._catch_up(self.here[number])
        for table in [table for number, table in self.here.items() if number not in heads]:
            await self._catch_up(table)

    def _counted_network(self, caller: Caller) -> object:
        """The network that a table counts for; None if it has no limit. Raises InputError if it has enough tables.

        Without this, somebody who comes again and again under new names could take all tables.
        """
        if caller.address is None or caller.address in self._unlimited:
            return None
        network, most = network_of(caller.address), TABLES_PER_CONNECTION * self._config.per_address
        if list(self._opened_from.values()).count(network) >= most:
            raise InputError("too_many", f"{most} tables were opened from your address: sit down at one of them")
        return network

    def _add(self, journal: Journal) -> Table:
        elsewhere = self._elsewhere.at(journal.number)
        changed = partial(self._table_changed, journal.number)
        task = TableTask(journal, self._config, changed, self._new_seed, elsewhere, self.ai_pool)
        table = Table(task, self._drain.refuse_if_active)
        self.here[table.number] = table
        self.seat_names.put(table.number, table.names())
        self.background.begin(self._run(table), f"table {table.number}")
        return table

    async def _run(self, table: Table) -> None:
        """Run a table. Its own work, such as moves of AI players, is charged to the session that has opened it."""
        try:
            await PAYER.get().run(table.run())
        finally:
            if self.here.get(table.number) is table:
                del self.here[table.number]
                self._opened_from.pop(table.number, None)
            self._table_changed(table.number)

    def _table_changed(self, number: int) -> None:
        table = self.here.get(number)
        self.seat_names.put(number, table.names() if table is not None else {})
        self._changed()

    async def _follow_log(self) -> None:
        """Read the log when it says that it has changed, and every few seconds, since that message may be lost."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._log_changed.wait()
            self._log_changed.clear()
            await attempt(self.read_log(), "reading what others wrote")

    async def _keep_exchanging_players(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await attempt(self._exchange_players(), "telling others who is here")

    async def _exchange_players(self) -> None:
        """Tell the other processes which players are at which table here, and read what they say."""
        here = {table.number: table.present() for table in self.here.values()}
        await self._elsewhere.tell({number: ids for number, ids in here.items() if ids})
        await self._elsewhere.load()
        for table in list(self.here.values()):
            if (elsewhere := self._elsewhere.at(table.number)) != table.task.runtime.elsewhere:
                with suppress(InputError):  # it has just closed
                    await table.set_elsewhere(elsewhere)

    async def _load(self, number: int) -> None:
        try:
            journal = await Journal.load(self._store, number, self._wall, self._metrics)
            if number not in self.here:
                self._add(journal)
                self._changed()
        except Closed:
            pass
        except NotSaved:
            raise
        except Exception as error:
            # A table that cannot be read must not keep the others from being played.
            is_known = isinstance(error, ValueError)
            reason = str(error) if is_known else "an error of the server, which is logged"
            if entries := await self._store.read(number):
                self._unreadable[number] = UnreadableTable.of(entries, reason)
            told = "table cannot go on here; it stays in the log"
            log.exception(told, table=number, problem=reason, exc_info=not is_known)

    async def _catch_up(self, table: Table) -> None:
        try:
            await table.catch_up()
        except InputError as error:
            log.info("table not read on", table=table.number, problem=error.message)
