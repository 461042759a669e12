"""A table as the fold of its log: who sits where, and the game in progress. Pure; holds the whole truth of the game.

`apply` is the only place where a change changes anything, so a table read back from its log is the table that was.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from engine.errors import InputError
from engine.events import Event
from engine.game import deal, play
from engine.moves import parse_move
from engine.rules import Rules
from engine.rulesets import ruleset
from engine.state import State
from engine.view import View, view_of
from server.changes import (
    Abandoned,
    Away,
    Barred,
    Change,
    Committed,
    Cut,
    Dealt,
    Left,
    Moved,
    Reason,
    Returned,
    Sat,
    read_change,
)
from server.fairness import deal_seed
from server.players import Opened, Player
from server.record import Move, Note, Record, Step
from server.store import Entry
from server.version import VERSION

ARRANGING_CLOCKS: Final = 2
"""Arranging takes more thought than a turn: it has so many times the clock."""
_GAME_FIELDS: Final = tuple(name for name in State.__slots__ if name not in {"rules", "powers"})


@dataclass(frozen=True, slots=True)
class Seat:
    """A taken seat. While its person is away an AI player of the table's level plays for them."""

    player: Player
    away_since: int | None = None
    """The ply at which an AI player took over; None while whoever sits here decides."""
    away: Reason | None = None
    """Why an AI player plays for the person, where one does."""

    @property
    def played_by_ai(self) -> bool:
        """Whether an AI player decides for this seat."""
        return self.away is not None or self.player.kind == "ai"


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal that is committed to: the game, its seed, and the cuts by name."""

    game: str
    seed: str = field(repr=False)
    cuts: tuple[tuple[str, str], ...] = ()
    cut_by: frozenset[str] = frozenset()
    """The ids of those who have cut: a name can be changed."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The whole truth about a table."""

    opened: Opened
    rules: Rules
    rules_mark: str
    """What the rules are, for the digest: their published keys, not the file they came from."""
    seats: tuple[Seat | None, ...]
    host: str = ""
    """The player who may add and remove others: who opened it, or the next to sit when they have gone."""
    barred: frozenset[str] = frozenset()
    deal: Deal | None = None
    """That of the game that is played, or was played last."""
    next_deal: Deal | None = None
    """What is committed to for the next game."""
    dealer: int | None = None
    """Who dealt this game, or was found to have by whom the deal let begin."""
    named_dealer: int | None = None
    """Who was named before the deal; None where the deal itself decided."""
    game: State | None = field(default=None, repr=False)
    dealt: tuple[Player, ...] = ()
    """Who was dealt in, by seat."""
    knowing: tuple[str, ...] = ()
    """The player of each seat who may know its cards: whoever was dealt in, or has taken over since."""
    steps: tuple[Step, ...] = field(default=(), repr=False)
    """The game so far, for its record."""
    ply: int = 0
    """Moves made in this game; a move is bound to the one its player saw."""
    began: float = 0.0
    """When the cards were dealt."""
    went_out: frozenset[int] = frozenset()
    """The seats that came to a place while whoever was dealt in played them: what they do then is their own affair."""
    stand_ins: frozenset[int] = frozenset()
    """The seats whose persons were away at the deal and have not come back: AI players have played all of the game."""
    unrated: bool = False
    """Whether the game counts for nobody: the host has removed one of its players."""
    since: float = 0.0
    """When what is to be decided now began to be."""

    @classmethod
    def of(cls, opened: Opened) -> Self:
        """A table as it opens. Raises InputError where its rules or seats cannot be."""
        rules = ruleset(opened.rules)
        options = {**rules.at_level.get(opened.level, {}), **opened.options}
        rules = rules.overridden(options, opened.title or rules.title) if options else rules
        if not rules.seats_min <= opened.seats <= rules.seats_max:
            raise InputError(
                "bad_request", f"{rules.title} is for {rules.seats_min} to {rules.seats_max} seats, not {opened.seats}"
            )
        mark = hashlib.blake2b(repr(sorted(rules.keys().items())).encode(), digest_size=8).hexdigest()
        return cls(opened, rules, mark, (None,) * opened.seats)

    @property
    def playing(self) -> bool:
        """Whether a game is in progress, arranging included."""
        return self.game is not None and self.game.phase != "over"

    @property
    def arranging(self) -> bool:
        """Whether everybody may move."""
        return self.game is not None and self.game.phase == "arrange"

    @property
    def deciding(self) -> list[int]:
        """The seats that have something to decide."""
        if self.game is None or self.game.phase == "over":
            return []
        if self.game.phase == "arrange":
            return [seat for seat, ready in enumerate(self.game.ready) if not ready]
        return [] if self.game.to_move is None else [self.game.to_move]

    @property
    def timed(self) -> bool:
        """Whether there is a clock: where somebody besides AI players would have to wait."""
        return sum(seat is not None and not seat.played_by_ai for seat in self.seats) > 1

    @property
    def clock(self) -> float | None:
        """The seconds from ``since`` that persons have for what is to be decided now; None for as long as they like."""
        if not (self.playing and self.timed):
            return None
        return self.opened.clock * (ARRANGING_CLOCKS if self.arranging else 1)

    def eyes(self, seat: int | None) -> int | None:
        """The seat whose cards whoever sits here may know; none where they sat down after the game."""
        sitting = None if seat is None else self.seats[seat]
        if seat is None or sitting is None or not self.knowing:
            return None
        return seat if self.knowing[seat] == sitting.player.id else None

    def view(self, seat: int | None) -> View | None:
        """What a seat, or a spectator, may know of the game."""
        return None if self.game is None else view_of(self.game, self.eyes(seat))

    def seat_of(self, player_id: str) -> int | None:
        """Where this player sits."""
        return next((n for n, seat in enumerate(self.seats) if seat and seat.player.id == player_id), None)

    def has_left(self, seat: int) -> bool:
        """Whether whoever was dealt this seat has it no more."""
        sitting = self.seats[seat]
        return sitting is None or sitting.player.id != self.dealt[seat].id

    def in_person(self, seat: int) -> bool:
        """Whether whoever was dealt this seat plays it, and no AI player for them."""
        sitting = self.seats[seat]
        return sitting is not None and sitting.away is None and not self.has_left(seat)

    def moves_of(self, seat: int) -> int:
        """How many moves have been made for this seat."""
        return sum(isinstance(step, Move) and step.seat == seat for step in self.steps)

    def missed(self, seat: int) -> tuple[int, list[str]]:
        """The moves made since this seat's person went away, and those made in their name."""
        sitting = self.seats[seat]
        if sitting is None or sitting.away_since is None:
            return 0, []
        since = [step for step in self.steps if isinstance(step, Move)][sitting.away_since :]
        return len(since), [step.text for step in since if step.seat == seat]

    def record(self, ended: float) -> Record:
        """The game as it is kept. Raises ValueError where none was dealt."""
        if self.deal is None:
            raise ValueError("no game was dealt")
        return Record(
            id=self.deal.game,
            rules=self.rules.name,
            title=self.rules.title,
            options=dict(self.rules.options),
            players=self.dealt,
            seed=self.deal.seed,
            cuts=self.deal.cuts,
            dealer=self.named_dealer,
            began=self.began,
            ended=ended,
            version=VERSION,
            steps=self.steps,
        )

    def digest(self) -> bytes:
        """Eight bytes that differ when the game, the seats, the next deal or the rules do; not all that is kept."""
        game = None if self.game is None else [getattr(self.game, name) for name in _GAME_FIELDS]
        seats = [seat and (seat.player.id, seat.away_since) for seat in self.seats]
        table = (self.opened.secret, self.host, sorted(self.barred), self.dealer, self.ply, self.since)
        text = repr(
            (self.rules_mark, table, seats, self.next_deal and (self.next_deal.game, self.next_deal.cuts), game)
        )
        return hashlib.blake2b(text.encode(), digest_size=8).digest()


def apply(facts: Facts, change: Change, at: float) -> tuple[Facts, list[Event]]:
    """The table after a change that was made at this time, and what happened in the game.

    Raises:
        InputError: the change is not possible; a move that the rules do not allow is a Refused.
    """
    after, events = _applied(facts, change, at)
    return (replace(after, since=at) if after.timed and not facts.timed else after), events


def fold(entries: Sequence[Entry]) -> tuple[Facts, list[Event]]:
    """A table read back from its log, and what happened in its last game.

    Raises ValueError where the log is none, or where this program, reading it, comes to another table than its writer.
    """
    if not entries or not isinstance(opened := read_change(entries[0].data), Opened):
        raise ValueError("a table's log begins with its opening")
    facts, happened = Facts.of(opened), list[Event]()
    _check(facts, entries[0])
    for entry in entries[1:]:
        before = facts
        facts, events = follow(before, entry)
        happened = happened + events if facts.deal == before.deal else events
    return facts, happened


def follow(facts: Facts, entry: Entry) -> tuple[Facts, list[Event]]:
    """The table after one more entry of its log, and what happened. Raises ValueError as `fold` does."""
    facts, events = apply(facts, read_change(entry.data), entry.at)
    _check(facts, entry)
    return facts, events


def _check(facts: Facts, entry: Entry) -> None:
    if facts.digest() != entry.hash:
        raise ValueError(f"entry {entry.seq} was written under other rules (program version {facts.opened.version})")


def _applied(facts: Facts, change: Change, at: float) -> tuple[Facts, list[Event]]:
    match change:
        case Sat() | Left() | Away() | Returned() | Barred():
            return _seating(facts, change), []
        case Committed(game_id, seed):
            if facts.next_deal is not None and facts.next_deal.cuts:
                raise InputError("wrong_phase", "the cards of the next game have been cut already")
            return replace(facts, next_deal=Deal(game_id, seed)), []
        case Cut(name, text, player_id):
            to_come = _next_deal(facts)
            if player_id and player_id in to_come.cut_by:
                raise InputError("bad_request", "you have cut these cards already")
            cuts, cut_by = (*to_come.cuts, (name, text)), to_come.cut_by | {player_id}
            return replace(facts, next_deal=replace(to_come, cuts=cuts, cut_by=cut_by)), []
        case Dealt(dealer):
            return _dealt(facts, dealer, at)
        case Moved(seat, move):
            if facts.game is None or facts.game.phase == "over":
                raise InputError("game_over", "no game is going on: say start")
            game, events = play(facts.game, seat, parse_move(move))
            since = facts.since if game.phase == "arrange" else at
            steps = (*facts.steps, Move(seat, move))
            went_out = facts.went_out.union(filter(facts.in_person, {*game.places} - {*facts.game.places}))
            return replace(facts, game=game, ply=facts.ply + 1, since=since, steps=steps, went_out=went_out), events
        case Abandoned():
            return replace(facts, game=None), []
        case Opened():
            raise InputError("bad_request", "the table is open already")


def _seating(facts: Facts, change: Sat | Left | Away | Returned | Barred) -> Facts:
    """Who sits where, after somebody has come or gone."""
    match change:
        case Sat(seat, player):
            before = facts.seats[seat]
            after = _with_seat(facts, seat, Seat(player))
            if not facts.playing:
                return after
            left = f"{before.player.name} has left; " if before else ""
            return _noted(replace(after, knowing=_ids(after)), f"{left}{player.name} plays seat {seat + 1}")
        case Left(seat):
            return _with_seat(facts, seat, None)
        case Away(seat, reason):
            sitting = _taken(facts, seat)
            why = "let the clock run out" if reason == "clock" else "is gone"
            after = _with_seat(facts, seat, replace(sitting, away_since=facts.ply, away=reason))
            return _noted(after, f"{sitting.player.name} {why}; an AI player ({facts.opened.level}) plays on")
        case Returned(seat):
            sitting = _taken(facts, seat)
            after = _with_seat(facts, seat, replace(sitting, away_since=None, away=None))
            return _noted(replace(after, stand_ins=facts.stand_ins - {seat}), f"{sitting.player.name} is back")
        case Barred(player_id):
            return replace(facts, barred=facts.barred | {player_id}, unrated=facts.unrated or facts.playing)


def _dealt(facts: Facts, dealer: int | None, at: float) -> tuple[Facts, list[Event]]:
    if facts.playing or None in facts.seats:
        raise InputError("wrong_phase", "a game begins between games, with every seat taken")
    to_come = _next_deal(facts)
    seed = deal_seed(to_come.seed, (text for _, text in to_come.cuts))
    game, events = deal(facts.rules, len(facts.seats), seed, dealer)
    # Where the deal itself decides who starts, whoever sits before them has dealt.
    found = (game.luck[0] - 1) % len(facts.seats) if dealer is None else dealer
    players = tuple(seat.player for seat in facts.seats if seat)
    after = replace(facts, game=game, dealer=found, named_dealer=dealer, deal=to_come, next_deal=None, dealt=players)
    after = replace(after, knowing=_ids(after), ply=0, steps=(), began=at, since=at)
    away = frozenset(number for number, seat in enumerate(facts.seats) if seat and seat.away)
    seats = tuple(seat and replace(seat, away_since=seat.away and 0) for seat in facts.seats)
    return replace(after, seats=seats, went_out=frozenset(), stand_ins=away, unrated=False), events


def _next_deal(facts: Facts) -> Deal:
    if facts.next_deal is None or facts.playing:
        raise InputError("wrong_phase", "there is no deal to come")
    return facts.next_deal


def _taken(facts: Facts, seat: int) -> Seat:
    sitting = facts.seats[seat]
    if sitting is None:
        raise InputError("bad_request", f"nobody sits in seat {seat + 1}")
    return sitting


def _with_seat(facts: Facts, seat: int, taken: Seat | None) -> Facts:
    seats = (*facts.seats[:seat], taken, *facts.seats[seat + 1 :])
    persons = [taken.player.id for taken in seats if taken and taken.player.kind != "ai"]
    host = facts.host if facts.host in persons else next(iter(persons), "")
    return replace(facts, seats=seats, host=host)


def _noted(facts: Facts, text: str) -> Facts:
    return replace(facts, steps=(*facts.steps, Note(text))) if facts.playing else facts


def _ids(facts: Facts) -> tuple[str, ...]:
    return tuple(seat.player.id if seat else "" for seat in facts.seats)
