"""Where somebody is, the lobby or one table, and how they come and go: the same for people and for bots."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from engine.errors import InputError
from server.lobby.lobby import Lobby, Visitor
from server.table.coordinator import Table


class Location:
    """A visitor's place: in the lobby, or at a table."""

    def __init__(self, lobby: Lobby, visitor: Visitor, outside: str) -> None:
        """``outside`` is what they are told in the lobby when they ask for something that needs a table."""
        self._lobby = lobby
        self._visitor = visitor
        self._outside = outside
        self._table: Table | None = None

    @property
    def at_table(self) -> bool:
        """Whether they are at a table, else in the lobby."""
        return self._table is not None

    @property
    def table(self) -> Table:
        """The table they are at. Raises InputError in the lobby."""
        if self._table is None:
            raise InputError("bad_request", self._outside)
        return self._table

    def kept_seat(self) -> tuple[Table, Callable[[], Awaitable[None]]] | None:
        """The table that keeps a seat for them, and how to take it again: what `enter` asks for."""
        visitor = self._visitor
        table = self._lobby.kept_seat(visitor.player.id)
        return None if table is None else (table, lambda: table.join(visitor, visitor.player))

    async def enter(self, table: Table, enter: Callable[[], Awaitable[None]]) -> None:
        """Go to a table in this way. Raises InputError where that cannot be: then they are in the lobby still."""
        self._table = table  # it pushes what there is to see before it answers
        try:
            await enter()
        except InputError:
            self._table = None
            raise
        await self._lobby.names.remember(self._visitor.player)

    async def leave(self, *, for_good: bool) -> None:
        """Go back to the lobby; at once, whatever becomes of the table's answer."""
        table, self._table = self._table, None
        if table is not None:
            with suppress(InputError):
                await asyncio.shield(table.leave(self._visitor, for_good=for_good))

    def forget(self) -> None:
        """The table is no more: be in the lobby."""
        self._table = None
