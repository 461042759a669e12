"""The log in a SQLite file: its queries and its writes. `SqliteConnections` carries them out."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from server.storage import sqlite_queries as queries
from server.storage import sqlite_writes as writes
from server.storage.sqlite_file import size_of
from server.storage.sqlite_messages import SqliteMessages
from server.storage.table_log import FinishedGame, Head, LogEntry, StandingRow, TableChange, TakenSeat, TextRow


class SqliteLog(SqliteMessages):
    """A `TableLog` in one file, which several processes may share. While it is closed, every call raises NotSaved."""

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
        await self._write(writes.append_entry, head, entry, game, keep_from=keep_from, seats=seats, openers=openers)

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        sql = "SELECT table_id, seq, hash, at, data FROM entry WHERE table_id = ? AND seq > ? ORDER BY seq"
        return [LogEntry(*row) for row in self._select(sql, table, after)]

    async def delete(
        self, table: int, head: Head, game: FinishedGame | None = None, *, due_by: float | None = None
    ) -> None:
        await self._write(writes.delete_table, table, head, game, due_by)

    async def changes(self, after: int) -> list[TableChange]:
        rows = self._select(queries.CHANGES, after)
        return [TableChange(number, table, Head(seq, state), due) for number, table, seq, state, due in rows]

    async def last_change(self) -> int:
        return self._number(queries.LAST_CHANGE)

    async def awake(self) -> list[int]:
        return [table for (table,) in self._select(queries.AWAKE)]

    async def put_to_sleep(self, table: int, head: Head, due: float, seats: Sequence[TakenSeat]) -> None:
        await self._write(writes.put_to_sleep, table, head, due, seats)

    async def wake(self, table: int) -> None:
        await self._write(writes.wake, table)

    async def due(self, by: float, limit: int) -> list[int]:
        return [table for (table,) in self._select(queries.DUE, by, limit)]

    async def seats_of(self, player_id: str) -> list[tuple[int, str]]:
        # A name with two looks has two rows. Without DISTINCT the question, which each login asks, takes a fifth.
        return list(dict.fromkeys(self._select(queries.SEATS_OF, player_id)))

    async def is_seat_name(self, looks: Sequence[str], besides: str) -> bool:
        return any(self._select(queries.SEAT_NAMED, look, besides) for look in looks)

    async def opened_by(self, opener: str) -> list[tuple[int, float | None]]:
        return [(table, due) for table, due in self._select(queries.OPENED_BY, opener)]

    async def free_number(self, after: int) -> int:
        return self._number(queries.FREE_NUMBER, after)

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
        oldest = self._select(queries.OLDEST, up_to, limit)
        old = [number for number, _ in takewhile(lambda row: row[1] < before, oldest)]
        if old:
            await self._write(writes.delete_games_through, old[-1])
        return len(old)

    async def counted(self) -> int:
        return self._number("SELECT number FROM counted")

    async def put_standings(self, before: int, after: int, rows: Sequence[StandingRow]) -> None:
        await self._write(writes.put_standings, before, after, rows)

    async def standing(self, rules: str, key: str) -> str | None:
        rows = self._select("SELECT value FROM standing WHERE rules = ? AND key = ?", rules, key)
        return next((text for (text,) in rows), None)

    async def standings_of(self, key: str) -> list[str]:
        return [text for (text,) in self._select(queries.STANDINGS_OF, key)]

    async def best(self, rules: str | None, limit: int) -> list[str]:
        rows = self._select(queries.BEST, limit) if rules is None else self._select(queries.BEST_UNDER, rules, limit)
        return [text for (text,) in rows]

    async def count_asleep(self) -> int:
        return self._number(queries.COUNT_ASLEEP)

    async def text(self, kind: str, key: str) -> str | None:
        return next((text for (text,) in self._select(queries.TEXT, kind, key)), None)

    async def count_texts(self, kind: str) -> int:
        return self._number(queries.COUNT_TEXTS, kind)

    async def linked_keys(self, account: str) -> list[str]:
        return [key for (key,) in self._select(queries.LINKED_KEYS, account)]

    async def name_owners(self, looks: Iterable[str]) -> list[str]:
        return [owner for look in looks for (owner,) in self._select(queries.NAME_OWNER, look)]

    async def put_name(self, key: str, name: str, looks: Sequence[str]) -> None:
        await self._write(writes.put_name, key, name, looks)

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        await self._write(writes.put_text, kind, key, value)

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        return [TextRow(*row) for row in self._select(queries.TEXTS, kind, after)]

    async def oldest_texts(self, kind: str, limit: int) -> list[TextRow]:
        return [TextRow(*row) for row in self._select(queries.OLDEST_TEXTS, kind, limit)]

    async def size(self) -> int:
        return size_of(self._path)
