"""Which tables there are, who is about, and what is said in the lobby."""

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
from server.lobby.drain import Drain
from server.lobby.tables import Tables
from server.ops.background_tasks import BackgroundTasks, attempt
from server.ops.metrics import UNREAD, Metrics
from server.people.accounts import Accounts
from server.people.durable_texts import DurableTexts
from server.people.name_book import NameBook
from server.people.names import skeleton
from server.people.players import Caller, Player
from server.people.sanctions import Sanctions
from server.people.settings import Settings
from server.records.fairness import new_seed
from server.rulebook import Rulebook
from server.storage.store import TableLog
from server.table.broadcaster import tell_each
from server.table.coordinator import Table
from server.table.entries import TableSettings
from server.table.snapshot import Listing, Subscriber

TELL_SECONDS: Final = 0.1
"""How long changes are gathered before the lobby is told of them."""
BEST_LISTED: Final = 20
GONE_KNOWN: Final = 100
TAKEN_OVER: Final = "You have come in from another terminal, so this connection ends."
LOOK_SECONDS: Final = 2.0
"""How often it is looked up what ops and people said in other processes."""


class Visitor(Subscriber, Protocol):
    """A player session as the lobby knows it."""

    @property
    def caller(self) -> Caller:
        """The connection's key, address and wished-for name."""

    @property
    def player(self) -> Player:
        """The player's name and identity."""

    @property
    def at_table(self) -> bool:
        """Whether the player is at a table; if not, they are in the lobby."""

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[str, ...]) -> None:
        """Tables or people have changed. Players at a table are not told."""

    def dismiss(self, farewell: str) -> None:
        """End the session; ``farewell`` says why."""


class Lobby:
    """All tables and all visits of this server."""

    def __init__(
        self,
        config: Config,
        store: TableLog,
        rulebook: Rulebook | None = None,
        new_seed: Callable[[], str] = new_seed,
        wall: Callable[[], float] = time.time,
        metrics: Metrics = UNREAD,
    ) -> None:
        """`open` makes it ready.

        Args:
            config: the host's settings.
            store: the log of all tables.
            rulebook: the rule sets that can be played.
            new_seed: where the seeds of deals come from.
            wall: the time in seconds since 1970.
            metrics: where what is done here is counted.
        """
        self.config = config
        self.store = store
        self.rulebook = rulebook or Rulebook()
        self.standings = Standings()
        self.visitors: list[Visitor] = []
        self.names = NameBook(store)
        self._settings = DurableTexts(store, "settings")
        self._gone = deque[tuple[Player, Caller]](maxlen=GONE_KNOWN)
        """Who has gone lately, the last one last."""
        self._telling: asyncio.TimerHandle | None = None
        spared = AddressSet((*config.exempt, *config.proxies))
        self.accounts = Accounts(store, wall)
        self.bans = Sanctions(store, "ban", spared, wall)
        self.mutes = Sanctions(store, "mute", spared, wall)
        self.drain = Drain()
        self._tables = Tables(
            config,
            store,
            self.drain,
            new_seed=new_seed,
            wall=wall,
            metrics=metrics,
            changed=self.changed,
        )
        self.ai_pool = self._tables.ai_pool
        """Whatever takes long to think of is thought of there."""
        self._background = BackgroundTasks()

    async def open(self) -> None:
        """Have every table again that the log knows. Raises NotSaved where the log cannot be had."""
        await self.store.open()
        await self._catch_up()
        await self._tables.open()
        self._background.begin(self._keep_catching_up(), "reading what is remembered")

    async def close(self) -> None:
        """End all tables here; the log keeps them."""
        await self._background.stop()
        await self._tables.close()
        if self._telling is not None:
            self._telling.cancel()
        await self.store.close()

    # Visits.

    def enter(self, visitor: Visitor) -> None:
        """Come in. Another visit of the same identity ends: one person is in one place."""
        others = [other for other in self.visitors if other.player.id == visitor.player.id]
        self.visitors = [other for other in self.visitors if other not in others]
        tell_each(others, lambda other: other.dismiss(TAKEN_OVER))
        self.visitors.append(visitor)
        visitor.lobby_changed(self.tables(), self.people())
        self.changed()

    def leave(self, visitor: Visitor) -> None:
        """Go."""
        if visitor in self.visitors:
            self.visitors.remove(visitor)
        self._gone.append((visitor.player, visitor.caller))
        self.changed()

    def people(self) -> tuple[str, ...]:
        """The names of all who are here."""
        return tuple(visitor.player.name for visitor in self.visitors)

    def name_for(self, player_id: str, wished: str) -> str:
        """The name that a player goes by: that of their seat, or of their last visit, or near the one wished for."""
        table = self.kept_seat(player_id)
        if table is not None and (name := table.seat_name(player_id)) is not None:
            return name
        return self.free_name(self.names.of(player_id) or wished, player_id)

    def free_name(self, wished: str, player_id: str) -> str:
        """A name that looks like nobody else's, as near as can be to the one wished for."""
        taken = {visitor.player.id: visitor.player.name for visitor in self.visitors}
        taken |= self._tables.names()
        taken.pop(player_id, None)
        return self.names.free(wished, taken.values(), player_id)

    def settings_of(self, player: Player) -> Settings:
        """What this player has chosen; the defaults for a newcomer or a guest."""
        return Settings.from_json(self._settings.texts.get(player.id, "{}"))

    async def remember_settings(self, player: Player, settings: Settings) -> None:
        """Have a proven identity find its settings again the next time."""
        if player.identity is not None:
            await self._settings.put(player.id, settings.to_json())

    def say(self, name: str, line: str) -> None:
        """Tell everybody in the lobby something."""
        tell_each(self._idle(), lambda visitor: visitor.hear(name, line))

    def announce(self, line: str) -> None:
        """Tell everybody something, wherever they are."""
        tell_each(self.visitors, lambda visitor: visitor.hear("host", line))

    def lately(self, name: str) -> tuple[Player, Caller] | None:
        """Who goes by this very name or did so lately, and how they came in."""
        known = [*self._gone, *((visitor.player, visitor.caller) for visitor in self.visitors)]
        found = [(player, caller) for player, caller in known if player.name.casefold() == name.casefold()]
        return found[-1] if found else None

    def find(self, name: str) -> Visitor:
        """Who goes by this very name: private words reach nobody else. Raises InputError that names those here."""
        for visitor in self.visitors:
            if visitor.player.name.casefold() == name.casefold():
                return visitor
        here = f"here {'are' if len(self.visitors) > 1 else 'is'} {listed(self.people(), 'and')}"
        raise InputError("bad_request", f"nobody here is {name[:20]!r}: {here}" if name else f"whom? {here}")

    async def best(self, text: str) -> tuple[str, list[Standing]]:
        """Who plays best under the rule set that the text names, or under any, and what that is called."""
        rules = self.rulebook.find(text) if text else None
        await self.standings.catch_up(self.store)
        best = self.standings.top(rules.name if rules else None, BEST_LISTED)
        return rules.title if rules else "All rule sets", best

    async def has_finished(self, player: Player) -> bool:
        """Whether this player has come to the end of a game here, as far as it is known. Raises NotSaved."""
        if player.identity is None:
            return False
        await self.standings.catch_up(self.store)
        return bool(self.standings.of(player.identity))

    # Tables.

    async def open_table(self, settings: TableSettings, caller: Caller = Caller()) -> Table:  # noqa: B008 - never changed
        """Set up a table under the lowest number that is free. Raises InputError where it cannot be."""
        return await self._tables.begin(settings, caller)

    def table(self, text: str) -> Table:
        """The table of this number. Raises InputError that names those there are."""
        return self._tables.called(text)

    def kept_seat(self, player_id: str) -> Table | None:
        """The table that keeps a seat for this player."""
        return next(iter(self.tables_of(player_id)), None)

    def seat_kept_for(self, caller: Caller) -> str | None:
        """The name on a seat that waits for a guest who came in from there and wished for this name; None for none.

        Who has just come in may be that guest, or somebody else: their word tells.
        """
        here = {visitor.player.id for visitor in self.visitors}
        for player, other in reversed(self._gone):
            alike = (other.address, skeleton(other.wished_name)) == (caller.address, skeleton(caller.wished_name))
            if alike and player.kind == "person" and player.identity is None and player.id not in here:
                table = self.kept_seat(player.id)
                if table is not None:
                    return table.seat_name(player.id)
        return None

    def tables_of(self, player_id: str) -> list[Table]:
        """Every table where this player has a seat."""
        return self._tables.of(player_id)

    def drained(self) -> bool:
        """Whether nobody here would miss the server if it stopped now, or they were told for long enough."""
        return self.drain.is_over or (self.drain.is_on and not self._tables.in_use())

    def tables(self) -> tuple[Listing, ...]:
        """Every table, by number."""
        return self._tables.listings()

    def changed(self) -> None:
        """Tables or people have changed: everybody in the lobby is told, soon and once for many changes."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)

    async def _catch_up(self) -> None:
        """Read what is new of what ops have said, and people linked, been called or set, here or in other processes."""
        for remembered in (self.accounts, self.bans, self.mutes, self.names, self._settings):
            await remembered.load()

    async def _keep_catching_up(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await attempt(self._catch_up(), "reading what is remembered")

    def _tell(self) -> None:
        self._telling = None
        idle = self._idle()
        if not idle:
            # Every move at every table comes by here: nothing is listed for nobody.
            return
        tables, people = self.tables(), self.people()
        tell_each(idle, lambda visitor: visitor.lobby_changed(tables, people))

    def _idle(self) -> list[Visitor]:
        """Those who are at no table."""
        return [visitor for visitor in self.visitors if not visitor.at_table]
