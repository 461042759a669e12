"""The engines that keep everything in SQLite, in a file or in memory.

A thread writes to the file, each time all that waits in one transaction. What is written is durable when it is synced.
Many writes share one sync, which makes them fast. A second connection reads in the event loop: it waits for no writer,
and a read takes less time than switching to a thread.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TypeAlias, cast

import apsw

from server.storage import sql
from server.storage.database import Conflict, Database, Move, NotSaved, OutcomeUnknown, Value, Write
from server.storage.folder_in_use import folder_in_use
from server.storage.pending import Pending, settle
from server.storage.sql import SQLITE
from server.storage.sqlite_file import (
    DAMAGED,
    FAULTS,
    files_in_place,
    in_one_line,
    make_schema,
    moved,
    open_for_reading,
    open_for_writing,
    size_of,
    transaction,
)

PATIENCE: Final = 5.0
LOOK_SECONDS: Final = 1.0
"""Between two looks at whether the files are in place; each write looks, too."""
LOCK_POLL: Final = 0.01
"""Seconds between two attempts to get a lock."""
HURRIED_SECONDS: Final = 0.3
"""How long a server that stops waits for a lock. What cannot be saved then is refused, so nobody relies on it."""

Call: TypeAlias = Move | Write
Outcome: TypeAlias = bool | Exception
"""Whether a call has changed anything, or what it raises."""


class SqliteDatabase(Database):
    """A `Database` in one file. While it is closed, every call raises NotSaved."""

    _thread: "Worker"
    _writer: apsw.Connection
    _reader: apsw.Connection

    def __init__(self, path: Path, *, patience: float = PATIENCE) -> None:
        """``patience``: seconds to wait while another program holds the lock."""
        super().__init__()
        self.name = str(path.resolve())
        self.damage = ""
        """Why nothing may be written to the file any more; empty if it may."""
        self._failure = ""
        """Why the last write failed, unless the files were not in their place."""
        self._moved, self._next_look_at = "", 0.0
        self._path, self._patience = path, patience
        self._is_hurried = False
        """Whether to wait for `HURRIED_SECONDS` at most, also for the lock that is waited for now."""
        self._closing = AsyncExitStack()

    @property
    def problem(self) -> str:
        """See `Database`. That the files are not in their place, or are again, is noticed also while nobody writes."""
        if self._is_open and time.monotonic() >= self._next_look_at:
            self._next_look_at = time.monotonic() + LOOK_SECONDS
            self._moved = moved(self._path, self._files)
        return self.damage or self._moved or self._failure

    async def open(self) -> None:
        self._is_hurried = False
        async with AsyncExitStack() as undo:
            self._thread = Worker(self._carry_out)
            self._writer = await asyncio.to_thread(open_for_writing, self._path, self._patience)
            undo.callback(self._close_writer)
            self._writer.set_busy_handler(self._wait_for_lock)
            self._reader = open_for_reading(self._path)
            undo.callback(self._reader.close)
            self._files = files_in_place(self._path)
            self._thread.start()
            undo.push_async_callback(asyncio.to_thread, self._thread.finish)
            self._closing = undo.pop_all()
        self._is_open = True

    async def close(self) -> None:
        self._is_open, self._is_hurried = False, True
        await self._closing.aclose()

    def _close_writer(self) -> None:
        if not self._thread.is_alive():  # it is if nobody waited for its end, and then it uses the connection
            self._writer.close()

    def _wait_for_lock(self, tries: int) -> bool:
        """Wait a moment while another program holds the lock. Returns whether to try again, after so many ``tries``."""
        threading.Event().wait(LOCK_POLL)  # a sleep: the event is never set
        return tries * LOCK_POLL < (min(self._patience, HURRIED_SECONDS) if self._is_hurried else self._patience)

    async def is_used(self) -> bool:
        with folder_in_use(self._path.parent) as by_a_server:
            return by_a_server

    # Reading, in the event loop.

    async def select(self, statement: str, *values: Value) -> list[Any]:
        self._must_be_open()
        return self._rows(statement, *values)

    def _rows(self, statement: str, *values: Value) -> list[Any]:
        """The rows of a statement. Raises NotSaved."""
        try:
            return self._reader.execute(SQLITE[statement], values).fetchall()
        except apsw.Error as error:
            if isinstance(error, DAMAGED):
                self.damage = in_one_line(error)
            raise NotSaved(in_one_line(error)) from error

    async def size(self) -> int:
        return size_of(self._path)

    # Writing, in the thread.

    async def append_move(self, move: Move) -> bool:
        return await self._done(move)

    async def write(self, write: Write, table: int | None = None) -> None:  # noqa: ARG002 - the file has one lock
        await self._done(write)

    async def _done(self, call: Call) -> bool:
        """Have the thread carry out a call. Returns whether it has changed anything, or raises what it raises."""
        self._must_be_open()
        return bool(await self._thread(call))

    def _carry_out(self, calls: Sequence[Call]) -> list[Outcome]:
        """Carry out calls in the writing thread. Nothing is written if the file is damaged or not in its place."""
        self._moved = moved(self._path, self._files)
        problem = self.damage or self._moved
        outcomes: list[Outcome]
        outcomes = [NotSaved(problem) for _ in calls] if problem else commit(self._writer, calls)
        failed = [each for each in outcomes if isinstance(each, NotSaved | OutcomeUnknown)]
        self._failure = str(failed[-1]) if failed and not problem else ""
        self.written += 1
        return outcomes


class Worker(threading.Thread):
    """A thread that carries out calls, all that wait together. An executor costs the event loop twice as much."""

    def __init__(self, carry_out: Callable[[list[Call]], Sequence[Outcome]]) -> None:
        """``carry_out`` returns for each call its result, or what it raises."""
        super().__init__(name="log", daemon=True)
        self._carry_out = carry_out
        self._loop = asyncio.get_running_loop()
        self._waiting = SimpleQueue[tuple[Call, Pending[bool]] | None]()
        self.unanswered = 0
        """How many calls have not been answered yet."""

    def finish(self) -> None:
        """Carry out what waits, and end; returns then."""
        self._waiting.put(None)
        self.join()

    def __call__(self, call: Call) -> Pending[bool]:
        """Have a call carried out. What is returned has its result when its group was carried out, or its error."""
        answer: Pending[bool] = Pending(loop=self._loop)
        self.unanswered += 1
        self._waiting.put((call, answer))
        return answer

    def run(self) -> None:
        """Carry out one group after the other, until None comes."""
        is_last = False
        while not is_last:
            waiting = [self._waiting.get()]
            while not self._waiting.empty():
                waiting.append(self._waiting.get())
            is_last = None in waiting
            if group := [each for each in waiting if each is not None]:
                results: Sequence[Outcome]
                try:
                    results = self._carry_out([call for call, _ in group])
                except Exception as error:  # noqa: BLE001 - goes to the callers
                    results = [error] * len(group)
                self._loop.call_soon_threadsafe(self._answer, group, results)

    def _answer(self, group: list[tuple[Call, Pending[bool]]], results: Sequence[Outcome]) -> None:
        self.unanswered -= len(group)
        settle([answer for _, answer in group], results)


def commit(db: apsw.Connection, calls: Sequence[Call]) -> list[Outcome]:
    """Carry out all calls in one transaction, and return the outcome of each. A bug in one affects no other."""
    at_the_end = False
    try:
        with transaction(db):
            outcomes = [carry_out(db, call) for call in calls]
            at_the_end = True
    except Exception as error:  # noqa: BLE001 - goes to the callers
        if at_the_end or isinstance(error, tuple(FAULTS)):
            # If the COMMIT itself fails, only a full disk proves that nothing was committed.
            failure = OutcomeUnknown if at_the_end and not isinstance(error, apsw.FullError) else NotSaved
            return [failure(in_one_line(error)) for _ in calls]
        return [error] if len(calls) == 1 else [commit(db, [call])[0] for call in calls]
    return outcomes


def carry_out(db: apsw.Connection, call: Call) -> Outcome:
    """Carry out one call in a transaction that has begun."""
    if isinstance(call, Move):
        head, entry = call
        values = (entry.table, entry.seq, entry.hash, entry.at, entry.data, head.seq, head.hash)
        db.execute(SQLITE[sql.APPEND], values)
        return bool(db.changes())
    steps, rows = call(), cast(Any, None)
    try:
        while True:
            statement, *given = steps.send(rows)
            if given and isinstance(given[0], list):
                db.executemany(SQLITE[statement], given[0])
            else:
                rows = db.execute(SQLITE[statement], given).fetchall()
    except StopIteration:
        return True
    except Conflict as conflict:
        return conflict


class MemoryDatabase(Database):
    """A `Database` in memory, for tests and for a game without a server. It need not be opened or closed."""

    problem = ""

    def __init__(self) -> None:
        super().__init__()
        self._db = apsw.Connection(":memory:")
        make_schema(self._db)

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def select(self, statement: str, *values: Value) -> list[Any]:
        return self._db.execute(SQLITE[statement], values).fetchall()

    async def append_move(self, move: Move) -> bool:
        return self._commit(move)

    async def write(self, write: Write, table: int | None = None) -> None:  # noqa: ARG002 - there is one writer
        self._commit(write)

    def _commit(self, call: Call) -> bool:
        (outcome,) = commit(self._db, [call])
        self.written += 1
        if isinstance(outcome, Exception):
            raise outcome
        return outcome
