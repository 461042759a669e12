"""What happens at a table besides the game's own events, in the same stream: players come, go and are played for.

`fold` makes them from the log, so every process, and every player who comes late, is told the same. They hold no text.
"""

from dataclasses import dataclass

from engine.events import Event
from server.table.entries import Reason


@dataclass(frozen=True, slots=True)
class TableEvent(Event):
    """An event of the table, not of the game."""


@dataclass(frozen=True, slots=True)
class SatDown(TableEvent):
    """A player has taken a seat."""

    kind = "sat"
    seat: int
    name: str
    level: str | None
    """The level of an AI player; None for people and bots."""


@dataclass(frozen=True, slots=True)
class StoodUp(TableEvent):
    """A player has left their seat for good."""

    kind = "left"
    seat: int
    name: str
    successor: str
    """The name of the AI player who goes on with their cards; empty between games."""


@dataclass(frozen=True, slots=True)
class WentAway(TableEvent):
    """From now on an AI player plays for the player of a seat."""

    kind = "away"
    seat: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class CameBack(TableEvent):
    """The player of a seat decides again."""

    kind = "back"
    seat: int
    moves: int
    """How many moves were made meanwhile."""
    own: int
    """How many of these were made for this seat."""


@dataclass(frozen=True, slots=True)
class StoodIn(TableEvent):
    """The next move of this seat is made by an AI player for its player."""

    kind = "stood-in"
    seat: int


@dataclass(frozen=True, slots=True)
class CardsCut(TableEvent):
    """A player has cut the cards of the next deal with a text."""

    kind = "cut"
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class GameBegan(TableEvent):
    """The cards are dealt."""

    kind = "dealt"


@dataclass(frozen=True, slots=True)
class LastCard(TableEvent):
    """A seat has only one card left, in whatever zone."""

    kind = "last-card"
    seat: int


@dataclass(frozen=True, slots=True)
class StockEmpty(TableEvent):
    """The last card of the stock was drawn."""

    kind = "stock-empty"
