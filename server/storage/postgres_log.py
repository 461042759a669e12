"""The log in a PostgreSQL database: its queries and its writes. `PostgresConnections` carries them out."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from server.storage import postgres_queries as queries
from server.storage import postgres_writes as writes
from server.storage.postgres_connections import NOTHING, PostgresConnections
from server.storage.postgres_writes import Append
from server.storage.table_log import (
    EMPTY,
    FinishedGame,
    Head,
    LogEntry,
    StandingRow,
    TableChange,
    TakenSeat,
    TextRow,
)


class PostgresLog(PostgresConnections):
    """A `TableLog` in a database, which many processes may share. While it is closed, every call raises NotSaved."""

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
        append = Append(head, entry)
        if head == EMPTY or game is not None or keep_from or seats is not None or openers:
            await self._write(entry.table, writes.append_entry, append, game, keep_from, seats, openers)
        else:
            await self._append(append)

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        return await self._read(table, after)

    async def delete(
        self, table: int, head: Head, game: FinishedGame | None = None, *, due_by: float | None = None
    ) -> None:
        await self._write(table, writes.delete_table, table, head, game, due_by)

    async def changes(self, after: int) -> list[TableChange]:
        """See `TableLog`. For one reader: what it has not seen yet is returned, whatever its number.

        A number is taken before the commit, so that one that is lower than ``after`` may be committed later.
        """
        rows = await self._select(queries.CHANGES, after, self._seen, self._seen != NOTHING)
        if rows:
            self._seen = rows[0][5]
        return [TableChange(number, table, Head(seq, state), due) for number, table, seq, state, due, _ in rows]

    async def last_change(self) -> int:
        ((number, self._seen),) = await self._select(queries.LAST_CHANGE)
        return int(number)

    async def awake(self) -> list[int]:
        return [table for (table,) in await self._select(queries.AWAKE)]

    async def put_to_sleep(self, table: int, head: Head, due: float, seats: Sequence[TakenSeat]) -> None:
        await self._write(table, writes.put_to_sleep, table, head, due, seats)

    async def wake(self, table: int) -> None:
        await self._write(table, writes.wake, table)

    async def due(self, by: float, limit: int) -> list[int]:
        return [table for (table,) in await self._select(queries.DUE, by, limit)]

    async def seats_of(self, player_id: str) -> list[tuple[int, str]]:
        return [(table, name) for table, name in await self._select(queries.SEATS_OF, player_id)]

    async def is_seat_name(self, looks: Sequence[str], besides: str) -> bool:
        ((found,),) = await self._select(queries.IS_SEAT_NAME, looks, besides)
        return bool(found)

    async def opened_by(self, opener: str) -> list[tuple[int, float | None]]:
        return [(table, due) for table, due in await self._select(queries.OPENED_BY, opener)]

    async def free_number(self, after: int) -> int:
        ((found,),) = await self._select(queries.FREE_NUMBER, after)
        return int(found)

    async def game(self, game_id: str) -> FinishedGame | None:
        return next((FinishedGame(*row) for row in await self._select(queries.GAME, game_id)), None)

    async def games(self, after: int = 0, limit: int = 1000) -> list[tuple[int, FinishedGame]]:
        rows = await self._select(queries.GAMES, after, limit)
        return [(number, FinishedGame(*row)) for number, *row in rows]

    async def latest(self, limit: int) -> list[FinishedGame]:
        return [FinishedGame(*row) for row in await self._select(queries.LATEST, limit)]

    async def delete_games(self, before: float, up_to: int, limit: int) -> int:
        oldest = await self._select(queries.OLDEST, up_to, limit)
        old = [number for number, _ in takewhile(lambda row: row[1] < before, oldest)]
        if old:
            await self._write(None, writes.delete_games_through, old[-1])
        return len(old)

    async def counted(self) -> int:
        ((found,),) = await self._select(queries.COUNTED)
        return int(found)

    async def put_standings(self, before: int, after: int, rows: Sequence[StandingRow]) -> None:
        await self._write(None, writes.put_standings, before, after, rows)

    async def standing(self, rules: str, key: str) -> str | None:
        return next((text for (text,) in await self._select(queries.STANDING, rules, key)), None)

    async def standings_of(self, key: str) -> list[str]:
        return [text for (text,) in await self._select(queries.STANDINGS_OF, key)]

    async def best(self, rules: str | None, limit: int) -> list[str]:
        query = self._select(queries.BEST, limit) if rules is None else self._select(queries.BEST_UNDER, rules, limit)
        return [text for (text,) in await query]

    async def count_asleep(self) -> int:
        ((found,),) = await self._select(queries.COUNT_ASLEEP)
        return int(found)

    async def text(self, kind: str, key: str) -> str | None:
        return next((text for (text,) in await self._select(queries.TEXT, kind, key)), None)

    async def count_texts(self, kind: str) -> int:
        ((found,),) = await self._select(queries.COUNT_TEXTS, kind)
        return int(found)

    async def linked_keys(self, account: str) -> list[str]:
        return [key for (key,) in await self._select(queries.LINKED_KEYS, account)]

    async def name_owners(self, looks: Iterable[str]) -> list[str]:
        return [owner for (owner,) in await self._select(queries.NAME_OWNERS, list(looks)) if owner is not None]

    async def put_name(self, key: str, name: str, looks: Sequence[str]) -> None:
        await self._write(None, writes.put_name, key, name, looks)

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        await self._write(None, writes.put_text, kind, key, value)

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        return [TextRow(*row) for row in await self._select(queries.TEXTS, kind, after)]

    async def oldest_texts(self, kind: str, limit: int) -> list[TextRow]:
        return [TextRow(*row) for row in await self._select(queries.OLDEST_TEXTS, kind, limit)]

    async def size(self) -> int:
        ((found,),) = await self._select(queries.SIZE)
        return int(found)
