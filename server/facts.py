"""A table as the fold of its log: who sits where, and the game in progress. Pure; holds the whole truth of the game.

An entry is written as JSON with its version. `apply` is the only place where one changes anything, so a table read
back from its log is the table that was.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self, TypeAlias

from engine.errors import InputError
from engine.events import Event
from engine.game import deal, play
from engine.moves import parse_move
from engine.notation import position_json
from engine.rules import Rules
from engine.rulesets import ruleset
from engine.state import State
from engine.view import View, view_of
from server.players import Opened, Player
from server.store import Entry, Head

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Seat:
    """A taken seat. While its person is away an AI player of the table's level plays for them."""

    player: Player
    away: bool = False

    @property
    def played_by_ai(self) -> bool:
        """Whether an AI player decides for this seat."""
        return self.away or self.player.kind == "ai"


@dataclass(frozen=True, slots=True)
class Sat:
    """A player took a seat."""

    seat: int
    player: Player


@dataclass(frozen=True, slots=True)
class Left:
    """A player gave up a seat, or (``held``) went away and may come back to it."""

    seat: int
    held: bool


@dataclass(frozen=True, slots=True)
class Returned:
    """The person of a seat is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """A game began."""

    seed: str
    dealer: int | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat moved."""

    seat: int
    move: str


Change: TypeAlias = Opened | Sat | Left | Returned | Dealt | Moved
_KINDS: Final[dict[str, type[Change]]] = {
    kind.__name__.lower(): kind for kind in (Opened, Sat, Left, Returned, Dealt, Moved)
}


def write_change(change: Change) -> bytes:
    """A change as the log keeps it."""
    fields = {name: getattr(change, name) for name in change.__slots__}
    if isinstance(change, Sat):
        player = change.player
        fields["player"] = {"id": player.id, "name": player.name, "kind": player.kind, "level": player.level}
    return json.dumps({"v": VERSION, "kind": type(change).__name__.lower(), **fields}).encode()


def read_change(data: bytes) -> Change:
    """A change back from the log. Raises ValueError for an entry of another version."""
    fields = json.loads(data)
    if fields.pop("v") != VERSION:
        raise ValueError("this log was written by another version")
    kind = _KINDS[fields.pop("kind")]
    if kind is Sat:
        fields["player"] = Player(**fields["player"])
    change: Change = kind(**fields)
    return change


@dataclass(frozen=True, slots=True)
class Facts:
    """The whole truth about a table."""

    rules: Rules
    level: str
    seats: tuple[Seat | None, ...]
    game: State | None = field(default=None, repr=False)
    dealer: int | None = None
    knowing: tuple[str, ...] = ()
    """The player of each seat who may know its cards: whoever was dealt in, or has taken over since."""
    ply: int = 0
    """Moves made in this game; a move is bound to the one its player saw."""

    @classmethod
    def opened(cls, change: Opened) -> Self:
        """A table as it opens. Raises InputError where its rules or seats cannot be."""
        rules = ruleset(change.rules)
        options = {**rules.at_level.get(change.level, {}), **change.options}
        rules = rules.overridden(options, change.title or rules.title) if options else rules
        if not rules.seats_min <= change.seats <= rules.seats_max:
            raise InputError(
                "bad_request", f"{rules.title} is for {rules.seats_min} to {rules.seats_max} seats, not {change.seats}"
            )
        return cls(rules, change.level, (None,) * change.seats)

    @property
    def playing(self) -> bool:
        """Whether a game is in progress, arranging included."""
        return self.game is not None and self.game.phase != "over"

    def view(self, seat: int | None) -> View | None:
        """What a seat, or a spectator, may know of the game. Who sat down after it saw none of it."""
        if self.game is None:
            return None
        sitting = None if seat is None else self.seats[seat]
        knows = seat is not None and sitting is not None and self.knowing[seat] == sitting.player.id
        return view_of(self.game, seat if knows else None)

    def seat_of(self, player_id: str) -> int | None:
        """Where this player sits."""
        return next((n for n, seat in enumerate(self.seats) if seat and seat.player.id == player_id), None)

    def dealt_in(self) -> tuple[str, ...]:
        """The ids of the players in their seats."""
        return tuple(seat.player.id if seat else "" for seat in self.seats)

    def digest(self) -> bytes:
        """Eight bytes that differ when anything here does."""
        seats = [seat and [seat.player.id, seat.away] for seat in self.seats]
        game = None if self.game is None else position_json(self.game)
        text = json.dumps([self.rules.name, seats, game, self.dealer, self.ply], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).digest()


def apply(facts: Facts, change: Change) -> tuple[Facts, list[Event]]:
    """The table after a change, and what happened in the game.

    Raises:
        InputError: the change is not possible; a move that the rules do not allow is a Refused.
    """
    match change:
        case Opened():
            raise InputError("bad_request", "the table is open already")
        case Sat(seat, player):
            seated = _seated(facts, seat, Seat(player))
            return (replace(seated, knowing=seated.dealt_in()) if facts.playing else seated), []
        case Left(seat, held):
            sitting = facts.seats[seat]
            return _seated(facts, seat, replace(sitting, away=True) if held and sitting else None), []
        case Returned(seat):
            sitting = facts.seats[seat]
            return _seated(facts, seat, sitting and replace(sitting, away=False)), []
        case Dealt(seed, dealer):
            game, events = deal(facts.rules, len(facts.seats), seed, dealer)
            return replace(facts, game=game, dealer=dealer, ply=0, knowing=facts.dealt_in()), events
        case Moved(seat, move):
            if facts.game is None:
                raise InputError("game_over", "no game is going on: say start")
            game, events = play(facts.game, seat, parse_move(move))
            return replace(facts, game=game, ply=facts.ply + 1), events


def fold(entries: Sequence[Entry]) -> tuple[Facts, Head]:
    """A table read back from its log, and where the log stands. Raises ValueError where there is none."""
    first, *rest = entries
    opened = read_change(first.data)
    if not isinstance(opened, Opened):
        raise ValueError("a table's log begins with its opening")
    facts = Facts.opened(opened)
    for entry in rest:
        facts, _ = apply(facts, read_change(entry.data))
    return facts, Head(entries[-1].seq, entries[-1].hash)


def _seated(facts: Facts, seat: int, taken: Seat | None) -> Facts:
    return replace(facts, seats=(*facts.seats[:seat], taken, *facts.seats[seat + 1 :]))
