"""Which tables there are, who is about, and what is said in the lobby."""

import asyncio
from itertools import count
from typing import Protocol

import structlog

from engine.errors import InputError
from server.clean import clean_name
from server.config import Config
from server.facts import Opened, Player
from server.limits import TABLES
from server.store import TableLog
from server.table import AI_NAMES, Table
from server.update import Member, TableInfo

log = structlog.get_logger("quatch.lobby")

RESERVED_NAMES = frozenset({"you", "host", "admin", "server", "quatch", "all", *(name.lower() for name in AI_NAMES)})


class Visitor(Member, Protocol):
    """A session as the lobby knows it."""

    @property
    def player(self) -> Player:
        """Who it is."""

    @property
    def at_table(self) -> bool:
        """Whether it is at a table, else in the lobby."""

    def lobby_changed(self) -> None:
        """Tables or people have changed."""

    def taken_over(self) -> None:
        """The same identity has come in from another terminal; this session ends."""


class Lobby:
    """All tables and all sessions of this server."""

    def __init__(self, config: Config, store: TableLog) -> None:
        self.config = config
        self._store = store
        self._tables: dict[int, Table] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self.visitors: list[Visitor] = []
        self._numbers = count(1)

    def enter(self, visitor: Visitor) -> None:
        """Come in. Another session of the same identity ends: one person is in one place."""
        for other in [other for other in self.visitors if other.player.id == visitor.player.id]:
            self.visitors.remove(other)
            other.taken_over()
        self.visitors.append(visitor)
        self._changed()

    def leave(self, visitor: Visitor) -> None:
        """Go."""
        if visitor in self.visitors:
            self.visitors.remove(visitor)
        self._changed()

    def open_table(self, opened: Opened) -> Table:
        """Set up a table. Raises InputError where it cannot be."""
        if len(self._tables) >= TABLES:
            raise InputError("too_fast", f"there are {TABLES} tables already: sit down at one of them")
        number = next(self._numbers)
        table = Table(number, opened, self._store, pace=self.config.pace, keep=self.config.keep_table)
        self._tables[number] = table
        task = asyncio.create_task(self._run(table), name=f"table {number}")
        self._tasks[number] = task
        self._changed()
        return table

    def table(self, text: str) -> Table:
        """The table of this number. Raises InputError that names those there are."""
        table = self._tables.get(int(text)) if text.isascii() and text.isdigit() and len(text) < 9 else None
        if table is None:
            there = ", ".join(map(str, self._tables)) or "none: say new to open one"
            raise InputError("no_such_table", f"no table {text[:20]!r}; there are {there}")
        return table

    def seat_of(self, player: Player) -> Table | None:
        """The table that keeps a seat for this player."""
        return next((table for table in self._tables.values() if table.holds_seat_for(player.id)), None)

    def tables(self) -> tuple[TableInfo, ...]:
        """Every table, by number."""
        return tuple(table.info() for table in self._tables.values())

    def people(self) -> list[str]:
        """The names of all who are here."""
        return [visitor.player.name for visitor in self.visitors]

    def free_name(self, wished: str) -> str:
        """A name that nobody else here has, as near as can be to the one wished for."""
        name = clean_name(wished) or "guest"
        taken = {visitor.player.name.casefold() for visitor in self.visitors} | RESERVED_NAMES
        if name.casefold() not in taken:
            return name
        return next(free for n in count(2) if (free := f"{name[:13]}{n}").casefold() not in taken)

    def say(self, line: str) -> None:
        """Tell everybody in the lobby something."""
        for visitor in self.visitors:
            if not visitor.at_table:
                visitor.hear(line)

    def changed(self) -> None:
        """Tell everybody in the lobby that tables or people have changed."""
        self._changed()

    async def close(self) -> None:
        """End all tables."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _run(self, table: Table) -> None:
        try:
            await table.run()
        except Exception:
            log.exception("table ended", table=table.number)
        finally:
            self._tables.pop(table.number, None)
            self._tasks.pop(table.number, None)
            self._changed()

    def _changed(self) -> None:
        for visitor in self.visitors:
            if not visitor.at_table:
                visitor.lobby_changed()
