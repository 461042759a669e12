"""The tournaments of this server: opening them, entering them, and what they do by themselves.

All processes that share a log run all tournaments. A tournament's log says what has happened (`tournament.fold`), and
what is to be done follows from that and the time (`tournament.due`).
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from typing import Final

import structlog

from engine.errors import InputError
from server.ai.pool import WorkerFailed
from server.config import Config
from server.limits import TOURNAMENTS, TOURNAMENTS_KEPT, TOURNAMENTS_PER_PLAYER
from server.lobby.rounds import Rounds
from server.lobby.tables import Tables
from server.lobby.tournament_log import TournamentLog
from server.lobby.visitor import TournamentNews
from server.lobby.visitors import Visitors
from server.ops.background_tasks import BackgroundTasks, attempt
from server.people.names import skeleton
from server.storage.key_value_store import KeyValueStore, save
from server.storage.table_log import NotSaved, OutcomeUnknown, TableLog
from server.table.broadcaster import tell_each
from server.tournament import due, events
from server.tournament.due import due as actions_due
from server.tournament.events import LIST, OVER, Event, Opened, read_opened, write_event
from server.tournament.state import MOST_EVENTS, Tournament
from server.tournament.waiting import Wait, waits

TICK_SECONDS: Final = 0.5
IDLE_SECONDS: Final = 2.0
"""How often to look whether there is a tournament while none goes on."""
READ: Final = 64
"""How many tournaments that are over are kept in memory after somebody has asked for them."""

log = structlog.get_logger("quatch.tournaments")


class Tournaments:
    """The tournaments of one server."""

    def __init__(
        self, config: Config, store: TableLog, tables: Tables, visitors: Visitors, wall: Callable[[], float] = time.time
    ) -> None:
        """``wall`` returns the time of day in seconds since 1970; it may jump."""
        self._config, self._store = config, store
        self._visitors = visitors
        self.wall = wall
        self._ahead: float | None = None
        """By how much `now` is ahead of the event loop's clock."""
        self.rounds = Rounds(store, tables, visitors, self.now)
        self._listed = KeyValueStore(store, LIST)
        self._over = KeyValueStore(store, OVER)
        self._running: dict[str, TournamentLog] = {}
        self._read: dict[str, TournamentLog] = {}
        """Some of those that are over."""
        self._failed: dict[str, str] = {}
        """The last failure of each tournament, which is logged once."""
        self._background = BackgroundTasks()

    def open(self) -> None:
        """Run the tournaments from now on."""
        self._background.begin(self._keep_running(), "running tournaments")

    async def close(self) -> None:
        """Stop; the log keeps them."""
        await self._background.stop()

    def now(self) -> float:
        """The time in seconds since 1970, on a clock that goes on evenly whatever becomes of the time of day."""
        loop = asyncio.get_running_loop().time()
        if self._ahead is None:
            self._ahead = self.wall() - loop
        return loop + self._ahead

    def present(self) -> dict[str, float]:
        """Since when each player has been on the server, in the terms of `now`."""
        behind = self.now() - asyncio.get_running_loop().time()
        return {visitor.player.id: came + behind for visitor, came in self._visitors.came.items()}

    # What there is.

    @property
    def names(self) -> list[str]:
        """What the tournaments that go on are called, as far as is known. Asks nothing of the log."""
        return [its.state.name for its in self._running.values()]

    @property
    def running(self) -> list[TournamentLog]:
        """The tournaments that go on, as far as is known, the oldest first. Asks nothing of the log."""
        return [*self._running.values()]

    async def going_on(self) -> list[Tournament]:
        """The tournaments that are not over, the oldest first. Raises NotSaved."""
        await self._read_list()
        return [its.state for its in self._running.values()]

    async def find(self, name: str) -> TournamentLog:
        """The tournament of this name, or which begins so; the last one if several are over. Raises InputError."""
        await self._read_list()
        wanted = skeleton(name)
        if not wanted and len(self._running) == 1:
            return next(iter(self._running.values()))
        named = [each for each in self._running.values() if skeleton(each.state.name) == wanted]
        named = named or [each for each in self._running.values() if skeleton(each.state.name).startswith(wanted)]
        if len(named) == 1:
            return named[0]
        names = ", ".join(each.state.name for each in named or self._running.values())
        if named:
            raise InputError("bad_request", f"which tournament: {names}?")
        if not wanted and not names:
            raise InputError("no_such_tournament", "no tournament goes on")
        if wanted and (found := await self._find_over(wanted)) is not None:
            return found
        there = f"there {'is' if len(self._running) == 1 else 'are'} {names}" if names else "none goes on"
        raise InputError("no_such_tournament", f"no tournament is called {name[:24]!r}: {there}")

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

    async def _find_over(self, wanted: str) -> TournamentLog | None:
        for tournament, text in reversed(self._listed.texts.items()):
            opened = _opened(tournament, text)
            if opened is not None and skeleton(opened.name) == wanted:
                return await self.over(tournament, opened)
        return None

    async def ended_between(self, begins: float, ends: float, most: int) -> list[Tournament]:
        """The last tournaments that ended in this time (seconds since 1970), the first one first. Raises NotSaved."""
        await self._read_list()
        ended = sorted((float(text), tournament) for tournament, text in self._over.texts.items())
        chosen = [(at, tournament) for at, tournament in ended if begins <= at < ends]
        found = list[Tournament]()
        for _, tournament in chosen[-most:]:
            if (opened := _opened(tournament, self._listed.texts.get(tournament, ""))) is not None:
                found.append((await self.over(tournament, opened)).state)
        return found

    async def over(self, tournament: str, opened: Opened) -> TournamentLog:
        """A tournament that is over. Raises NotSaved."""
        its = self._read.pop(tournament, None) or TournamentLog(self._store, tournament, opened)
        await its.read()
        self._read[tournament] = its
        while len(self._read) > READ:
            del self._read[next(iter(self._read))]
        return its

    async def _read_list(self) -> None:
        """Read which tournaments there are, and how those that go on stand. Raises NotSaved."""
        await self._over.load()
        await self._listed.load()
        for tournament in self._running.keys() - (self._listed.texts.keys() - self._over.texts.keys()):
            await self._running.pop(tournament).read()  # how it ended
        for tournament, text in self._listed.texts.items():
            if tournament in self._over.texts or tournament in self._running:
                continue
            if (opened := _opened(tournament, text)) is not None:
                its = TournamentLog(self._store, tournament, opened)
                await its.read()
                its.happened = self._tell
                self._not_before(its.state.last_at)
                self._running[tournament] = its
        for its in list(self._running.values()):
            await its.read()

    def _tell(self, state: Tournament, event: Event) -> None:
        """Tell the players here of an event that has just happened; each process tells its own."""
        tell_each(self._visitors.here, lambda visitor: visitor.told_of(TournamentNews(state, event)))

    def _not_before(self, at: float) -> None:
        """Have the clock not lie behind the log: the time of day was put back while no server ran."""
        if self._ahead is not None and 0 < (late := at - self.now()) < due.FORGOTTEN_SECONDS:
            self._ahead += late

    # Opening one.

    async def open_tournament(self, opened: Opened) -> TournamentLog:
        """Open a tournament. Raises InputError if it is not possible now, NotSaved."""
        await self._read_list()
        running = [its.state.opened for its in self._running.values()]
        for other in running:
            if skeleton(other.name) == skeleton(opened.name):
                raise InputError("bad_request", f"{other.name} goes on already: choose another name, or join it")
        if len(running) >= TOURNAMENTS:
            raise InputError("too_many", f"{TOURNAMENTS} tournaments go on: wait until one is over")
        if sum(other.host == opened.host for other in running) >= TOURNAMENTS_PER_PLAYER:
            raise InputError("too_many", f"you hold {TOURNAMENTS_PER_PLAYER} tournaments that go on: close one first")
        await self._delete_oldest()
        tournament = secrets.token_hex(6)
        await save(self._store, LIST, tournament, write_event(opened))
        await self._read_list()
        return self._running[tournament]

    async def _delete_oldest(self) -> None:
        """Delete tournaments that are over until there is room for one more. Raises NotSaved, OutcomeUnknown."""
        over = [each for each in self._listed.texts if each in self._over.texts]
        for tournament in over[: max(0, len(self._listed.texts) + 1 - TOURNAMENTS_KEPT)]:
            await self._delete(tournament)

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
            await attempt(self.tick(), "running tournaments")
            await asyncio.sleep(TICK_SECONDS if self._running else IDLE_SECONDS)

    async def tick(self) -> None:
        """Do what is due. Raises NotSaved."""
        await self._read_list()
        present = self.present()
        for its in list(self._running.values()):
            try:
                await self._run(its, self._free(its.state, present))
            except (InputError, NotSaved, OutcomeUnknown, WorkerFailed) as error:
                # Another process was faster, or it is tried again soon.
                if self._failed.get(its.state.id) != str(error):
                    self._failed[its.state.id] = str(error)
                    log.info("tournament: not done now", tournament=its.state.id, problem=str(error))
            except Exception as error:  # the others go on
                if self._failed.get(its.state.id) != str(error):
                    self._failed[its.state.id] = str(error)
                    log.exception("tournament: went wrong", tournament=its.state.id)
        self._tell_waits(present)

    def _tell_waits(self, present: Mapping[str, float]) -> None:
        """Tell the players here when their next table comes."""
        found = dict[str, Wait]()
        for its in self._running.values():
            for player, wait in waits(its.state, self.now(), self.wall(), present).items():
                # A table is nearer than a round that is only expected.
                if player not in found or found[player].waits == "next":
                    found[player] = wait
        tell_each(self._visitors.here, lambda visitor: visitor.waits(found.get(visitor.player.id), self.now()))

    def _free(self, state: Tournament, present: Mapping[str, float]) -> Mapping[str, float]:
        """The players who are here and can be called; in an open night without those who play in a swiss."""
        others = [other.state for other in self._running.values() if other.state.id != state.id]
        taken = {player for other in others if other.is_swiss and other.phase == "playing" for player in other.playing}
        taken |= {player for other in others for player in other.busy}
        return present if state.is_swiss else {player: at for player, at in present.items() if player not in taken}

    async def _run(self, its: TournamentLog, present: Mapping[str, float]) -> None:
        """Do what is due in one tournament. Raises InputError, NotSaved, OutcomeUnknown, WorkerFailed."""
        for played in its.state.rounds:
            if not played.is_over:
                await self.rounds.look_after(its, played)
        for action in actions_due(its.state, self.now(), self.wall(), present):
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
            if its.state.rounds:
                await self._store.put_text(OVER, its.state.id, str(its.state.ended))
            else:
                await self._delete(its.state.id)  # nothing was played


def _opened(tournament: str, text: str) -> Opened | None:
    """What a tournament was opened for; None if this program cannot read it, which is logged."""
    try:
        return read_opened(text)
    except ValueError as error:
        log.warning("tournament cannot be read", tournament=tournament, problem=str(error))
        return None
