"""The log in a SQLite file. A thread writes; each transaction takes everything that waits for it.

An entry is durable when it is written and synced. Many entries share one sync, which makes the log fast. A second
connection reads in the event loop: it waits for no writer, and a read takes less time than switching to a thread.
"""

import asyncio
from asyncio import Future, Task
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import apsw

from server.storage.file_check import FileCheck
from server.storage.sqlite_file import (
    DAMAGED,
    LOG_MOVED,
    MOVED,
    in_one_line,
    inodes_of,
    moved,
    named_errors,
    open_for_reading,
    open_for_writing,
    size_of,
)
from server.storage.sqlite_queries import (
    AWAKE,
    BEST,
    BEST_UNDER,
    CHANGES,
    DUE,
    FREE_NUMBER,
    LAST_CHANGE,
    OLDEST,
    OLDEST_TEXTS,
    OPENED_BY,
    SEAT_NAMED,
    SEATS_OF,
    STANDINGS_OF,
    TEXTS,
)
from server.storage.sqlite_writes import (
    Write,
    append_entry,
    commit,
    delete_games_through,
    delete_table,
    put_standings,
    put_text,
    put_to_sleep,
    wake,
)
from server.storage.table_log import (
    FinishedGame,
    Head,
    LogEntry,
    NotSaved,
    OutcomeUnknown,
    StandingRow,
    TableChange,
    TakenSeat,
    TextRow,
)

PATIENCE: Final = 5.0
"""Seconds to wait while another program holds the lock."""
POLL: Final = 0.2
"""Seconds between two checks whether another process has written."""
CHECK_SECONDS: Final = 86_400.0
"""How often the whole file is checked for damage, first when it is opened."""

P = ParamSpec("P")
T = TypeVar("T")


class SqliteLog:
    """A `TableLog` in one file, which several processes may share. While it is closed, every call raises NotSaved."""

    _thread: ThreadPoolExecutor
    _writer: apsw.Connection
    _reader: apsw.Connection

    def __init__(self, path: Path, *, poll: float = POLL, patience: float = PATIENCE) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.problem = ""
        self._path, self._poll, self._patience = path, poll, patience
        self._closing = AsyncExitStack()
        self._is_open = False
        self._waiting: list[tuple[Write, Future[None]]] = []
        self._committing: Task[None] | None = None
        self._damage = ""
        """What is wrong with the file, so that nothing is written to it any more; empty if nothing is known."""

    async def open(self) -> None:
        async with AsyncExitStack() as undo:
            self._thread = undo.enter_context(ThreadPoolExecutor(1, "log"))
            self._writer = await self._in_thread(open_for_writing, self._path, self._patience)
            undo.push_async_callback(self._in_thread, self._writer.close)
            self._reader = open_for_reading(self._path)
            undo.callback(self._reader.close)
            with named_errors(self._path):
                known = await self._in_thread(self._writer.pragma, "data_version")
            self._inodes = inodes_of(self._path)
            check = FileCheck(self._path)
            checking = undo.enter_context(ThreadPoolExecutor(1, "check of the log"))
            undo.callback(check.stop)
            for work in (self._listen(known), self._keep_checking(check, checking)):
                task = asyncio.create_task(work)
                undo.push_async_callback(asyncio.wait, [task])
                undo.callback(task.cancel)
            self._closing = undo.pop_all()
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False
        if self._committing is not None:
            await asyncio.wait([self._committing])
        await self._closing.aclose()

    async def append(
        self,
        head: Head,
        entry: LogEntry,
        game: FinishedGame | None = None,
        *,
        keep_from: int = 0,
        seats: Sequence[TakenSeat] | None = None,
        openers: Sequence[str] = (),
    ) -> None:
        index = {"keep_from": keep_from, "seats": seats, "openers": openers}
        await self._write(partial(append_entry, head=head, entry=entry, game=game, **index))  # type: ignore[arg-type]

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        sql = "SELECT table_id, seq, hash, at, data FROM entry WHERE table_id = ? AND seq > ? ORDER BY seq"
        return [LogEntry(*row) for row in self._select(sql, table, after)]

    async def delete(
        self, table: int, head: Head, game: FinishedGame | None = None, *, due_by: float | None = None
    ) -> None:
        await self._write(partial(delete_table, table=table, head=head, game=game, due_by=due_by))

    async def changes(self, after: int) -> list[TableChange]:
        rows = self._select(CHANGES, after)
        return [TableChange(number, table, Head(seq, state), due) for number, table, seq, state, due in rows]

    async def last_change(self) -> int:
        return self._number(LAST_CHANGE)

    async def awake(self) -> list[int]:
        return [table for (table,) in self._select(AWAKE)]

    async def put_to_sleep(self, table: int, head: Head, due: float, seats: Sequence[TakenSeat]) -> None:
        await self._write(partial(put_to_sleep, table=table, head=head, due=due, seats=seats))

    async def wake(self, table: int) -> None:
        await self._write(partial(wake, table=table))

    async def due(self, by: float, limit: int) -> list[int]:
        return [table for (table,) in self._select(DUE, by, limit)]

    async def seats_of(self, player_id: str) -> list[tuple[int, str]]:
        return [(table, name) for table, name in self._select(SEATS_OF, player_id)]

    async def is_seat_name(self, looks: Sequence[str], besides: str) -> bool:
        return any(self._select(SEAT_NAMED, look, besides) for look in looks)

    async def opened_by(self, opener: str) -> list[tuple[int, float | None]]:
        return [(table, due) for table, due in self._select(OPENED_BY, opener)]

    async def free_number(self, after: int) -> int:
        return self._number(FREE_NUMBER, after)

    async def game(self, game_id: str) -> FinishedGame | None:
        rows = self._select("SELECT id, rules, at, result, record FROM game WHERE id = ?", game_id)
        return next((FinishedGame(*row) for row in rows), None)

    async def games(self, after: int = 0, limit: int = 1000) -> list[tuple[int, FinishedGame]]:
        sql = "SELECT number, id, rules, at, result, '' FROM game WHERE number > ? ORDER BY number LIMIT ?"
        return [(number, FinishedGame(*row)) for number, *row in self._select(sql, after, limit)]

    async def latest(self, limit: int) -> list[FinishedGame]:
        sql = "SELECT id, rules, at, result, '' FROM game ORDER BY number DESC LIMIT ?"
        return [FinishedGame(*row) for row in self._select(sql, limit)]

    async def delete_games(self, before: float, up_to: int, limit: int) -> int:
        old = [number for number, at in takewhile(lambda row: row[1] < before, self._select(OLDEST, up_to, limit))]
        if old:
            await self._write(partial(delete_games_through, last=old[-1]))
        return len(old)

    async def counted(self) -> int:
        return self._number("SELECT number FROM counted")

    async def put_standings(self, before: int, after: int, rows: Sequence[StandingRow]) -> None:
        await self._write(partial(put_standings, before=before, after=after, rows=rows))

    async def standing(self, rules: str, key: str) -> str | None:
        rows = self._select("SELECT value FROM standing WHERE rules = ? AND key = ?", rules, key)
        return next((text for (text,) in rows), None)

    async def standings_of(self, key: str) -> list[str]:
        return [text for (text,) in self._select(STANDINGS_OF, key)]

    async def best(self, rules: str | None, limit: int) -> list[str]:
        rows = self._select(BEST, limit) if rules is None else self._select(BEST_UNDER, rules, limit)
        return [text for (text,) in rows]

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        await self._write(partial(put_text, kind=kind, key=key, value=value))

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        return [TextRow(*row) for row in self._select(TEXTS, kind, after)]

    async def oldest_texts(self, kind: str, limit: int) -> list[TextRow]:
        return [TextRow(*row) for row in self._select(OLDEST_TEXTS, kind, limit)]

    def size(self) -> int:
        return size_of(self._path)

    def _number(self, sql: str, *values: float | str) -> int:
        ((number,),) = self._select(sql, *values)
        return int(number)

    def _select(self, sql: str, *values: float | str) -> list[Any]:
        self._must_be_open()
        try:
            return self._reader.execute(sql, values).fetchall()
        except apsw.Error as error:
            if isinstance(error, DAMAGED):
                self._damage = in_one_line(error)
            raise NotSaved(in_one_line(error)) from error

    async def _write(self, write: Write) -> None:
        self._must_be_open()
        done: Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, done))
        if self._committing is None:
            self._committing = asyncio.create_task(self._commit())
        await done

    def _must_be_open(self) -> None:
        if not self._is_open:
            raise NotSaved("the log is closed")

    async def _commit(self) -> None:
        """Commit until nothing waits. Writes that arrive during a transaction go into the next one."""
        while self._waiting:
            batch, self._waiting = self._waiting, []
            outcomes = await self._in_thread(self._commit_batch, [write for write, _ in batch])
            failures = (str(each) for each in outcomes if isinstance(each, NotSaved | OutcomeUnknown))
            self.problem = next(failures, "")
            for (_, done), outcome in zip(batch, outcomes, strict=True):
                if done.done():  # the caller was cancelled
                    continue
                if outcome is None:
                    done.set_result(None)
                else:
                    done.set_exception(outcome)
        self._committing = None

    def _commit_batch(self, writes: Sequence[Write]) -> list[Exception | None]:
        """In the writing thread: write to the file only if it can be found again."""
        if problem := moved(self._inodes, inodes_of(self._path)):
            return [NotSaved(problem) for _ in writes]
        if self._damage:
            return [NotSaved(self._damage) for _ in writes]
        return commit(self._writer, writes)

    async def _listen(self, known: int) -> None:
        """Call `changed` when another connection has written, and see whether the file is still in its place.

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
                    self.changed()

    async def _keep_checking(self, check: FileCheck, thread: ThreadPoolExecutor) -> None:
        """Look for damage in the whole file now and once a day. Nothing is written to a damaged file."""
        while not self._damage:
            self._damage = await asyncio.wrap_future(thread.submit(check.damage))
            if not self._damage:
                await asyncio.sleep(CHECK_SECONDS)

    async def _in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.wrap_future(self._thread.submit(work, *args, **kwargs))
