"""Shows a table to its subscribers: each gets its own view of the game, and what it may know of the events."""

from collections.abc import Callable, Iterable
from functools import partial
from operator import call
from typing import Final, NamedTuple, TypeAlias, TypeVar

import structlog
from msgspec import structs
from msgspec.structs import replace

from engine.events import Event
from engine.view import seat_view
from server.records.fairness import commitment, no_one_could_choose
from server.table.finished_game import game_stats, is_kept, rating_status
from server.table.journal import Journal
from server.table.recent_talk import RecentTalk, Said
from server.table.snapshot import PublicDeal, Sitter, Snapshot, Subscriber
from server.table.state import TableState
from server.table.table_events import UnloggedEvent, UnloggedNews
from server.table.unlogged_state import UnloggedState

T = TypeVar("T")

Seen: TypeAlias = tuple[Snapshot, tuple[Event, ...]]
"""A snapshot and what has happened, as somebody may know them."""
Observer: TypeAlias = Callable[[Snapshot, tuple[Event, ...]], None]
"""Takes the newest snapshot as spectators see it, and the events since the last one. It may neither wait nor raise."""

EVENTS_RECALLED: Final = 80
"""How many of the latest events of a game are shown to a player who comes late. `log` tells all."""

log = structlog.get_logger("quatch.broadcaster")


def tell_each(listeners: Iterable[T], tell: Callable[[T], None]) -> None:
    """Call this for every listener. If one fails, that is logged and the others are told all the same."""
    for listener in list(listeners):
        try:
            tell(listener)
        except Exception:
            log.exception("somebody could not be told")


_Role: TypeAlias = tuple[int | None, bool]
"""What decides which snapshot a subscriber gets: the seat, None for spectators; whether the player is barred."""
_SPECTATOR: Final = (None, False)


class _Lasting(NamedTuple):
    """What a snapshot has that no move changes, except for the last one of a game."""

    of: object
    """The parts of the state that this follows from."""
    sitters: tuple[Sitter | None, ...]
    host: int | None
    game: str
    deal: PublicDeal | None
    rating: str


class Broadcaster:
    """The subscribers of one table."""

    def __init__(self, journal: Journal, runtime: UnloggedState, tell_others: Callable[[UnloggedNews], None]) -> None:
        """``tell_others`` tells the processes that share the log."""
        self._journal = journal
        self._runtime = runtime
        self.player_ids: dict[Subscriber, str] = {}
        """The id of each subscriber's player. A player may come from several terminals."""
        self.observers = set[Observer]()
        """Called whenever the table is shown. They are not at the table: nobody counts them, and nothing waits for
        them. None of them learns the word of a private table."""
        self.tell_others = tell_others
        self.recent_talk = RecentTalk()
        self._lasting: _Lasting | None = None

    def attach(self, subscriber: Subscriber, player_id: str, now: float) -> None:
        """Add a subscriber for this player. A new one is shown what has happened before."""
        is_new = subscriber not in self.player_ids
        self.player_ids[subscriber] = player_id
        self.note_players(self._runtime.elsewhere, now)
        if is_new:
            self.recall(subscriber)

    def detach(self, subscriber: Subscriber, now: float) -> str | None:
        """Remove a subscriber; returns the id of its player, None if it was not here."""
        player_id = self.player_ids.pop(subscriber, None)
        self.note_players(self._runtime.elsewhere, now)
        return player_id

    def note_players(self, elsewhere: frozenset[str], now: float) -> None:
        """Note who is present: the players of the subscribers here, and these in other processes."""
        self._runtime.note_players(self._journal.state, frozenset(self.player_ids.values()), elsewhere, now)

    def seat_of(self, subscriber: Subscriber) -> int | None:
        """The seat of a subscriber's player; None for spectators."""
        return self._journal.state.seat_of(self.player_ids.get(subscriber, ""))

    @property
    def watching(self) -> int:
        """How many players without a seat are at the table, here and in other processes."""
        seated = {seat.player.id for seat in self._journal.state.seats if seat}
        elsewhere = self._runtime.elsewhere - self._runtime.here
        return len([each for each in self.player_ids.values() if each not in seated]) + len(elsewhere - seated)

    def show(self, *unlogged: UnloggedEvent) -> None:
        """Push the newest snapshot, and the events since the last one: those of the log, then these.

        Other processes are told of these.
        """
        for event in unlogged:
            self.tell_others(event)
        self.show_here(*unlogged)

    def show_here(self, *unlogged: UnloggedEvent) -> None:
        """As `show`, in this process alone."""
        news, public, state = (*self._journal.take_news(), *unlogged), self._public(), self._journal.state
        seats = {seat.player.id: number for number, seat in enumerate(state.seats) if seat}
        # There may be hundreds of spectators, who all see the same.
        seen, pushes = dict[_Role, Seen](), list[Callable[[], None]]()
        for subscriber, player_id in self.player_ids.items():
            if (role := (seats.get(player_id), player_id in state.barred)) not in seen:
                seen[role] = self._seen_by(role, public, news)
            pushes.append(partial(subscriber.push, *seen[role]))
        tell_each(pushes, call)
        if self.observers:
            observed = self._seen_by(_SPECTATOR, structs.replace(public, word=""), news)
            tell_each(self.observers, lambda observer: observer(*observed))

    def observe(self, observer: Observer) -> None:
        """Show the table to this observer: now, with what has happened in this game, and whenever it changes."""
        self.observers.add(observer)
        events = self._journal.events[-EVENTS_RECALLED:]
        observer(*self._seen_by(_SPECTATOR, structs.replace(self._public(), word=""), events))

    def recall(self, subscriber: Subscriber) -> None:
        """Show a new subscriber what has happened in this game so far, and what was said lately."""
        state, player_id = self._journal.state, self.player_ids[subscriber]
        role = state.seat_of(player_id), player_id in state.barred
        events = self._journal.events[-EVENTS_RECALLED:]
        subscriber.recall(*self._seen_by(role, self._public(), events))
        subscriber.recall_talk(self.recent_talk.heard(by_spectator=role[0] is None))

    def happened(self, subscriber: Subscriber) -> tuple[Event, ...]:
        """All that has happened since the last deal, as a subscriber may know it."""
        viewpoint = self._journal.state.viewpoint(self.seat_of(subscriber))
        return tuple(event.seen_by(viewpoint) for event in self._journal.events)

    def say(self, speaker: Subscriber, said: Said) -> bool:
        """Talk to everybody at the table; during a game only spectators hear a spectator. Returns whether all hear."""
        hushed = self._journal.state.playing and self.seat_of(speaker) is None
        if hushed:
            said = replace(said, line=f"(watching) {said.line}", to_spectators=True)
        self.hear(said)
        self.tell_others(said)
        return not hushed

    def hear(self, said: Said) -> None:
        """Show what a player has said, here or elsewhere, to the subscribers who may hear it."""
        self.recent_talk.add(said)
        listeners = [each for each in self.player_ids if not said.to_spectators or self.seat_of(each) is None]
        tell_each(listeners, lambda listener: listener.hear(said.name, said.line))

    def close(self, problem: str, why: str) -> None:
        """Tell every subscriber that the table has closed and why, and the problem if there is one."""
        if problem:
            tell_each(self.player_ids, lambda subscriber: subscriber.hear("server", problem))
        tell_each(self.player_ids, lambda subscriber: subscriber.closed(why))

    def send_away(self) -> None:
        """Remove all subscribers, since the table gives way to another, and tell them how to come back."""
        ways_back = {each: "watch" if self.seat_of(each) is None else "sit" for each in self.player_ids}
        self.player_ids.clear()
        number = self._journal.number
        why = f"all tables are in use, so table {number} sleeps now: come back with"
        tell_each(ways_back, lambda subscriber: subscriber.closed(f"{why} {ways_back[subscriber]} {number}"))

    def _public(self) -> Snapshot:
        """The snapshot of spectators, which is made once for all at the table."""
        journal, state = self._journal, self._journal.state
        lasting_of = (
            *(state.seats, state.host, state.dealt, state.deal, state.next_deal, state.playing),
            *(state.removed, state.hurried, state.stand_ins and state.turns),
        )
        if (lasting := self._lasting) is None or lasting.of != lasting_of:
            host, rating = state.seat_of(state.host), rating_status(state)
            lasting = self._lasting = _Lasting(lasting_of, state.sitters, host, state.game_id, _deal(state), rating)
        return Snapshot(
            journal.number,
            state.rules,
            None,
            view=state.view(None),
            ply=state.ply,
            watching=self.watching,
            hints=state.settings.hints,
            ai_level=self._runtime.ai_level or state.settings.level_of_seats,
            won=state.won if state.playing else None,
            deadline=self._runtime.decision_deadline(state),
            clock=state.settings.clock,
            word=state.settings.word,
            stats=game_stats(state, journal.events),
            is_kept=state.result is None or is_kept(state),
            agreed=tuple(seat for seat in map(state.seat_of, self._runtime.agreed) if seat is not None),
            occasion=state.settings.occasion or None,
            next=state.occasion.next if state.occasion else self._runtime.next,
            sitters=lasting.sitters,
            host=lasting.host,
            game=lasting.game,
            deal=lasting.deal,
            rating=lasting.rating,
        )

    def _seen_by(self, role: _Role, public: Snapshot, events: Iterable[Event]) -> Seen:
        """The snapshot and the events as subscribers of this role may know them."""
        state, (seat, is_barred) = self._journal.state, role
        viewpoint = state.viewpoint(seat)
        seen = tuple([event.seen_by(viewpoint) for event in events])
        if role == _SPECTATOR:
            return public, seen
        view = None if public.view is None or state.game is None else seat_view(public.view, state.game, viewpoint)
        return structs.replace(public, seat=seat, view=view, is_barred=is_barred, spectators=public), seen


def _deal(state: TableState) -> PublicDeal | None:
    """The deal of the running game, or of the next one, as everybody may know it."""
    deal = state.deal if state.playing else state.next_deal
    if deal is None:
        return None
    proven = state.playing and no_one_could_choose(state.dealt, deal.cuts)
    return PublicDeal(deal.game, commitment(deal.game, deal.seed), deal.cuts, deal.closed, proven)
