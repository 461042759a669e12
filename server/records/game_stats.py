"""Counts what each seat does in a game, for the results screen. Pure."""

from collections.abc import Iterable
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Burned, Event, Flipped, PickedUp, Played


class SeatCounts(Struct, frozen=True):
    """What one seat has done in a game."""

    laid: int = 0
    """Cards laid, including face-down cards that could be played."""
    burns: int = 0
    burned: int = 0
    """Piles that it burned, and the cards in them."""
    pick_ups: int = 0
    eaten: int = 0
    """Times that it picked up, and the cards it took in all."""
    biggest: int = 0
    """The most cards it picked up at once."""
    turned: int = 0
    failed: int = 0
    """Face-down cards turned over, and those among them that could not be played."""

    def after(self, event: Event) -> Self:
        """The counts with one more event of this seat."""
        match event:
            case Played(cards=cards):
                return replace(self, laid=self.laid + len(cards))
            case Flipped(good=good):
                return replace(self, laid=self.laid + good, turned=self.turned + 1, failed=self.failed + (not good))
            case Burned(count=count):
                return replace(self, burns=self.burns + 1, burned=self.burned + count)
            case PickedUp(cards=cards):
                eaten, biggest = self.eaten + len(cards), max(self.biggest, len(cards))
                return replace(self, pick_ups=self.pick_ups + 1, eaten=eaten, biggest=biggest)
        return self


class GameStats(Struct, frozen=True):
    """The figures of a game that is over. By seat, but other players may sit there now."""

    names: tuple[str, ...]
    """The player at each seat at the end, and the one they replaced (`Finish.played_by`)."""
    counts: tuple[SeatCounts, ...]
    ai_levels: tuple[str | None, ...]
    """The levels of the AI players among them, empty if it is not known; None for people and bots."""
    ranks: tuple[int, ...] = ()
    """The ranks that count."""
    counts_as: str = ""
    """How the result counts, if not as the cards say (`results.counts_as`)."""


def counted(counts: tuple[SeatCounts, ...], events: Iterable[Event]) -> tuple[SeatCounts, ...]:
    """The counts of every seat after these events."""
    now = list(counts)
    for event in events:
        if isinstance(event, Played | Flipped | Burned | PickedUp):
            now[event.seat] = now[event.seat].after(event)
    return tuple(now)
