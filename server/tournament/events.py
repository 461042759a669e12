"""What can happen to a tournament, as the log keeps it: each event is one text, and their numbers give the order.

The first text, `Opened`, says what is played. Nothing that was written is changed: a correction is one more event, and
an event that is not possible at its place is ignored by everybody who reads it (`state.apply`).
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct, json

from server.people.players import Player
from server.table.entries import TableSettings
from server.tournament.pairing import Fill, Format, Seated
from server.typed_json import Versioned

LIST: Final = "tournament"
"""The kind of the texts that list all tournaments: `Opened` under the tournament's id."""

Start: TypeAlias = Literal["now", "host", "full", "time"]
"""What begins the first round: nothing more, the host, the last free place that is taken, or a time."""


def events_of(tournament: str) -> str:
    """The kind of the texts that are the events of this tournament."""
    return f"{LIST} {tournament}"


class Opened(Versioned, frozen=True):
    """A tournament was opened. Times are in seconds since 1970."""

    name: str
    format: Format
    host: str
    """The id of the player who opened it."""
    host_name: str
    at: float
    seed: str
    """What pairings come from, together with the number of the round."""
    table: TableSettings
    """What is played; the largest tables have so many seats."""
    rounds: int = 0
    """How many rounds a swiss has; 0: as many as the number of entrants asks for."""
    fill: Fill = "default"
    start: Start = "host"
    starts_at: float = 0.0
    """When it begins, if the start is ``time``."""
    ends_at: float = 0.0
    """When an open night calls the last players; 0 if the host ends it."""
    places: int = 0
    """How many may enter; 0 for any number."""
    people_only: bool = False
    """Whether bots may not enter."""
    final: bool = False
    """Whether the best four of a swiss play for the first places in the end."""
    network: str = ""
    """The network that the host came from; empty if it has no limit."""

    ended: float = 0.0
    """When it ended, as is noted once it is over; 0 before."""

    @property
    def opener(self) -> str:
        """What it counts for: the network, or the host if that has no limit."""
        return self.network or self.host


class _Event(Versioned, frozen=True, tag_field="kind", tag=str.lower, kw_only=True):
    at: float
    """When, in seconds since 1970."""
    by: str = ""
    """The id of the player who decided that; empty for the server."""


class Entered(_Event, frozen=True):
    """A player entered, or came back after they had left."""

    player: Player
    network: str = ""
    """The network that they came from; empty if it has no limit."""


class Renamed(_Event, frozen=True):
    """An op has given an entrant another name."""

    player: Player


class _OfPlayer(_Event, frozen=True, kw_only=True):
    player: str


class Forgotten(_OfPlayer, frozen=True):
    """A player was forgotten: nothing says any more who they were, and they play no more rounds."""


class Left(_OfPlayer, frozen=True):
    """A player plays no more rounds. ``by`` somebody else: they may not come back by themselves."""


class SatOut(_OfPlayer, frozen=True):
    """A player sits out the next round."""


class Claimed(_Event, frozen=True):
    """A process prepares the tables of a round. For some seconds the others leave it to this one."""

    round: int


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a round as it is published."""

    seats: Seated
    """The ids of the entrants by seat; empty for AI players. One alone has no table: they sit out."""
    table: int = 0
    """The number of its table."""
    game: str = ""
    """The id of its game."""


class Published(_Event, frozen=True):
    """A round was called: these are its tables. In an open night a round is a departure."""

    round: int
    boards: tuple[Board, ...]
    final: bool = False
    """Whether it is the final table."""


class _OfBoard(_Event, frozen=True, kw_only=True):
    round: int
    board: int
    """From 0 on."""


class Finished(_OfBoard, frozen=True):
    """The game of a board has ended."""

    game: str
    ranks: tuple[int, ...]
    """By seat: 1 is best, and equal ranks tie."""
    absent: tuple[int, ...] = ()
    """The seats whose players were not there at the end, or never came."""


class Fixed(_OfBoard, frozen=True):
    """The result of a board was corrected."""

    ranks: tuple[int, ...]


class Voided(_OfBoard, frozen=True):
    """The game of a board does not count: all its players get the average."""


class Reopened(_OfBoard, frozen=True):
    """A board plays at another table, with another game: the first is void, or was lost."""

    table: int
    game: str


class Extended(_Event, frozen=True):
    """The games of a round may last longer."""

    round: int
    seconds: float


class Held(_Event, frozen=True):
    """The next round is not published before the host says so."""


class Called(_Event, frozen=True):
    """The next round is published at once. If it is the first one, the tournament begins."""

    round: int


class Paused(_Event, frozen=True):
    """The tournament rests: no clock runs at its tables, and no round begins."""


class Resumed(_Event, frozen=True):
    """The tournament goes on."""


class Closed(_Event, frozen=True):
    """The tournament is over, although rounds were left to play, or the host ends the open night."""


BoardEvent: TypeAlias = Finished | Fixed | Voided | Reopened
HostEvent: TypeAlias = Extended | Held | Called | Paused | Resumed | Closed
Event: TypeAlias = Entered | Renamed | Forgotten | Left | SatOut | Claimed | Published | BoardEvent | HostEvent
DECODER: Final[json.Decoder[Event]] = json.Decoder(Event)
