"""The tournaments of this server: opening them, entering them, and what they do by themselves.

All processes that share a log run all tournaments. A tournament's log says what has happened (`tournament.fold`), and
what is to be done follows from that and the time (`tournament.due`).
"""

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Final
from weakref import WeakKeyDictionary

import structlog

from engine.errors import InputError
from server.config import Config
from server.limits import (
    NEW_TOURNAMENTS,
    TOURNAMENTS,
    TOURNAMENTS_KEPT,
    TOURNAMENTS_PER_ADDRESS,
    TOURNAMENTS_PER_PLAYER,
)
from server.lobby.even_clock import EvenClock
from server.lobby.known_tournaments import KnownTournaments
from server.lobby.rounds import Rounds
from server.lobby.tables import Tables
from server.lobby.tournament_log import TournamentLog
from server.lobby.visitor import LocalVisitor, TournamentNews
from server.lobby.visitors import Visitors
from server.people.names import skeleton
from server.process.background_tasks import BackgroundTasks, attempt
from server.rate_limit import Rates
from server.storage.key_value_store import save
from server.storage.table_log import NotSaved, OutcomeUnknown, TableLog
from server.table.broadcaster import tell_each
from server.tournament import due, events
from server.tournament.due import due as actions_due
from server.tournament.events import LIST, OVER, Event, Opened, write_event
from server.tournament.state import MOST_EVENTS, Tournament
from server.tournament.waiting import Wait, waits

TICK_SECONDS: Final = 0.5
IDLE_SECONDS: Final = 2.0
"""How often to look whether there is a tournament while none goes on, since the message of another may be lost."""

log = structlog.get_logger("quatch.tournaments")


class Tournaments(KnownTournaments):
    """The tournaments of one server."""

    def __init__(
        self, config: Config, store: TableLog, tables: Tables, visitors: Visitors, wall: Callable[[], float] = time.time
    ) -> None:
        """``wall`` returns the time of day in seconds since 1970; it may jump."""
        super().__init__(store, EvenClock(wall), self._tell)
        self._config = config
        self._visitors = visitors
        self.wall = wall
        self.now = self._clock.now
        """The time in seconds since 1970, on a clock that goes on evenly whatever becomes of the time of day."""
        self.opened_here: Callable[[], None] = lambda: None
        """Called when this process has opened a tournament."""
        self._opening = Rates(NEW_TOURNAMENTS)
        """How often tournaments are opened, by opener."""
        self._news = asyncio.Event()
        """Set when there is a tournament that is perhaps not known yet."""
        self.rounds = Rounds(store, tables, visitors, self.now)
        self._failed: WeakKeyDictionary[TournamentLog, str] = WeakKeyDictionary()
        """Why tournaments do not go on now; each failure is logged once, until the tournament goes on."""
        self._calling: dict[str, set[str]] = {}
        """For each tournament in which this process does now what is due: the players whom it is calling to tables."""
        self._background = BackgroundTasks()

    def open(self) -> None:
        """Run the tournaments from now on."""
        self._background.begin(self._keep_running(), "running tournaments")

    async def close(self) -> None:
        """Stop; the log keeps them."""
        await self._background.stop()

    def look_soon(self) -> None:
        """Look at once which tournaments there are."""
        self._news.set()

    def present(self) -> dict[str, float]:
        """Since when each player has been on the server, in the terms of `now`."""
        behind = self.now() - asyncio.get_running_loop().time()
        return {visitor.player.id: came + behind for visitor, came in self._visitors.came.items()}

    def table_of(self, player_id: str) -> int | None:
        """The table at which a player plays in a tournament now; None if they do not. Asks nothing of the log."""
        for its in self._running.values():
            if (busy := its.state.busy.get(player_id)) is not None:
                return busy[1].board.table
        return None

    def first_of(self, tables: Collection[int], player_id: str) -> int:
        """Of tables at which a player has a seat the one at which they play in a tournament, else the first."""
        playing_at = self.table_of(player_id)
        return playing_at if playing_at is not None and playing_at in tables else next(iter(tables))

    def _tell(self, state: Tournament, event: Event) -> None:
        """Tell the players here of an event that has just happened; each process tells its own."""
        tell_each(self._visitors.here, lambda visitor: visitor.told_of(TournamentNews(state, event)))

    # Opening one.

    async def open_tournament(self, opened: Opened) -> TournamentLog:
        """Open a tournament. Raises InputError if it is not possible now, NotSaved."""
        await self._read_list()
        self._must_have_room_for(opened)
        await self._delete_oldest()
        tournament = secrets.token_hex(6)
        await save(self._store, LIST, tournament, write_event(opened))
        self.opened_here()
        await self._read_list()
        return self._running[tournament]

    def _must_have_room_for(self, opened: Opened) -> None:
        """Charge one more tournament to its opener. Raises InputError if it cannot be opened now."""
        running = [its.state.opened for its in self._running.values()]
        for other in running:
            if skeleton(other.name) == skeleton(opened.name):
                raise InputError("bad_request", f"{other.name} goes on already: choose another name, or join it")
        if len(running) >= TOURNAMENTS:
            raise InputError("too_many", f"{TOURNAMENTS} tournaments go on: wait until one is over")
        if sum(other.host == opened.host for other in running) >= TOURNAMENTS_PER_PLAYER:
            raise InputError("too_many", f"you hold {TOURNAMENTS_PER_PLAYER} tournaments that go on: close one first")
        if opened.network and sum(other.network == opened.network for other in running) >= TOURNAMENTS_PER_ADDRESS:
            raise InputError("too_many", f"{TOURNAMENTS_PER_ADDRESS} tournaments of your address go on: join one")
        rate = self._opening.of(opened.opener)
        if not rate.take_if_free():
            raise InputError("too_fast", "many tournaments were opened from your address: wait some minutes")

    async def _delete_oldest(self) -> None:
        """Delete tournaments that are over until there is room for one more: of the opener who has most of them.

        Raises NotSaved, OutcomeUnknown.
        """
        over = {each: self.opener_of(each) for each in self._listed.texts if each in self._over.texts}
        for _ in range(min(len(over), len(self._listed.texts) + 1 - TOURNAMENTS_KEPT)):
            ((opener, _),) = Counter(over.values()).most_common(1)  # of equals that of the oldest one
            oldest = next(each for each, its_opener in over.items() if its_opener == opener)
            del over[oldest]
            await self._delete(oldest)

    async def _delete(self, tournament: str) -> None:
        """Delete all that is kept of a tournament. Raises NotSaved, OutcomeUnknown."""
        await self._store.put_text(LIST, tournament, None)
        kind = events.events_of(tournament)
        for row in await self._store.oldest_texts(kind, 2 * MOST_EVENTS):
            await self._store.put_text(kind, row.key, None)
        await self._store.put_text(OVER, tournament, None)

    # What tournaments do by themselves.

    async def _keep_running(self) -> None:
        while True:
            await attempt(self._look(), "running tournaments")
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_SECONDS if self._running else IDLE_SECONDS):
                    await self._news.wait()
            self._news.clear()

    async def _look(self) -> None:
        """Have each tournament go on by itself, unless it still does so since the last look. Raises NotSaved."""
        await self._read_list()
        for tournament, its in self._running.items():
            if tournament not in self._calling:
                self._calling[tournament] = set()
                self._background.begin(self._go_on(its), "running a tournament")
        self._tell_waits(self.present())

    async def _go_on(self, its: TournamentLog) -> None:
        """Do what is due in one tournament; a failure is logged."""
        try:
            await self._run(its)
            self._failed.pop(its, None)
        except (InputError, NotSaved, OutcomeUnknown) as error:
            # Another process was faster, or it is tried again soon.
            if self._failed.get(its) != str(error):
                self._failed[its] = str(error)
                log.info("tournament: not done now", tournament=its.state.name, problem=str(error))
        except Exception as error:  # it is tried again all the same
            if self._failed.get(its) != str(error):
                self._failed[its] = str(error)
                log.exception("tournament: went wrong", tournament=its.state.name)
        finally:
            del self._calling[its.state.id]

    def _tell_waits(self, present: Mapping[str, float]) -> None:
        """Tell the players here when their next table comes."""
        found = dict[str, Wait]()
        for its in self._running.values():
            for player, wait in waits(its.state, self.now(), self.wall(), present).items():
                # A table is nearer than a round that is only expected.
                if player not in found or found[player].waits == "next":
                    found[player] = wait
        taking = [its.state for its in self._running.values() if its.state.takes_players]

        def tell(visitor: LocalVisitor) -> None:
            player = visitor.player.id
            new_to = (state for state in taking if player not in found and player not in state.entrants)
            visitor.waits(found.get(player), self.now(), next(new_to, None))

        tell_each(self._visitors.here, tell)

    def _free(self, state: Tournament) -> Mapping[str, float]:
        """The players who are here and can be called; in an open night without those who play elsewhere."""
        present = self.present()
        if state.is_swiss:
            return present
        others = [other.state for other in self._running.values() if other.state.id != state.id]
        taken = {player for other in others if other.is_swiss and other.phase == "playing" for player in other.playing}
        taken = taken.union(*(other.busy for other in others), *self._calling.values())
        return {player: at for player, at in present.items() if player not in taken}

    async def _run(self, its: TournamentLog) -> None:
        """Do what is due in one tournament. Raises InputError, NotSaved, OutcomeUnknown."""
        for played in its.state.rounds:
            if not played.is_over:
                await self.rounds.look_after(its, played)
        actions = actions_due(its.state, self.now(), self.wall(), self._free(its.state))
        called = (each.players for each in actions if isinstance(each, due.Publish))
        self._calling[its.state.id].update(*called)
        for action in actions:
            match action:
                case due.Publish():
                    await self.rounds.publish(its, action)
                case due.Deal(number):
                    await self.rounds.deal(its.state, number)
                case due.EndGames(number):
                    await self.rounds.end_games(its.state, number)
                case due.Resume():
                    await its.write(events.Resumed(at=self.now()))
                case due.Close():
                    await its.write(events.Closed(at=self.now()))
        if its.state.phase == "over":
            self._running.pop(its.state.id, None)
            log.info("tournament over", tournament=its.state.name, rounds=len(its.state.rounds))
            if its.state.rounds:
                await self._store.put_text(OVER, its.state.id, str(its.state.ended))
            else:
                await self._delete(its.state.id)  # nothing was played
