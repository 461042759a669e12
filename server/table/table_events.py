"""What happens at a table besides the game's own events, in the same stream: who comes, goes and is played for.

Made by the fold of a table's log, so every process and everybody who comes late is told the same. Knows no words.
"""

from dataclasses import dataclass

from engine.events import Event
from server.table.entries import Reason


@dataclass(frozen=True, slots=True)
class TableEvent(Event):
    """Something that happened at the table, not in the game."""


@dataclass(frozen=True, slots=True)
class SatDown(TableEvent):
    """Somebody has taken a seat."""

    kind = "sat"
    seat: int
    name: str
    level: str | None
    """Of an AI player; None for persons and bots."""


@dataclass(frozen=True, slots=True)
class StoodUp(TableEvent):
    """Somebody has left their seat for good."""

    kind = "left"
    seat: int
    name: str
    successor: str
    """The AI player who goes on with their cards; empty between games."""


@dataclass(frozen=True, slots=True)
class WentAway(TableEvent):
    """From now on an AI player plays for the person of a seat."""

    kind = "away"
    seat: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class CameBack(TableEvent):
    """The person of a seat decides again."""

    kind = "back"
    seat: int
    moves: int
    """How many were made meanwhile, ..."""
    own: int
    """... and how many of these for them."""


@dataclass(frozen=True, slots=True)
class StoodIn(TableEvent):
    """What this seat does next an AI player does for its person."""

    kind = "stood-in"
    seat: int


@dataclass(frozen=True, slots=True)
class CardsCut(TableEvent):
    """Somebody has cut the cards of the next deal with a text."""

    kind = "cut"
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class GameBegan(TableEvent):
    """The cards are dealt."""

    kind = "dealt"


@dataclass(frozen=True, slots=True)
class LastCard(TableEvent):
    """A seat has come down to one card, in whatever zone."""

    kind = "last-card"
    seat: int


@dataclass(frozen=True, slots=True)
class StockEmpty(TableEvent):
    """The last card of the stock was drawn."""

    kind = "stock-empty"
