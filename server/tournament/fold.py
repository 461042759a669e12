"""What an event makes of a tournament. Pure.

`apply` alone changes a tournament, and refuses an event that is not possible at its place. All processes read the same
events in the same order, so they agree on which of two events that contradict each other counts: the first one.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.tournament import events
from server.tournament.events import Board, Event, Opened
from server.tournament.seating import AI_SEAT
from server.tournament.standings import CREDIT, Credit
from server.tournament.state import MOST_ENTRANTS, Entrant, PlayedBoard, PlayedRound, Tournament

MOST_ENTRIES: Final = 20
"""So often a player may enter by themselves: each time stays in the log."""
ABSENCES: Final = 2
"""A player who was not there at the end of so many games in a row plays no more until they enter again."""


def fold(tournament: str, opened: Opened, log: Iterable[Event]) -> Tournament:
    """A tournament after these events; those that are not possible are ignored."""
    state = Tournament(tournament, opened)
    for event in log:
        state = after(state, event)[0]
    return state


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
        case events.Left():
            return _left(state, event)
        case events.SatOut(player=player):
            return _sat_out(state, player)
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
    if before is not None and before.entries >= MOST_ENTRIES and event.by in {"", player.id}:
        raise InputError("too_many", f"you have entered {state.name} {MOST_ENTRIES} times: an op can add you")
    if player.kind == "ai" or (player.kind == "bot" and state.opened.people_only):
        raise InputError("bad_request", f"{state.name} is for people only")
    if len(state.playing) >= state.places or (before is None and len(state.entrants) >= 2 * MOST_ENTRANTS):
        raise InputError("too_many", f"{state.name} is full: it has {quantity(state.places, 'place')}")
    if state.is_swiss and before is None and not state.is_early:
        half = state.round_count // 2 + 1
        raise InputError("wrong_phase", f"{state.name} was open until round {half} was called: watch, or wait")
    # A player who comes late is credited with one round at most, and only the first time.
    late = [Credit(len(state.rounds), player.id, CREDIT)] if state.is_swiss and state.rounds and before is None else []
    known = before or Entrant(player, event.network, event.at)
    entrant = replace(
        known,
        player=player,
        network=event.network,
        since=event.at,
        status="in",
        absences=0,
        entries=known.entries + 1,
    )
    return replace(_with(state, entrant), credits=(*state.credits, *late))


def _left(state: Tournament, event: events.Left) -> Tournament:
    _must_not_be_over(state)
    entrant = entrant_of(state, event.player)
    if entrant.status == "removed" or (entrant.status == "left" and event.by in {"", event.player}):
        raise InputError("bad_request", f"{entrant.player.name} has left {state.name} already")
    own = event.by in {"", event.player}
    return _with(state, replace(entrant, status="left" if own else "removed", sits_out=False))


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
    number, final = event.round, event.final is True
    if number != len(state.rounds) + 1:
        raise InputError("wrong_phase", f"round {number} of {state.name} is published already")
    if state.paused_at is not None or state.closed_at is not None:
        raise InputError("wrong_phase", f"{state.name} is {'paused' if state.closed_at is None else 'ending'}")
    if state.is_swiss and state.rounds and not state.rounds[-1].is_over:
        raise InputError("wrong_phase", f"round {number - 1} of {state.name} goes on")
    seated = [player for board in event.boards for player in board.seats if player != AI_SEAT]
    if len({*seated}) < len(seated) or not {*seated} <= state.entrants.keys():
        raise InputError("bad_request", f"round {number} of {state.name} has a seat for a player who is not in it")
    boards = tuple(
        PlayedBoard(board, (1,), event.at) if len(board.seats) == 1 else PlayedBoard(board) for board in event.boards
    )
    given, entrants = list(state.credits), dict(state.entrants)
    for player, entrant in state.entrants.items():
        if entrant.sits_out and player not in seated:
            if state.is_swiss and not entrant.excused and not final:
                given.append(Credit(number, player, CREDIT))
            entrants[player] = replace(entrant, sits_out=False, excused=True)
    return replace(
        state,
        entrants=entrants,
        rounds=(*state.rounds, PlayedRound(number, event.at, boards, final=final)),
        credits=tuple(given),
        started_at=event.at if state.started_at is None else state.started_at,
        held_at=None,
        claim=None,
    )


def _finished(state: Tournament, event: events.Finished) -> Tournament:
    found = state.board(event.round, event.board)
    seats = found.board.seats
    if found.is_over or event.game != found.board.game:
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
    board = replace(found, ranks=event.ranks, ended=event.at)
    return _with_board(replace(state, entrants=entrants), event.round, event.board, board)


def _corrected(state: Tournament, event: events.Fixed | events.Voided | events.Reopened) -> Tournament:
    found = state.board(event.round, event.board)
    seats = found.board.seats
    if len(seats) == 1:
        raise InputError("bad_request", "this player sat out: there is no game to correct")
    match event:
        case events.Fixed(ranks=ranks):
            if len(ranks) != len(seats) or not all(1 <= rank <= len(seats) for rank in ranks):
                raise InputError("bad_request", f"a result has a rank from 1 to {len(seats)} for each seat")
            board = replace(found, ranks=ranks, ended=found.ended or event.at, void=False)
        case events.Voided():
            if found.void:
                raise InputError("bad_request", "this game is void already")
            # All share all places, which gives everybody the average.
            board = replace(found, ranks=(1,) * len(seats), ended=found.ended or event.at, void=True)
        case events.Reopened(table=table, game=game):
            if found.is_over and not found.void:
                raise InputError("wrong_phase", "this game has ended")
            if found.board.game == game or state.phase == "over" or state.rounds[event.round - 1].is_over:
                raise InputError("wrong_phase", "this round is over")
            board = PlayedBoard(Board(seats, table, game), reopened_at=event.at)
            played = state.rounds[event.round - 1]
            late = max(0.0, played.deals_board_at(board) - played.deals_at)
            state = _with_round(state, replace(played, extended=max(played.extended, late)))
    return _with_board(state, event.round, event.board, board)


def _with_board(state: Tournament, number: int, board: int, changed: PlayedBoard) -> Tournament:
    played = state.rounds[number - 1]
    boards = (*played.boards[:board], changed, *played.boards[board + 1 :])
    return _with_round(state, replace(played, boards=boards))


def _with_round(state: Tournament, played: PlayedRound) -> Tournament:
    return replace(state, rounds=(*state.rounds[: played.number - 1], played, *state.rounds[played.number :]))


# What the host decides, and what processes agree on.


def _directed(state: Tournament, event: Event) -> Tournament:
    if isinstance(event, events.Closed):
        if state.closed_at is not None or state.phase == "over":
            raise InputError("wrong_phase", f"{state.name} is over, or about to be")
        return replace(state, closed_at=event.at, paused_at=None)
    _must_not_be_over(state)
    match event:
        case events.Claimed(round=number):
            if state.is_claimed(number, event.at):
                raise InputError("wrong_phase", "another process prepares this round")
            return replace(state, claim=event)
        case events.Extended(round=number, seconds=seconds):
            state.board(number, 0)
            played = state.rounds[number - 1]
            return _with_round(state, replace(played, extended=played.extended + seconds))
        case events.Paused() if state.paused_at is None:
            return replace(state, paused_at=event.at)
        case events.Paused():
            raise InputError("wrong_phase", f"{state.name} is paused already")
        case events.Resumed():
            return _resumed(state, event.at)
        case _:
            return _told_to_begin(state, event)


def _told_to_begin(state: Tournament, event: Event) -> Tournament:
    """The host has said when the first or the next round begins."""
    match event:
        case events.Started() if state.started_at is None:
            return replace(state, started_at=event.at)
        case events.Started():
            raise InputError("wrong_phase", f"{state.name} has begun already")
        case events.Called(round=number) if number != len(state.rounds) + 1:
            raise InputError("wrong_phase", f"round {number} of {state.name} is published already")
        case events.Called(round=number) if number == state.called:
            raise InputError("wrong_phase", f"the next tables of {state.name} are called already")
        case events.Called(round=number):
            return replace(state, held_at=None, called=number)
        case _:
            return replace(state, held_at=event.at, called=0)


def _resumed(state: Tournament, at: float) -> Tournament:
    """The tournament goes on, and its games have the time that they had when it was paused."""
    if state.paused_at is None:
        raise InputError("wrong_phase", f"{state.name} is not paused")
    lost = max(0.0, at - state.paused_at)
    rounds = tuple(played if played.is_over else _later(played, lost, at) for played in state.rounds)
    return replace(state, rounds=rounds, paused_at=None, resumed_at=at)


def _later(played: PlayedRound, lost: float, now: float) -> PlayedRound:
    """A round with its times later by a pause that ends now, within which a board may have been called again."""
    boards = tuple(
        replace(board, reopened_at=min(board.reopened_at + lost, now)) if board.reopened_at else board
        for board in played.boards
    )
    return replace(played, at=played.at + lost, boards=boards)


def _must_not_be_over(state: Tournament) -> None:
    if state.phase == "over":
        raise InputError("wrong_phase", f"{state.name} is over: tournament {state.name} tells how it ended")
