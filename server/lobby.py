"""Which tables there are, who is about, and what is said in the lobby."""

import asyncio
from itertools import count
from typing import Final, Protocol

import structlog

from engine.errors import InputError
from server.ai_seats import AI_NAMES
from server.clean import clean_name
from server.config import Config
from server.limits import TABLES
from server.players import Opened, Player
from server.rulebook import Rulebook
from server.store import TableLog
from server.table import Table
from server.update import Listing, Member

NAMES_KNOWN: Final = 10_000
TELL_SECONDS: Final = 0.1
"""How long changes are gathered before the lobby is told of them."""

log = structlog.get_logger("quatch.lobby")

RESERVED_NAMES = frozenset({"you", "host", "admin", "server", "quatch", "all", *(name.lower() for name in AI_NAMES)})


class Visitor(Member, Protocol):
    """A visit as the lobby knows it."""

    @property
    def player(self) -> Player:
        """Who it is."""

    @property
    def at_table(self) -> bool:
        """Whether it is at a table, else in the lobby."""

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[str, ...]) -> None:
        """Tables or people have changed."""

    def taken_over(self) -> None:
        """The same identity has come in from another terminal; this visit ends."""


class Lobby:
    """All tables and all visits of this server."""

    def __init__(
        self, config: Config, store: TableLog, rulebook: Rulebook | None = None, seed: str | None = None
    ) -> None:
        """A seed makes every game here the same again: for one's own terminal, never for a server."""
        self.config = config
        self._seed = seed
        self.rulebook = rulebook or Rulebook()
        self.visitors: list[Visitor] = []
        self._store = store
        self._tables: dict[int, Table] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._numbers = count(1)
        self._known_names: dict[str, str] = {}
        """The names that keys have gone by, so that they go by them again."""
        self._telling: asyncio.TimerHandle | None = None

    def enter(self, visitor: Visitor) -> None:
        """Come in. Another visit of the same identity ends: one person is in one place."""
        for other in [other for other in self.visitors if other.player.id == visitor.player.id]:
            self.visitors.remove(other)
            other.taken_over()
        self.visitors.append(visitor)
        visitor.lobby_changed(self.tables(), self.people())
        self.changed()

    def leave(self, visitor: Visitor) -> None:
        """Go."""
        if visitor in self.visitors:
            self.visitors.remove(visitor)
        self.changed()

    def open_table(self, opened: Opened) -> Table:
        """Set up a table. Raises InputError where it cannot be."""
        if len(self._tables) >= TABLES:
            raise InputError("too_fast", f"there are {TABLES} tables already: sit down at one of them")
        number = next(self._numbers)
        config = self.config
        table = Table(
            number,
            opened,
            self._store,
            pace=config.pace,
            keep=config.keep_table,
            changed=self.changed,
            seed=self._seed,
        )
        self._tables[number] = table
        self._tasks[number] = asyncio.create_task(self._run(table), name=f"table {number}")
        return table

    def table(self, text: str) -> Table:
        """The table of this number. Raises InputError that names those there are."""
        table = self._tables.get(int(text)) if text.isascii() and text.isdigit() and len(text) < 9 else None
        if table is None:
            there = f"there are {', '.join(map(str, self._tables))}" if self._tables else "say new to open one"
            raise InputError("no_such_table", f"no table {text[:20]!r}: {there}" if text else f"which table? {there}")
        return table

    def kept_seat(self, player_id: str) -> Table | None:
        """The table that keeps a seat for this player."""
        return next((table for table in self._tables.values() if table.seat_name(player_id) is not None), None)

    def tables(self) -> tuple[Listing, ...]:
        """Every table, by number."""
        return tuple(table.listing() for table in self._tables.values())

    def people(self) -> tuple[str, ...]:
        """The names of all who are here."""
        return tuple(visitor.player.name for visitor in self.visitors)

    def name_for(self, player_id: str, wished: str) -> str:
        """The name that a player goes by: that of their seat, or of their last visit, or near the one wished for."""
        table = self.kept_seat(player_id)
        if table is not None and (name := table.seat_name(player_id)) is not None:
            return name
        return self.free_name(self._known_names.get(player_id, wished), player_id)

    def free_name(self, wished: str, player_id: str) -> str:
        """A name that nobody else here has, as near as can be to the one wished for."""
        name = clean_name(wished) or "guest"
        taken = {visitor.player.id: visitor.player.name for visitor in self.visitors}
        for table in self._tables.values():
            taken |= table.names()
        taken.pop(player_id, None)
        names = {name.casefold() for name in taken.values()} | RESERVED_NAMES
        if name.casefold() in names:
            name = next(free for n in count(2) if (free := f"{name[:13]}{n}").casefold() not in names)
        if player_id.startswith("SHA256:"):
            self._known_names[player_id] = name
            if len(self._known_names) > NAMES_KNOWN:
                del self._known_names[next(iter(self._known_names))]
        return name

    def say(self, line: str) -> None:
        """Tell everybody in the lobby something."""
        for visitor in self.visitors:
            if not visitor.at_table:
                visitor.hear(line)

    def changed(self) -> None:
        """Tables or people have changed: everybody in the lobby is told, soon and once for many changes."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)

    async def close(self) -> None:
        """End all tables."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        if self._telling is not None:
            self._telling.cancel()

    async def _run(self, table: Table) -> None:
        try:
            await table.run()
        except Exception:
            log.exception("table ended", table=table.number)
        finally:
            self._tables.pop(table.number, None)
            self._tasks.pop(table.number, None)
            self.changed()

    def _tell(self) -> None:
        self._telling = None
        tables, people = self.tables(), self.people()
        for visitor in self.visitors:
            if not visitor.at_table:
                visitor.lobby_changed(tables, people)
