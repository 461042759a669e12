"""One table: what its players, its host and the lobby can ask of it.

Requests wait in an inbox until the table's task carries them out, one after the other. They raise InputError if they
are not possible. `seats` decides who may sit where, and `fold` what a change does.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, NamedTuple

from msgspec import structs

from engine.errors import InputError
from engine.events import Event
from engine.moves import Lay, Move, Swap
from server.limits import ARRANGING_MOVES
from server.people.players import Player, style_of
from server.storage.table_log import Head, TableChange
from server.table import occasion_game, seats
from server.table.broadcaster import Observer
from server.table.deadlines import WAKING_SECONDS
from server.table.deal import read_seal, read_sealed_text
from server.table.entries import Committed, Cut, CutOpened, CutSealed, Moved, Returned, Sat, TimeUp
from server.table.inbox import request
from server.table.occasion import Occasion
from server.table.recent_talk import Said
from server.table.snapshot import Listing, Subscriber
from server.table.state import TableState
from server.table.table_events import (
    AIPlayerAdded,
    AIPlayersSet,
    Disconnected,
    HostWarned,
    Reconnected,
    TableTalk,
    UnloggedNews,
)
from server.table.table_task import TableTask

WATCHING: Final = "you are watching: type sit between games to take a seat"
CANNOT_CUT: Final = "only those who sit can cut"


class ChosenMove(NamedTuple):
    """A move, and when its player chose it: at this ply of this game."""

    game: str
    ply: int
    move: Move

    def is_in_time(self, state: TableState) -> bool:
        """Whether the decision is still pending for which the move was chosen."""
        return state.awaits(self.game, self.ply)

    def change(self, state: TableState, seat: int, made: int) -> Moved:
        """The change that the move makes at this seat, which had made ``made`` moves when it was asked for.

        Raises InputError if the table has moved on. What others do while all arrange their cards does not count.
        """
        made_now = state.moves_of(seat) if state.arranging else made
        if not self.is_in_time(state) or made_now != made:
            raise InputError("stale", "the table has moved on since you typed that: look again")
        if isinstance(self.move, Swap | Lay) and state.arranging and made >= ARRANGING_MOVES:
            raise InputError("too_fast", f"you have arranged your cards {ARRANGING_MOVES} times: type ready")
        return Moved(seat, str(self.move))


class Table:
    """A table that `run` keeps going."""

    def __init__(self, task: TableTask, may_begin: Callable[[], None] = lambda: None) -> None:
        """Nothing happens before `run`. ``may_begin`` raises InputError if no game may begin."""
        self.task = task
        self.number = task.journal.number
        self.inbox = task.inbox
        self.run = task.run
        self.runtime = task.runtime
        """What is not in its log: who is present, and since when."""
        self._journal = task.journal
        self._may_begin = may_begin

    # Coming and going.

    @request()
    async def join(self, subscriber: Subscriber, player: Player, word: str = "") -> None:
        """Come to the table: to the player's own seat if they have one, else to watch."""
        await self.task.read_on()
        await self._join(subscriber, player, word)

    @request()
    async def sit(self, subscriber: Subscriber, player: Player, word: str = "") -> None:
        """Take a free seat, or the seat that was kept for the player."""
        await self.task.read_on()
        if self._state.seat_of(player.id) is not None:
            await self._join(subscriber, player, word)
            return
        take_seat = partial(seats.sit, player=player, table=self.number, watches=bool(self._player_id(subscriber)))
        take_seat(self._state)  # a player who is refused now is shown nothing
        async with self._attached(subscriber, player, word):
            await self.task.write(take_seat)

    @request()
    async def play(self, subscriber: Subscriber, player: Player, word: str = "") -> None:
        """Come to the game that the player plays alone; the cards are dealt when they come first."""
        await self.task.read_on()
        seats.must_be_welcome(self._state, player, self.number)
        await self.task.sleep.end()
        await self.task.prepare(player)
        async with self._attached(subscriber, player, word):
            self.task.show()

    async def _join(self, subscriber: Subscriber, player: Player, word: str) -> None:
        async with self._attached(subscriber, player, word) as is_new:
            number = self._state.seat_of(player.id)
            if number is not None and is_new and not self._state.sitting(number).away and self._state.has_begun:
                self.task.show(Reconnected(number))
                return
            await self.task.write(lambda state: seats.take_back(state, player.id))
            self.task.show()

    @asynccontextmanager
    async def _attached(self, subscriber: Subscriber, player: Player, word: str) -> AsyncIterator[bool]:
        """Attach a subscriber; yields whether it is new. If what follows fails, a new one is detached again."""
        is_new = subscriber not in self.task.broadcaster.player_ids
        seats.must_be_welcome(self._state, player, self.number)
        if is_new:
            seats.must_know_word(self._state, player, self.number, word)
        await self.task.sleep.end()
        self.task.attach(subscriber, player.id)
        try:
            yield is_new
        except Exception:
            if is_new:
                self.task.detach(subscriber)
            raise

    @request(may_refuse=False)
    async def leave(self, subscriber: Subscriber, *, for_good: bool, hung_up: bool = False, called: str = "") -> None:
        """Go away. A player who does not leave for good may return to their seat.

        ``hung_up``: the player has typed `quit`. ``called``: where the player was called to, as in "a tournament's
        table". If neither is given, the connection was lost.
        """
        seat = self.task.broadcaster.seat_of(subscriber)
        player_id = self.task.detach(subscriber)
        # A player may be here from another terminal still. The seat in a game that is played once is always kept.
        if seat is None or player_id is None or player_id in self.runtime.present:
            self.task.show()
            return
        try:
            if for_good and not self._state.keeps_seats:
                await self.task.write(lambda state: seats.leave(state, player_id, self.task.is_a_persons_name))
                return
        except InputError:
            if self._state.seat_of(player_id) == seat:  # it could not be given up, so it is kept
                self._show_disconnected(seat, called, hung_up=hung_up)
            raise
        self._show_disconnected(seat, called, hung_up=hung_up)

    def _show_disconnected(self, seat: int, called: str, *, hung_up: bool) -> None:
        is_missed = self._state.playing and not self._state.sitting(seat).away
        seconds = self.task.config.grace if is_missed else None
        self.task.show(Disconnected(seat, hung_up, seconds, called))

    @request()
    async def back(self, subscriber: Subscriber) -> None:
        """Take the player's own seat back from the AI player that plays for them."""

        def take_back(state: TableState) -> Returned:
            seat = self._seat_of(state, subscriber, "you have no seat here: type sit to take one")
            if not state.sitting(seat).away:
                raise InputError("bad_request", "your seat is yours already")
            return Returned(seat)

        await self.task.write(take_back)

    # The game.

    @request()
    async def start(self, subscriber: Subscriber) -> None:
        """Begin a game. If cuts are sealed they are closed, and the cards are dealt when the seals are open."""

        def must_be_possible(state: TableState) -> None:
            self._seat_of(state, subscriber, "only those who sit can start the game: type sit to take a seat")
            seats.must_be_startable(state)
            self._may_begin()

        await self.task.write(must_be_possible)
        await self.task.write_all(self.task.next_to_deal)

    async def move(self, subscriber: Subscriber, ply: int, move: Move, game: str | None = None) -> None:
        """Make a move that was chosen at this ply of this game; None is the game that is on when this is called.

        A move of this game takes the player's own seat back, even if it comes too late or is not legal.
        """
        chosen = ChosenMove(self._state.game_id if game is None else game, ply, move)
        await self.inbox.ask(partial(self._move, subscriber, chosen, self.task.now()))

    async def _move(self, subscriber: Subscriber, chosen: ChosenMove, asked_at: float) -> None:
        made = self._state.moves_of(self._seat_of(self._state, subscriber, WATCHING))
        is_late = False

        def make(state: TableState) -> Returned | Moved:
            """Since the request another player may have got the seat, or an AI player may play for them."""
            nonlocal is_late
            seat = self._seat_of(state, subscriber, WATCHING)
            if self.runtime.paused:
                raise InputError("wrong_phase", self.runtime.paused)
            occasion_game.must_be_possible(state, seat, self._journal.seconds_until)
            if state.sitting(seat).away and chosen.game == state.game_id:
                is_late = not chosen.is_in_time(state) and state.missed(seat)[1] > 0
                return Returned(seat)
            if is_late:
                raise InputError("stale", "that came too late: an AI player has moved for you")
            return chosen.change(state, seat, made)

        while isinstance(await self.task.write(make), Returned):
            pass
        self._journal.metrics.move_seconds.observe(self.runtime.changed_at - asked_at)

    @request()
    async def cut(self, subscriber: Subscriber, text: str) -> None:
        """Cut the cards of the next deal."""

        def cut(state: TableState) -> Cut:
            player = state.sitting(self._seat_of(state, subscriber, CANNOT_CUT)).player
            return Cut(player.name, text, player.id)

        await self.task.write(cut)

    @request()
    async def seal_cut(self, subscriber: Subscriber, seal: str) -> None:
        """Cut the cards of the next deal with a text that is told when the cuts are closed; ``seal`` is its SHA-256."""

        def commit(state: TableState) -> Committed | None:
            self._seat_of(state, subscriber, CANNOT_CUT)
            return self.task.committed() if state.next_deal is None and not state.playing else None

        await self.task.write(commit)
        read = read_seal(seal)
        await self.task.write(lambda state: CutSealed(self._seat_of(state, subscriber, CANNOT_CUT), read))

    @request()
    async def open_cut(self, subscriber: Subscriber, text: str) -> None:
        """Tell the text of the player's sealed cut."""

        def open_cut(state: TableState) -> CutOpened:
            return CutOpened(self._seat_of(state, subscriber, CANNOT_CUT), read_sealed_text(text))

        await self.task.write(open_cut)

    def say(self, subscriber: Subscriber, said: Said) -> bool:
        """Talk to everybody at the table; during a game only spectators hear a spectator. Returns whether all hear."""
        return self.task.broadcaster.say(subscriber, said)

    def happened(self, subscriber: Subscriber) -> tuple[Event, ...]:
        """All that has happened since the last deal, as a subscriber may know it."""
        return self.task.broadcaster.happened(subscriber)

    def note_wrong_word(self) -> None:
        """Note that somebody has named a wrong word to come in. After many of them the host is told, once."""
        self.task.broadcaster.note_wrong_word()

    # For the host of the table, or of the server.

    @request()
    async def add(self, subscriber: Subscriber, level: str = "", style: str = "") -> None:
        """Have an AI player take a free seat, of the table's level unless one is named."""

        def add(state: TableState) -> Sat:
            self._must_be_host(state, subscriber)
            seat = seats.add_ai_player(state, self.task.is_a_persons_name, level or self.runtime.ai_level, style)
            return structs.replace(seat, level_named=bool(level))

        if isinstance(added := await self.task.write(add), Sat):
            player = added.player
            self.task.show(AIPlayerAdded(player.name, player.level or "", style_of(player)))

    @request()
    async def change_ai_level(self, subscriber: Subscriber, level: str) -> None:
        """Let AI players here have this level in the next game. Nothing changes while one goes on."""
        await self.task.write(lambda state: self._must_be_host(state, subscriber))
        await self.task.change_ai_level(level)

    @request()
    async def remove(self, subscriber: Subscriber, number: int) -> None:
        """Free a seat. A player, unlike an AI player, may not sit here again."""
        player, host = seats.removable(self._state, number, self._player_id(subscriber)).player, self._state.host
        if player.kind == "ai":
            await self.task.write(lambda state: seats.remove_ai_player(state, player.id, host))
        else:
            await self._expel(player.id, by=host)

    @request(may_refuse=False)
    async def expel(self, player_id: str, by: str) -> None:
        """Free the seat of this player, who may not sit here again, as the player with the id ``by`` decided."""
        await self._expel(player_id, by)

    async def _expel(self, player_id: str, by: str) -> None:
        await self.task.write(lambda state: seats.bar(state, player_id, by))
        await self.task.write(lambda state: seats.leave(state, player_id, self.task.is_a_persons_name))

    @request()
    async def set_pace(self, subscriber: Subscriber, seconds: float) -> None:
        """Let AI players here wait so long before they move."""
        await self.task.write(lambda state: self._must_be_host(state, subscriber))
        self.runtime.pace = seconds
        self.task.tell_of_ai_players()

    # For the feature that has opened it, if others wait for the end of its game. Each request may be made twice, and by
    # several processes.

    @request(may_refuse=False)
    async def prepare(self, seconds: float) -> None:
        """Give the players their seats, and commit to the deal; its cards are dealt in so many seconds."""
        await self.task.sleep.end()
        self.runtime.deals_at = self.task.now() + seconds
        await self.task.prepare()

    @request(may_refuse=False)
    async def deal(self) -> None:
        """Deal, unless that is done. If cuts are sealed they are closed, and the cards are dealt after that."""
        await self.task.prepare()
        state = self._state
        if state.playing or state.opening or state.result is not None or state.next_deal is None:
            return
        await self.task.sleep.end()
        await self.task.write_all(lambda state: None if state.result else self.task.next_to_deal(state))

    @request(may_refuse=False)
    async def end_by_time(self) -> None:
        """End the game: its time is up."""
        await self.task.write(lambda state: TimeUp() if state.playing else None)

    @request(may_refuse=False)
    async def abandon(self) -> None:
        """Close the table: its game does not count. Players who are here go to the lobby."""
        await self.task.sleep.begin(within=0)
        await self.task.sleep.close()

    @request(may_refuse=False)
    async def pause(self, why: str) -> None:
        """Stop the clocks and the AI players; ``why`` is said to those who move. Empty: let them go on.

        Players get the whole clock of a turn then.
        """
        if self.runtime.paused != why:
            self.runtime.paused = why
            self.runtime.changed_at = self.runtime.decision_began = self.task.now()
            self.task.show()

    # For the lobby.

    @request(may_refuse=False)
    async def follow(self, change: TableChange) -> None:
        """Read on if another process has written to the log, has put the table to sleep or has woken it."""
        if change.head != self.head:
            await self.task.catch_up()
        await self.task.sleep.note_due(change.due)

    @request(may_refuse=False)
    async def wake(self) -> None:
        """Note that somebody is about to come: the table is neither closed nor unloaded for a while."""
        await self.task.sleep.end()

    @request(may_refuse=False)
    async def unload(self) -> None:
        """Forget the table if no player is present."""
        await self.task.unload()

    @request(may_refuse=False)
    async def give_way(self) -> None:
        """Fall asleep although players are present: they go to the lobby."""
        await self.task.give_way()

    @request(may_refuse=False)
    async def close_soon(self) -> None:
        """Have the table close in a few seconds, before it is due, unless a player is present or comes."""
        if self.runtime.asleep:
            await self.task.sleep.begin(within=WAKING_SECONDS)

    def look_again(self) -> None:
        """Have the table find out anew what is due, since somebody looks at all tables, or does not any more."""
        self.inbox.wake()

    def knows(self, change: TableChange) -> bool:
        """Whether the table has read what this change tells, or has written it itself."""
        is_awake = change.due is None and self.runtime.closes_at is None
        return is_awake and change.head in self._journal.recent_heads

    def follows(self, subscriber: Subscriber) -> bool:
        """Whether the level of AI players here is that of this player, who is the table's host."""
        return self._player_id(subscriber) == self._state.host and self._state.follows_host

    @property
    def head(self) -> Head:
        """Where its log stands, as far as is known here."""
        return self._journal.head

    def listing(self) -> Listing:
        """The table as the lobby lists it."""
        return self.task.broadcaster.listing(asleep=self.runtime.asleep and not self.runtime.plays(self._state))

    def names(self) -> dict[str, str]:
        """The names on the seats of people and bots, by their ids."""
        return {seat.player.id: seat.player.name for seat in self._state.seats if seat and seat.player.kind != "ai"}

    # What anybody may know of it.

    @property
    def occasion(self) -> Occasion | None:
        """What the table was opened for; None if it is open to all."""
        return self._state.occasion

    @property
    def is_alone(self) -> bool:
        """Whether one player plays here, out of sight of all others."""
        return self._state.is_alone

    @property
    def is_public(self) -> bool:
        """Whether anybody may watch."""
        return not (self._state.settings.word or self._state.is_alone)

    @property
    def is_prepared(self) -> bool:
        """Whether the table has committed to the deal of its first game, or has dealt it."""
        return self._state.next_deal is not None or self.is_dealt

    @property
    def is_dealt(self) -> bool:
        """Whether a game was dealt here."""
        return self._state.deal is not None

    @property
    def playing(self) -> bool:
        """Whether a game is in progress."""
        return self._state.playing

    @property
    def has_ended(self) -> bool:
        """Whether the last game here has come to its end."""
        return self._state.result is not None

    @property
    def is_awaited(self) -> bool:
        """Whether others wait for the end of the only game here."""
        return self._state.others_wait and not self.has_ended

    @property
    def deciding(self) -> list[int]:
        """The seats that have something to decide."""
        return self._state.deciding

    @property
    def deadline(self) -> float | None:
        """When the clock of the pending decision runs out, in the event loop's time; None if it does not run."""
        return self.runtime.decision_deadline(self._state)

    def is_barred(self, player_id: str) -> bool:
        """Whether this player may not sit here again."""
        return player_id in self._state.barred

    def subscribers(self) -> list[tuple[Subscriber, str]]:
        """The subscribers here, each with the id of its player."""
        return [*self.task.broadcaster.player_ids.items()]

    def observe(self, observer: Observer) -> None:
        """Show the table to this observer: now, with what has happened in this game, and whenever it changes."""
        self.task.broadcaster.observers.add(observer)
        observer(*self.task.broadcaster.as_observed(self.deadline))

    def stop_observing(self, observer: Observer) -> None:
        """Show it to this observer no more."""
        self.task.broadcaster.observers.discard(observer)

    def add_time(self, seconds: float) -> None:
        """Give the players who must decide so many seconds more: for so long nothing could be saved."""
        if self.deadline is not None:
            self.runtime.decision_began += seconds
            self.task.show()

    @property
    def _state(self) -> TableState:
        return self._journal.state

    def _seat_of(self, state: TableState, subscriber: Subscriber, otherwise: str) -> int:
        """The seat of a subscriber's player. Raises InputError with these words if they have none."""
        if (seat := state.seat_of(self._player_id(subscriber))) is None:
            raise InputError("bad_request", otherwise)
        return seat

    def _must_be_host(self, state: TableState, subscriber: Subscriber) -> None:
        """Raises InputError if a subscriber's player is not the host of the table."""
        seats.host_seat(state, self._player_id(subscriber))

    def _player_id(self, subscriber: Subscriber) -> str:
        return self.task.broadcaster.player_ids.get(subscriber, "")

    # What other processes tell that have this table loaded.

    def recent_talk(self) -> list[tuple[Said, bool]]:
        """What was said here lately, each line with whether only spectators have heard it."""
        return self.task.broadcaster.recent_talk.kept()

    def hear_of_earlier(self, talk: Iterable[tuple[Said, bool]]) -> None:
        """Keep what another process has heard before this one had the table, as its `recent_talk` says."""
        self.task.broadcaster.recent_talk.add_earlier(talk)

    def hear_of(self, news: UnloggedNews) -> None:
        """Show what has happened at this table in another process."""
        task = self.task
        match news:
            case TableTalk(said, to_spectators):
                task.broadcaster.hear(said, to_spectators=to_spectators)
            case HostWarned(warning):
                task.broadcaster.warn_host_here(warning)
            case AIPlayersSet(pace, ai_level):
                task.runtime.pace, task.runtime.ai_level = pace, ai_level
                task.show()
            case event:
                seats = task.state.seats
                # A seat that was taken just now may not be known here yet.
                if isinstance(event, AIPlayerAdded) or (event.seat in range(len(seats)) and seats[event.seat]):
                    task.broadcaster.show_here(task.runtime.decision_deadline(task.state), event)

    async def note_elsewhere(self, elsewhere: Callable[[], frozenset[str]]) -> None:
        """Note which players are at the table in other processes: ``elsewhere`` returns their ids.

        Raises InputError if the table has closed.
        """
        await self.inbox.ask(partial(self._note_elsewhere, elsewhere), may_refuse=False)

    async def _note_elsewhere(self, elsewhere: Callable[[], frozenset[str]]) -> None:
        watching = self.task.broadcaster.watching
        self.task.note_players(elsewhere())
        if watching != self.task.broadcaster.watching:
            self.task.show()
