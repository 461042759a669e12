"""The players who are on the server: who they are, who has just left, and what they are told in the lobby.

Players in other processes of the server are visitors like those here.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import listed
from server.lobby.peers import Message, Peers
from server.lobby.visitor import LocalVisitor, Visitor
from server.people.names import NamesInUse, skeleton
from server.people.players import Caller, Player
from server.table.broadcaster import tell_each
from server.table.recent_talk import RecentTalk, Said
from server.table.snapshot import Listing, Presence

UPDATE_SECONDS: Final = 0.1
"""How long changes are collected before the players in the lobby are told."""
GONE_REMEMBERED: Final = 100
NAMES_TOLD: Final = 20
"""If a command names no player, the answer lists all players, unless there are more than this."""
TAKEN_OVER: Final = "You have come in from another terminal, so this connection ends."


class Gone(NamedTuple):
    """A player who has left."""

    player: Player
    caller: Caller
    look: str
    """The skeleton of the name that they wished for."""


class Announced(Message, frozen=True, tag="announced"):
    """Something for all players."""

    line: str


class Visitors:
    """All player sessions of this server."""

    def __init__(self, listings: Callable[[], tuple[Listing, ...]], peers: Peers) -> None:
        """``listings`` returns the tables as the lobby lists them."""
        self.here: list[LocalVisitor] = []
        """The sessions in this process, in the order of coming."""
        self.came: dict[Visitor, float] = {}
        """When each visitor came, here or elsewhere, by the clock of the event loop here."""
        self.people_changed = asyncio.Event()
        """Set when a visitor has come here, has gone from here, or has another name."""
        self.names_in_use = NamesInUse()
        """By visitor."""
        self.recent_talk = RecentTalk()
        """What was said in the lobby, and what was announced."""
        self._listings, self._peers = listings, peers
        peers.on(Announced, lambda _, told: self.announce_here(told.line))
        self.gone = deque[Gone](maxlen=GONE_REMEMBERED)
        """Players who have left lately, the last one last."""
        self._update_timer: asyncio.TimerHandle | None = None
        self._nobody_follows = True
        """Whether no player here followed the lobby when there was something to tell last."""

    def close(self) -> None:
        """Tell nobody of changes any more."""
        if self._update_timer is not None:
            self._update_timer.cancel()

    def enter(self, visitor: LocalVisitor) -> None:
        """Add a session. An earlier session of the same player ends, here or elsewhere."""
        others = [other for other in self.everybody() if other.player.id == visitor.player.id]
        for other in others:
            if other in self.here:
                self.here.remove(other)
                del self.came[other]
        tell_each(others, lambda other: other.dismiss(TAKEN_OVER))
        self.here.append(visitor)
        self.note(visitor, asyncio.get_running_loop().time())
        self.people_changed.set()
        self.show_lobby(visitor)

    def show_lobby(self, visitor: LocalVisitor) -> None:
        """Show the lobby to a player who follows it from now on."""
        self._nobody_follows = False
        visitor.lobby_changed(self._listings(), self.people())

    def leave(self, visitor: LocalVisitor) -> None:
        """Remove a session."""
        if visitor in self.here:
            self.here.remove(visitor)
        self._forget(visitor)
        self.people_changed.set()

    def renamed(self, visitor: LocalVisitor) -> None:
        """Note that a visitor has another name."""
        self.note(visitor, self.came[visitor])
        self.people_changed.set()

    def note(self, visitor: Visitor, came: float) -> None:
        """Note a session, here or elsewhere, that has come at this time by the clock of the event loop here."""
        self.came[visitor] = came
        self.names_in_use.put(visitor, {visitor.player.id: visitor.player.name})
        self.changed()

    def forget_elsewhere(self, visitor: Visitor) -> None:
        """Note that a session in another process has ended."""
        if visitor in self.came:
            self._forget(visitor)

    def _forget(self, visitor: Visitor) -> None:
        self.came.pop(visitor, None)
        self.names_in_use.put(visitor, {})
        self.gone.append(Gone(visitor.player, visitor.caller, skeleton(visitor.caller.wished_name)))
        self.changed()

    def forget_player(self, player_id: str) -> None:
        """Keep nothing of a player who is not here any more: neither that they were here, nor what they have said."""
        self.gone = deque((gone for gone in self.gone if gone.player.id != player_id), GONE_REMEMBERED)
        self.recent_talk.forget(player_id)

    def everybody(self) -> list[Visitor]:
        """All players on the server, in the order of coming."""
        return sorted(self.came, key=self.came.__getitem__)

    def names(self) -> tuple[str, ...]:
        """The names of all players who are on the server."""
        return tuple(visitor.player.name for visitor in self.everybody())

    def people(self) -> tuple[Presence, ...]:
        """All players who are on the server, and where."""
        return tuple(Presence(each.player.name, each.table_number, each.is_watching) for each in self.everybody())

    def named(self, name: str) -> Visitor | None:
        """The player with this exact name, so that private words reach no other; None if there is none."""
        return next((each for each in self.came if each.player.name.casefold() == name.casefold()), None)

    def find(self, name: str) -> Visitor:
        """The player with this exact name. Raises InputError with the names of all if there is none."""
        if visitor := self.named(name):
            return visitor
        asked = f"no player here is called {name[:20]!r}" if name else "which player"
        here = f": here {'are' if len(self.came) > 1 else 'is'} {listed(self.names(), 'and')}" if self.came else ""
        if len(self.came) > NAMES_TOLD:
            here = f": type who to see all {len(self.came)}"
        raise InputError("bad_request", f"{asked}{here}")

    def recent_player(self, name: str) -> tuple[Player, Caller] | None:
        """The player who has this exact name, or had it lately, and their connection."""
        known = [
            *((gone.player, gone.caller) for gone in self.gone),
            *((visitor.player, visitor.caller) for visitor in self.everybody()),
        ]
        return next((each for each in reversed(known) if each[0].name.casefold() == name.casefold()), None)

    def say(self, said: Said) -> None:
        """Say something to all players in the lobby."""
        self.hear_talk(said)
        self._peers.tell_of_talk(said)

    def announce(self, line: str) -> None:
        """Say something to all players, also at tables."""
        self.announce_here(line)
        self._peers.tell(Announced(line))

    def announce_here(self, line: str) -> None:
        """Say something to all players in this process."""
        said = Said("host", line)
        self.recent_talk.add(said)
        tell_each(self.here, lambda visitor: visitor.hear(said.name, said.line))

    def said_after(self, at: float) -> list[Said]:
        """What was said in the lobby, and what was announced, after this time by the clock of the event loop."""
        names = {each.player.id: each.player.name for each in self.came}
        said = self.recent_talk.heard(by_spectator=False, after=at)
        return [replace(each, name=names.get(each.player_id, each.name)) for each in said]

    def hear_talk(self, said: Said) -> None:
        """Something was said in the lobby, here or elsewhere."""
        self.recent_talk.add(said)
        in_lobby = [visitor for visitor in self.here if visitor.table_number is None]
        tell_each(in_lobby, lambda visitor: visitor.hear(said.name, said.line))

    def changed(self) -> None:
        """Note that tables or players have changed: who follows the lobby is told soon, once for many changes."""
        if self._update_timer is None and not self._nobody_follows:  # every move at every table comes by here
            self._update_timer = asyncio.get_running_loop().call_later(UPDATE_SECONDS, self._update)

    def _update(self) -> None:
        self._update_timer = None
        following = [visitor for visitor in self.here if visitor.follows_lobby]
        self._nobody_follows = not following
        if following:
            tables, people = self._listings(), self.people()
            tell_each(following, lambda visitor: visitor.lobby_changed(tables, people))
