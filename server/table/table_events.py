"""What happens at a table besides the game's own events, in the same stream: players come, go and are played for.

`apply_changes` makes most of them from the log, so that every process, and every player who comes later, is told the
same. None holds a sentence. Below them is the news that no log has, which one process tells the others (`peers`).
"""

from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from engine.events import Event
from server.table.entries import Reason
from server.table.recent_talk import Said


class TableEvent(Event, Struct, frozen=True):
    """An event of the table, not of the game."""


class SatDown(TableEvent, frozen=True):
    """A player has taken a seat."""

    kind = "sat"
    seat: int
    name: str
    level: str | None
    """The level of an AI player; None for people and bots."""


class StoodUp(TableEvent, frozen=True):
    """A player has left their seat for good."""

    kind = "left"
    seat: int
    name: str
    successor: str
    """The name of the AI player who goes on with their cards; empty between games."""
    level: str | None = None
    """The level of that AI player."""


class PlayerRemoved(TableEvent, frozen=True):
    """A player was removed from their seat, which is given up next."""

    kind = "removed"
    seat: int
    name: str
    by: int | None
    """The seat of the player who decided that; None if it was an op, or is not known."""
    counts: bool | None
    """Whether the running game counts for the removed player, who has gone out in it; None if no game is on."""


class WentAway(TableEvent, frozen=True):
    """From now on an AI player plays for the player of a seat."""

    kind = "away"
    seat: int
    reason: Reason


class CameBack(TableEvent, frozen=True):
    """The player of a seat decides again."""

    kind = "back"
    seat: int
    moves: int
    """How many moves were made meanwhile."""
    own: int
    """How many of these were made for this seat."""


class StoodIn(TableEvent, frozen=True):
    """The next move of this seat is made by an AI player for its player."""

    kind = "stood-in"
    seat: int


class CardsCut(TableEvent, frozen=True):
    """A player has cut the cards of the next deal with a text."""

    kind = "cut"
    name: str
    text: str


class CutSealed(TableEvent, frozen=True):
    """A player has sealed a cut of the next deal."""

    kind = "cut-sealed"
    name: str


class CutsClosed(TableEvent, frozen=True):
    """A game is to begin: the players of these seats open their sealed cuts."""

    kind = "cuts-closed"
    seats: tuple[int, ...]


class CutOpened(TableEvent, frozen=True):
    """A player has opened their sealed cut."""

    kind = "cut-opened"
    name: str
    text: str


class CutDropped(TableEvent, frozen=True):
    """A player has not opened their sealed cut, which has no part in the deal."""

    kind = "cut-dropped"
    name: str


class GameBegan(TableEvent, frozen=True):
    """The cards are dealt."""

    kind = "dealt"
    promise: str = ""
    """Who could not choose the cards (`fairness.PROMISES`); empty if nobody has cut them."""


class TimeIsUp(TableEvent, frozen=True):
    """The game has ended, since its time is up."""

    kind = "time-up"


class LastCard(TableEvent, frozen=True):
    """A seat has only one card left, in whatever zone."""

    kind = "last-card"
    seat: int


class StockEmpty(TableEvent, frozen=True):
    """The last card of the stock was drawn."""

    kind = "stock-empty"


class Leaving(NamedTuple):
    """Why a player goes away from a table: `TO_LOBBY`, `HUNG_UP`, `LOST`, or they were called elsewhere."""

    goes_to: str = ""
    """As in "the next table"; empty if the player is gone."""
    hung_up: bool = False


TO_LOBBY: Final = Leaving("the lobby")
"""For good: the seat is kept only if the table keeps seats."""
HUNG_UP: Final = Leaving(hung_up=True)
"""The player has typed `quit`."""
LOST: Final = Leaving()
"""The connection was lost."""


class Disconnected(TableEvent, frozen=True):
    """The player of a seat has gone, and the seat is kept. Not in the log."""

    kind = "disconnected"
    seat: int
    hung_up: bool
    """Whether the player typed `quit`."""
    seconds: float | None
    """How soon an AI player plays for them; None if none will, or if one does already."""
    goes_to: str = ""
    """Where the player is now, as in "the lobby". If it is empty and they have not hung up, the connection was lost."""


class Reconnected(TableEvent, frozen=True):
    """The player of a seat is here again before an AI player had to play for them. Not in the log."""

    kind = "reconnected"
    seat: int


class GameProposed(TableEvent, frozen=True):
    """The player of a seat wants another game, and other people are to agree. Not in the log."""

    kind = "proposed"
    seat: int


class ReaderAwaited(TableEvent, frozen=True):
    """Another game waits longer, for the player of a seat who is reading. Not in the log."""

    kind = "reading"
    seat: int
    seconds: float
    """The longest time that it waits from now on."""


class GameRefused(TableEvent, frozen=True):
    """The player of a seat wants no other game now, so that none begins. Not in the log."""

    kind = "refused"
    seat: int


class AIPlayerAdded(TableEvent, frozen=True):
    """The table's host has added an AI player. Not in the log, which has `SatDown`."""

    kind = "added"
    name: str
    level: str
    style: str


class AIPlayersSet(Struct, frozen=True):
    """The host of the table has said how AI players play; see `UnloggedState`."""

    pace: float
    ai_level: str


UnloggedEvent: TypeAlias = Disconnected | Reconnected | GameProposed | ReaderAwaited | GameRefused | AIPlayerAdded
UnloggedNews: TypeAlias = Said | AIPlayersSet | UnloggedEvent
