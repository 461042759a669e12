"""The connections to one PostgreSQL database: reading, writing in groups, and waiting while the database is away."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

import asyncpg
from asyncpg import Connection

from server.database_url import DatabaseUrl
from server.storage.grouped import Grouped
from server.storage.message_check import check_message
from server.storage.postgres_bell import RETRY_SECONDS, PostgresBell
from server.storage.postgres_errors import (
    UnknownHost,
    in_one_line,
    is_fault,
    is_lost,
    is_misconfigured,
    is_read_only,
    is_uncertain,
)
from server.storage.postgres_queries import READ
from server.storage.postgres_schema import SCHEMA, migrate
from server.storage.postgres_writes import Append, Outcome, Write, append_all, write_all
from server.storage.table_log import DatabaseAway, LogEntry, NotSaved, OutcomeUnknown

PATIENCE: Final = 5.0
"""Seconds for which calls wait while the database is away, counted from when it went; then they fail at once."""
CONNECT_SECONDS: Final = 3.0
LAST_SECONDS: Final = 0.5
"""How long closing waits until the others have been told what waits."""
STATEMENT_SECONDS: Final = 5.0
"""How long a statement may take; after that the database counts as away."""
MIGRATION_SECONDS: Final = 3600.0
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
"""Those of databases that keep every name and every line as they are."""
NOTHING: Final = "1:1:"
"""A snapshot in which no transaction had ended."""

P = ParamSpec("P")
W = TypeVar("W")


class PostgresConnections:
    """A database that is open for reading and writing. While it is closed, every call raises NotSaved."""

    def __init__(
        self,
        url: DatabaseUrl,
        *,
        patience: float = PATIENCE,
        connect_seconds: float = CONNECT_SECONDS,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """``connect_seconds``: how long each host may take to answer, so that the next one is tried.

        ``wall`` is this machine's clock, in seconds since 1970.
        """
        self.changed: Callable[[], None] = lambda: None
        """See `TableLog`, as for `heard`."""
        self.heard: Callable[[str], None] = lambda _: None
        self._url, self._patience = url, patience
        self._arguments = url.arguments() | {
            "timeout": connect_seconds,
            "command_timeout": STATEMENT_SECONDS,
            "server_settings": SETTINGS,
        }
        self._hosts = [{"host": host, "port": port} for host, port in zip(url.hosts, url.ports, strict=True)] or [{}]
        """In the order in which they are tried: first the one that answered last."""
        self._bell = PostgresBell(self._connect, self._others_wrote, self._others_sent, self._came_back, wall)
        self._appends = Grouped(self._commit_appends)
        self._writes = Grouped(self._commit_writes)
        self._reads = Grouped(self._read_all)
        self._failure = ""
        """Why the last write failed."""
        self._is_open = False
        self._closing = AsyncExitStack()
        self._seen: str | None = None
        """The snapshot in which the changes of tables were read last: which transactions had ended by then."""

    @property
    def problem(self) -> str:
        """See `TableLog`."""
        return self._bell.problem or self._failure

    @property
    def clock_ahead(self) -> float:
        """See `TableLog`: all processes go by the clock of the database."""
        return self._bell.clock_ahead

    async def open(self) -> None:
        """See `TableLog`. Raises DatabaseAway if waiting may help."""
        with _named_errors(str(self._url)):
            if wrong := self._url.unreadable_file():
                raise NotSaved(f"{wrong}: there is no such file, or it cannot be read")
            db = await self._connect(statement_seconds=MIGRATION_SECONDS)
            try:
                if (version := db.get_server_version()).major < OLDEST_VERSION:
                    raise NotSaved(f"PostgreSQL {OLDEST_VERSION} or later is needed, not {version.major}")
                if (encoding := db.get_settings().server_encoding) not in ENCODINGS:
                    raise NotSaved(
                        f"its encoding is {encoding}, not UTF8; create it with createdb -T template0 -E UTF8"
                    )
                await migrate(db)
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
            with _named_errors(str(self._url)):
                await self._bell.begin(self._patience)
            self._closing = undo.pop_all()
        self._is_open = True

    async def close(self) -> None:
        """See `TableLog`."""
        self._is_open = False
        self._bell.give_up()
        await self._appends.finish()
        await self._writes.finish()
        await self._closing.aclose()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def send(self, message: str) -> None:
        """See `TableLog`."""
        check_message(message)
        if self._is_open:
            self._bell.send(message)

    async def _connect(self, statement_seconds: float = STATEMENT_SECONDS) -> Connection:
        return await self._connect_to_any(**self._arguments | {"command_timeout": statement_seconds})

    async def _connect_to_any(self, dsn: str | None = None, **arguments: object) -> Connection:
        """Connect to the first host that answers and can be written. The driver gives all of them the time of one."""
        problems = list[Exception]()
        for host in [*self._hosts]:
            try:
                db = await asyncpg.connect(dsn, **arguments | host)
            except Exception as error:
                if not is_lost(error):
                    raise
                problems.append(UnknownHost(str(host["host"])) if isinstance(error, socket.gaierror) else error)
            else:
                self._hosts.sort(key=host.__ne__)
                return db
        # That one of several hosts is a standby is no reason why none can be written.
        raise next((each for each in problems if not is_read_only(each)), problems[-1])

    async def _select(self, sql: str, *values: object) -> list[Any]:
        """The rows of a query. It is asked again if the database goes away and comes back meanwhile."""
        self._must_be_open()
        until = asyncio.get_running_loop().time() + self._patience
        while True:
            try:
                async with self._connection(self._readers) as db:
                    return list(await db.fetch(sql, *values))
            except Exception as error:
                if not is_fault(error):
                    raise
                if not is_lost(error) or asyncio.get_running_loop().time() > until:
                    raise NotSaved(in_one_line(error)) from error
                self._bell.lost(error)
                await asyncio.sleep(RETRY_SECONDS)

    async def _read(self, table: int, after: int) -> list[LogEntry]:
        return await self._reads((table, after))

    async def _read_all(self, asked: list[tuple[int, int]]) -> list[list[LogEntry]]:
        """The entries of tables after a number, for each of these pairs."""
        found: list[list[LogEntry]] = [[] for _ in asked]
        for place, *values in await self._select(READ, *zip(*asked, strict=True)):
            found[place - 1].append(LogEntry(*values))
        return found

    async def _append(self, append: Append) -> None:
        self._must_be_open()
        await self._appends(append)

    async def _write(
        self,
        table: int | None,
        act: Callable[Concatenate[Connection, P], Awaitable[Outcome]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Carry out a write, which concerns this table, if one is given. Raises as `TableLog` says."""
        self._must_be_open()
        await self._writes(Write(lambda db: act(db, *args, **kwargs), table))

    def _must_be_open(self) -> None:
        if not self._is_open:
            raise NotSaved("the log is closed")

    def _pool(self, size: int) -> asyncpg.Pool:
        limits = {"min_size": 0, "max_size": size, "max_inactive_connection_lifetime": 0}
        return asyncpg.create_pool(**self._arguments, **limits, connect=self._connect_to_any, reset=_keep_settings)

    @asynccontextmanager
    async def _connection(self, pool: asyncpg.Pool) -> AsyncIterator[Connection]:
        """A connection to work with. Raises NotSaved if the database has been away for too long."""
        await self._bell.wait_for_database()
        async with pool.acquire(timeout=self._patience) as db:
            yield db

    async def _commit_appends(self, appends: list[Append]) -> list[Exception | None]:
        is_sent = False
        try:
            async with self._connection(self._writers) as db:
                is_sent = True
                outcomes = await append_all(db, appends)
        except Exception as error:  # noqa: BLE001 - goes to the callers
            return await self._failed(error, appends, self._commit_appends, may_be_done=is_sent)
        self._failure = ""
        self._bell.ring()
        return outcomes

    async def _commit_writes(self, writes: list[Write]) -> list[Exception | None]:
        is_at_the_end = False
        try:
            async with self._connection(self._writers) as db, db.transaction():
                outcomes = await write_all(db, writes)
                is_at_the_end = True
        except Exception as error:  # noqa: BLE001 - goes to the callers
            return await self._failed(error, writes, self._commit_writes, may_be_done=is_at_the_end)
        self._failure = ""
        self._bell.ring()
        return outcomes

    async def _failed(
        self,
        error: Exception,
        writes: list[W],
        commit: Callable[[list[W]], Awaitable[list[Exception | None]]],
        *,
        may_be_done: bool,
    ) -> list[Exception | None]:
        """The outcomes of writes of which the transaction failed. A bug in one of them affects no other."""
        if is_lost(error):
            self._bell.lost(error)
        if isinstance(error, NotSaved) or is_fault(error):
            self._failure = in_one_line(error)
            failure = OutcomeUnknown if may_be_done and is_uncertain(error) else NotSaved
            return [failure(self._failure) for _ in writes]
        return [error] if len(writes) == 1 else [(await commit([write]))[0] for write in writes]

    def _others_wrote(self) -> None:
        self.changed()

    def _others_sent(self, message: str) -> None:
        self.heard(message)

    async def _came_back(self) -> None:
        """The database was away: it may be another one now, with a shorter log, and nobody knows what was missed."""
        self._seen, self._failure = NOTHING, ""
        for pool in (self._readers, self._writers):
            await pool.expire_connections()
        self.changed()


async def _keep_settings(_db: object) -> None:
    """Between two uses of a connection there is nothing to reset."""


@contextmanager
def _named_errors(place: str) -> Iterator[None]:
    """Turn errors into one line that names the database: DatabaseAway if waiting may help, or else NotSaved."""
    try:
        yield
    except NotSaved as error:
        raise NotSaved(f"{place}: {error}") from None
    except Exception as error:
        if not is_fault(error) and not isinstance(error, asyncpg.InterfaceError | asyncpg.PostgresError):
            raise
        may_pass = is_lost(error) and not is_misconfigured(error)
        raise (DatabaseAway if may_pass else NotSaved)(f"{place}: {in_one_line(error)}") from error
