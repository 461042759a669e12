"""What can happen to a tournament, and what it makes of it: each event is one text, and their numbers give the order.

Nothing that was written is changed: a correction is one more event. An event that is not possible at its place is
ignored by everybody who reads it. All processes read the same events in the same order, so they agree on which of two
that contradict each other counts: the first one.
"""

from typing import Final, TypeAlias

from msgspec import json
from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.people.players import FORMER, Player
from server.tournament.pairing import AI_SEAT, at_smaller_tables
from server.tournament.standings import Board, PlayedBoard
from server.tournament.state import ENTRIES, MOST_ENTRANTS, PLACES, Entrant, PlayedRound, Tournament
from server.typed_json import Versioned

LIST: Final = "tournament"
"""The kind of the texts that list all tournaments: `Opened` under the tournament's id."""
ABSENCES: Final = 2
"""A player who was not there at the end of so many games in a row plays no more until they enter again."""


def events_of(tournament: str) -> str:
    """The kind of the texts that are the events of this tournament."""
    return f"{LIST} {tournament}"


class _Event(Versioned, frozen=True, tag_field="kind", tag=str.lower, kw_only=True):
    """An event. Its ``apply`` returns the tournament after it; it raises InputError if the event is not possible."""

    at: float
    """When, in seconds since 1970."""
    by: str = ""
    """The id of the player who decided that; empty for the server."""


# Players.


class Entered(_Event, frozen=True):
    """A player entered, or came back after they had left."""

    player: Player
    network: str = ""
    """The network that they came from; empty if it has no limit."""

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        player, before, own = self.player, state.entrants.get(self.player.id), self.by in {"", self.player.id}
        if before is not None:
            if before.status == "in":
                who = "you are" if self.by == player.id else f"{before.player.name} is"
                raise InputError("bad_request", f"{who} in {state.name} already", name=before.player.name)
            if before.status == "removed" and own:
                raise InputError("barred", f"the host has removed you from {state.name}: ask them")
            if before.entries >= ENTRIES.share and own:
                raise ENTRIES.refuse(name=state.name)
        if player.kind == "ai" or (player.kind == "bot" and state.opened.people_only):
            raise InputError("bad_request", f"{state.name} is for people only")
        if len(state.playing) >= state.places or (before is None and len(state.entrants) >= 2 * MOST_ENTRANTS):
            raise PLACES.refuse(name=state.name, places=quantity(state.places, "place"))
        if before is None and not state.is_early:
            resume = "" if player.account else "; a guest who was in it comes back with their resume code"
            said = f"{state.name} was open until round {state.round_count // 2 + 1} was called{resume}"
            raise InputError("wrong_phase", said)
        known = before or Entrant(player, self.network, self.at, is_late=bool(state.rounds))
        known = replace(known, player=player, network=self.network, since=self.at)
        return _with(state, known, status="in", absences=0, entries=known.entries + 1)


class Renamed(_Event, frozen=True):
    """An op has given an entrant another name."""

    player: Player

    def apply(self, state: Tournament) -> Tournament:
        return _with(state, _entrant(state, self.player.id), player=self.player)


class _OfPlayer(_Event, frozen=True, kw_only=True):
    player: str


class Forgotten(_OfPlayer, frozen=True):
    """A player was forgotten: nothing says any more who they were, and they play no more rounds."""

    def apply(self, state: Tournament) -> Tournament:
        if state.opened.host == self.player:
            state = replace(state, opened=replace(state.opened, host_name=FORMER))
        if (entrant := state.entrants.get(self.player)) is None:
            return state
        return _with(state, entrant, player=replace(entrant.player, name=FORMER), status="removed", sits_out=False)


class Left(_OfPlayer, frozen=True):
    """A player plays no more rounds. ``by`` somebody else: they may not come back by themselves."""

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        entrant, own = _entrant(state, self.player), self.by in {"", self.player}
        if entrant.status == "removed" or (entrant.status == "left" and own):
            name = entrant.player.name
            raise InputError("bad_request", f"{name} has left {state.name} already", name=name)
        return _with(state, entrant, status="left" if own else "removed", sits_out=False)


class SatOut(_OfPlayer, frozen=True):
    """A player sits out the next round."""

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        entrant = _entrant(state, self.player)
        if entrant.status != "in" or entrant.sits_out:
            name = entrant.player.name
            raise InputError("bad_request", f"{name} does not play the next round of {state.name} anyway", name=name)
        return _with(state, entrant, sits_out=True)


def _entrant(state: Tournament, player: str) -> Entrant:
    if (entrant := state.entrants.get(player)) is None:
        raise InputError("bad_request", f"you are not in {state.name}: tournament join {state.name}")
    return entrant


def _with(state: Tournament, entrant: Entrant, **changes: object) -> Tournament:
    return replace(state, entrants={**state.entrants, entrant.player.id: replace(entrant, **changes)})


# Rounds and their games.


class Claimed(_Event, frozen=True):
    """A process prepares the tables of a round. For some seconds the others leave it to this one."""

    round: int

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        if state.is_claimed(self.round, self.at):
            raise InputError("wrong_phase", "another process prepares this round")
        return replace(state, claimed=self.round, claimed_at=self.at)


class Published(_Event, frozen=True):
    """A round was called: these are its tables. In an open night a round is a departure."""

    round: int
    boards: tuple[Board, ...]
    final: bool = False
    """Whether it is the final table."""

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        _must_be_next(state, self.round)
        if state.paused_at is not None or state.closed_at is not None:
            raise InputError("wrong_phase", f"{state.name} is {'paused' if state.closed_at is None else 'ending'}")
        if state.is_swiss and state.rounds and not state.rounds[-1].is_over:
            raise InputError("wrong_phase", f"round {self.round - 1} of {state.name} goes on")
        tables = tuple(board.seats for board in self.boards)
        seated = [player for seats in tables for player in seats if player != AI_SEAT]
        if len({*seated}) < len(seated) or not {*seated} <= state.entrants.keys():
            raise InputError(
                "bad_request", f"round {self.round} of {state.name} has a seat for a player who is not in it"
            )
        small = {*at_smaller_tables(tables)}
        entrants = dict(state.entrants)
        for player, entrant in state.entrants.items():
            if entrant.sits_out and player not in seated:
                entrants[player] = replace(entrant, sits_out=False, is_excused=entrant.is_excused or not self.final)
        boards = [
            PlayedBoard(
                board.seats,
                board.table,
                board.game,
                ranks=(1,) if len(board.seats) == 1 else (),
                ended=self.at if len(board.seats) == 1 else 0.0,
                short=not small.isdisjoint(board.seats),
                final=self.final,
                round=self.round,
                number=number,
                called_at=self.at,
            )
            for number, board in enumerate(self.boards)
        ]
        return replace(
            state,
            entrants=entrants,
            rounds=(*state.rounds, PlayedRound(self.round, self.at, tuple(boards), final=self.final)),
            started_at=self.at if state.started_at is None else state.started_at,
            held_at=None,
            claimed=0,
        )


class _OfBoard(_Event, frozen=True, kw_only=True):
    round: int
    board: int
    """From 0 on."""

    def _played(self, state: Tournament) -> PlayedBoard:
        """The board. Raises InputError if its player sat out."""
        found = state.board(self.round, self.board)
        if len(found.seats) == 1:
            raise InputError("bad_request", "this player sat out: there is no game to correct")
        return found


class Finished(_OfBoard, frozen=True):
    """The game of a board has ended."""

    game: str
    ranks: tuple[int, ...]
    """By seat: 1 is best, and equal ranks tie."""
    absent: tuple[int, ...] = ()
    """The seats whose players were not there at the end, or never came."""

    def apply(self, state: Tournament) -> Tournament:
        found = state.board(self.round, self.board)
        if found.is_over or self.game != found.game:
            raise InputError("wrong_phase", "this game has ended already, or does not count any more")
        if len(self.ranks) != len(found.seats):
            raise InputError("bad_request", "a result has a rank for each seat")
        for seat, player in enumerate(found.seats):
            if entrant := state.entrants.get(player):
                absences = entrant.absences + 1 if seat in self.absent else 0
                is_paused = absences >= ABSENCES and entrant.status == "in"
                state = _with(state, entrant, absences=absences, status="paused" if is_paused else entrant.status)
        return _with_boards(state, replace(found, ranks=self.ranks, ended=self.at))


class Fixed(_OfBoard, frozen=True):
    """The result of a board was corrected."""

    ranks: tuple[int, ...]

    def apply(self, state: Tournament) -> Tournament:
        found = self._played(state)
        most = len(found.seats)
        if len(self.ranks) != most or not all(1 <= rank <= most for rank in self.ranks):
            raise InputError("bad_request", f"a result has a rank from 1 to {most} for each seat")
        ended = found.ended or self.at
        return _with_boards(state, replace(found, ranks=self.ranks, ended=ended, void=False, is_fixed=True))


class Voided(_OfBoard, frozen=True):
    """The game of a board does not count: all its players get the average."""

    def apply(self, state: Tournament) -> Tournament:
        found = self._played(state)
        if found.void:
            raise InputError("bad_request", "this game is void already")
        shared = (1,) * len(found.seats)  # all share all places
        return _with_boards(state, replace(found, ranks=shared, ended=found.ended or self.at, void=True))


class Reopened(_OfBoard, frozen=True):
    """A board plays at another table, with another game: the first is void, or was lost."""

    table: int
    game: str

    def apply(self, state: Tournament) -> Tournament:
        found = self._played(state)
        if found.is_over and not found.void:
            raise InputError("wrong_phase", "this game has ended")
        if found.game == self.game or state.phase == "over" or state.round_of(found).is_over:
            raise InputError("wrong_phase", "this round is over")
        again = replace(found, ranks=(), ended=0.0, void=False, is_fixed=False)
        return _with_boards(state, replace(again, table=self.table, game=self.game, called_at=self.at))


class Extended(_Event, frozen=True):
    """The games of a round may last longer."""

    round: int
    seconds: float

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        if not (running := [board for board in state.running if board.round == self.round]):
            raise InputError("wrong_phase", f"no game of round {self.round} of {state.name} goes on")
        return _with_boards(state, *(replace(each, extended=each.extended + self.seconds) for each in running))


def _with_boards(state: Tournament, *changed: PlayedBoard) -> Tournament:
    rounds = [*state.rounds]
    for board in changed:
        played = rounds[board.round - 1]
        boards = (*played.boards[: board.number], board, *played.boards[board.number + 1 :])
        rounds[board.round - 1] = replace(played, boards=boards)
    return replace(state, rounds=tuple(rounds))


# The course of the tournament.


class Held(_Event, frozen=True):
    """The next round is not published before the host says so."""

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        return replace(state, held_at=self.at, called=0)


class Called(_Event, frozen=True):
    """The next round is published at once. If it is the first one, the tournament begins."""

    round: int

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        _must_be_next(state, self.round)
        if self.round == state.called:
            raise InputError("wrong_phase", f"the next tables of {state.name} are called already")
        started_at = self.at if state.started_at is None else state.started_at
        return replace(state, held_at=None, called=self.round if state.playing else 0, started_at=started_at)


class Paused(_Event, frozen=True):
    """The tournament rests: no clock runs at its tables, and no round begins."""

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        if state.paused_at is not None:
            raise InputError("wrong_phase", f"{state.name} is paused already")
        return replace(state, paused_at=self.at)


class Resumed(_Event, frozen=True):
    """The tournament goes on, and its games have the time that they had when it was paused."""

    def apply(self, state: Tournament) -> Tournament:
        _must_go_on(state)
        if state.paused_at is None:
            raise InputError("wrong_phase", f"{state.name} is not paused")
        lost = max(0.0, self.at - state.paused_at)
        # A board may have been called again within the pause.
        later = (replace(board, called_at=min(board.called_at + lost, self.at)) for board in state.running)
        return replace(_with_boards(state, *later), paused_at=None, resumed_at=self.at)


class Closed(_Event, frozen=True):
    """The tournament is over, although rounds were left to play, or the host ends the open night."""

    def apply(self, state: Tournament) -> Tournament:
        if state.closed_at is not None or state.phase == "over":
            raise InputError("wrong_phase", f"{state.name} is over, or about to be")
        return replace(state, closed_at=self.at, paused_at=None)


def _must_go_on(state: Tournament) -> None:
    if state.phase == "over":
        raise InputError("wrong_phase", f"{state.name} is over: tournament {state.name} tells how it ended")


def _must_be_next(state: Tournament, number: int) -> None:
    if number != len(state.rounds) + 1:
        raise InputError("wrong_phase", f"round {number} of {state.name} is published already")


BoardEvent: TypeAlias = Finished | Fixed | Voided | Reopened
HostEvent: TypeAlias = Extended | Held | Called | Paused | Resumed | Closed
Event: TypeAlias = Entered | Renamed | Forgotten | Left | SatOut | Claimed | Published | BoardEvent | HostEvent
DECODER: Final[json.Decoder[Event]] = json.Decoder(Event)


def after(state: Tournament, event: Event) -> tuple[Tournament, InputError | None]:
    """A tournament after one more event, or as it was, and why the event is ignored."""
    state = replace(state, events=state.events + 1, last_at=max(state.last_at, event.at))
    try:
        return event.apply(state), None
    except InputError as error:
        return state, error
