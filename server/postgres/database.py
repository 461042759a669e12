"""The engine that keeps everything in PostgreSQL: reading, writing in groups, and waiting while the database is away.

Nearly all writes are moves. Those of one process that wait together are one transaction and one way to the database and
back; processes do not wait for each other. All other writes of all processes take turns under a lock: so the numbers of
texts and games grow in the order of the commits, and a reader that has read up to a number has missed nothing.
"""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final, Generic, Self, TypeVar, cast

import asyncpg
from asyncpg import Connection

from server.postgres.bell import PATIENCE, RETRY_SECONDS, PostgresBell
from server.postgres.errors import UnknownHost, in_one_line, is_fault, is_lost, is_read_only, is_uncertain, named_errors
from server.postgres.url import DatabaseUrl
from server.storage import sql
from server.storage.database import Conflict, Database, Move, NotSaved, OutcomeUnknown, TableChange, Value, Write
from server.storage.pending import Pending, settle

SCHEMA: Final = "quatch"
"""The PostgreSQL schema that holds all our tables, so that the database may hold others, too."""
FORM: Final = 1
"""The version of our tables; a database with another one is not opened."""
FOREIGN: Final = f"its schema {SCHEMA} was made by another program, and cannot be read; use another database"
NEWER: Final = "the database was written by a newer version of this program; use that one"
CONNECT_SECONDS: Final = 3.0
"""How long each host may take to answer, so that the next one is tried."""
LAST_SECONDS: Final = 0.5
"""How long closing waits until the others have been told what waits."""
STATEMENT_SECONDS: Final = 5.0
"""How long a statement may take; after that the database counts as away."""
RENUMBER_SECONDS: Final = 3600.0
"""How long a large database that was restored elsewhere may take to be opened."""
SETTINGS: Final = {
    "application_name": "quatch",
    "search_path": SCHEMA,
    # Every statement finds its rows by an index. To plan one anew for its arguments takes longer than to run it.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "jit": "off",
    # A process that is frozen in a transaction loses its locks, for which the others wait.
    "idle_in_transaction_session_timeout": "3s",
}
READERS: Final = 3
WRITERS: Final = 2
"""The connections of a process; the bell has one more."""
OLDEST_VERSION: Final = 15
ENCODINGS: Final = frozenset({"UTF8", "SQL_ASCII"})
"""The encodings of databases that keep every name and every line as they are."""
HAS_TABLES: Final = "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace($1))"
FORGET_OTHER_NUMBERS: Final = """
    UPDATE entry SET change = '3' WHERE change >= pg_snapshot_xmax(pg_current_snapshot());
    UPDATE game_table SET change = '3' WHERE change >= pg_snapshot_xmax(pg_current_snapshot())
"""
"""A database that was restored elsewhere has numbers of transactions that this PostgreSQL has yet to give out."""
WRITES_LOCK: Final = 0x51_75_61_74_63_69
"""The advisory lock under which the tables are made, and everything but moves is written."""
LOCK_TABLES: Final = "SELECT FROM game_table WHERE table_id = ANY ($1) ORDER BY table_id FOR NO KEY UPDATE"
"""In the order of the tables, as moves are appended, so that no two processes wait for each other in a circle."""
POSTGRES: Final = sql.Dialect(
    {
        "integer": "bigint",
        "real": "double precision",
        "text": 'text COLLATE "C"',
        "bytes": "bytea",
        "empty": "''::bytea",
        "strict": "",
        "keyed": "",
        "change": "xid8",
        "entry_key": "NOT NULL",
        "next": "pg_current_xact_id()",
        "place": "pg_current_snapshot()::text",
        "unseen": "change >= pg_snapshot_xmin($1::text::pg_snapshot)"
        " AND NOT pg_visible_in_snapshot(change, $1::text::pg_snapshot)",
        "greatest": "greatest",
        "age": "(pg_snapshot_xmax(pg_current_snapshot())::text::bigint - change::text::bigint)",
        "kept_as_it_is": "pg_visible_in_snapshot(change, pg_current_snapshot())",
        "lock": "FOR SHARE",
    }
)
"""A change has the number of its transaction: what a reader has seen is a snapshot, not a number.

Transactions take their numbers before they commit, so that one with a lower number may be committed later.
"""
APPEND: Final = f"{POSTGRES[sql.APPEND]} RETURNING $8::bigint"
"""Returns the place of the move in its group."""
SIZE: Final = """
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
    WHERE relnamespace = to_regnamespace('quatch') AND relkind = 'r'
"""
IS_USED: Final = """
    SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1)
"""

Q = TypeVar("Q")


class Grouped(Generic[Q]):
    """Writes that are carried out in groups, each in one transaction: what arrives meanwhile goes into the next one."""

    def __init__(self, carry_out: Callable[[list[Q]], Awaitable[Sequence[bool | Exception]]]) -> None:
        """``carry_out`` returns for each call its result, or what it raises. What it raises itself is a bug in one."""
        self._carry_out = carry_out
        self._waiting: list[tuple[Q, Pending[bool]]] = []
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, call: Q) -> bool:
        """Return the result of this call when its group was carried out, or raise its error."""
        answer: Pending[bool] = Pending(loop=asyncio.get_running_loop())
        self._waiting.append((call, answer))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await answer

    async def finish(self) -> None:
        """Wait until nothing waits."""
        if self._running is not None:
            await asyncio.wait([self._running])

    async def _run(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            settle([answer for _, answer in group], await self._outcomes([call for call, _ in group]))
        self._running = None

    async def _outcomes(self, calls: list[Q]) -> Sequence[bool | Exception]:
        """The result or the error of each call. A bug in one of them affects no other."""
        try:
            return await self._carry_out(calls)
        except Exception as error:  # noqa: BLE001 - goes to the caller
            return [error] if len(calls) == 1 else [(await self._outcomes([call]))[0] for call in calls]


class PostgresDatabase(Database):
    """A `Database` in PostgreSQL, which many processes may share. While it is closed, every call raises NotSaved."""

    def __init__(
        self,
        url: DatabaseUrl,
        *,
        statement_seconds: float = STATEMENT_SECONDS,
        application: str = SETTINGS["application_name"],
        wall: Callable[[], float] = time.time,
    ) -> None:
        """``application`` names this process there; ``wall`` is this machine's clock, in seconds since 1970."""
        super().__init__()
        self.name = str(url)
        self.how_to_copy = f"the database is PostgreSQL: use pg_dump --format=custom --file=FILE {self.name}"
        self._url = url
        self._arguments: dict[str, Any] = {
            "dsn": url.text,
            "target_session_attrs": "read-write",
            "timeout": CONNECT_SECONDS,
            "command_timeout": statement_seconds,
            "server_settings": SETTINGS | {"application_name": application},
        }
        self._hosts = [{"host": host, "port": port} for host, port in zip(url.hosts, url.ports, strict=True)] or [{}]
        """In the order in which they are tried: first the one that answered last."""
        self._bell = PostgresBell(self, self._connect, self._came_back, wall)
        self._moves = Grouped(self._commit_moves)
        self._writes = Grouped(self._commit_writes)
        self._failure = ""
        """Why the last write failed."""
        self._closing = AsyncExitStack()
        self._returns = 0
        """How often the database has been away and has come back."""

    @classmethod
    def at(cls, url: str, **options: Any) -> Self:  # noqa: ANN401 - see the constructor
        """The database with this URL. Raises ValueError if it is wrong."""
        return cls(DatabaseUrl.read(url), **options)

    @property
    def problem(self) -> str:
        return self._bell.problem or self._failure

    async def open(self) -> None:
        """See `Database`. Raises DatabaseAway if waiting may help."""
        with named_errors(self.name):
            if wrong := self._url.unreadable_file():
                raise NotSaved(f"{wrong}: there is no such file, or it cannot be read")
            db = await self._connect()
            try:
                await _prepare(db)
            finally:
                db.terminate()
        async with AsyncExitStack() as undo:
            self._readers, self._writers = self._pool(READERS), self._pool(WRITERS)
            for pool in (self._readers, self._writers):
                await pool
                undo.callback(pool.terminate)
            ringing = asyncio.create_task(self._bell.run())
            undo.push_async_callback(asyncio.wait, [ringing])
            undo.callback(ringing.cancel)
            undo.push_async_callback(asyncio.wait, [ringing], timeout=LAST_SECONDS)
            undo.callback(self._bell.end)
            with named_errors(self.name):
                await self._bell.begin()
            self._closing = undo.pop_all()
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False
        self._bell.give_up()
        await self._moves.finish()
        await self._writes.finish()
        await self._closing.aclose()

    def send(self, message: str) -> None:
        super().send(message)
        if self._is_open:
            self._bell.send(message)

    async def size(self) -> int:
        return await self.number(SIZE)

    async def is_used(self) -> bool:
        return bool(await self.number(IS_USED, SETTINGS["application_name"]))

    async def _connect(self, *_: object, **of_pool: object) -> Connection:
        """Connect to the first host that answers and can be written. The driver gives all of them the time of one."""
        problems = list[Exception]()
        for host in [*self._hosts]:
            try:
                db = await asyncpg.connect(**self._arguments | of_pool | host)
            except Exception as error:
                if not is_lost(error):
                    raise
                problems.append(UnknownHost(str(host["host"])) if isinstance(error, socket.gaierror) else error)
            else:
                self._hosts.sort(key=host.__ne__)
                return db
        # That one of several hosts is a standby is no reason why none can be written.
        raise next((each for each in problems if not is_read_only(each)), problems[-1])

    # Reading, in tasks: the library needs one, and a table has none (`inbox`).

    async def select(self, statement: str, *values: Value) -> list[Any]:
        return await asyncio.create_task(self._ask(lambda db: db.fetch(POSTGRES[statement], *values)))

    async def select_many(self, statement: str, values: Sequence[tuple[Value, ...]]) -> list[Any]:
        if len(values) < 2:
            return await super().select_many(statement, values)
        return await asyncio.create_task(self._ask(lambda db: db.fetchmany(POSTGRES[statement], values)))

    async def _ask(self, ask: Callable[[Connection], Awaitable[list[Any]]]) -> list[Any]:
        """The rows of a question. It is asked again if the database goes away and comes back meanwhile."""
        self._must_be_open()
        until = asyncio.get_running_loop().time() + PATIENCE
        while True:
            try:
                async with self._connection(self._readers) as db:
                    return await ask(db)
            except Exception as error:
                if not is_fault(error):
                    raise
                if not is_lost(error) or asyncio.get_running_loop().time() > until:
                    raise NotSaved(in_one_line(error)) from error
                self._bell.lost(error)
                await asyncio.sleep(RETRY_SECONDS)

    async def place(self) -> str:
        """See `Database`: how often the database has come back, and a snapshot of the transactions that had ended."""
        return f"{self._returns} {await super().place()}"

    async def changes(self, place: str, known: Iterable[int] = ()) -> tuple[list[TableChange], str]:
        """See `Database`. After the database was away, it may be another one, so that all tables may have changed."""
        returns, snapshot = place.split(" ")
        reached = await self.place()
        changed = await self.select(sql.CHANGED, snapshot)
        if not reached.startswith(f"{returns} "):
            changed += [(table,) for table in [*await self.awake(), *known]]
        return await self.states(changed), reached

    # Writing.

    async def append_move(self, move: Move) -> bool:
        self._must_be_open()
        return await self._moves(move)

    async def write(self, write: Write, table: int | None = None) -> None:
        self._must_be_open()
        await self._writes((write, table))

    def _pool(self, size: int) -> asyncpg.Pool:
        limits = {"min_size": 0, "max_size": size, "max_inactive_connection_lifetime": 0}
        return asyncpg.create_pool(**limits, connect=self._connect, reset=_keep_settings)

    @asynccontextmanager
    async def _connection(self, pool: asyncpg.Pool) -> AsyncIterator[Connection]:
        """A connection to work with. Raises NotSaved if the database has been away for too long."""
        await self._bell.wait_for_database()
        async with pool.acquire(timeout=PATIENCE) as db:
            yield db

    async def _commit_moves(self, moves: list[Move]) -> list[bool | Exception]:
        is_sent = False
        try:
            async with self._connection(self._writers) as db:
                is_sent = True
                done = await _append_all(db, moves)
        except Exception as error:  # noqa: BLE001 - goes on if it is a bug
            return self._failed(error, len(moves), may_be_done=is_sent)
        self._failure = ""
        self.written += 1
        self._bell.ring()
        return [place in done for place in range(len(moves))]

    async def _commit_writes(self, writes: list[tuple[Write, int | None]]) -> list[bool | Exception]:
        is_at_the_end = False
        try:
            async with self._connection(self._writers) as db, db.transaction():
                await db.execute("SELECT pg_advisory_xact_lock($1)", WRITES_LOCK)
                if tables := {table for _, table in writes} - {None}:
                    await db.execute(LOCK_TABLES, tables)
                outcomes = [await _carry_out(db, write) for write, _ in writes]
                is_at_the_end = True
        except Exception as error:  # noqa: BLE001 - goes on if it is a bug
            return self._failed(error, len(writes), may_be_done=is_at_the_end)
        self._failure = ""
        self.written += 1
        self._bell.ring()
        return outcomes

    def _failed(self, error: Exception, calls: int, *, may_be_done: bool) -> list[bool | Exception]:
        """The outcomes of so many calls of which the transaction failed. Raises the error if it is a bug."""
        if is_lost(error):
            self._bell.lost(error)
        elif not isinstance(error, NotSaved) and not is_fault(error):
            raise error
        self._failure = in_one_line(error)
        failure = OutcomeUnknown if may_be_done and is_uncertain(error) else NotSaved
        return [failure(self._failure) for _ in range(calls)]

    async def _came_back(self) -> None:
        """The database was away: it may be another one now, with a shorter log, and nobody knows what was missed."""
        self._returns += 1
        self._failure = ""
        for pool in (self._readers, self._writers):
            await pool.expire_connections()
        self.tell_of_change()


async def _prepare(db: Connection) -> None:
    """Make the tables if there are none, in one transaction. Raises NotSaved if the database cannot be used."""
    if (version := db.get_server_version()).major < OLDEST_VERSION:
        raise NotSaved(f"PostgreSQL {OLDEST_VERSION} or later is needed, not {version.major}")
    if (encoding := db.get_settings().server_encoding) not in ENCODINGS:
        raise NotSaved(f"its encoding is {encoding}, not UTF8; create it with createdb -T template0 -E UTF8")
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", WRITES_LOCK, timeout=RENUMBER_SECONDS)
        if await db.fetchval(f"SELECT to_regclass('{SCHEMA}.form')") is None:
            if await db.fetchval("SELECT to_regnamespace($1)", SCHEMA) is None:
                await db.execute(f"CREATE SCHEMA {SCHEMA}")
            elif await db.fetchval(HAS_TABLES, SCHEMA):
                raise NotSaved(FOREIGN)
            channel = "channel text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', '')"
            await db.execute(f"CREATE TABLE form (version integer NOT NULL, {channel})")
            await db.execute("INSERT INTO form (version) VALUES ($1)", FORM)
            await db.execute(POSTGRES[sql.SCHEMA])
            await db.execute("CREATE INDEX entry_by_change ON entry (change)")
        if await db.fetchval("SELECT version FROM form") != FORM:
            raise NotSaved(NEWER)
        await db.execute(FORGET_OTHER_NUMBERS, timeout=RENUMBER_SECONDS)


async def _append_all(db: Connection, moves: Sequence[Move]) -> set[int]:
    """Append entries in one transaction. Returns the places of those that stand behind their heads."""
    values = [
        (entry.table, entry.seq, entry.hash, entry.at, entry.data, head.seq, head.hash, place)
        for place, (head, entry) in enumerate(moves)
    ]
    if len(values) == 1:
        rows = await db.fetch(APPEND, *values[0])
    else:
        rows = await db.fetchmany(APPEND, sorted(values))
    return {place for (place,) in rows}


async def _carry_out(db: Connection, write: Write) -> bool | Exception:
    """Carry out a write in a transaction that has begun."""
    steps, rows = write(), cast(Any, None)
    try:
        while True:
            statement, *values = steps.send(rows)
            if values and isinstance(values[0], list):
                await db.executemany(POSTGRES[statement], values[0])
            else:
                rows = await db.fetch(POSTGRES[statement], *values)
    except StopIteration:
        return True
    except Conflict as conflict:
        return conflict


async def _keep_settings(_db: object) -> None:
    """Between two uses of a connection there is nothing to reset."""
