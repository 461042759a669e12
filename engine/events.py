"""Events: what a move did, in order.

The log gets the whole event. Players and spectators get `Event.seen_by`, without the cards that they may not know; only
drawing, laying and taking the reserve have such cards.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, Self, TypeAlias

from engine.cards import RANKS, Card, Rank, card_name
from engine.rules import Json

Zone: TypeAlias = Literal["hand", "up", "down"]
BurnCause: TypeAlias = Literal["burn", "four"]
PickUpCause: TypeAlias = Literal["choice", "stuck", "flip", "last-card"]


class Event:
    """One thing that happened; ``kind`` names it in JSON."""

    __slots__ = ()
    kind: ClassVar[str]
    __match_args__: ClassVar[tuple[str, ...]]
    """The names of its fields."""

    def seen_by(self, seat: int | None) -> Self:  # noqa: ARG002 - most events are public
        """The event as this seat, or a spectator (None), may know it."""
        return self

    def to_json(self) -> dict[str, Json]:
        """As a JSON object: ``kind`` and the fields; cards and ranks by name, slots from 1."""
        result: dict[str, Json] = {"kind": self.kind}
        for name in type(self).__match_args__:
            value = getattr(self, name)
            if name in {"cards", "card"}:
                value = [card_name(card) for card in value] if isinstance(value, tuple) else card_name(value)
            elif name == "slot":
                value += 1
            elif name == "rank":
                value = None if value is None else RANKS[value]
            result[name] = list(value) if isinstance(value, tuple) else value
        return result


@dataclass(frozen=True, slots=True)
class HiddenCards(Event):
    """An event whose cards only its seat may see; ``count`` says how many they are."""

    seat: int
    count: int
    cards: tuple[Card, ...]

    def seen_by(self, seat: int | None) -> Self:
        """With the cards for the seat itself, without them for all others."""
        return self if seat == self.seat or not self.cards else type(self)(self.seat, self.count, ())


@dataclass(frozen=True, slots=True)
class Swapped(Event):
    """A seat exchanged a hand card for a face-up card: ``cards`` in this order. Everybody has seen both."""

    kind = "swapped"
    seat: int
    cards: tuple[Card, Card]


@dataclass(frozen=True, slots=True)
class Laid(HiddenCards):
    """A seat chose what to lay; it stays hidden until all are ready."""

    kind = "laid"


@dataclass(frozen=True, slots=True)
class Readied(Event):
    """A seat ended arranging."""

    kind = "ready"
    seat: int


@dataclass(frozen=True, slots=True)
class Shown(Event):
    """Arranging is over: these cards of a seat now lie face up."""

    kind = "shown"
    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TurnedUp(Event):
    """A card of the stock was turned up to begin the pile, or (``burned``) went to the bin instead."""

    kind = "turned-up"
    card: Card
    burned: bool


@dataclass(frozen=True, slots=True)
class Started(Event):
    """Play begins: the starter, the turn order, and the rank that the starter leads with (None if free)."""

    kind = "started"
    seat: int
    order: tuple[int, ...]
    rank: Rank | None


@dataclass(frozen=True, slots=True)
class Played(Event):
    """Cards from this zone were laid on the pile."""

    kind = "played"
    seat: int
    zone: Zone
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Flipped(Event):
    """A face-down card was turned; ``good`` if it can be played."""

    kind = "flipped"
    seat: int
    slot: int
    card: Card
    good: bool


@dataclass(frozen=True, slots=True)
class Burned(Event):
    """The pile went to the bin."""

    kind = "burned"
    seat: int
    count: int
    cause: BurnCause


@dataclass(frozen=True, slots=True)
class Reversed(Event):
    """The turn order was reversed and is now this."""

    kind = "reversed"
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Skipped(Event):
    """A seat lost its turn."""

    kind = "skipped"
    seat: int


@dataclass(frozen=True, slots=True)
class PickedUp(Event):
    """The pile, these cards, went to a hand; ``lifted`` of them were the seat's own face-up cards."""

    kind = "picked-up"
    seat: int
    cards: tuple[Card, ...]
    lifted: int
    cause: PickUpCause


@dataclass(frozen=True, slots=True)
class Drew(HiddenCards):
    """A seat drew from the stock."""

    kind = "drew"


@dataclass(frozen=True, slots=True)
class TookReserve(HiddenCards):
    """A seat took its reserve into its hand."""

    kind = "took-reserve"


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A seat passed."""

    kind = "passed"
    seat: int


@dataclass(frozen=True, slots=True)
class WentOut(Event):
    """A seat has no cards left and takes this place; 1 is the first."""

    kind = "out"
    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The game ended: with a winner and these places, or (``winner`` is None) drawn among these seats."""

    kind = "over"
    winner: int | None
    seats: tuple[int, ...]
