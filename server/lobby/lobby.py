"""The lobby of a server: its tables, the players on it, and what it remembers of players who come back."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Annotated, Final

import structlog
from msgspec import Meta, Struct, structs

from engine.errors import InputError
from engine.wording.phrases import sentence_case
from server.addresses import PRIVATE, Address, address_text, read_optional_address
from server.ai.pool import AIPool
from server.command_line import command_lines
from server.config import Config
from server.features import NO_FEATURES, Features
from server.history.ratings import Standing, Standings
from server.joining import JoinLines
from server.ledger import Ledger, Resource
from server.limits import RESOURCES
from server.lobby.drain import Drain
from server.lobby.names import Names
from server.lobby.peers import Message, PayerName, Peers
from server.lobby.service import Act, AnyService, KnownGuests, Service
from server.lobby.tables import LogFollower, Tables
from server.lobby.visitor import LocalVisitor, Visitor
from server.lobby.visitors import Visitors
from server.people.players import Caller, Player
from server.people.profiles import Profiles
from server.people.sanctions import Imposed
from server.people.settings import Settings
from server.process.background_tasks import BackgroundTasks, attempt
from server.process.counters import UNREAD, Counters
from server.records.fairness import new_seed
from server.rulebook import Rulebook
from server.storage.database import Database, NotSaved
from server.storage.engines import refuse_if_not_in_use
from server.table.broadcaster import tell_each
from server.table.table import Table

CLOSE_SECONDS: Final = 10.0
"""How often to close tables that are due."""

log = structlog.get_logger("quatch.lobby")


class SanctionsChanged(Message, frozen=True, tag="sanctions"):
    """A ban or a mute was imposed or lifted: it is to be read in the log."""


class SettingsChanged(Message, frozen=True, tag="settings"):
    """A player has changed settings outside their session."""

    account: str


class CallerSentAway(Message, frozen=True, tag="away"):
    """An op has kicked a player: what is shown to callers with this key, or without one from this address, ends."""

    key: str | None = None
    address: str | None = None


class Charged(Message, frozen=True, tag="charged"):
    """So much was charged to the share that a payer has in all processes together."""

    resource: str
    payer: PayerName
    amount: Annotated[float, Meta(ge=0)]


class Lobby:
    """What all sessions of a server share."""

    def __init__(
        self,
        config: Config,
        store: Database,
        rulebook: Rulebook | None = None,
        new_seed: Callable[[], str] = new_seed,
        wall: Callable[[], float] = time.time,
        counters: Counters = UNREAD,
        *,
        features: Features = NO_FEATURES,
        peers: Peers | None = None,
    ) -> None:
        """Call `open` before use. ``new_seed`` makes the seeds of deals; ``wall`` is the time in seconds since 1970.

        ``peers`` are the other processes of this server; None if there can be none.
        """
        self.peers = peers = peers or Peers(config.node_name)
        self.config = config
        self.features = features
        self.join_lines = JoinLines()
        self.store = store
        self.counters = counters
        self.rulebook = rulebook or Rulebook()
        self.spared = config.spared
        self.shared = config.spared
        """The addresses that many players may have: these, and in a room with guests all that are private."""
        self.wall = wall
        """Returns the time in seconds since 1970."""
        self._background = BackgroundTasks()
        self.imposed = Imposed(store, self.spared, wall, partial(peers.tell, SanctionsChanged()))
        kinds = (kind for each in command_lines().values() for kind in each.account_texts)
        resources = (*RESOURCES, *features.all(Resource))
        self.ledger = Ledger(
            resources, self.spared, self.shared, lambda *charged: peers.tell(Charged(*charged)), config.processes
        )
        self.profiles = Profiles(store, wall, self.ledger, kinds)
        self.accounts = self.profiles.accounts
        self.standings = Standings(store)
        self.drain = Drain()
        self.ai_pool = AIPool(max(1, config.workers // config.processes) if config.workers else 0, counters)
        self.tables = Tables(self, new_seed)
        self.visitors = Visitors(self.tables.listings, peers)
        self.names = Names(self.visitors, self.tables, self.profiles, self.rulebook, self._background)
        self.log_follower = LogFollower(store, self.tables, peers)
        peers.on(SanctionsChanged, lambda *_: self._background.begin(self.imposed.load(), "reading sanctions"))
        peers.on(SettingsChanged, lambda _, told: self._hear_of_settings(told.account))
        peers.on(Charged, lambda _, charged: self.ledger.note(charged.resource, charged.payer, charged.amount))
        peers.on(CallerSentAway, lambda _, told: self._send_away(told.key, read_optional_address(told.address)))
        # Last, since these may use all that is above.
        peers.join(self)
        self.services: Sequence[Service] = [each.service(self) for each in features.all(Runs)]
        self.guests = next((each for each in self.services if isinstance(each, KnownGuests)), KnownGuests())
        if any(each.invites for each in self.services):
            self.shared.add(PRIVATE)

    def service(self, kind: type[AnyService]) -> AnyService:
        """The service of this class. Only the feature that runs it asks for it."""
        return next(each for each in self.services if isinstance(each, kind))

    async def open(self) -> None:
        """Read the log, except for the tables: each is loaded when somebody comes. Raises NotSaved, OutcomeUnknown."""
        await self.store.open()
        await refuse_if_not_in_use(self.store, although_moved=self.config.although_moved)
        await self.imposed.load()
        await self.log_follower.read()
        self.log_follower.open()
        for service in self.services:
            service.open()
        self.peers.open()
        background = self._background
        background.begin(self.log_follower.run(), "reading what others write")
        background.begin(self._note_news(), "noting what was written")
        background.repeat(self.tables.close_due, CLOSE_SECONDS, "closing tables that are due")

    async def close(self) -> None:
        """Stop all tables of this process; the log keeps them."""
        self.log_follower.close()
        await self.peers.close()
        await self._background.stop()
        for service in self.services:
            await attempt(service.close(), "closing a service")
        await self.tables.close()
        await self.ai_pool.close()
        self.visitors.close()
        await self.store.close()

    async def _note_news(self) -> None:
        """Read all else that may have been written whenever the log was read on."""
        news = self.log_follower.news
        while await news.wait():
            news.clear()
            await attempt(self.imposed.load(), "reading sanctions")
            await attempt(self.standings.count_all(), "counting finished games")
            for service in self.services:
                await attempt(service.read_on(), "reading on")

    async def read_on(self) -> None:
        """Read what other processes have written, so that tables are listed which were opened there just now.

        If the log cannot be read now, those that are known are listed.
        """
        with suppress(NotSaved):
            await self.log_follower.read()

    def is_op(self, caller: Caller) -> bool:
        """Whether the caller is an op: the config lists their key, or they are at the terminal of the server."""
        return caller.runs_server or caller.key in self.config.ops

    def must_be_op(self, caller: Caller) -> None:
        """Raises InputError, which says what key the config would have to list."""
        if not self.is_op(caller):
            key = caller.key
            why = f"your key {key} is not under ops" if key else "ops are known by ssh keys, and you came without one"
            raise InputError("bad_request", f"{why}: that is for the person who runs the server")

    @property
    def ssh_address(self) -> str:
        """What players type behind `ssh` to come here, as in `-p 2222 192.0.2.7`; empty if nobody can."""
        return next(iter(self.join_lines.targets), "")

    # What is kept of players, and for them.

    def note_visit(self, player: Player) -> None:
        """Note that a player has come, so that their profile is kept; guests have none."""
        self.counters.logins[player.kind].inc()
        if player.account is not None:
            self._background.begin(self.profiles.note_visit(player), "noting a visit")

    def tell_rating(self, account: str, game: str, tell: Callable[[Standing], None]) -> None:
        """Count this game, which has just ended, and tell how it leaves the standing of the account if it was rated."""

        async def count() -> None:
            await self.standings.count_some()
            for standing in await self.standings.of(account):
                if standing.game == game:
                    tell(standing)

        self._background.begin(count(), "telling a rating")

    def keep_settings(self, player: Player, settings: Settings) -> None:
        """Keep a player's settings, soon."""
        self._background.begin(self.profiles.remember_settings(player, settings), "keeping settings")

    def settings_changed(self, account: str) -> None:
        """Have the session of an account, if there is one, read its settings again: they were changed outside it."""
        self._hear_of_settings(account)
        self.peers.tell(SettingsChanged(account))

    def _hear_of_settings(self, account: str) -> None:
        for visitor in self.visitors.here:
            if visitor.player.id == account:
                self._background.begin(visitor.read_settings(), "reading a player's settings")

    def read_seats(self, visitor: LocalVisitor) -> None:
        """Have a player read which seats they have, soon."""
        self._background.begin(visitor.read_seats(), "reading a player's seats")

    def seats_changed(self, table: int) -> None:
        """Have the players in the lobby who have a seat at this table, as far as they know, read which they have."""
        for visitor in self.visitors.here:
            if visitor.table_number is None and table in visitor.seats_read:
                self.read_seats(visitor)

    def kept_name(self, player_id: str, seats: Mapping[int, str]) -> str:
        """The name under which these seats or more are kept for a player; empty if nothing is, or they are banned."""
        if self.imposed.bans.on((player_id,), None):
            return ""
        names = chain(seats.values(), (each.kept_names().get(player_id, "") for each in self.services))
        return next(filter(None, names), "")

    async def kept_table(self, number: int, caller: Caller) -> Table:
        """The table that keeps a seat for this caller, loaded and awake. Raises InputError."""
        try:
            return await self.tables.bring_up(str(number), caller)
        except InputError as error:
            if error.code != "too_many":
                raise
            problem = f"there is no room for table {number} now, but your seat is kept: come back with sit {number}"
            raise InputError(error.code, problem) from None

    # Sending players away.

    async def send_away_banned(self) -> None:
        """End the sessions here of all banned players."""
        for visitor in list(self.visitors.here):
            caller = visitor.caller
            ban = self.imposed.bans.on((caller.key, visitor.player.id), caller.address)
            if ban and not self.is_op(caller):
                await self.expel(visitor, f"{sentence_case(ban.denial('you are', self.wall()))}.", ban.by)

    async def expel(self, visitor: Visitor, farewell: str, by: str) -> None:
        """End a session, and free the seats that its player had; ``by`` is the key of the op who decided that."""
        try:
            op = await self.accounts.of(by) or by
        except NotSaved:
            op = by  # the player is sent away all the same
        for number in await self.tables.seats_of(visitor.player.id):
            with suppress(InputError):  # it has closed just now
                table = await self.tables.bring_up(str(number))
                await table.expel(visitor.player.id, op)
        visitor.dismiss(farewell)

    async def note_act(self, act: Act) -> None:
        """Log what an op or a host has done, and tell the services."""
        log.info("op acted", **{name: text for name, text in structs.asdict(act).items() if text})
        for service in self.services:
            await attempt(service.note_act(act), "noting an act")

    def send_away(self, caller: Caller) -> None:
        """End what services show to a caller, here and in the other processes."""
        self._send_away(caller.key, caller.address)
        self.peers.tell(CallerSentAway(caller.key, address_text(caller.address)))

    def _send_away(self, key: str | None, address: Address | None) -> None:
        tell_each(self.services, lambda service: service.send_away(key, address))

    def drained(self) -> bool:
        """Whether the server may stop now: no table is in use, or the drain's time is over."""
        return self.drain.is_active and not (self.drain.seconds_left and self.tables.in_use())


class Runs(Struct, frozen=True):
    """That a feature runs a service."""

    service: Callable[[Lobby], Service]
    """Its class, by which the lobby finds it."""
