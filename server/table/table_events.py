"""What happens at a table besides the game's own events, in the same stream: players come, go and are played for.

`fold` makes most of them from the log, so that every process, and every player who comes later, is told the same. The
last three are not in the log: only the players who are at the table in this process are told. None holds a sentence.
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
    level: str | None = None
    """The level of that AI player."""


@dataclass(frozen=True, slots=True)
class PlayerRemoved(TableEvent):
    """A player was removed from their seat, which is given up next."""

    kind = "removed"
    seat: int
    name: str
    by: int | None
    """The seat of the player who decided that; None if it was an op, or is not known."""
    counts: bool | None
    """Whether the running game counts for the removed player, who has gone out in it; None if no game is on."""


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
class CutSealed(TableEvent):
    """A player has sealed a cut of the next deal."""

    kind = "cut-sealed"
    name: str


@dataclass(frozen=True, slots=True)
class CutsClosed(TableEvent):
    """A game is to begin: the players of these seats open their sealed cuts."""

    kind = "cuts-closed"
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CutOpened(TableEvent):
    """A player has opened their sealed cut."""

    kind = "cut-opened"
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class CutDropped(TableEvent):
    """A player has not opened their sealed cut, which has no part in the deal."""

    kind = "cut-dropped"
    name: str


@dataclass(frozen=True, slots=True)
class GameBegan(TableEvent):
    """The cards are dealt."""

    kind = "dealt"
    promise: str = ""
    """Who could not choose the cards (`fairness.PROMISES`); empty if nobody has cut them."""


@dataclass(frozen=True, slots=True)
class TimeIsUp(TableEvent):
    """The time for a game of a tournament is up, so that it has ended."""

    kind = "time-up"


@dataclass(frozen=True, slots=True)
class LastCard(TableEvent):
    """A seat has only one card left, in whatever zone."""

    kind = "last-card"
    seat: int


@dataclass(frozen=True, slots=True)
class StockEmpty(TableEvent):
    """The last card of the stock was drawn."""

    kind = "stock-empty"


@dataclass(frozen=True, slots=True)
class Disconnected(TableEvent):
    """The player of a seat has gone, and the seat is kept. Not in the log."""

    kind = "disconnected"
    seat: int
    hung_up: bool
    """Whether the player typed `quit`; if not, the connection was closed or lost."""
    seconds: float | None
    """How soon an AI player plays for them; None if none will, or if one does already."""
    called: bool = False
    """Whether the player was called to a table of a tournament."""


@dataclass(frozen=True, slots=True)
class Reconnected(TableEvent):
    """The player of a seat is here again before an AI player had to play for them. Not in the log."""

    kind = "reconnected"
    seat: int


@dataclass(frozen=True, slots=True)
class AIPlayerAdded(TableEvent):
    """The table's host has added an AI player. Not in the log, which has `SatDown`."""

    kind = "added"
    name: str
    level: str
    style: str
