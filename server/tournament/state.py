"""A tournament: who plays, which rounds there were, how their tables ended. Pure; `fold` makes it from its events."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from engine.errors import InputError
from server.people.players import Player
from server.tournament import events
from server.tournament.events import Board, Opened
from server.tournament.pairing import at_smaller_tables
from server.tournament.seating import AI_SEAT, Round, rounds_for
from server.tournament.standings import Credit, Row, TableResult, open_standings, swiss_standings

CALL_SECONDS: Final = 15.0
"""How long after a round is published its cards are dealt."""
GAME_SECONDS: Final = 600.0
"""How long a game may last; the host can give more time."""
CLAIM_SECONDS: Final = 15.0
"""How long the preparation of a round is left to the process that has begun it."""
MOST_ENTRANTS: Final = 200
MOST_EVENTS: Final = 6_000
"""How many events a tournament may have, those of its players half as many: six rounds of 200 people have 600."""

Phase: TypeAlias = Literal["open", "playing", "over"]
"""Before the first round, from then on, and after the last."""
Status: TypeAlias = Literal["in", "left", "removed", "paused"]
"""Whether an entrant plays the next round: not if they left, were removed, or were absent too often."""


class Entrant(Struct, frozen=True):
    """A player who has entered, and what became of that."""

    player: Player
    network: str
    since: float
    """When they entered, or came back."""
    status: Status = "in"
    sits_out: bool = False
    """Whether they sit out the next round."""
    excused: bool = False
    """Whether they were credited with points for a round that they sat out, which is done once."""
    absences: int = 0
    """How many of their last games ended without them."""
    entries: int = 0
    """How often they have entered."""


class PlayedBoard(Struct, frozen=True):
    """A board of a round, and how its game ended."""

    board: Board
    ranks: tuple[int, ...] | None = None
    """By seat: 1 is best; None while it is played."""
    ended: float = 0.0
    void: bool = False
    reopened_at: float = 0.0
    """When it was called again with another game; 0 if it was not."""

    @property
    def is_over(self) -> bool:
        """Whether its game has ended, or is void, or a player sits there alone."""
        return self.ranks is not None

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of its entrants."""
        return tuple(player for player in self.board.seats if player != AI_SEAT)


class PlayedRound(Struct, frozen=True, dict=True):
    """A round that was published; in an open night, a departure."""

    number: int
    at: float
    """When it was published, later by the time for which the tournament was paused since."""
    boards: tuple[PlayedBoard, ...]
    extended: float = 0.0
    """The seconds that the host has added to its games."""
    final: bool = False

    @cached_property
    def is_over(self) -> bool:
        """Whether all its games have ended."""
        return all(board.is_over for board in self.boards)

    @property
    def deals_at(self) -> float:
        """When its cards are dealt."""
        return self.at + CALL_SECONDS

    def called_at(self, board: PlayedBoard) -> float:
        """When the players of a board were called to its table."""
        return max(self.at, board.reopened_at)

    def deals_board_at(self, board: PlayedBoard) -> float:
        """When the cards of a board are dealt."""
        return self.called_at(board) + CALL_SECONDS

    @property
    def ends_at(self) -> float:
        """When games that still go on are ended by the clock."""
        return self.deals_at + GAME_SECONDS + self.extended

    @property
    def ended(self) -> float:
        """When its last game ended."""
        return max((board.ended for board in self.boards), default=self.at)

    @property
    def tables(self) -> Round:
        """Who sat at which seat."""
        return tuple(board.board.seats for board in self.boards)


class Tournament(Struct, frozen=True, dict=True):
    """Everything that the log says about a tournament.

    It is read twice a second, for each player here, and changes with an event only: so what takes long is kept.
    """

    id: str
    opened: Opened
    entrants: Mapping[str, Entrant] = msgspec.field(default_factory=dict)
    """By the ids of the players, in the order of entering."""
    rounds: tuple[PlayedRound, ...] = ()
    credits: tuple[Credit, ...] = ()
    claim: events.Claimed | None = None
    started_at: float | None = None
    """When the host, or the clock, let it begin; None before."""
    held_at: float | None = None
    """Since when the next round waits for the host; None if it does not."""
    called: int = 0
    """The number of the round that the host wants published at once."""
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
        games_over = all(played.is_over for played in self.rounds)
        if games_over and (self.closed_at is not None or self.is_complete):
            return "over"
        return "playing" if self.rounds or self.started_at is not None else "open"

    @property
    def is_complete(self) -> bool:
        """Whether the last round of a swiss is over."""
        if not self.is_swiss or len(self.regular) < self.round_count or not self.rounds[-1].is_over:
            return False
        return not self.opened.final or self.rounds[-1].final or len(self.finalists) < 2

    def is_claimed(self, number: int, now: float) -> bool:
        """Whether a process prepares this round then, so that others leave it alone."""
        claim = self.claim
        return claim is not None and claim.round == number and claim.at <= now < claim.at + CLAIM_SECONDS

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

    @cached_property
    def busy(self) -> dict[str, tuple[PlayedRound, PlayedBoard]]:
        """Who plays now, and where."""
        return {
            player: (played, board)
            for played in self.rounds
            if not played.is_over
            for board in played.boards
            if not board.is_over
            for player in board.people
        }

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
        if self.phase == "over" or self.closed_at is not None or len(self.playing) >= self.places:
            return False
        return not self.is_swiss or self.is_early

    @property
    def is_early(self) -> bool:
        """Whether no more than half of the rounds of a swiss have been called."""
        return 2 * len(self.rounds) <= self.round_count

    @property
    def places(self) -> int:
        """How many may play in it at a time."""
        return self.opened.places or MOST_ENTRANTS

    @property
    def finalists(self) -> list[str]:
        """The best four of a swiss who are still there, or as many as a table has seats."""
        there = [row.player for row in self.standings if self.entrants[row.player].status == "in"]
        return there[: self.opened.seats]

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
            return swiss_standings(self.entrants, self.results(), self.credits)
        return open_standings(self.entrants, self.results(), over=self.phase == "over")

    def results(self) -> list[TableResult]:
        """How all games ended that have."""
        found = list[TableResult]()
        for played in self.rounds:
            small = {*at_smaller_tables(played.tables)}
            found += [
                TableResult(
                    played.number,
                    board.board.seats,
                    board.ranks,
                    board.ended,
                    short=not small.isdisjoint(board.people),
                    final=played.final,
                )
                for board in played.boards
                if board.ranks is not None
            ]
        return found

    def board(self, number: int, board: int) -> PlayedBoard:
        """A board of a round. Raises InputError if there is none."""
        played = self.rounds[number - 1] if 0 < number <= len(self.rounds) else None
        if played is None or not 0 <= board < len(played.boards):
            raise InputError("bad_request", f"round {number} of {self.name} has no board {board + 1}")
        return played.boards[board]
