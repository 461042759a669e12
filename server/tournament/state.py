"""A tournament as its events have made it: who plays, which rounds there were, how their tables ended. Pure."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from engine.errors import InputError
from server.ledger import Resource
from server.people.players import Player
from server.table.entries import TableSettings
from server.tournament.pairing import Fill, Format, rounds_for
from server.tournament.standings import Honour, PlayedBoard, Row, honours, open_standings, swiss_standings
from server.typed_json import Versioned

CLAIM_SECONDS: Final = 15.0
"""How long the preparation of a round is left to the process that has begun it."""
MOST_ENTRANTS: Final = 200
PLACES: Final = Resource("places", "server", MOST_ENTRANTS, refusal="{name} is full: it has {places}", of_address=4)
"""The players of one tournament at a time."""
PLACES_OF_ADDRESS: Final = Resource(
    "places-of-an-address",
    "address",
    4,
    refusal="{players} from your address are in {name} already: ask the host, whose tournament add NAME lets you in",
    beyond="it is refused; the address of the host has one for each connection that it may have (`per_address`)",
)
EVENTS: Final = Resource(
    "events-of-a-tournament",
    "server",
    3_000,
    refusal="{name} has {most} entries in its log, so it can only end",
    of_address=60,
)
"""What players write may fill half of them. Six rounds of 200 people have 600."""
ENTRIES: Final = Resource(
    "entries",
    "player",
    3,
    refusal="you have entered {name} {most} times: an op can add you",
)
"""How often a player may enter one tournament by themselves: each entry stays in its log."""

Start: TypeAlias = Literal["now", "host", "full", "time"]
"""What begins the first round: nothing more, the host, the last free place that is taken, or a time."""
Phase: TypeAlias = Literal["open", "playing", "over"]
"""Before the first round, from then on, and after the last."""
Status: TypeAlias = Literal["in", "left", "removed", "paused"]
"""Whether an entrant plays the next round: not if they left, were removed, or were absent too often."""


class Opened(Versioned, frozen=True):
    """What a tournament was opened for, as the log lists it. Times are in seconds since 1970."""

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


class Entrant(Struct, frozen=True):
    """A player who has entered, and what became of that."""

    player: Player
    network: str
    since: float
    """When they entered, or came back."""
    status: Status = "in"
    sits_out: bool = False
    """Whether they sit out the next round."""
    is_late: bool = False
    """Whether they came after the first round of a swiss, for which they get points."""
    is_excused: bool = False
    """Whether they have sat out a round, for which they get points: nobody gets them twice."""
    absences: int = 0
    """How many of their last games ended without them."""
    entries: int = 0
    """How often they have entered."""


class PlayedRound(Struct, frozen=True, dict=True):
    """A round that was published; in an open night, a departure."""

    number: int
    at: float
    """When it was published."""
    boards: tuple[PlayedBoard, ...]
    final: bool = False

    @cached_property
    def is_over(self) -> bool:
        """Whether all its games have ended."""
        return all(board.is_over for board in self.boards)

    @property
    def ended(self) -> float:
        """When its last game ended."""
        return max((board.ended for board in self.boards), default=self.at)


class Tournament(Struct, frozen=True, dict=True):
    """Everything that the log says about a tournament.

    It is read twice a second for each player who is here, but only an event changes it. So what takes long is kept.
    """

    id: str
    opened: Opened
    entrants: Mapping[str, Entrant] = msgspec.field(default_factory=dict)
    """By the ids of the players, in the order of entering."""
    rounds: tuple[PlayedRound, ...] = ()
    claimed: int = 0
    """The number of the round that a process prepares; 0 if none does."""
    claimed_at: float = 0.0
    started_at: float | None = None
    """When the host, or the clock, let it begin; None before."""
    held_at: float | None = None
    """Since when the next round waits for the host; None if it does not."""
    called: int = 0
    """The number of the round to publish at once; 0 if there is none, or it has no players yet."""
    paused_at: float | None = None
    resumed_at: float = 0.0
    closed_at: float | None = None
    last_at: float = 0.0
    """When the last event was."""
    events: int = 0

    @property
    def name(self) -> str:
        """What it is called."""
        return self.opened.name

    @property
    def is_swiss(self) -> bool:
        """Whether it has a fixed number of rounds for all."""
        return self.opened.format == "swiss"

    @cached_property
    def phase(self) -> Phase:
        """Whether it has begun or is over."""
        if not self.running and (self.closed_at is not None or self.is_complete):
            return "over"
        return "playing" if self.rounds or self.started_at is not None else "open"

    @property
    def is_last_round(self) -> bool:
        """Whether no round of a swiss comes after the latest one, by the results so far."""
        if not self.is_swiss or len(self.regular) < self.round_count:
            return False
        return not self.opened.final or self.rounds[-1].final or len(self.finalists) < 2

    @property
    def is_complete(self) -> bool:
        """Whether the last round of a swiss is over."""
        return self.is_last_round and self.rounds[-1].is_over

    def is_claimed(self, number: int, now: float) -> bool:
        """Whether a process prepares this round then, so that others leave it alone."""
        return self.claimed == number and self.claimed_at <= now < self.claimed_at + CLAIM_SECONDS

    @property
    def regular(self) -> tuple[PlayedRound, ...]:
        """The rounds without the final table."""
        return tuple(played for played in self.rounds if not played.final)

    @property
    def round_count(self) -> int:
        """How many rounds a swiss has, besides the final table: by the number of those who play the first one."""
        people = sum(len(board.people) for board in self.rounds[0].boards) if self.rounds else len(self.playing)
        return self.opened.rounds or rounds_for(people)

    @property
    def playing(self) -> list[str]:
        """The ids of all who play in the next round unless they sit it out."""
        return [player for player, entrant in self.entrants.items() if entrant.status == "in"]

    def expects(self, player: str) -> bool:
        """Whether this player will play in its next round, if there is one."""
        entrant, goes_on = self.entrants.get(player), self.closed_at is None and self.phase != "over"
        return goes_on and entrant is not None and entrant.status == "in" and not entrant.sits_out

    @property
    def boards(self) -> list[PlayedBoard]:
        """The boards of all rounds."""
        return [board for played in self.rounds for board in played.boards]

    @cached_property
    def running(self) -> list[PlayedBoard]:
        """The boards whose games go on."""
        return [board for board in self.boards if not board.is_over]

    @property
    def results(self) -> list[PlayedBoard]:
        """The boards whose games have ended."""
        return [board for board in self.boards if board.is_over]

    @cached_property
    def busy(self) -> dict[str, PlayedBoard]:
        """The board at which each entrant plays now, by the entrant's id."""
        return {player: board for board in self.running for player in board.people}

    @cached_property
    def name_numbers(self) -> Mapping[str, int]:
        """For each entrant the number among those of the same name; 0 if no other has it."""
        alike = dict[str, list[str]]()
        for player, entrant in self.entrants.items():
            alike.setdefault(entrant.player.name.casefold(), []).append(player)
        return {
            player: number if len(same) > 1 else 0 for same in alike.values() for number, player in enumerate(same, 1)
        }

    @property
    def takes_players(self) -> bool:
        """Whether players may still enter who have never been in it."""
        return self.phase != "over" and self.closed_at is None and self.is_early and len(self.playing) < self.places

    def invites(self, player: str) -> bool:
        """Whether this player may enter now: somebody new, or one who has left or was away too often."""
        if (entrant := self.entrants.get(player)) is not None:
            goes_on = self.closed_at is None and not (self.is_swiss and len(self.regular) >= self.round_count)
            return goes_on and entrant.status in {"left", "paused"}
        return self.takes_players

    @property
    def is_early(self) -> bool:
        """Whether no more than half of the rounds have been called; an open night has no end of them."""
        return not self.is_swiss or 2 * len(self.rounds) <= self.round_count

    @property
    def places(self) -> int:
        """How many may play in it at a time."""
        return self.opened.places or MOST_ENTRANTS

    @property
    def finalists(self) -> list[str]:
        """The best four of a swiss who are still there, or as many as a table has seats."""
        there = [row.player for row in self.standings if self.entrants[row.player].status == "in"]
        return there[: self.opened.table.seats]

    @property
    def ended(self) -> float:
        """When it ended, if it is over."""
        return max([self.closed_at or 0.0, *(played.ended for played in self.rounds)])

    def points(self) -> dict[str, int]:
        """The points of all entrants."""
        return {row.player: row.points for row in self.standings}

    @cached_property
    def standings(self) -> tuple[Row, ...]:
        """The standings as they are now, best first."""
        if self.is_swiss:
            credited = {player: each.is_late + each.is_excused for player, each in self.entrants.items()}
            return swiss_standings(self.entrants, self.results, credited)
        return open_standings(self.entrants, self.results, over=self.phase == "over")

    @property
    def winners(self) -> list[str]:
        """The ids of those who lead, or who have won; nobody has before the first result."""
        return [row.player for row in self.standings if row.place == 1 and row.games]

    @property
    def honours(self) -> tuple[Honour, ...]:
        """What else players have earned, as it stands now."""
        return honours(self.results, self.winners)

    def round_of(self, board: PlayedBoard) -> PlayedRound:
        """The round of a board."""
        return self.rounds[board.round - 1]

    def board(self, number: int, board: int) -> PlayedBoard:
        """A board of a round. Raises InputError if there is none."""
        for each in self.boards:
            if (each.round, each.number) == (number, board):
                return each
        raise InputError("bad_request", f"round {number} of {self.name} has no game {board + 1}")
