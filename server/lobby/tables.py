"""The tables that run. A table without players sleeps: it lies in the log, and is loaded when somebody comes.

Several processes may share the log. A table runs where somebody is, and the others list it by its row in the log.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Final, Protocol

import structlog
from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import listed, sentence_case
from server import VERSION
from server.ai.pool import AIPool
from server.config import Config
from server.ledger import Ledger
from server.limits import NEW_TABLES_PER_ADDRESS
from server.lobby.drain import Drain
from server.lobby.listed_tables import ListedTables, seats_may_differ
from server.lobby.peers import Peers
from server.lobby.table_limits import TableLimits
from server.lobby.visitors import Visitors
from server.number_text import read_number
from server.people.names import NamesInUse, looks
from server.people.players import Caller
from server.process.background_tasks import BackgroundTasks, attempt
from server.process.counters import Counters
from server.storage.database import EMPTY, Conflict, Database, NotSaved, OutcomeUnknown, TableChange
from server.table.deadlines import WAKING_SECONDS
from server.table.entries import TableSettings
from server.table.journal import Closed, Journal, cannot_go_on
from server.table.occasion import ANOTHER_GAME, NO_OTHER_GAME, Occasion
from server.table.snapshot import Listing, Subscriber
from server.table.table import Table

CLOSED_AT_ONCE: Final = 4
"""How many tables that are due are loaded at once, to be closed."""
PAUSE_SECONDS: Final = 0.2
"""Seconds between some tables that are due and the next ones."""
AWAITED_SECONDS: Final = 90.0
"""How long tables wait for their people after a start, and after another process was killed."""
LOOK_SECONDS: Final = 0.5
"""How often a process looks for tables that run nowhere."""
READ_SECONDS: Final = 2.0
"""How often the log is read if this process has written to it, or knew others the last time: news may be lost."""
ALONE_SECONDS: Final = 10.0
"""How often the log is read otherwise."""
LONGEST_PAUSE: Final = 0.1
"""Seconds: a read that takes long has waited for a database that was away."""

log = structlog.get_logger("quatch.tables")


class LobbyOfTables(Protocol):
    """What is around the tables: the lobby, which they tell what has changed."""

    config: Config
    store: Database
    wall: Callable[[], float]
    counters: Counters
    ledger: Ledger
    ai_pool: AIPool
    drain: Drain
    peers: Peers
    visitors: Visitors

    def seats_changed(self, table: int) -> None:
        """A table was unloaded, or other people have its seats, or it has fallen asleep or was woken elsewhere."""


class Tables:
    """The open tables, each of which runs in a task of its own, and the seats that players have, also in the log."""

    def __init__(self, lobby: LobbyOfTables, new_seed: Callable[[], str]) -> None:
        """``new_seed`` makes the seeds of deals."""
        self.here: dict[int, Table] = {}
        """The tables that run in this process, by number."""
        self.listed = ListedTables(self.here, lobby.peers)
        """The tables that are awake, whichever process runs them."""
        self.seat_names = NamesInUse()
        """The names on the seats of people and bots, by loaded table."""
        self._lobby = lobby
        self.config, self.ai_pool, self.new_seed = lobby.config, lobby.ai_pool, new_seed
        self.ledger, self.must_allow_games = lobby.ledger, lobby.drain.must_allow_games
        self.elsewhere, self.tell_others = lobby.peers.at, lobby.peers.tell_of_table
        self.background = BackgroundTasks()
        self._awaited_until = 0.0
        """Until when tables that are loaded here wait for their people, in the event loop's time."""
        self._viewers = set[object]()
        """What sees all tables, such as a board. While there is one, this process runs all tables that are awake."""
        self.unreadable: dict[int, str] = {}
        """Why tables cannot go on here, by their numbers. They are tried again when they change."""
        self.limits = TableLimits(lobby.config, lobby.store, self.here, self.listed, lobby.peers)
        self._opening = set[int]()
        """The numbers of tables that are just being opened."""
        self._choosing_number = asyncio.Lock()
        """Held until a number is in `_opening`, or else many who open a table at once would all try the same one."""

    def await_people(self, tables: Collection[int | None] = ()) -> None:
        """Have tables wait for people who were cut off: these, and those that are loaded soon."""
        self._awaited_until = asyncio.get_running_loop().time() + AWAITED_SECONDS
        for number in self.here.keys() & tables:
            self.here[number].runtime.awaited_until = self._awaited_until

    async def close(self) -> None:
        """Stop the tables of this process; the log keeps them."""
        await self.background.stop()

    async def open_table(self, settings: TableSettings, caller: Caller | None = None, player_id: str = "") -> Table:
        """Open a table under the lowest number that is free for long. Raises InputError if it cannot.

        If the player or their address keeps too many, those that would be closed next are closed soon. A table for an
        occasion displaces no other, and without a caller it counts for nobody.
        """
        self.must_allow_games()
        secret = settings.secret if settings.occasion else ""
        settings = replace(settings, secret=secret or self.new_seed(), version=VERSION)
        occasion, opener = settings.occasion or None, caller or Caller()
        try:
            openers = [] if occasion and caller is None else await self._admitted(occasion, opener, player_id)
            journal = await self._begin(settings, openers)
        except (NotSaved, OutcomeUnknown) as error:
            raise _cannot_be_read(error) from None
        self.limits.note(journal.number, opener)
        # `LogFollower` may have found the table while its opener waited for the answer.
        return self.here.get(journal.number) or self._add(journal)

    async def _admitted(self, occasion: Occasion | None, opener: Caller, player_id: str) -> list[str]:
        """What a new table counts for; there is room for it then. Raises InputError, NotSaved."""
        self.ledger.charge(NEW_TABLES_PER_ADDRESS, opener)
        if occasion:
            openers, excess = await self.limits.openers_for(occasion, opener), list[int]()
        else:
            openers = self.limits.openers(opener, player_id)
            in_use = self.limits.running() | self.unreadable.keys()
            excess = await self.limits.excess(openers, in_use, self._lobby.wall() + WAKING_SECONDS)
        await self.limits.make_room(opener)
        for number in excess:
            await self._close_soon(number)
        return openers

    async def bring_up(self, text: str, caller: Caller | None = None) -> Table:
        """The table of this number, loaded and awake. Raises InputError, which says what there is, if there is none.

        No limit holds without a caller: an op who frees a seat opens a table only for a moment.
        """
        number = read_number(text) or 0
        table = self.here.get(number)
        if table is not None and not table.runtime.deserted:
            with suppress(InputError):  # it has just closed
                if not table.runtime.here:
                    await table.wake()
                return table
        runs_elsewhere = number in self.limits.running()
        try:
            if not runs_elsewhere:
                await self._make_room(number, caller)
            table = await self._awakened(number)
        except Closed:
            raise _no_such_table(text, [each for each in self.listings() if not each.private]) from None
        except (NotSaved, OutcomeUnknown) as error:
            raise _cannot_be_read(error) from None
        if caller is not None and not runs_elsewhere:
            self.limits.note(number, caller)
        return table

    async def follow(self, change: TableChange) -> bool:
        """Follow what the log says of a table. Returns False if a table that runs here could not be read on now."""
        self.unreadable.pop(change.table, None)
        table, before = self.here.get(change.table), self.listed.row(change.table)
        self.listed.note(change)
        if table is None:
            if seats_may_differ(before, self.listed.row(change.table)):
                self._lobby.seats_changed(change.table)
            self._lobby.visitors.changed()
        elif not table.knows(change):
            try:
                await table.follow(change)
            except InputError as error:
                log.info("table not read on", table=change.table, problem=error.message)
                return error.code == "closed"
        return True

    async def run_needed(self) -> None:
        """Run the tables that are to run here although nobody comes to them. Raises NotSaved."""
        needed = self.listed if self._viewers else self.listed.forlorn_to_run()
        for number in sorted(needed):
            if self.is_unknown(number):
                await self.load(number)
                await asyncio.sleep(0)  # others get their turn

    def begin_viewing(self, viewer: object) -> None:
        """Run all tables that are awake, since ``viewer`` looks at them."""
        self._viewers.add(viewer)
        self.background.begin(self.run_needed(), "loading tables")

    def end_viewing(self, viewer: object) -> None:
        """Note that ``viewer`` looks at them no more."""
        self._viewers.discard(viewer)
        for table in self.here.values():
            table.inbox.look_again()

    def is_awake(self, number: int) -> bool:
        """Whether a listed table is awake by the log, so that a player who comes need not wake it."""
        table = self.here.get(number)
        return table.runtime.closes_at is None if table else number in self.listed

    def listings(self) -> tuple[Listing, ...]:
        """The tables as the lobby lists them, by number; those at which one plays alone are nobody else's business."""
        here = [table.listing() for table in self.here.values() if not table.is_alone]
        elsewhere = [each for each in self.listed.listings() if each.number not in self.unreadable]
        return tuple(sorted([*here, *elsewhere], key=lambda listing: listing.number))

    def is_unknown(self, number: int) -> bool:
        """Whether the table with this number is neither loaded nor about to be, and has not proved unreadable."""
        return number not in self.here and number not in self.unreadable and number not in self._opening

    def subscribers(self) -> Iterator[tuple[Subscriber, Table, str]]:
        """Who is at the tables of this process: each session, its table, and the id of its player."""
        for table in self.here.values():
            for subscriber, player_id in [*table.broadcaster.player_ids.items()]:
                yield subscriber, table, player_id

    def in_use(self) -> bool:
        """Whether somebody of this node plays, as they may come back to any process, or reads a result known here."""
        peers = self._lobby.peers
        there = {each.table_number for process in peers.of(peers.node) for each in process.people.values()}
        rows = (self.listed.row(number) for number in there if number is not None)
        is_there = any(row and row.listed and row.listed.listing.playing for row in rows)
        return is_there or any(each.is_in_use for at, each in self.here.items() if each.runtime.here or at in there)

    async def close_due(self) -> None:
        """Load the tables that have slept as long as they are kept, a few at a time: so they close. Raises NotSaved."""
        while due := await self._lobby.store.due(self._lobby.wall(), CLOSED_AT_ONCE + len(self.unreadable)):
            loaded = [number for number in due if self.is_unknown(number)]
            for number in loaded:
                await self.load(number, is_due=True)
            if not loaded:
                break
            await asyncio.sleep(PAUSE_SECONDS)

    # The seats of players.

    async def seats_of(self, player_id: str) -> dict[int, str]:
        """The names on the seats of this player, by table; on those at tables that are not loaded, too."""
        try:
            seats = await self._lobby.store.seats_of(player_id)
        except NotSaved:
            seats = []
        return self.seats_now(player_id, dict(seats))

    def seats_now(self, player_id: str, read: Mapping[int, str]) -> dict[int, str]:
        """The names on the seats of this player, by table; at tables that do not run here, as they were ``read``."""
        return self.seat_names.by_holder(player_id) | {
            table: name for table, name in read.items() if table not in self.here
        }

    def first_of(self, seats: Collection[int]) -> int:
        """Returns a table at which others wait for the player, else the first. ``seats``: the tables of their seats."""
        awaited = (number for number in seats if number in self.here and self.here[number].is_awaited)
        return next(awaited, next(iter(seats)))

    async def sleeping_seats(self, player_id: str) -> tuple[int, ...]:
        """The tables at which a seat is kept for this player and which are not listed, since they sleep in the log."""
        return tuple(sorted((await self.seats_of(player_id)).keys() - self.here.keys() - {*self.listed}))

    async def is_free(self, name: str, player_id: str) -> bool:
        """Whether no other player has a seat under a name that looks like this one."""
        with suppress(NotSaved):
            if await self._lobby.store.seat_named(sorted(looks(name)), player_id):
                return False
        return self.seat_names.is_free(name, player_id)

    # How a table is opened, woken and loaded.

    async def _make_room(self, number: int, caller: Caller | None) -> None:
        """Make room for a table that is to be loaded. Raises Closed if there is none, InputError, NotSaved."""
        if self.is_unknown(number):
            (state,) = await self._lobby.store.states([(number,)])
            if state.head == EMPTY:
                raise Closed
        if caller is not None and number not in self.unreadable:
            await self.limits.make_room(caller)

    async def _begin(self, settings: TableSettings, openers: list[str]) -> Journal:
        """Write the begin of a table under a free number. Raises InputError, NotSaved, OutcomeUnknown."""
        while True:
            async with self._choosing_number:
                number = await self._lobby.store.free_number(max(self._opening, default=0))
                self._opening.add(number)
            try:
                return await Journal.begin(
                    self._lobby.store, number, settings, self._lobby.wall, self._lobby.counters, openers
                )
            except Conflict:
                continue
            finally:
                self._opening.discard(number)

    async def _close_soon(self, number: int) -> None:
        """Have a table close soon, unless somebody has just come or it has closed. Raises InputError, NotSaved."""
        try:
            if (table := self.here.get(number) or await self.load(number)) is not None:
                await table.close_soon()
        except InputError as error:
            if error.code not in {"stale", "closed"}:
                raise

    async def _awakened(self, number: int) -> Table:
        """A table, loaded, and awake in the log. Raises Closed, InputError, NotSaved, OutcomeUnknown."""
        while True:
            if number in self.unreadable:
                raise InputError("cannot_go_on", self.unreadable[number])
            table = self.here.get(number)
            if table is None:
                try:
                    await self._lobby.store.wake(number)
                except Conflict:
                    raise Closed from None
                table = await self.load(number)
            try:
                if table is not None:
                    await table.wake()
                    return table
            except InputError as error:
                if error.code != "closed":
                    raise  # if it has just been unloaded it is loaded again

    async def load(self, number: int, *, is_due: bool = False) -> Table | None:
        """Load a table; None if it has closed or cannot be read. Raises NotSaved."""
        try:
            journal = await Journal.load(self._lobby.store, number, self._lobby.wall, self._lobby.counters)
        except Closed:
            return None
        except NotSaved:
            raise
        except Exception as error:
            # A table that cannot be read must not keep the others from being played.
            is_known = isinstance(error, ValueError)
            reason = str(error) if is_known else "an error of the server, which is logged"
            self.unreadable[number] = cannot_go_on(number, reason)
            log.exception("table cannot go on here", table=number, problem=reason, exc_info=not is_known)
            return None
        table = self.here.get(number) or self._add(journal, is_due=is_due)
        table.runtime.awaited_until = self._awaited_until
        table.broadcaster.note_players(table.runtime.elsewhere, asyncio.get_running_loop().time())
        return table

    def _add(self, journal: Journal, *, is_due: bool = False) -> Table:
        table = Table(journal, self, is_due=is_due)
        self.here[table.number] = table
        table.runtime.next = NO_OTHER_GAME if self._lobby.drain.is_active else ANOTHER_GAME
        self._lobby.peers.loaded(table.number)
        self.table_changed(table.number)
        self.background.begin(self._run(table), f"table {table.number}")
        return table

    async def _run(self, table: Table) -> None:
        """Run a table."""
        try:
            await table.run()
        finally:
            if self.here.get(table.number) is table:
                del self.here[table.number]
                self.limits.forget(table.number)
                self._lobby.seats_changed(table.number)
            self.table_changed(table.number)

    # What a table tells and asks; see `own_work.AroundTable`.

    def table_changed(self, number: int) -> None:
        """Note that a table was loaded or unloaded, or that its listing has changed."""
        table = self.here.get(number)
        self.seat_names.put(number, table.names() if table is not None else {})
        self._lobby.visitors.changed()

    def is_a_persons_name(self, name: str) -> bool:
        """Whether a person who is here, or has a seat at a table that is awake, has a name that looks like this one."""
        return not all(
            names.is_free(name, "") for names in (self._lobby.visitors.names_in_use, self.seat_names, self.listed.names)
        )

    def are_looked_at(self) -> bool:
        """Whether somebody here sees all tables."""
        return bool(self._viewers)


def _cannot_be_read(error: Exception) -> InputError:
    return InputError("not_saved", f"the tables cannot be read or written now ({error}): try again in a moment")


def _no_such_table(text: str, tables: Sequence[Listing]) -> InputError:
    """The error for the player's text, if the lobby lists these tables."""
    there = f"type tables to see all {len(tables)}" if tables else "none is open to all; new opens one"
    if len(tables) == 1:
        people = listed([each.name for each in tables[0].sitters if each and not each.is_ai], "and")
        there = f"the only one is table {tables[0].number} ({people})"
    which = f"no table {text[:20]!r} is open now: {there}" if text else f"which table? {sentence_case(there)}"
    return InputError("no_such_table", which)


class LogFollower:
    """Follows the logs of all tables, which other processes open, change, put to sleep, wake and close.

    It has the tables that run in this process read on, and the others listed as they are by then.
    """

    def __init__(self, store: Database, tables: Tables, peers: Peers) -> None:
        self.news = asyncio.Event()
        """Set when something may have been written since, here or elsewhere."""
        self._store = store
        self._tables = tables
        self._peers = peers
        self._log_changed = asyncio.Event()
        self._place: str | None = None
        """The place in the log up to which all changes of tables were noted; None before the first."""
        self._reading = asyncio.Lock()

    def open(self) -> None:
        """Hear of changes."""
        self._store.tell_of_change = self._log_changed.set
        self._tables.await_people()
        self.read_soon()

    def read_soon(self) -> None:
        """Have `run` read the log, as it would on hearing of a change."""
        self._log_changed.set()

    def close(self) -> None:
        """Hear no more of changes."""
        self._store.tell_of_change = lambda: None

    async def run(self) -> None:
        """Read the log when it may have changed, and run the tables that run nowhere.

        After each time it pauses for as long as that took: the more others write, the more is read at once.
        """
        now = asyncio.get_running_loop().time
        written, read_at, had_others = -1, -inf, False
        while True:
            began = now()
            is_changed = written != self._store.written or had_others or bool(self._peers.others)
            if self._log_changed.is_set() or began - read_at >= (READ_SECONDS if is_changed else ALONE_SECONDS):
                self._log_changed.clear()
                written, read_at, had_others = self._store.written, began, bool(self._peers.others)
                await attempt(self.read(), "reading what was written")
                self.news.set()
                await asyncio.sleep(min(now() - began, LONGEST_PAUSE))
            else:
                await attempt(self._tables.run_needed(), "running tables that run nowhere")
            with suppress(TimeoutError):
                some_run_elsewhere = any(number not in self._tables.here for number in self._tables.listed)
                async with asyncio.timeout(LOOK_SECONDS if some_run_elsewhere else READ_SECONDS):
                    await self._log_changed.wait()

    async def read(self) -> None:
        """Read what has changed since the last time, and run the tables that are to run here. Raises NotSaved."""
        async with self._reading:
            if self._place is None:
                place = await self._store.place()
                changes = await self._store.states([(number,) for number in await self._store.awake()])
            else:
                changes, place = await self._store.changes(self._place, self._tables.listed)
            if all(await asyncio.gather(*map(self._tables.follow, changes))):
                self._place = place  # otherwise they are read again
            await self._tables.run_needed()
