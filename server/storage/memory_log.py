"""The append-only log in memory, for tests and for a game without a server; it ends with the process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import count, takewhile

from server.storage.message_check import check_message
from server.storage.table_log import (
    EMPTY,
    Conflict,
    FinishedGame,
    Head,
    LogEntry,
    StandingRow,
    TableChange,
    TakenSeat,
    TextRow,
)


@dataclass(slots=True)
class _TableRow:
    """What `TableLog` knows of a table besides its entries."""

    change: int = 0
    due: float | None = None
    seats: Sequence[TakenSeat] = ()
    openers: Sequence[str] = ()


class MemoryLog:
    """A `TableLog` in memory, which ends with the process."""

    def __init__(self) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.heard: Callable[[str], None] = lambda _: None
        self.problem = ""
        self.clock_ahead = 0.0
        self._entries: dict[int, list[LogEntry]] = {}
        self._rows: dict[int, _TableRow] = {}
        """Of every table that was ever open."""
        self._last_change = 0
        self._games: dict[str, tuple[int, FinishedGame]] = {}
        """By id, in the order of their numbers."""
        self._last_game = 0
        self._counted = 0
        self._standings: dict[tuple[str, str], StandingRow] = {}
        self._texts: dict[tuple[str, str], tuple[int, str | None]] = {}
        self._last_text = 0
        self._looks: dict[int, Sequence[str]] = {}
        """Of names, by the numbers of their last changes."""

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

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
        self._must_stand_at(entry.table, head)
        kept = [each for each in self._entries.get(entry.table, []) if each.seq >= keep_from]
        self._entries[entry.table] = [*kept, entry]
        row = self._changed(entry.table, None)
        row.seats = row.seats if seats is None else seats
        row.openers = (*row.openers, *openers)
        self._keep(game)

    async def read(self, table: int, after: int = 0) -> list[LogEntry]:
        return [entry for entry in self._entries.get(table, []) if entry.seq > after]

    async def delete(
        self, table: int, head: Head, game: FinishedGame | None = None, *, due_by: float | None = None
    ) -> None:
        self._must_stand_at(table, head)
        if head == EMPTY:
            return
        due = self._rows[table].due
        if due_by is not None and (due is None or due > due_by):
            raise Conflict(f"table {table} is not due")
        self._changed(table, None)
        self._rows[table] = _TableRow(self._last_change)
        del self._entries[table]
        self._keep(game)

    def send(self, message: str) -> None:
        check_message(message)  # there is no other process to hear it

    async def changes(self, after: int) -> list[TableChange]:
        rows = sorted((row.change, table, row.due) for table, row in self._rows.items() if row.change > after)
        return [TableChange(number, table, self._head(table), due) for number, table, due in rows]

    async def last_change(self) -> int:
        return self._last_change

    async def awake(self) -> list[int]:
        return sorted(table for table in self._entries if self._rows[table].due is None)

    async def put_to_sleep(self, table: int, head: Head, due: float, seats: Sequence[TakenSeat]) -> None:
        self._must_stand_at(table, head)
        if head != EMPTY:
            self._changed(table, due).seats = seats

    async def wake(self, table: int) -> None:
        if table not in self._entries:
            raise Conflict(f"table {table} has closed")
        if self._rows[table].due is not None:
            self._changed(table, None)

    async def due(self, by: float, limit: int) -> list[int]:
        asleep = sorted((row.due, table) for table, row in self._rows.items() if row.due is not None and row.due <= by)
        return [table for _, table in asleep[:limit]]

    async def seats_of(self, player_id: str) -> list[tuple[int, str]]:
        seats = [(table, seat) for table, row in sorted(self._rows.items()) for seat in row.seats]
        return [(table, seat.name) for table, seat in seats if seat.player_id == player_id]

    async def is_seat_name(self, looks: Sequence[str], besides: str) -> bool:
        seats = [seat for row in self._rows.values() for seat in row.seats if seat.player_id != besides]
        return any(not set(looks).isdisjoint(seat.looks) for seat in seats)

    async def opened_by(self, opener: str) -> list[tuple[int, float | None]]:
        return [(table, row.due) for table, row in sorted(self._rows.items()) if opener in row.openers]

    async def free_number(self, after: int) -> int:
        return next(number for number in count(after + 1) if number not in self._entries)

    async def game(self, game_id: str) -> FinishedGame | None:
        return self._games[game_id][1] if game_id in self._games else None

    async def games(self, after: int = 0, limit: int = 1000) -> list[tuple[int, FinishedGame]]:
        games = [(number, game) for number, game in self._games.values() if number > after]
        return [(number, replace(game, record="")) for number, game in games[:limit]]

    async def latest(self, limit: int) -> list[FinishedGame]:
        return [replace(game, record="") for _, game in list(self._games.values())[: -limit - 1 : -1]]

    async def delete_games(self, before: float, up_to: int, limit: int) -> int:
        oldest = [each for each in self._games.values() if each[0] <= min(up_to, self._last_game - 1)][:limit]
        old = list(takewhile(lambda each: each[1].at < before, oldest))
        for _, game in old:
            del self._games[game.id]
        return len(old)

    async def counted(self) -> int:
        return self._counted

    async def put_standings(self, before: int, after: int, rows: Sequence[StandingRow]) -> None:
        if self._counted != before:
            raise Conflict(f"the standings contain {self._counted} games, not {before}")
        self._counted = after
        self._standings |= {(row.rules, row.key): row for row in rows}

    async def standing(self, rules: str, key: str) -> str | None:
        row = self._standings.get((rules, key))
        return None if row is None else row.text

    async def standings_of(self, key: str) -> list[str]:
        return [row.text for row in sorted(self._standings.values()) if row.key == key]

    async def best(self, rules: str | None, limit: int) -> list[str]:
        listed = [row for row in self._standings.values() if row.rules and rules in {None, row.rules}]
        return [row.text for row in nlargest(limit, listed, key=lambda row: (row.strength, row.key))]

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        self._last_text += 1
        self._texts.pop((kind, key), None)
        self._texts[kind, key] = self._last_text, value

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        texts = self._texts.items()
        return [TextRow(number, key, text) for (its, key), (number, text) in texts if its == kind and number > after]

    async def oldest_texts(self, kind: str, limit: int) -> list[TextRow]:
        return [row for row in await MemoryLog.read_texts(self, kind) if row.text is not None][:limit]

    async def count_asleep(self) -> int:
        return sum(row.due is not None for row in self._rows.values())

    async def text(self, kind: str, key: str) -> str | None:
        return self._texts[kind, key][1] if (kind, key) in self._texts else None

    async def count_texts(self, kind: str) -> int:
        return sum(its == kind and text is not None for (its, _), (_, text) in self._texts.items())

    async def linked_keys(self, account: str) -> list[str]:
        return [key for (kind, key), (_, text) in self._texts.items() if kind == "account" and text == account]

    async def name_owners(self, looks: Iterable[str]) -> list[str]:
        owners = (next((key for key, its in self._indexed() if look in its), None) for look in looks)
        return [owner for owner in owners if owner is not None]

    async def put_name(self, key: str, name: str, looks: Sequence[str]) -> None:
        if any(owner != key for owner in await self.name_owners(looks)):
            raise Conflict(f"{name} is the name of another player")
        await self.put_text("name", key, name)
        self._looks[self._texts["name", key][0]] = looks

    async def size(self) -> int:
        return 0

    def _indexed(self) -> Iterator[tuple[str, Sequence[str]]]:
        """The keys and the looks of the names that are found by their looks, oldest first."""
        for (kind, key), (number, text) in self._texts.items():
            if kind == "name" and text is not None and number in self._looks:
                yield key, self._looks[number]

    def _keep(self, game: FinishedGame | None) -> None:
        if game is not None and game.id not in self._games:
            self._last_game += 1
            self._games[game.id] = self._last_game, game

    def _changed(self, table: int, due: float | None) -> _TableRow:
        self._last_change += 1
        row = self._rows.setdefault(table, _TableRow())
        row.change, row.due = self._last_change, due
        return row

    def _head(self, table: int) -> Head:
        entries = self._entries.get(table)
        return entries[-1].head if entries else EMPTY

    def _must_stand_at(self, table: int, head: Head) -> None:
        if (current := self._head(table)) != head:
            raise Conflict(f"table {table} stands at {current.seq}, not at {head.seq}")
