"""How a tournament stands, as boards, consoles and nights tell it."""

import math
from typing import Final

from engine.wording.phrases import quantity
from server.lobby.competitions import Competition, Competitions, Held, Standings
from server.lobby.lobby import Lobby
from server.tournament.known import TournamentLog
from server.tournament.pairing import AI_SEAT
from server.tournament.service import tournaments_of
from server.tournament.standings import Row
from server.tournament.state import PlayedRound, Tournament
from server.tournament.text import (
    honour_lines,
    name_of,
    next_round_text,
    round_name,
    row_parts,
    stage,
    summary,
)

CALLED_SECONDS = 30.0
"""How long the names of a round and their tables are shown."""
MOST_ROWS = 10


def competition(state: Tournament, now: float, next_at: float) -> Competition:
    """The tournament at this moment. ``next_at``: when its next round is published; infinity if that is not known."""
    waits_for, left = _waited_for(state, now, next_at)
    return Competition(
        state.name,
        stage(state) if state.rounds or state.phase != "playing" else "it begins",
        waits_for,
        None if left is None else max(0, math.ceil(left)),
        _calls(state, now),
        _standings(state),
        _progress(state, now, next_at),
        is_paused=state.paused_at is not None and state.phase != "over",
        ended=now - state.ended if state.phase == "over" else None,
        honours=tuple(honour_lines(state)) if state.phase == "over" else (),
        enter=_enter(state),
    )


def _progress(state: Tournament, now: float, next_at: float) -> str:
    """The tournament in one line: how far it is, and what it waits for."""
    games = len(state.running)
    going_on = f"{quantity(games, 'game')} {'goes' if games == 1 else 'go'} on." if games else ""
    soon = going_on or next_round_text(state, next_at, now)
    return f"{summary(state)} {soon}".rstrip()


def _waited_for(state: Tournament, now: float, next_at: float) -> tuple[str, float | None]:
    """What the next countdown is for, and how long it lasts; None if nothing is waited for."""
    if state.phase == "over" or state.paused_at is not None:
        return "", None
    if state.is_swiss and state.running:
        return _round_waited_for(state, state.round_of(state.running[-1]), now)
    if state.held_at is not None:
        return "the next round waits for the host", None
    if not math.isfinite(next_at):
        return "", None
    what = round_name(state, len(state.rounds) + 1) if state.is_swiss else "the next tables"
    return f"{what}: called in", next_at - now


def _round_waited_for(state: Tournament, played: PlayedRound, now: float) -> tuple[str, float]:
    name = round_name(state, played.number)
    deals_at = min(played.deals_board_at(board) for board in played.boards if not board.is_over)
    if now < deals_at:
        return f"{name}: dealt in", deals_at - now
    return f"{name}: ends within", played.ends_at - now


def _calls(state: Tournament, now: float) -> tuple[tuple[str, int], ...]:
    """Everybody who was called just now, with their table; by name, since people look for theirs."""
    if state.paused_at is not None:
        return ()
    called = {
        name_of(state, player): board.table
        for board in state.running
        if now < state.round_of(board).called_at(board) + CALLED_SECONDS
        for player in board.people
        if player != AI_SEAT
    }
    return tuple(sorted(called.items(), key=lambda each: each[0].casefold()))


def _standings(state: Tournament) -> Standings:
    if state.phase == "over":
        title = f"{state.name}: final standings"
    elif not state.results:
        title = f"{quantity(len(state.playing), 'player')} entered"
    elif state.is_swiss and state.running:
        title = f"standings during {round_name(state, len(state.rounds))}"
    elif state.is_swiss:
        title = f"standings after {round_name(state, len(state.rounds))}"
    else:
        title = "standings"
    # Before the first result nobody leads, so that players stand in the order in which they have come.
    entered = [("", name_of(state, player), "") for player in state.playing]
    rows = [_row(state, row) for row in state.standings] if state.results else entered
    notes = [f"and {len(rows) - MOST_ROWS} more"] if len(rows) > MOST_ROWS else []
    notes += [f"to play: {enter}"] if (enter := _enter(state)) else []
    return Standings(title, tuple(rows[:MOST_ROWS]), "; ".join(notes))


def _enter(state: Tournament) -> str:
    return f"tournament join {state.name}" if state.takes_players else ""


def _row(state: Tournament, row: Row) -> tuple[str, str, str]:
    place, points, decided = row_parts(state, row)
    return place, f"{name_of(state, row.player)}{decided}", points


def held(lobby: Lobby) -> list[Held]:
    """The tournaments that go on, the oldest first."""
    return [_held(lobby, its) for its in tournaments_of(lobby).known.running.values()]


async def find(lobby: Lobby, name: str) -> Held:
    """The tournament of this name; see `KnownTournaments.find`."""
    return _held(lobby, await tournaments_of(lobby).known.find(name))


def _held(lobby: Lobby, its: TournamentLog) -> Held:
    every = tournaments_of(lobby)
    return Held(its.state.id, lambda: competition(its.state, every.now(), every.next_round(its.state)[0]))


COMPETITIONS: Final = Competitions("tournament", held, find)
