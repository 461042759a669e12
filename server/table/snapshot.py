"""What a table tells each of its members: one private view, who sits where, and what just happened."""

from dataclasses import dataclass
from typing import Final, Protocol

from engine.events import Event
from engine.rules import Rules
from engine.view import View
from server.records.tally import Tally

REPLAY: Final = 0
"""In the place of a table's number: a finished game that is looked at again."""
LESSON: Final = -1
"""In the place of a table's number: a made-up position of a lesson."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """A seat as everybody may know it."""

    name: str
    ai_level: str | None = None
    """The level of the AI player that plays it; None where a person or a bot does."""
    away: bool = False
    """Its person is away and an AI player plays for them."""
    bot: bool = False


@dataclass(frozen=True, slots=True)
class NextDeal:
    """What is public about a deal before its game is over."""

    game: str
    commitment: str
    cuts: tuple[tuple[str, str], ...] = ()
    """Names, and what they cut with."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table as one member may know it. The newest is all that matters: each says everything anew."""

    table: int
    """Its number, `REPLAY` or `LESSON`."""
    rules: Rules
    seat: int | None
    """The member's own seat; None for those who watch."""
    sitters: tuple[Sitter | None, ...]
    view: View | None
    """The game, or None before the first deal."""
    ply: int
    watching: int = 0
    host: int | None = None
    """The seat of who may add and remove others."""
    game: str = ""
    """The id of the game that is shown."""
    deal: NextDeal | None = None
    """The deal of a running game, else the next one."""
    hints: bool = True
    """Whether those who play may ask for hints and odds."""
    deadline: float | None = None
    """When the time for what is to be decided is up, in the event loop's time; None where there is no clock."""
    clock: float = 0.0
    """The seconds for a decision, where more than one person plays."""
    tally: Tally | None = None
    """The figures of a game that is over."""

    @property
    def is_replay(self) -> bool:
        """Whether this is a finished game that is looked at again."""
        return self.table == REPLAY

    @property
    def is_lesson(self) -> bool:
        """Whether this is a step of a lesson; ``ply`` says which."""
        return self.table == LESSON

    @property
    def playing(self) -> bool:
        """Whether a game is in progress, arranging included."""
        return self.view is not None and self.view.phase != "over"

    @property
    def my_turn(self) -> bool:
        """Whether the member has something to decide."""
        if self.view is None or self.seat is None:
            return False
        if self.view.phase == "arrange":
            return not self.view.ready[self.seat]
        return self.view.to_move == self.seat

    @property
    def away(self) -> bool:
        """Whether an AI player plays the member's own seat."""
        sitter = None if self.seat is None else self.sitters[self.seat]
        return sitter is not None and sitter.away

    def name(self, seat: int) -> str:
        """The name of who sits there."""
        sitter = self.sitters[seat]
        return f"seat {seat + 1}" if sitter is None else sitter.name


@dataclass(frozen=True, slots=True)
class Listing:
    """A table as the lobby lists it."""

    number: int
    rules: str
    """The name of the rule set."""
    rules_title: str
    sitters: tuple[Sitter | None, ...]
    playing: bool
    ply: int
    watching: int
    private: bool = False
    """Whether one has to say a word to come in."""
    hints: bool = True
    """Whether those who play may ask for hints and odds."""
    asleep: bool = False
    """Whether nobody is present."""
    clock: float = 0.0
    """The seconds for a decision, where more than one person plays."""

    @property
    def open_seats(self) -> int:
        """How many seats one can take: those nobody has, and between games those that AI players keep warm."""
        return sum(
            sitter is None or (not self.playing and sitter.ai_level is not None and not sitter.away)
            for sitter in self.sitters
        )


class Subscriber(Protocol):
    """Somebody at a table. None of these calls may wait or raise."""

    def push(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """The table has changed; ``events`` are what this member may know of what happened to it."""

    def recall(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """What happened in this game before the member came."""

    def note(self, line: str) -> None:
        """Something that only those who are here need to know: somebody's connection came or went."""

    def hear(self, name: str, line: str) -> None:
        """Somebody said something."""

    def closed(self) -> None:
        """The table is no more."""
