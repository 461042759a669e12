"""A tournament: who plays, which rounds there were, how their tables ended; and what an event makes of it. Pure.

`apply` alone changes a tournament, and refuses an event that is not possible at its place. All processes read the same
events in the same order, so they agree on which of two events that contradict each other counts: the first one.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.ledger import Resource
from server.people.players import FORMER, Player
from server.tournament import events
from server.tournament.events import Event, Opened
from server.tournament.pairing import AI_SEAT, Round, at_smaller_tables, rounds_for
from server.tournament.standings import PlayedBoard, Row, open_standings, swiss_standings

CALL_SECONDS: Final = 15.0
"""How long after a round is published its cards are dealt."""
GAME_SECONDS: Final = 600.0
"""How long a game may last; the host can give more time."""
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
ABSENCES: Final = 2
"""A player who was not there at the end of so many games in a row plays no more until they enter again."""

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
    """Whether they got points for a round that they sat out: nobody gets them twice."""
    credited: int = 0
    """For how many rounds they get points without a game: one that they sat out, and one before they came."""
    absences: int = 0
    """How many of their last games ended without them."""
    entries: int = 0
    """How often they have entered."""


class PlayedRound(Struct, frozen=True, dict=True):
    """A round that was published; in an open night, a departure."""

    number: int
    at: float
    """When it was published. A pause moves it on by as long as it lasts."""
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
        return tuple(board.seats for board in self.boards)


class Tournament(Struct, frozen=True, dict=True):
    """Everything that the log says about a tournament.

    It is read twice a second for each player who is here, but only an event changes it. So what takes long is kept.
    """

    id: str
    opened: Opened
    entrants: Mapping[str, Entrant] = msgspec.field(default_factory=dict)
    """By the ids of the players, in the order of entering."""
    rounds: tuple[PlayedRound, ...] = ()
    claim: events.Claimed | None = None
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

    @property
    def boards(self) -> list[PlayedBoard]:
        """The boards of all rounds."""
        return [board for played in self.rounds for board in played.boards]

    @cached_property
    def running(self) -> list[PlayedBoard]:
        """The boards whose games go on."""
        return [board for board in self.boards if not board.is_over]

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
        if self.phase == "over" or self.closed_at is not None or len(self.playing) >= self.places:
            return False
        return not self.is_swiss or self.is_early

    def invites(self, player: str) -> bool:
        """Whether this player may enter now: somebody new, or one who has left or was away too often."""
        if (entrant := self.entrants.get(player)) is not None:
            goes_on = self.closed_at is None and not (self.is_swiss and len(self.regular) >= self.round_count)
            return goes_on and entrant.status in {"left", "paused"}
        return self.takes_players

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
            credited = {player: entrant.credited for player, entrant in self.entrants.items()}
            return swiss_standings(self.entrants, self.results, credited)
        return open_standings(self.entrants, self.results, over=self.phase == "over")

    @property
    def results(self) -> list[PlayedBoard]:
        """The boards whose games have ended."""
        return [board for board in self.boards if board.is_over]

    def round_of(self, board: PlayedBoard) -> PlayedRound:
        """The round of a board."""
        return self.rounds[board.round - 1]

    def board(self, number: int, board: int) -> PlayedBoard:
        """A board of a round. Raises InputError if there is none."""
        played = self.rounds[number - 1] if 0 < number <= len(self.rounds) else None
        if played is None or not 0 <= board < len(played.boards):
            raise InputError("bad_request", f"round {number} of {self.name} has no game {board + 1}")
        return played.boards[board]


# What an event makes of a tournament.


def after(state: Tournament, event: Event) -> tuple[Tournament, InputError | None]:
    """A tournament after one more event, or as it was, and why the event is ignored."""
    state = replace(state, events=state.events + 1, last_at=max(state.last_at, event.at))
    try:
        return apply(state, event), None
    except InputError as error:
        return state, error


def apply(state: Tournament, event: Event) -> Tournament:
    """A tournament after an event. Raises InputError if the event is not possible."""
    match event:
        case events.Entered():
            return _entered(state, event)
        case events.Renamed(player=player):
            return _with(state, replace(entrant_of(state, player.id), player=player))
        case events.Left():
            return _left(state, event)
        case events.Forgotten(player=player_id):
            return _forgotten(state, player_id)
        case events.SatOut(player=player_id):
            return _sat_out(state, player_id)
        case events.Published():
            return _published(state, event)
        case events.Finished():
            return _finished(state, event)
        case events.Fixed() | events.Voided() | events.Reopened():
            return _corrected(state, event)
        case _:
            return _directed(state, event)


# Entrants.


def _entered(state: Tournament, event: events.Entered) -> Tournament:
    _must_not_be_over(state)
    player, before = event.player, state.entrants.get(event.player.id)
    if before is not None and before.status == "in":
        who = "you are" if event.by == player.id else f"{before.player.name} is"
        raise InputError("bad_request", f"{who} in {state.name} already")
    if before is not None and before.status == "removed" and event.by in {"", player.id}:
        raise InputError("barred", f"the host has removed you from {state.name}: ask them")
    if before is not None and before.entries >= ENTRIES.share and event.by in {"", player.id}:
        raise ENTRIES.refuse(name=state.name)
    if player.kind == "ai" or (player.kind == "bot" and state.opened.people_only):
        raise InputError("bad_request", f"{state.name} is for people only")
    if len(state.playing) >= state.places or (before is None and len(state.entrants) >= 2 * MOST_ENTRANTS):
        raise PLACES.refuse(name=state.name, places=quantity(state.places, "place"))
    if state.is_swiss and before is None and not state.is_early:
        half = state.round_count // 2 + 1
        raise InputError("wrong_phase", f"{state.name} was open until round {half} was called: watch, or wait")
    # A player who comes late is credited with one round at most, and only the first time.
    known = before or Entrant(player, event.network, event.at, credited=int(state.is_swiss and bool(state.rounds)))
    entrant = replace(
        known,
        player=player,
        network=event.network,
        since=event.at,
        status="in",
        absences=0,
        entries=known.entries + 1,
    )
    return _with(state, entrant)


def _left(state: Tournament, event: events.Left) -> Tournament:
    _must_not_be_over(state)
    entrant = entrant_of(state, event.player)
    if entrant.status == "removed" or (entrant.status == "left" and event.by in {"", event.player}):
        raise InputError("bad_request", f"{entrant.player.name} has left {state.name} already")
    own = event.by in {"", event.player}
    return _with(state, replace(entrant, status="left" if own else "removed", sits_out=False))


def _forgotten(state: Tournament, player: str) -> Tournament:
    opened = replace(state.opened, host_name=FORMER) if state.opened.host == player else state.opened
    entrants = {
        each: replace(entrant, player=replace(entrant.player, name=FORMER), status="removed", sits_out=False)
        for each, entrant in state.entrants.items()
        if each == player
    }
    return replace(state, opened=opened, entrants={**state.entrants, **entrants})


def _sat_out(state: Tournament, player: str) -> Tournament:
    _must_not_be_over(state)
    entrant = entrant_of(state, player)
    if entrant.status != "in" or entrant.sits_out:
        raise InputError("bad_request", f"{entrant.player.name} does not play the next round of {state.name} anyway")
    return _with(state, replace(entrant, sits_out=True))


def entrant_of(state: Tournament, player: str) -> Entrant:
    """An entrant. Raises InputError if the player has not entered."""
    if (entrant := state.entrants.get(player)) is None:
        raise InputError("bad_request", f"you are not in {state.name}: tournament join {state.name}")
    return entrant


def _with(state: Tournament, entrant: Entrant) -> Tournament:
    return replace(state, entrants={**state.entrants, entrant.player.id: entrant})


# Rounds.


def _published(state: Tournament, event: events.Published) -> Tournament:
    _must_not_be_over(state)
    number, final = event.round, event.final
    if number != len(state.rounds) + 1:
        raise InputError("wrong_phase", f"round {number} of {state.name} is published already")
    if state.paused_at is not None or state.closed_at is not None:
        raise InputError("wrong_phase", f"{state.name} is {'paused' if state.closed_at is None else 'ending'}")
    if state.is_swiss and state.rounds and not state.rounds[-1].is_over:
        raise InputError("wrong_phase", f"round {number - 1} of {state.name} goes on")
    seated = [player for board in event.boards for player in board.seats if player != AI_SEAT]
    if len({*seated}) < len(seated) or not {*seated} <= state.entrants.keys():
        raise InputError("bad_request", f"round {number} of {state.name} has a seat for a player who is not in it")
    small, boards = at_smaller_tables(tuple(board.seats for board in event.boards)), list[PlayedBoard]()
    for at, each in enumerate(event.boards):
        is_small = not {*each.seats}.isdisjoint(small)
        board = PlayedBoard(each.seats, short=is_small, final=final, round=number, number=at)
        alone = len(each.seats) == 1
        how = {"ranks": (1,), "ended": event.at} if alone else {"table": each.table, "game": each.game}
        boards.append(replace(board, **how))
    entrants = dict(state.entrants)
    for player, entrant in state.entrants.items():
        if entrant.sits_out and player not in seated:
            credited = entrant.credited + (state.is_swiss and not entrant.excused and not final)
            entrants[player] = replace(entrant, sits_out=False, excused=True, credited=credited)
    return replace(
        state,
        entrants=entrants,
        rounds=(*state.rounds, PlayedRound(number, event.at, tuple(boards), final=final)),
        started_at=event.at if state.started_at is None else state.started_at,
        held_at=None,
        claim=None,
    )


def _finished(state: Tournament, event: events.Finished) -> Tournament:
    found = state.board(event.round, event.board)
    seats = found.seats
    if found.is_over or event.game != found.game:
        raise InputError("wrong_phase", "this game has ended already, or does not count any more")
    if len(event.ranks) != len(seats):
        raise InputError("bad_request", "a result has a rank for each seat")
    entrants = dict(state.entrants)
    for seat, player in enumerate(seats):
        if player in entrants:
            absences = entrants[player].absences + 1 if seat in event.absent else 0
            is_paused = absences >= ABSENCES and entrants[player].status == "in"
            entrants[player] = replace(
                entrants[player], absences=absences, status="paused" if is_paused else entrants[player].status
            )
    return _with_board(replace(state, entrants=entrants), replace(found, ranks=event.ranks, ended=event.at))


def _corrected(state: Tournament, event: events.Fixed | events.Voided | events.Reopened) -> Tournament:
    found = state.board(event.round, event.board)
    seats = found.seats
    if len(seats) == 1:
        raise InputError("bad_request", "this player sat out: there is no game to correct")
    match event:
        case events.Fixed(ranks=ranks):
            if len(ranks) != len(seats) or not all(1 <= rank <= len(seats) for rank in ranks):
                raise InputError("bad_request", f"a result has a rank from 1 to {len(seats)} for each seat")
            board = replace(found, ranks=ranks, ended=found.ended or event.at, void=False, is_fixed=True)
        case events.Voided():
            if found.void:
                raise InputError("bad_request", "this game is void already")
            # All share all places, which gives everybody the average.
            board = replace(found, ranks=(1,) * len(seats), ended=found.ended or event.at, void=True)
        case events.Reopened(table=table, game=game):
            if found.is_over and not found.void:
                raise InputError("wrong_phase", "this game has ended")
            if found.game == game or state.phase == "over" or state.round_of(found).is_over:
                raise InputError("wrong_phase", "this round is over")
            again = replace(found, ranks=(), ended=0.0, void=False, is_fixed=False)
            board = replace(again, table=table, game=game, reopened_at=event.at)
            played = state.round_of(board)
            late = max(0.0, played.deals_board_at(board) - played.deals_at)
            state = _with_round(state, replace(played, extended=max(played.extended, late)))
    return _with_board(state, board)


def _with_board(state: Tournament, board: PlayedBoard) -> Tournament:
    played = state.round_of(board)
    boards = (*played.boards[: board.number], board, *played.boards[board.number + 1 :])
    return _with_round(state, replace(played, boards=boards))


def _with_round(state: Tournament, played: PlayedRound) -> Tournament:
    return replace(state, rounds=(*state.rounds[: played.number - 1], played, *state.rounds[played.number :]))


def _directed(state: Tournament, event: Event) -> Tournament:
    """What the host decides, or one process for all."""
    if isinstance(event, events.Closed):
        if state.closed_at is not None or state.phase == "over":
            raise InputError("wrong_phase", f"{state.name} is over, or about to be")
        return replace(state, closed_at=event.at, paused_at=None)
    _must_not_be_over(state)
    match event:
        case events.Claimed(round=number) if not state.is_claimed(number, event.at):
            return replace(state, claim=event)
        case events.Claimed():
            problem = "another process prepares this round"
        case events.Held():
            return replace(state, held_at=event.at, called=0)
        case events.Called(round=number):
            return _called(state, number, event.at)
        case events.Paused() if state.paused_at is None:
            return replace(state, paused_at=event.at)
        case events.Paused():
            problem = f"{state.name} is paused already"
        case events.Extended(round=number, seconds=seconds):
            played = state.round_of(state.board(number, 0))
            return _with_round(state, replace(played, extended=played.extended + seconds))
        case events.Resumed() if state.paused_at is not None:
            return _resumed(state, state.paused_at, event.at)
        case _:
            problem = f"{state.name} is not paused"
    raise InputError("wrong_phase", problem)


def _called(state: Tournament, number: int, now: float) -> Tournament:
    """The round of this number is to be published at once."""
    if number != len(state.rounds) + 1:
        raise InputError("wrong_phase", f"round {number} of {state.name} is published already")
    if number == state.called:
        raise InputError("wrong_phase", f"the next tables of {state.name} are called already")
    started_at = now if state.started_at is None else state.started_at
    return replace(state, held_at=None, called=number if state.playing else 0, started_at=started_at)


def _resumed(state: Tournament, paused_at: float, now: float) -> Tournament:
    """The tournament goes on, and its games have the time that they had when it was paused."""
    lost = max(0.0, now - paused_at)
    rounds = tuple(
        played
        if played.is_over
        else replace(
            played,
            at=played.at + lost,
            # A board may have been called again within the pause.
            boards=tuple(
                replace(board, reopened_at=board.reopened_at and min(board.reopened_at + lost, now))
                for board in played.boards
            ),
        )
        for played in state.rounds
    )
    return replace(state, rounds=rounds, paused_at=None, resumed_at=now)


def _must_not_be_over(state: Tournament) -> None:
    if state.phase == "over":
        raise InputError("wrong_phase", f"{state.name} is over: tournament {state.name} tells how it ended")
