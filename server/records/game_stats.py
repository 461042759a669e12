"""What the screen with the results shows of a game."""

from msgspec import Struct


class GameStats(Struct, frozen=True):
    """The figures of a game that is over. By seat, but other players may sit there now."""

    names: tuple[str, ...]
    """The player at each seat at the end, and the one they replaced (`Finish.played_by`)."""
    picked_up: tuple[int, ...]
    """The cards that each seat has picked up, in all."""
    ai_levels: tuple[str | None, ...]
    """The levels of the AI players among them, empty if it is not known; None for people and bots."""
    ranks: tuple[int, ...] = ()
    """The ranks that count."""
    counts_as: str = ""
    """How the result counts, if not as the cards say (`counts_as`)."""
    stood_in: frozenset[int] = frozenset()
    """The seats that went out while an AI player played them for the player who was dealt in."""
