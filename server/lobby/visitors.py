"""The players who are on the server: who they are, who has just left, and what they are told in the lobby."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, Protocol

from engine.errors import InputError
from engine.wording.phrases import listed
from server.people.names import NamesInUse, skeleton
from server.people.players import Caller, Player
from server.table.broadcaster import tell_each
from server.table.recent_talk import RecentTalk, Said
from server.table.snapshot import Listing, Presence, Subscriber

UPDATE_SECONDS: Final = 0.1
"""How long changes are collected before the players in the lobby are told."""
GONE_REMEMBERED: Final = 100
TAKEN_OVER: Final = "You have come in from another terminal, so this connection ends."


class Visitor(Subscriber, Protocol):
    """A player session as the lobby knows it."""

    @property
    def caller(self) -> Caller:
        """The connection's key, address and wished-for name."""

    @property
    def player(self) -> Player:
        """The player's name and account."""

    @property
    def at_table(self) -> bool:
        """Whether the player is at a table; if not, they are in the lobby."""

    @property
    def table_number(self) -> int | None:
        """The number of the table the player is at; None in the lobby."""

    @property
    def is_watching(self) -> bool:
        """Whether the player is at a table without a seat."""

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[Presence, ...]) -> None:
        """Tables or people have changed. Players at a table are not told."""

    @property
    def seats_read(self) -> Mapping[int, str]:
        """The names on the player's seats, by table, as they were read last."""

    async def read_seats(self) -> None:
        """Read them again: one of these tables was unloaded or has changed."""

    def dismiss(self, farewell: str) -> None:
        """End the session; ``farewell`` says why."""


class _Gone(NamedTuple):
    """A player who has left."""

    player: Player
    caller: Caller
    look: str
    """The skeleton of the name that they wished for."""


class Visitors:
    """All player sessions of this server."""

    def __init__(self, listings: Callable[[], tuple[Listing, ...]]) -> None:
        """``listings`` returns the tables as the lobby lists them."""
        self.here: list[Visitor] = []
        self.names_in_use = NamesInUse()
        """By visitor."""
        self.recent_talk = RecentTalk()
        """What was said in the lobby, and what was announced."""
        self._listings = listings
        self._gone = deque[_Gone](maxlen=GONE_REMEMBERED)
        """Players who have left lately, the last one last."""
        self._update_timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """Tell nobody of changes any more."""
        if self._update_timer is not None:
            self._update_timer.cancel()

    def enter(self, visitor: Visitor) -> None:
        """Add a session. An earlier session of the same player ends."""
        others = [other for other in self.here if other.player.id == visitor.player.id]
        self.here = [other for other in self.here if other not in others]
        tell_each(others, lambda other: other.dismiss(TAKEN_OVER))
        self.here.append(visitor)
        self.renamed(visitor)
        visitor.lobby_changed(self._listings(), self.people())

    def leave(self, visitor: Visitor) -> None:
        """Remove a session."""
        if visitor in self.here:
            self.here.remove(visitor)
        self.names_in_use.put(visitor, {})
        self._gone.append(_Gone(visitor.player, visitor.caller, skeleton(visitor.caller.wished_name)))
        self.changed()

    def renamed(self, visitor: Visitor) -> None:
        """Note that a visitor has another name."""
        self.names_in_use.put(visitor, {visitor.player.id: visitor.player.name})
        self.changed()

    def names(self) -> tuple[str, ...]:
        """The names of all players who are here."""
        return tuple(visitor.player.name for visitor in self.here)

    def people(self) -> tuple[Presence, ...]:
        """All players who are here."""
        return tuple(Presence(each.player.name, each.table_number, each.is_watching) for each in self.here)

    def named(self, name: str) -> Visitor | None:
        """The player with this exact name, so that private words reach no other; None if there is none."""
        return next((each for each in self.here if each.player.name.casefold() == name.casefold()), None)

    def find(self, name: str) -> Visitor:
        """The player with this exact name. Raises InputError with all names if there is none."""
        if visitor := self.named(name):
            return visitor
        asked = f"no player here is called {name[:20]!r}" if name else "which player"
        here = f": here {'are' if len(self.here) > 1 else 'is'} {listed(self.names(), 'and')}" if self.here else ""
        raise InputError("bad_request", f"{asked}{here}")

    def recent_player(self, name: str) -> tuple[Player, Caller] | None:
        """The player who has this exact name, or had it lately, and their connection."""
        known = [
            *((gone.player, gone.caller) for gone in self._gone),
            *((visitor.player, visitor.caller) for visitor in self.here),
        ]
        return next((each for each in reversed(known) if each[0].name.casefold() == name.casefold()), None)

    def guests_gone(self, caller: Caller) -> Iterator[Player]:
        """The guests who have left lately and came from this caller's address with the same wished name."""
        look = skeleton(caller.wished_name)
        guests = [gone for gone in reversed(self._gone) if gone.look == look and gone.caller.address == caller.address]
        here = {visitor.player.id for visitor in self.here} if guests else set()
        for player, *_ in guests:
            if player.kind == "person" and player.account is None and player.id not in here:
                yield player

    def say(self, said: Said) -> None:
        """Say something to all players in the lobby."""
        self.recent_talk.add(said)
        tell_each(self._in_lobby(), lambda visitor: visitor.hear(said.name, said.line))

    def announce(self, line: str) -> None:
        """Say something to all players, also at tables."""
        said = Said("host", line)
        self.recent_talk.add(said)
        tell_each(self.here, lambda visitor: visitor.hear(said.name, said.line))

    def changed(self) -> None:
        """Note that tables or players have changed: the players in the lobby are told soon, once for many changes."""
        if self._update_timer is None:
            self._update_timer = asyncio.get_running_loop().call_later(UPDATE_SECONDS, self._update)

    def _update(self) -> None:
        self._update_timer = None
        # Every move at every table comes by here, so do nothing if the lobby is empty.
        if idle := self._in_lobby():
            tables, people = self._listings(), self.people()
            tell_each(idle, lambda visitor: visitor.lobby_changed(tables, people))

    def with_seat_at(self, table: int) -> list[Visitor]:
        """The players in the lobby who have a seat at this table, as far as they know."""
        return [visitor for visitor in self._in_lobby() if table in visitor.seats_read]

    def _in_lobby(self) -> list[Visitor]:
        """The players who are at no table."""
        return [visitor for visitor in self.here if not visitor.at_table]
