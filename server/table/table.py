"""One table, and what can be asked of it.

Requests, and what is due by itself (`own_work`), are carried out one after the other (`inbox`), and then shown to all
who are here (`broadcaster`). Requests raise InputError if they are not possible. `seats` decides who may sit where,
`deadlines` what is due, and `apply_changes` what a change does. A change counts, and is shown, only after it has been
written to the log (`journal`).
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

from msgspec import structs

from engine.errors import InputError
from engine.moves import Lay, Move, Swap
from server.fair_queue import PAYER
from server.limits import ARRANGING_MOVES, DEALS, DEALS_LEFT
from server.people.players import Player, style_of
from server.storage.database import TableChange
from server.table import occasion_game, seats, table_events
from server.table.broadcaster import Broadcaster
from server.table.deadlines import WAKING_SECONDS
from server.table.deal import read_seal, read_sealed_text
from server.table.entries import Committed, Cut, CutOpened, CutSealed, Moved, Returned, Sat, TimeUp
from server.table.inbox import Reply, request
from server.table.journal import Journal
from server.table.listed import listing
from server.table.occasion import Occasion
from server.table.own_work import AroundTable, OwnWork
from server.table.recent_talk import Said
from server.table.snapshot import Listing, Subscriber
from server.table.state import TableState
from server.table.table_events import TO_LOBBY, Leaving
from server.table.unlogged_state import READING_SECONDS, UnloggedState

WATCHING: Final = "you are watching: type sit between games to take a seat"
CANNOT_CUT: Final = "only those who sit can cut"


class Table:
    """The log of a table, its subscribers and its deadlines. Only what its inbox carries out changes them."""

    def __init__(self, journal: Journal, around: AroundTable, *, is_due: bool = False) -> None:
        """Nothing is done by itself before `run`.

        ``is_due``: the table has slept for as long as it is kept, so it closes unless somebody comes at once.
        """
        self.number = journal.number
        self.journal = journal
        self._now = asyncio.get_running_loop().time
        self._around = around
        now, pace = self._now(), journal.state.settings.pace
        self.runtime = UnloggedState(
            pace=around.config.pace if pace is None else pace,
            changed_at=now,
            decision_began=now - journal.decision_age,
            decision_since=journal.state.since,
            empty_since=now,
            needless_since=now,
            elsewhere=around.elsewhere(journal.number),
            closes_at=now if is_due else None,
        )
        """What is not in its log: who is present, and since when."""
        self.broadcaster = Broadcaster(journal, self.runtime, partial(around.tell_others, journal.number))
        """Who is at the table, what they are shown, and what is said."""
        self._own_work = OwnWork(journal, self.runtime, around)
        self.inbox, self._sleep = self._own_work.inbox, self._own_work.sleep
        self.director = Director(journal, self.runtime, self._own_work, self.show)
        journal.on_change = self._show_change

    async def run(self) -> None:
        """Go on until the table closes or is unloaded. If a request or something due fails, the table lives on."""
        try:
            await self.inbox.serve()
        finally:
            self._own_work.drop_thought()
            why = occasion_game.why_closed(self.journal.state, self.journal.seconds_until)
            self.broadcaster.close(self.journal.problem, why)

    # Coming and going.

    @request()
    async def come(self, subscriber: Subscriber, player: Player, word: str = "") -> None:
        """Come to the table: to the player's own seat if they have one, else to watch."""
        await self.journal.read_on()
        await self._come(subscriber, player, word)

    @request()
    async def sit(self, subscriber: Subscriber, player: Player, word: str = "") -> None:
        """Take a free seat, or the seat that was kept for the player."""
        await self.journal.read_on()
        if self.journal.state.seat_of(player.id) is not None:
            await self._come(subscriber, player, word)
            return
        take_seat = partial(seats.sit, player=player, table=self.number, watches=bool(self._player_id(subscriber)))
        take_seat(self.journal.state)  # a player who is refused now is shown nothing
        async with self._attached(subscriber, player, word):
            await self.journal.write(take_seat)

    @request()
    async def must_admit(self, player: Player, word: str, *, to_sit: bool) -> None:
        """Raises InputError if a player who is at another table would be refused here now."""
        await self.journal.read_on()
        seats.must_be_welcome(self.journal.state, player, self.number)
        seats.must_know_word(self.journal.state, player, self.number, word)
        if to_sit:
            seats.sit(self.journal.state, player, self.number)

    @request()
    async def play(self, subscriber: Subscriber, player: Player, word: str = "") -> None:
        """Come to the game that the player plays alone; the cards are dealt when they come first."""
        await self.journal.read_on()
        seats.must_be_welcome(self.journal.state, player, self.number)
        await self._sleep.end()
        await self._own_work.prepare(player)
        async with self._attached(subscriber, player, word):
            self.show()

    async def _come(self, subscriber: Subscriber, player: Player, word: str) -> None:
        async with self._attached(subscriber, player, word) as is_new:
            state = self.journal.state
            number = state.seat_of(player.id)
            if number is not None and is_new and state.has_begun and not state.sitting(number).away:
                self.show(table_events.Reconnected(number))
                return
            await self.journal.write(lambda state: seats.take_back(state, player.id))
            self.show()

    @asynccontextmanager
    async def _attached(self, subscriber: Subscriber, player: Player, word: str) -> AsyncIterator[bool]:
        """Attach a subscriber; yields whether it is new. If what follows fails, a new one is detached again."""
        is_new = subscriber not in self.broadcaster.player_ids
        seats.must_be_welcome(self.journal.state, player, self.number)
        if is_new:
            seats.must_know_word(self.journal.state, player, self.number, word)
        await self._sleep.end()
        self.broadcaster.attach(subscriber, player.id, self._now())
        try:
            yield is_new
        except Exception:
            if is_new:
                self.broadcaster.detach(subscriber, self._now())
            raise

    @request(may_refuse=False)
    async def leave(self, subscriber: Subscriber, why: Leaving) -> None:
        """Go away. A player may return to their seat unless they leave for good."""
        seat = self.broadcaster.seat_of(subscriber)
        player_id = self.broadcaster.detach(subscriber, self._now())
        # A player may be here from another terminal still. The seat in a game that is played once is always kept.
        if seat is None or player_id is None or player_id in self.runtime.present:
            self.show()
            return
        try:
            if why == TO_LOBBY and not self.journal.state.keeps_seats:
                account = seats.pays_for_deal_left(self.journal.state, player_id)
                is_excused = account is not None and not self._around.ledger.wait(DEALS_LEFT, account)
                if is_excused:  # so they have not lost
                    await self.journal.write(lambda state: seats.call_away(state, player_id))
                await self.journal.write(lambda state: seats.leave(state, player_id, self._around.is_a_persons_name))
                if account and is_excused:
                    self._around.ledger.charge_used(DEALS_LEFT, account, 1.0)
                return
        except InputError:
            if self.journal.state.seat_of(player_id) == seat:  # it could not be given up, so it is kept
                self._show_disconnected(seat, why)
            raise
        if why.goes_to and why != TO_LOBBY:
            with suppress(InputError):  # it cannot be saved: then the game counts
                await self.journal.write(lambda state: seats.call_away(state, player_id))
        self._show_disconnected(seat, why)

    def _show_disconnected(self, seat: int, why: Leaving) -> None:
        is_missed = self.journal.state.playing and not self.journal.state.sitting(seat).away
        seconds = self._around.config.grace if is_missed else None
        self.show(table_events.Disconnected(seat, why.hung_up, seconds, why.goes_to))

    @request()
    async def back(self, subscriber: Subscriber) -> None:
        """Take the player's own seat back from the AI player that plays for them."""

        def take_back(state: TableState) -> Returned:
            seat = self._seat_of(state, subscriber, "you have no seat here: type sit to take one")
            if not state.sitting(seat).away:
                raise InputError("bad_request", "you play your own cards already: leave goes to the lobby")
            return Returned(seat)

        await self.journal.write(take_back)

    # The game.

    @request()
    async def start(self, subscriber: Subscriber) -> None:
        """Begin a game. If cuts are sealed they are closed, and the cards are dealt when the seals are open.

        Another game begins when all people at the table have asked for it, or a little later.
        """
        player_id = self._player_id(subscriber)

        def must_allow_start(state: TableState) -> None:
            self._seat_of(state, subscriber, "only those who sit can start the game: type sit to take a seat")
            seats.must_be_startable(state)
            self._around.must_allow_games()

        await self.journal.write(must_allow_start)
        if not self.runtime.agreed:  # else the player who has asked first was charged
            self._around.ledger.charge(DEALS, PAYER.get().address.share)
        await self.journal.write(lambda state: seats.take_back(state, player_id))
        if self.journal.state.result is not None:
            if player_id in self.runtime.agreed and self.deadline is not None:
                raise InputError("wrong_phase", "the cards are dealt in a moment, or when all agree")
            self.runtime.agree(player_id, self._now())
            if self.runtime.undecided(self.journal.state):
                self.show(table_events.GameProposed(self._seat_of(self.journal.state, subscriber, WATCHING)))
                return
        await self._own_work.write_all(self._own_work.next_to_deal)

    @request()
    async def refuse(self, subscriber: Subscriber) -> None:
        """Begin no other game, though a player has asked for it."""
        seat = self._seat_of(self.journal.state, subscriber, WATCHING)
        self.runtime.refuse()
        self.show(table_events.GameRefused(seat))

    def wait_for_reader(self, subscriber: Subscriber) -> None:
        """Have another game that players have asked for wait for a player who has not answered, since they read."""
        state, runtime, player_id = self.journal.state, self.runtime, self._player_id(subscriber)
        if not runtime.agreed or player_id not in runtime.undecided(state) - runtime.reading:
            return
        runtime.wait_for_reader(player_id)
        self.inbox.look_again()
        if runtime.deals_at is not None:
            seat = self._seat_of(state, subscriber, WATCHING)
            self.show(table_events.ReaderAwaited(seat, runtime.deals_at - self._now()))

    def move(self, subscriber: Subscriber, ply: int, move: Move, game: str | None = None) -> Reply:
        """Make a move that was chosen at this ply of this game; None is the game that is on when this is called.

        A move of this game takes the player's own seat back, even if it comes too late or is not legal.
        """
        game = self.journal.state.game_id if game is None else game
        return self.inbox.ask(partial(self._move, subscriber, game, ply, move, self._now()))

    async def _move(self, subscriber: Subscriber, game: str, ply: int, move: Move, asked_at: float) -> None:
        state_then, made, is_late = self.journal.state, 0, False
        if state_then.arranging:
            made = state_then.moves_of(self._seat_of(state_then, subscriber, WATCHING))

        def decide(state: TableState) -> Returned | Moved:
            """Since the request another player may have got the seat, or an AI player may play for them."""
            nonlocal is_late
            seat = self._seat_of(state, subscriber, WATCHING)
            if self.runtime.paused:
                raise InputError("wrong_phase", self.runtime.paused)
            occasion_game.must_allow_move(state, seat, self.journal.seconds_until)
            is_in_time = state.awaits(game, ply)
            if state.sitting(seat).away and game == state.game_id:
                is_late = not is_in_time and state.missed(seat)[1] > 0
                return Returned(seat)
            if is_late:
                raise InputError("stale", "that came too late: an AI player has moved for you")
            # While all arrange their cards, what others do does not count.
            if not is_in_time or (state.arranging and state.moves_of(seat) != made):
                raise InputError("stale", "the table has moved on since you typed that: look again")
            if state.arranging and made >= ARRANGING_MOVES.share and isinstance(move, Swap | Lay):
                raise ARRANGING_MOVES.refuse()
            return Moved(seat, str(move))

        while isinstance(await self.journal.write(decide), Returned):
            pass
        self.journal.counters.move_seconds.observe(self.runtime.changed_at - asked_at)

    @request()
    async def cut(self, subscriber: Subscriber, text: str) -> None:
        """Cut the cards of the next deal."""

        def cut(state: TableState) -> Cut:
            player = state.sitting(self._seat_of(state, subscriber, CANNOT_CUT)).player
            return Cut(player.name, text, player.id)

        await self.journal.write(cut)

    @request()
    async def seal_cut(self, subscriber: Subscriber, seal: str) -> None:
        """Cut the cards of the next deal with a text that is told when the cuts are closed; ``seal`` is its SHA-256."""

        def commit(state: TableState) -> Committed | None:
            self._seat_of(state, subscriber, CANNOT_CUT)
            return self._own_work.committed() if state.next_deal is None and not state.playing else None

        await self.journal.write(commit)
        read = read_seal(seal)
        await self.journal.write(lambda state: CutSealed(self._seat_of(state, subscriber, CANNOT_CUT), read))

    @request()
    async def open_cut(self, subscriber: Subscriber, text: str) -> None:
        """Tell the text of the player's sealed cut."""

        def open_cut(state: TableState) -> CutOpened:
            return CutOpened(self._seat_of(state, subscriber, CANNOT_CUT), read_sealed_text(text))

        await self.journal.write(open_cut)

    # For the host of the table, or of the server.

    @request()
    async def add(self, subscriber: Subscriber, level: str = "", style: str = "") -> None:
        """Have an AI player take a free seat, of the table's level unless one is named."""

        def add(state: TableState) -> Sat:
            self._must_be_host(subscriber, state)
            seat = seats.add_ai_player(state, self._around.is_a_persons_name, level or self.runtime.ai_level, style)
            return structs.replace(seat, level_named=bool(level))

        if isinstance(added := await self.journal.write(add), Sat):
            player = added.player
            self.show(table_events.AIPlayerAdded(player.name, player.level or "", style_of(player)))

    @request()
    async def change_ai_level(self, subscriber: Subscriber, level: str) -> None:
        """Let AI players here have this level in the next game. Nothing changes while one goes on."""
        await self.journal.write(partial(self._must_be_host, subscriber))
        if self.journal.state.playing or self.journal.state.opening:
            return
        self.runtime.ai_level = level
        await self._own_work.write_all(lambda state: None if state.playing else seats.change_ai_level(state, level))
        self.show()
        self._tell_of_ai_players()

    @request()
    async def remove(self, subscriber: Subscriber, number: int) -> None:
        """Free a seat. A player, unlike an AI player, may not sit here again."""
        host = self._player_id(subscriber)
        player = seats.removable(self.journal.state, number, host).player
        await self.journal.write(lambda state: seats.remove(state, player.id, host))
        await self._free_seat(player.id)

    @request(may_refuse=False)
    async def expel(self, player_id: str, by: str) -> None:
        """Free the seat of this player, who may not sit here again, as the player with the id ``by`` decided."""
        await self.journal.write(lambda state: seats.bar(state, player_id, by))
        await self._free_seat(player_id)

    @request(may_refuse=False)
    async def forget(self, player_id: str, names: Collection[str]) -> None:
        """Free the seat of this player, if they have one, and take their name out of the log; see `Journal.forget`."""
        await self._free_seat(player_id)
        await self.journal.forget(player_id, names)
        self.broadcaster.recent_talk.forget(player_id)
        self.show()

    async def _free_seat(self, player_id: str) -> None:
        await self.journal.write(lambda state: seats.leave(state, player_id, self._around.is_a_persons_name))

    @request()
    async def set_pace(self, subscriber: Subscriber, seconds: float) -> None:
        """Let AI players here wait so long before they move."""
        await self.journal.write(partial(self._must_be_host, subscriber))
        self.runtime.pace = seconds
        self._tell_of_ai_players()

    # For the lobby.

    @request(may_refuse=False)
    async def follow(self, change: TableChange) -> None:
        """Read on if another process has written to the log, has put the table to sleep or has woken it."""
        if change.head != self.journal.head:
            await self.journal.catch_up()
        await self._sleep.follow(change.due)

    @request(may_refuse=False)
    async def wake(self) -> None:
        """Note that somebody is about to come: the table is neither closed nor unloaded for a while."""
        await self._sleep.end()

    @request(may_refuse=False)
    async def unload(self) -> None:
        """Forget the table if no player is present."""
        await self._own_work.unload()

    @request(may_refuse=False)
    async def give_way(self) -> None:
        """Fall asleep although players are present: they go to the lobby."""
        self.runtime.empty_since = self._now()
        await self._sleep.begin()
        self.broadcaster.send_away()
        self.broadcaster.note_players(self.runtime.elsewhere, self._now())
        self._around.table_changed(self.number)

    @request(may_refuse=False)
    async def close_soon(self) -> None:
        """Have the table close in a few seconds, before it is due, unless a player is present or comes."""
        if self.runtime.deserted:
            await self._sleep.begin(within=WAKING_SECONDS)

    def knows(self, change: TableChange) -> bool:
        """Whether the table has read what this change tells, or has written it itself."""
        is_awake = change.due is None and self.runtime.closes_at is None
        return is_awake and change.head in self.journal.recent_heads

    def follows(self, subscriber: Subscriber) -> bool:
        """Whether AI players here have the level of this player, the table's host: nobody has named another one."""
        state = self.journal.state
        is_named = not state.settings.ai_level or any(seat and seat.level_named for seat in state.seats)
        return self._player_id(subscriber) == state.host and not is_named

    def listing(self) -> Listing:
        """The table as the lobby lists it."""
        is_asleep = self.runtime.deserted and not self.runtime.plays(self.journal.state)
        found = listing(self.number, self.journal.state)
        return structs.replace(found, watching=self.broadcaster.watching, asleep=is_asleep)

    @property
    def is_in_use(self) -> bool:
        """Whether players are in the middle of a game, or have a new result before them, which they read."""
        return self.playing or (self.has_ended and self._now() < self.runtime.decision_began + READING_SECONDS)

    def names(self) -> dict[str, str]:
        """The names on the seats of people and bots, by their ids."""
        seats = self.journal.state.seats
        return {each.player.id: each.player.name for each in seats if each and each.player.kind != "ai"}

    # What anybody may know of it.

    @property
    def occasion(self) -> Occasion | None:
        """What the table was opened for; None if it is open to all."""
        return self.journal.state.occasion

    @property
    def is_alone(self) -> bool:
        """Whether one player plays here, out of sight of all others."""
        return self.journal.state.is_alone

    @property
    def is_public(self) -> bool:
        """Whether anybody may watch."""
        return not (self.journal.state.settings.word or self.journal.state.is_alone)

    @property
    def playing(self) -> bool:
        """Whether a game is in progress."""
        return self.journal.state.playing

    @property
    def has_ended(self) -> bool:
        """Whether the last game here has come to its end."""
        return self.journal.state.result is not None

    @property
    def is_awaited(self) -> bool:
        """Whether others wait for the end of the only game here."""
        return self.journal.state.others_wait and not self.has_ended

    @property
    def deciding(self) -> list[int]:
        """The seats that have something to decide."""
        return self.journal.state.deciding

    @property
    def deadline(self) -> float | None:
        """When the clock of the pending decision runs out, in the event loop's time; None if it does not run."""
        return self.runtime.decision_deadline(self.journal.state)

    def is_barred(self, player_id: str) -> bool:
        """Whether this player may not sit here again."""
        return player_id in self.journal.state.barred

    def _seat_of(self, state: TableState, subscriber: Subscriber, otherwise: str) -> int:
        """The seat of a subscriber's player. Raises InputError with these words if they have none."""
        if (seat := state.seat_of(self._player_id(subscriber))) is None:
            raise InputError("bad_request", otherwise)
        return seat

    def _must_be_host(self, subscriber: Subscriber, state: TableState) -> None:
        """Raises InputError if a subscriber's player is not the host of the table."""
        seats.host_seat(state, self._player_id(subscriber))

    def _player_id(self, subscriber: Subscriber) -> str:
        return self.broadcaster.player_ids.get(subscriber, "")

    def add_time(self, seconds: float) -> None:
        """Have the clock of the pending decision, if it runs, end so much later."""
        if self.deadline is not None:
            self.runtime.decision_began += seconds
            self.show()

    # What other processes tell that have this table loaded.

    def hear_of(self, news: table_events.UnloggedNews) -> None:
        """Note and show what has happened here in another process."""
        seats, runtime = self.journal.state.seats, self.runtime
        match news:
            case Said():
                self.broadcaster.hear(news)
            case table_events.AIPlayersSet(pace, ai_level):
                runtime.pace, runtime.ai_level = pace, ai_level
                self.show()
            case table_events.AIPlayerAdded():
                self.broadcaster.show_here(news)
            case event if event.seat in range(len(seats)) and (seat := seats[event.seat]):  # it may not be known yet
                if isinstance(event, table_events.GameProposed):
                    runtime.agree(seat.player.id, self._now())
                elif isinstance(event, table_events.ReaderAwaited):
                    runtime.wait_for_reader(seat.player.id)
                elif isinstance(event, table_events.GameRefused):
                    runtime.refuse()
                self.inbox.look_again()
                self.broadcaster.show_here(event)

    @request(may_refuse=False)
    async def note_elsewhere(self) -> None:
        """Note which players are at the table in other processes by now."""
        before = self.broadcaster.watching, self.runtime.agreed, self.runtime.awaited_until
        self.broadcaster.note_players(self._around.elsewhere(self.number), self._now())
        if before != (self.broadcaster.watching, self.runtime.agreed, self.runtime.awaited_until):
            self.show()

    # What is shown.

    def _show_change(self) -> None:
        """Show the table, since its log has gone on."""
        self.runtime.note_change(self.journal.state, self._now())
        self._own_work.drop_thought()
        self.show()

    def show(self, *unlogged: table_events.UnloggedEvent) -> None:
        """Push the newest snapshot to every subscriber, with these events, and have the lobby list the table anew."""
        self.broadcaster.show(*unlogged)
        self._around.table_changed(self.number)

    def _tell_of_ai_players(self) -> None:
        """Tell other processes how AI players are to play here."""
        self.broadcaster.tell_others(table_events.AIPlayersSet(self.runtime.pace, self.runtime.ai_level))


class Director:
    """Directs the game of an occasion that others wait for, for the feature that has opened the table.

    Each request may be made twice, and by several processes.
    """

    def __init__(self, journal: Journal, runtime: UnloggedState, own_work: OwnWork, show: Callable[[], None]) -> None:
        """``show`` shows the table."""
        self._journal, self._runtime, self._own_work, self._show = journal, runtime, own_work, show
        self._now = asyncio.get_running_loop().time
        self.inbox = own_work.inbox

    @property
    def is_prepared(self) -> bool:
        """Whether the table has committed to the deal of its first game, or has dealt it."""
        return self._journal.state.next_deal is not None or self.is_dealt

    @property
    def is_dealt(self) -> bool:
        """Whether a game was dealt here."""
        return self._journal.state.deal is not None

    @request(may_refuse=False)
    async def prepare(self, seconds: float) -> None:
        """Give the players their seats, and commit to the deal; its cards are dealt in so many seconds."""
        await self._own_work.sleep.end()
        self._runtime.deals_at = self._now() + seconds
        await self._own_work.prepare()

    @request(may_refuse=False)
    async def deal(self) -> None:
        """Deal, unless that is done. If cuts are sealed they are closed, and the cards are dealt after that."""
        await self._own_work.prepare()
        state = self._journal.state
        if state.playing or state.opening or state.result is not None or state.next_deal is None:
            return
        await self._own_work.sleep.end()
        await self._own_work.write_all(lambda state: None if state.result else self._own_work.next_to_deal(state))

    @request(may_refuse=False)
    async def end_by_time(self) -> None:
        """End the game: its time is up."""
        await self._journal.write(lambda state: TimeUp() if state.playing else None)

    @request(may_refuse=False)
    async def abandon(self) -> None:
        """Close the table: its game does not count. Players who are here go to the lobby."""
        await self._own_work.sleep.begin(within=0)
        await self._own_work.sleep.close()

    @request(may_refuse=False)
    async def pause(self, why: str) -> None:
        """Stop the clocks and AI players; ``why`` is said to those who move. Empty: go on, with the whole clock."""
        if self._runtime.paused != why:
            self._runtime.paused = why
            self._runtime.changed_at = self._runtime.decision_began = self._now()
            self._show()
