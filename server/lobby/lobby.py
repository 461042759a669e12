"""All tables and all players of the server, their names and settings, and talk in the lobby."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from engine.errors import InputError
from engine.wording.phrases import listed
from server.addresses import AddressSet
from server.config import Config
from server.history.standings import Standing, Standings
from server.limits import SETTINGS
from server.lobby.drain import Drain
from server.lobby.tables import Tables
from server.ops.background_tasks import BackgroundTasks, attempt
from server.ops.metrics import UNREAD, Metrics
from server.people.accounts import Accounts
from server.people.guess_limits import GuessLimits
from server.people.name_book import NameBook
from server.people.names import NamesInUse, free_name, skeleton
from server.people.players import Caller, Player
from server.people.sanctions import Sanctions
from server.people.settings import Settings
from server.records.fairness import new_seed
from server.rulebook import Rulebook
from server.storage.key_value_store import BestEffortStore
from server.storage.table_log import NotSaved, OutcomeUnknown, TableLog
from server.table.broadcaster import tell_each
from server.table.snapshot import Listing, Subscriber

UPDATE_SECONDS: Final = 0.1
"""How long changes are collected before the players in the lobby are told."""
BEST_LISTED: Final = 20
GONE_REMEMBERED: Final = 100
TAKEN_OVER: Final = "You have come in from another terminal, so this connection ends."
CATCH_UP_SECONDS: Final = 2.0
"""How often to read what other processes have written: bans, mutes, links, names, settings."""
NAMES_SECONDS: Final = 60.0
"""How often to write down who has come, and to let names go."""


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

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[str, ...]) -> None:
        """Tables or people have changed. Players at a table are not told."""

    def dismiss(self, farewell: str) -> None:
        """End the session; ``farewell`` says why."""


class Lobby:
    """All tables and all player sessions of this server."""

    def __init__(
        self,
        config: Config,
        store: TableLog,
        rulebook: Rulebook | None = None,
        new_seed: Callable[[], str] = new_seed,
        wall: Callable[[], float] = time.time,
        metrics: Metrics = UNREAD,
    ) -> None:
        """Call `open` before use. ``new_seed`` makes the seeds of deals; ``wall`` is the time in seconds since 1970."""
        self.config = config
        self.store = store
        self.rulebook = rulebook or Rulebook()
        self.standings = Standings(store)
        self.visitors: list[Visitor] = []
        self.names = NameBook(store, wall, config.keep_name)
        self._names_here = NamesInUse()
        """The names of the visitors, by visitor."""
        self._settings = BestEffortStore(store, "settings", SETTINGS)
        self._gone = deque[tuple[Player, Caller]](maxlen=GONE_REMEMBERED)
        """Players who have left lately, the last one last."""
        self._update_timer: asyncio.TimerHandle | None = None
        spared = AddressSet((*config.exempt, *config.proxies))
        self.accounts = Accounts(store, wall)
        self.bans = Sanctions(store, "ban", spared, wall)
        self.mutes = Sanctions(store, "mute", spared, wall)
        self.guess_limits = GuessLimits(spared)
        self.drain = Drain()
        self.running_tables = Tables(config, store, self.drain, new_seed, wall, metrics, self.changed)
        self.open_table = self.running_tables.open_table
        self.find_table = self.running_tables.find_table
        self.listings = self.running_tables.listings
        self.ai_pool = self.running_tables.ai_pool
        self._background = BackgroundTasks()

    async def open(self) -> None:
        """Read the log, except for the tables: each is loaded when somebody comes. Raises NotSaved, OutcomeUnknown."""
        await self.store.open()
        await self._catch_up()
        await self.running_tables.open()
        self._background.begin(self._keep_catching_up(), "reading what is remembered")
        self._background.begin(self._keep_counting(), "counting finished games")
        self._background.begin(self._keep_letting_names_go(), "letting old names go")

    async def close(self) -> None:
        """Stop all tables of this process; the log keeps them."""
        await self._background.stop()
        await self.running_tables.close()
        if self._update_timer is not None:
            self._update_timer.cancel()
        await self.store.close()

    # Sessions.

    def enter(self, visitor: Visitor) -> None:
        """Add a session. An earlier session of the same player ends."""
        others = [other for other in self.visitors if other.player.id == visitor.player.id]
        self.visitors = [other for other in self.visitors if other not in others]
        tell_each(others, lambda other: other.dismiss(TAKEN_OVER))
        self.visitors.append(visitor)
        self.names.note_visit(visitor.player.id)
        self.renamed(visitor)
        visitor.lobby_changed(self.listings(), self.people())

    def leave(self, visitor: Visitor) -> None:
        """Remove a session."""
        if visitor in self.visitors:
            self.visitors.remove(visitor)
        self._names_here.put(visitor, {})
        self._gone.append((visitor.player, visitor.caller))
        self.changed()

    def renamed(self, visitor: Visitor) -> None:
        """Note that a visitor has another name."""
        self._names_here.put(visitor, {visitor.player.id: visitor.player.name})
        self.changed()

    def people(self) -> tuple[str, ...]:
        """The names of all players who are here."""
        return tuple(visitor.player.name for visitor in self.visitors)

    async def name_for(self, player_id: str, wished: str) -> str:
        """A player's name: that of their seat, or of their last session, or one close to the name they wish for."""
        seats = await self.running_tables.seats_of(player_id)
        return next(iter(seats.values()), None) or await self.free_name(self.names.of(player_id) or wished, player_id)

    async def free_name(self, wished: str, player_id: str) -> str:
        """A name close to the wished one that looks like no other name."""
        users, taken = (self.names, self._names_here), set[str]()
        while True:
            name = free_name(
                wished,
                player_id,
                lambda name: name not in taken and all(each.is_free(name, player_id) for each in users),
            )
            if await self.running_tables.is_free(name, player_id):
                return name
            taken.add(name)

    def settings_of(self, player: Player) -> Settings:
        """A player's settings; the defaults for a newcomer or a guest."""
        return Settings.from_json(self._settings.texts.get(player.id, "{}"))

    async def remember_settings(self, player: Player, settings: Settings) -> None:
        """Keep the settings of a player with an account for their next session."""
        if player.account is not None:
            await self._settings.put(player.id, settings.to_json())

    def say(self, name: str, line: str) -> None:
        """Say something to all players in the lobby."""
        tell_each(self._in_lobby(), lambda visitor: visitor.hear(name, line))

    def announce(self, line: str) -> None:
        """Say something to all players, also at tables."""
        tell_each(self.visitors, lambda visitor: visitor.hear("host", line))

    def recent_player(self, name: str) -> tuple[Player, Caller] | None:
        """The player who has this exact name, or had it lately, and their connection."""
        known = [*self._gone, *((visitor.player, visitor.caller) for visitor in self.visitors)]
        return next((each for each in reversed(known) if each[0].name.casefold() == name.casefold()), None)

    def find(self, name: str) -> Visitor:
        """The player with this exact name, so that private words reach no other. Raises InputError with all names."""
        for visitor in self.visitors:
            if visitor.player.name.casefold() == name.casefold():
                return visitor
        asked = f"no player here is called {name[:20]!r}" if name else "which player"
        here = (
            f": here {'are' if len(self.visitors) > 1 else 'is'} {listed(self.people(), 'and')}"
            if self.visitors
            else ""
        )
        raise InputError("bad_request", f"{asked}{here}")

    async def best(self, text: str) -> tuple[str, list[Standing], bool]:
        """A title, the best players under the named rule set or under all, and whether all games are counted."""
        rules = self.rulebook.find(text) if text else None
        complete = await self._count_some_games()
        best = await self.standings.top(self.rulebook.name_of(rules) if rules else None, BEST_LISTED)
        return rules.title if rules else "All rule sets", best, complete

    async def has_finished(self, player: Player) -> bool:
        """Whether this player has ever finished a game, as far as games are counted; yes if that cannot be read."""
        if player.account is None:
            return False
        await self._count_some_games()
        try:
            return await self.standings.has_finished(player.account)
        except NotSaved:
            return True

    async def _count_some_games(self) -> bool:
        """Count the games that have just finished. Returns whether all games are counted."""
        try:
            return await self.standings.catch_up(pieces=1)
        except (NotSaved, OutcomeUnknown):
            return False

    # Tables.

    async def kept_seat(self, player_id: str) -> tuple[int, str] | None:
        """The number of the table that keeps a seat for this player, and the name on it; None if there is none."""
        return next(iter((await self.running_tables.seats_of(player_id)).items()), None)

    async def seat_kept_for(self, caller: Caller) -> str | None:
        """The name on a kept seat whose guest came from this address with this wished name; None if there is none.

        The caller may be that guest or another person: only the resume code tells.
        """
        here = {visitor.player.id for visitor in self.visitors}
        for player, other in reversed(self._gone):
            alike = (other.address, skeleton(other.wished_name)) == (caller.address, skeleton(caller.wished_name))
            if alike and player.kind == "person" and player.account is None and player.id not in here:
                seat = await self.kept_seat(player.id)
                if seat is not None:
                    return seat[1]
        return None

    def drained(self) -> bool:
        """Whether the server may stop now: no table is in use, or the drain's time is over."""
        return self.drain.is_over or (self.drain.is_active and not self.running_tables.in_use())

    def changed(self) -> None:
        """Note that tables or players have changed: the players in the lobby are told soon, once for many changes."""
        if self._update_timer is None:
            self._update_timer = asyncio.get_running_loop().call_later(UPDATE_SECONDS, self._update_lobby)

    async def _catch_up(self) -> None:
        """Read what this or another process has written since: accounts, bans, mutes, names, settings."""
        for remembered in (self.accounts, self.bans, self.mutes, self.names, self._settings):
            await remembered.load()

    async def _keep_catching_up(self) -> None:
        while True:
            await asyncio.sleep(CATCH_UP_SECONDS)
            await attempt(self._catch_up(), "reading what is remembered")

    async def _keep_counting(self) -> None:
        while True:
            await attempt(self._count_games(), "counting finished games")
            await asyncio.sleep(CATCH_UP_SECONDS)

    async def _count_games(self) -> None:
        await self.standings.catch_up()

    async def _keep_letting_names_go(self) -> None:
        while True:
            await asyncio.sleep(NAMES_SECONDS)
            await attempt(self._let_names_go(), "letting old names go")

    async def _let_names_go(self) -> None:
        await self.names.write_visits()
        # Only when every finished game is counted is it known who has finished none.
        if (outdated := await self.names.outdated()) and await self.standings.catch_up(1):
            await self.names.let_go(outdated, {each for each in outdated if await self.standings.has_finished(each)})

    def _update_lobby(self) -> None:
        self._update_timer = None
        # Every move at every table comes by here, so do nothing if the lobby is empty.
        if idle := self._in_lobby():
            tables, people = self.listings(), self.people()
            tell_each(idle, lambda visitor: visitor.lobby_changed(tables, people))

    def _in_lobby(self) -> list[Visitor]:
        """The players who are at no table."""
        return [visitor for visitor in self.visitors if not visitor.at_table]
