"""What each seat has done in a game, counted from what happened: for the screen at its end. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from engine.events import Burned, Event, Flipped, PickedUp, Played


@dataclass(frozen=True, slots=True)
class Count:
    """One seat's game in figures."""

    laid: int = 0
    """Cards laid, face-down ones that could go among them."""
    burns: int = 0
    burned: int = 0
    """Piles that its cards sent to the bin, and the cards in them."""
    pick_ups: int = 0
    eaten: int = 0
    """How often it took cards up, and how many in all."""
    biggest: int = 0
    """The most cards that it took up at once."""
    turned: int = 0
    failed: int = 0
    """Face-down cards turned over, and those among them that could not go."""

    def after(self, event: Event) -> Self:
        """With one more thing that this seat has done."""
        match event:
            case Played(cards=cards):
                return replace(self, laid=self.laid + len(cards))
            case Flipped(good=good):
                return replace(self, laid=self.laid + good, turned=self.turned + 1, failed=self.failed + (not good))
            case Burned(count=count):
                return replace(self, burns=self.burns + 1, burned=self.burned + count)
            case PickedUp(cards=cards):
                took = len(cards)
                return replace(
                    self, pick_ups=self.pick_ups + 1, eaten=self.eaten + took, biggest=max(self.biggest, took)
                )
        return self


@dataclass(frozen=True, slots=True)
class Tally:
    """A game in figures, and who was dealt in: whoever sits there now may have come since."""

    names: tuple[str, ...]
    counts: tuple[Count, ...]


def counted(counts: tuple[Count, ...], events: Iterable[Event]) -> tuple[Count, ...]:
    """The counts of every seat after what has happened."""
    now = list(counts)
    for event in events:
        if isinstance(event, Played | Flipped | Burned | PickedUp):
            now[event.seat] = now[event.seat].after(event)
    return tuple(now)
