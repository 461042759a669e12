"""The tournaments of this server: opening them, what players are told, and what tournaments do by themselves.

All processes that share a log run all tournaments. A tournament's log says what has happened (`tournament.events`), and
what is to be done follows from that and the time (`tournament.due`).
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from math import ceil, inf
from typing import Final
from weakref import WeakKeyDictionary

import structlog
from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.ledger import RateLimit, Resource
from server.lobby.lobby import Lobby
from server.lobby.service import Act, Service
from server.lobby.visitor import LocalVisitor
from server.number_text import countdown_text
from server.people.names import skeleton
from server.player.table_feed import STEP
from server.process.background_tasks import attempt
from server.storage.database import NotSaved, OutcomeUnknown
from server.table.broadcaster import tell_each
from server.table.snapshot import Notice
from server.tournament.due import Publish, due, next_round
from server.tournament.events import Closed, Event, Left, Published, Renamed
from server.tournament.game_of_the_night import GamesOfTheNight
from server.tournament.known import KnownTournaments, TournamentLog
from server.tournament.rounds import Rounds
from server.tournament.state import ENTRIES, EVENTS, PLACES, PLACES_OF_ADDRESS, Opened, Tournament
from server.tournament.text import event_text, name_of, next_call, next_call_text, summary

ENTER: Final = "tournament join"
TICK_SECONDS: Final = 0.5
TOURNAMENTS: Final = Resource(
    "tournaments",
    "server",
    64,
    refusal="{most} tournaments go on: wait until one is over",
    of_address=1,
    beyond="the emptiest of the player who holds most is closed, or it is refused",
)
TOURNAMENTS_HELD: Final = Resource(
    "tournaments-held",
    "caller",
    4,
    refusal="{most} tournaments of yours, or of your address, go on: join one",
)
NEW_TOURNAMENTS: Final = Resource(
    "new-tournaments",
    "caller",
    RateLimit(4, 1 / 3600),
    leaves=240 * EVENTS.share,
    beyond="it is refused: all players are told the name of each",
    refusal="many tournaments were opened from your address: wait some minutes",
)

RESOURCES: Final = (
    *(TOURNAMENTS, TOURNAMENTS_HELD, NEW_TOURNAMENTS),
    *(PLACES, PLACES_OF_ADDRESS, EVENTS, ENTRIES),
)

log = structlog.get_logger("quatch.tournaments")


def first_notice(
    running: Sequence[tuple[Tournament, float]], player: str, now: float, step: float, *, may_wait: bool = True
) -> Notice | None:
    """What a player reads first: the call to their table, or when that comes, or which tournament they may enter.

    ``running``: the tournaments that go on, each with the time at which its next round is published. Times left are
    told in steps of so many seconds. ``may_wait``: whether more rounds begin.
    """

    def left(until: float) -> str:
        return countdown_text(ceil((until - now) / step) * step)

    for state, _ in running:
        if board := state.busy.get(player):  # a table is nearer than a round that is only expected
            if now >= board.deals_at:
                return None
            call = f"table {board.table} in {left(board.deals_at)}" * (state.paused_at is None)
            dealt = f"{state.name}: the cards are dealt at your table, {board.table}, in {left(board.deals_at)}."
            return Notice(dealt if call else _paused_text(state), call=call, of=state.id)
    for state, next_at in running if may_wait else ():
        if state.expects(player):
            return Notice(_wait_text(state, next_at, left), of=state.id)
    for state, _ in running if may_wait else ():
        if state.invites(player):
            kind = "a swiss" if state.is_swiss else "an open night"
            return Notice(f"{state.name}, {kind}: type {ENTER} to play in it.", invites=ENTER)
    return None


def _paused_text(state: Tournament) -> str:
    return f"{state.name} is paused by its host."


def _wait_text(state: Tournament, next_at: float, left: Callable[[float], str]) -> str:
    """When the next table of a player comes, as a sentence."""
    if state.paused_at is not None:
        return _paused_text(state)
    what, at = next_call(state, next_at)
    if what:
        return f"{state.name}: {what}{'' if at is None else f' {left(at)}'}."
    if state.is_swiss and state.running:
        what = "result" if state.is_last_round else "next round"
        return f"{state.name}: the {what} comes after {quantity(len(state.running), 'more game')}."
    return summary(state)


class Tournaments(Service):
    """The tournaments of one server."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._ahead = 0.0
        """The seconds by which `now` is ahead of the event loop's clock."""
        self.known = KnownTournaments(lobby.store, self._tell)
        self.rounds = Rounds(lobby, self.now)
        self.games_of_the_night = GamesOfTheNight(lobby.store, lobby.ai_pool)
        self._opens = asyncio.Lock()
        """Held while one is opened: nothing comes between a look at the others and the write."""
        self._news = asyncio.Event()
        """Set when there is a tournament that is perhaps not known yet."""
        self._told: WeakKeyDictionary[LocalVisitor, Notice | None] = WeakKeyDictionary()
        """What each player here reads first."""

    def open(self) -> None:
        """Run the tournaments from now on."""
        self._ahead = self._lobby.wall() - asyncio.get_running_loop().time()
        self._background.begin(self._keep_running(), "running tournaments")

    def now(self) -> float:
        """The time in seconds since 1970, on a clock that goes on evenly whatever becomes of the time of day."""
        return asyncio.get_running_loop().time() + self._ahead

    async def read_on(self) -> None:
        """See whether there is another tournament."""
        self._news.set()

    def kept_names(self) -> Mapping[str, str]:
        """The names of all who are in a tournament that goes on; see `Service`."""
        running = (its.state.entrants.items() for its in self.known.running.values())
        return {each: entrant.player.name for each, entrant in chain(*running) if entrant.status != "removed"}

    async def note_act(self, act: Act) -> None:
        """Give a player whom an op has renamed the new name in the tournaments that go on, too. Raises InputError."""
        names = self._lobby.imposed.given_names.all() if act.did == "relabel" else []
        ids = {each for given in names if given.name == act.after for each in (given.target, *given.of_guest)}
        for its in [*self.known.running.values()]:
            for player in ids & its.state.entrants.keys():
                named = replace(its.state.entrants[player].player, name=act.after)
                await its.write(Renamed(at=self.now(), player=named))

    def present(self) -> dict[str, float]:
        """Since when each player has been on the server, in the terms of `now`."""
        return {visitor.player.id: came + self._ahead for visitor, came in self._lobby.visitors.came.items()}

    def next_round(self, state: Tournament) -> tuple[float, Publish | None]:
        """When the next round is published, and which players it has: never, if the server stops before."""
        when, planned = next_round(state, self._lobby.wall(), self.present())
        return inf if self._lobby.drain.is_active else when, planned

    def must_go_on(self) -> None:
        """Raises InputError if no round begins any more, since the server drains; renewed ones leave that to others."""
        if self._lobby.drain.is_active:
            self._lobby.drain.must_allow_games()

    def soon(self, state: Tournament) -> str:
        """When the next round is called, or that none is any more, as a sentence; empty if that is not known."""
        drain = self._lobby.drain
        return drain.notice if drain.is_active else next_call_text(state, self.next_round(state)[0], self.now())

    # Opening one.

    async def open_tournament(self, opened: Opened, *, by_op: bool = False) -> TournamentLog:
        """Open a tournament; ops have no limits. If all places are taken another one may give way.

        Raises InputError if it is not possible now, NotSaved, OutcomeUnknown.
        """
        self.must_go_on()
        async with self._opens:
            await self.known.read_list()
            going_on = [*self.known.running.values()]
            for its in going_on:
                if skeleton(its.state.name) == skeleton(opened.name):
                    raise InputError(
                        "bad_request", f"{its.state.name} goes on already: choose another name, or join it"
                    )
            if not by_op:
                await self._make_room(opened.opener, going_on)
            its = await self.known.add(opened)
        self._news.set()
        return its

    async def _make_room(self, opener: str, going_on: Collection[TournamentLog]) -> None:
        """Charge the opener, and have the emptiest tournament of those who hold most give way if all places are taken.

        One at whose tables somebody plays stays, and so does one of those who hold no more than the opener. Raises
        InputError if there is no room.
        """
        held, emptiest = Counter(its.state.opened.opener for its in going_on), None
        if held[opener] >= TOURNAMENTS_HELD.share:
            raise TOURNAMENTS_HELD.refuse()
        if len(going_on) >= TOURNAMENTS.share:
            most = max(held.values())
            of_most = [its for its in going_on if held[its.state.opened.opener] == most and not its.state.busy]
            if not of_most or most <= max(1, held[opener]):
                raise TOURNAMENTS.refuse()
            emptiest = min(of_most, key=lambda its: len(its.state.playing))
        self._lobby.ledger.charge(NEW_TOURNAMENTS, opener)
        if emptiest is not None:
            log.info("tournament gives way", tournament=emptiest.state.name)
            await emptiest.write(Closed(at=self.now()))
            await self.known.note_over(emptiest.state)

    # What players are told.

    def _tell(self, state: Tournament, event: Event) -> None:
        """Tell the players here of an event that has just happened; each process tells its own."""
        tell_each(self._lobby.visitors.here, partial(_tell_of, state, event, self.soon(state)))

    def tell_after_end(self, state: Tournament, event: Event) -> None:
        """Tell the players here and elsewhere of an event after a tournament's end: no process reads its log on."""
        for visitor in self._lobby.visitors.everybody() if state.id not in self.known.running else ():
            if line := event_text(state, event, visitor.player.id):
                visitor.hear("server", line)

    def _tell_waits(self) -> None:
        """Tell the players here when their next table comes."""
        if not (self.known.running or self._told):
            return
        running = [(its.state, self.next_round(its.state)[0]) for its in self.known.running.values()]

        def tell(visitor: LocalVisitor) -> None:
            step = 1 if visitor.settings.motion == "full" else STEP
            may_wait = not self._lobby.drain.is_active
            notice = first_notice(running, visitor.player.id, self.now(), step, may_wait=may_wait)
            if notice != self._told.get(visitor):
                self._told[visitor] = notice
                visitor.show_first(notice)

        tell_each(self._lobby.visitors.here, tell)
        if not self.known.running:
            self._told.clear()  # they have been told that there is nothing to wait for

    # What tournaments do by themselves.

    async def _keep_running(self) -> None:
        """Look at the tournaments: often while one goes on, else when there is news of one."""
        while True:
            await attempt(self._look(), "running tournaments")
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_SECONDS if self.known.running else None):
                    await self._news.wait()
            self._news.clear()

    async def _look(self) -> None:
        """Have each tournament go on by itself, unless it still does so since the last look. Raises NotSaved."""
        await self.known.read_list()
        for its in self.known.running.values():
            # The time of day may have been put back while no server ran.
            self._ahead += max(0.0, its.state.last_at - self.now())
            if its.calling is None:
                its.calling = set()
                self._background.begin(self._go_on(its, its.calling), "running a tournament")
        self._tell_waits()

    async def _go_on(self, its: TournamentLog, calling: set[str]) -> None:
        """Do what is due in one tournament; a failure is logged."""
        try:
            await self._run(its, calling)
            its.failed = ""
        except Exception as error:  # it is tried again soon
            is_late = isinstance(error, InputError) and error.code == "wrong_phase"  # another process was faster
            if its.failed != str(error) and not is_late:
                its.failed = str(error)
                if isinstance(error, InputError | NotSaved | OutcomeUnknown):
                    log.info("tournament: not done now", tournament=its.state.name, problem=str(error))
                else:
                    log.exception("tournament: went wrong", tournament=its.state.name)
        finally:
            its.calling = None

    async def _run(self, its: TournamentLog, calling: set[str]) -> None:
        """Do what is due in one tournament. Raises InputError, NotSaved, OutcomeUnknown."""
        for banned in [each for each in its.state.playing if self._lobby.imposed.bans.on((each,), None)]:
            await its.write(Left(at=self.now(), player=banned))
        await self.rounds.look_after(its)
        match due(its.state, self.now(), self._lobby.wall(), self._free(its.state)):
            case Publish() as planned:
                calling.update(planned.players)
                await self.rounds.publish(its, planned)
            case None:
                pass
            case event:
                await its.write(event)
        if its.state.phase == "over":
            winners = ", ".join(name_of(its.state, player) for player in its.state.winners)
            log.info("tournament over", tournament=its.state.name, rounds=len(its.state.rounds), won_by=winners)
            await self.known.note_over(its.state)

    def _free(self, state: Tournament) -> Mapping[str, float]:
        """The players who are here and can be called; in an open night without those who play elsewhere."""
        taken = set[str]()
        for other in self.known.running.values() if not state.is_swiss else ():
            if other.state.id != state.id:
                is_round_of_all = other.state.is_swiss and other.state.phase == "playing"
                taken.update(other.state.playing if is_round_of_all else (), other.state.busy, other.calling or ())
        return {player: at for player, at in self.present().items() if player not in taken}


def tournaments_of(lobby: Lobby) -> Tournaments:
    """The tournaments of this server."""
    return lobby.service(Tournaments)


def _tell_of(state: Tournament, event: Event, soon: str, visitor: LocalVisitor) -> None:
    """Tell a player of an event, if it concerns them."""
    if isinstance(event, Published) and any(visitor.player.id in board.seats for board in event.boards):
        visitor.call()
    if line := event_text(state, event, visitor.player.id, soon):
        visitor.hear("server", line)
