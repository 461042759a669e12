"""What each seat has done in a game, for the screen with the results."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Burned, Event, PickedUp


class SeatCounts(Struct, frozen=True):
    """What one seat has done in a game."""

    burned: int = 0
    """The cards in the piles that it burned."""
    picked_up: int = 0
    """The cards that it picked up, in all."""


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
    """How the result counts, if not as the cards say (`counts_as`)."""
    stood_in: frozenset[int] = frozenset()
    """The seats that went out while an AI player played them for the player who was dealt in."""


def counted(counts: tuple[SeatCounts, ...], events: Iterable[Event]) -> tuple[SeatCounts, ...]:
    """The counts of every seat after these events."""
    now = list(counts)
    for event in events:
        match event:
            case Burned(seat=seat, count=count):
                now[seat] = replace(now[seat], burned=now[seat].burned + count)
            case PickedUp(seat=seat, cards=cards):
                now[seat] = replace(now[seat], picked_up=now[seat].picked_up + len(cards))
    return tuple(now)
