"""Events: what a move did, in order.

The log gets the whole event. Players and spectators get `Event.seen_by`, without the cards that they may not know; only
drawing, laying and taking the reserve have such cards.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal, Self, TypeAlias

from msgspec import Struct

from engine.cards import RANKS, Card, Rank, card_name
from engine.rules import Json

Zone: TypeAlias = Literal["hand", "up", "down"]
BurnCause: TypeAlias = Literal["burn", "four"]
PickUpCause: TypeAlias = Literal["choice", "stuck", "flip", "last-card"]


class Event(Struct, frozen=True):
    """One thing that happened; ``kind`` names it in JSON."""

    kind: ClassVar[str]

    def seen_by(self, seat: int | None) -> Self:  # noqa: ARG002 - most events are public
        """The event as this seat, or a spectator (None), may know it."""
        return self

    def to_json(self) -> dict[str, Json]:
        """As a JSON object: ``kind`` and the fields; cards and ranks by name, slots from 1."""
        result: dict[str, Json] = {"kind": self.kind}
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name in {"cards", "card"}:
                value = [card_name(card) for card in value] if isinstance(value, tuple) else card_name(value)
            elif name == "slot":
                value += 1
            elif name == "rank":
                value = None if value is None else RANKS[value]
            result[name] = list(value) if isinstance(value, tuple) else value
        return result


class HiddenCards(Event, frozen=True):
    """An event whose cards only its seat may see; ``count`` says how many they are."""

    seat: int
    count: int
    cards: tuple[Card, ...]

    def seen_by(self, seat: int | None) -> Self:
        """With the cards for the seat itself, without them for all others."""
        return self if seat == self.seat or not self.cards else type(self)(self.seat, self.count, ())


class Swapped(Event, frozen=True):
    """A seat exchanged a hand card for a face-up card: ``cards`` in this order. Everybody has seen both."""

    kind = "swapped"
    seat: int
    cards: tuple[Card, Card]


class Laid(HiddenCards, frozen=True):
    """A seat chose what to lay; it stays hidden until all are ready."""

    kind = "laid"


class Readied(Event, frozen=True):
    """A seat ended arranging."""

    kind = "ready"
    seat: int


class Shown(Event, frozen=True):
    """Arranging is over: these cards of a seat now lie face up."""

    kind = "shown"
    seat: int
    cards: tuple[Card, ...]


class TurnedUp(Event, frozen=True):
    """A card of the stock was turned up to begin the pile, or (``burned``) went to the bin instead."""

    kind = "turned-up"
    card: Card
    burned: bool


class Started(Event, frozen=True):
    """Play begins: the starter, the turn order, and the rank that the starter leads with (None if free)."""

    kind = "started"
    seat: int
    order: tuple[int, ...]
    rank: Rank | None


class Played(Event, frozen=True):
    """Cards from this zone were laid on the pile."""

    kind = "played"
    seat: int
    zone: Zone
    cards: tuple[Card, ...]


class Flipped(Event, frozen=True):
    """A face-down card was turned; ``good`` if it can be played."""

    kind = "flipped"
    seat: int
    slot: int
    card: Card
    good: bool


class Burned(Event, frozen=True):
    """The pile went to the bin."""

    kind = "burned"
    seat: int
    count: int
    cause: BurnCause


class Reversed(Event, frozen=True):
    """The turn order was reversed and is now this."""

    kind = "reversed"
    order: tuple[int, ...]


class Skipped(Event, frozen=True):
    """A seat lost its turn."""

    kind = "skipped"
    seat: int


class PickedUp(Event, frozen=True):
    """The pile, these cards, went to a hand; ``lifted`` of them were the seat's own face-up cards."""

    kind = "picked-up"
    seat: int
    cards: tuple[Card, ...]
    lifted: int
    cause: PickUpCause


class Drew(HiddenCards, frozen=True):
    """A seat drew from the stock."""

    kind = "drew"


class TookReserve(HiddenCards, frozen=True):
    """A seat took its reserve into its hand."""

    kind = "took-reserve"


class Passed(Event, frozen=True):
    """A seat passed."""

    kind = "passed"
    seat: int


class WentOut(Event, frozen=True):
    """A seat has no cards left and takes this place; 1 is the first."""

    kind = "out"
    seat: int
    place: int


class GameOver(Event, frozen=True):
    """The game ended: with a winner and these places, or (``winner`` is None) drawn among these seats."""

    kind = "over"
    winner: int | None
    seats: tuple[int, ...]


def ranks_laid(events: Sequence[Event]) -> list[Rank]:
    """The ranks that were laid on the pile, in order."""
    ranks = list[Rank]()
    for event in events:
        match event:
            case Played(_, _, cards):
                ranks.append(cards[0] >> 2)
            case Flipped(_, _, card, True) | TurnedUp(card):
                ranks.append(card >> 2)
    return ranks
