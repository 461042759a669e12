"""The connections to one database: a thread writes, and each transaction takes everything that waits for it.

What is written is durable when it is synced. Many writes share one sync, which makes them fast. A second connection
reads in the event loop: it waits for no writer, and a read takes less time than switching to a thread.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

import apsw

from server.storage.file_check import find_damage
from server.storage.grouped import Grouped
from server.storage.sqlite_file import (
    DAMAGED,
    LOG_MOVED,
    MOVED,
    LockWait,
    in_one_line,
    inodes_of,
    moved,
    named_errors,
    open_for_reading,
    open_for_writing,
)
from server.storage.sqlite_writes import Write, commit
from server.storage.table_log import Conflict, NotSaved, OutcomeUnknown

PATIENCE: Final = 5.0
POLL: Final = 0.2
CHECK_AFTER_SECONDS: Final = 10.0
"""The players who come back right after a start do not wait for the check."""
CHECK_SECONDS: Final = 86_400.0
"""The time between two checks."""

P = ParamSpec("P")
T = TypeVar("T")


class SqliteConnections:
    """A database file that is open for reading and writing. While it is closed, every call raises NotSaved."""

    _thread: ThreadPoolExecutor
    _writer: apsw.Connection
    _reader: apsw.Connection
    clock_ahead: Final = 0.0
    """See `TableLog`: all processes on one file have the clock of one machine."""

    def __init__(
        self,
        path: Path,
        *,
        poll: float = POLL,
        patience: float = PATIENCE,
        check_after: float = CHECK_AFTER_SECONDS,
        check: Callable[[Path, threading.Event], str] = find_damage,
    ) -> None:
        """``poll``: seconds between two looks whether another process has written.

        ``patience``: seconds to wait while another program holds the lock; ``check_after``: seconds to the first
        ``check`` of the whole file for damage.
        """
        self.changed: Callable[[], None] = lambda: None
        """See `TableLog`, as for `problem`."""
        self.problem = ""
        self._path, self._poll, self._lock_wait = path, poll, LockWait(patience)
        self._check_after, self._check = check_after, check
        self._closing = AsyncExitStack()
        self._is_open = False
        self._writes = Grouped(self._commit)
        self._damage = ""
        """What is wrong with the file, so that nothing is written to it any more; empty if nothing is known."""

    async def open(self) -> None:
        """See `TableLog`."""
        async with AsyncExitStack() as undo:
            self._thread = undo.enter_context(ThreadPoolExecutor(1, "log"))
            self._writer = await self._in_thread(open_for_writing, self._path, self._lock_wait.seconds)
            undo.push_async_callback(self._in_thread, self._writer.close)
            self._lock_wait.is_hurried = False
            self._writer.set_busy_handler(self._lock_wait)
            self._reader = open_for_reading(self._path)
            undo.callback(self._reader.close)
            with named_errors(self._path):
                known = await self._in_thread(self._writer.pragma, "data_version")
            self._inodes = inodes_of(self._path)
            stopped = threading.Event()
            checking = undo.enter_context(ThreadPoolExecutor(1, "check of the log"))
            undo.callback(stopped.set)
            for work in (self._listen(known), self._keep_checking(checking, stopped)):
                task = asyncio.create_task(work)
                undo.push_async_callback(asyncio.wait, [task])
                undo.callback(task.cancel)
            self._closing = undo.pop_all()
        self._is_open = True

    async def close(self) -> None:
        """See `TableLog`."""
        self._is_open, self._lock_wait.is_hurried = False, True
        await self._writes.finish()
        await self._closing.aclose()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def _number(self, sql: str, *values: float | str) -> int:
        ((number,),) = self._select(sql, *values)
        return int(number)

    def _select(self, sql: str, *values: float | str | bytes) -> list[Any]:
        self._must_be_open()
        try:
            return self._reader.execute(sql, values).fetchall()
        except apsw.Error as error:
            if isinstance(error, DAMAGED):
                self._damage = in_one_line(error)
            raise NotSaved(in_one_line(error)) from error

    async def _write(
        self, write: Callable[Concatenate[apsw.Connection, P], Conflict | None], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        self._must_be_open()
        await self._writes(lambda db: write(db, *args, **kwargs))

    def _must_be_open(self) -> None:
        if not self._is_open:
            raise NotSaved("the log is closed")

    async def _commit(self, writes: list[Write]) -> list[Exception | None]:
        outcomes = await self._in_thread(self._commit_batch, writes)
        failures = (str(each) for each in outcomes if isinstance(each, NotSaved | OutcomeUnknown))
        self.problem = next(failures, "")
        return outcomes

    def _commit_batch(self, writes: Sequence[Write]) -> list[Exception | None]:
        """In the writing thread: write to the file only if it can be found again."""
        if problem := moved(self._inodes, inodes_of(self._path)):
            return [NotSaved(problem) for _ in writes]
        if self._damage:
            return [NotSaved(self._damage) for _ in writes]
        return commit(self._writer, writes)

    async def _listen(self, known: int) -> None:
        """Call `_others_wrote` when another connection has written, and see whether the file is still in its place.

        SQLite does not count the writer's own writes.
        """
        while True:
            await asyncio.sleep(self._poll)
            if problem := moved(self._inodes, inodes_of(self._path)):
                self.problem = problem
            elif self.problem in {"", MOVED, LOG_MOVED}:
                self.problem = self._damage
            with suppress(apsw.Error):
                version = await self._in_thread(self._writer.pragma, "data_version")
                if version != known:
                    known = version
                    self._others_wrote()

    def _others_wrote(self) -> None:
        self.changed()

    async def _keep_checking(self, thread: ThreadPoolExecutor, stopped: threading.Event) -> None:
        """Look for damage in the whole file soon and once a day. Nothing is written to a damaged file."""
        await asyncio.sleep(self._check_after)
        while not self._damage:
            found = await asyncio.wrap_future(thread.submit(self._check, self._path, stopped))
            self._damage = found or self._damage  # a read may have found some meanwhile
            if not self._damage:
                await asyncio.sleep(CHECK_SECONDS)

    async def _in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.wrap_future(self._thread.submit(work, *args, **kwargs))
