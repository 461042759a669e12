"""When the next table of a player in a tournament comes. Pure."""

from collections.abc import Mapping
from math import inf
from typing import Literal, TypeAlias

from msgspec import Struct

from server.tournament.due import next_round
from server.tournament.state import Tournament

Waits: TypeAlias = Literal["next", "called", "plays"]
"""For the next round to be called; called, for the cards to be dealt; or not at all, since they play."""


class Wait(Struct, frozen=True):
    """Where an entrant of a tournament that goes on stands."""

    state: Tournament
    waits: Waits
    until: float = inf
    """When what they wait for comes, in the terms of `Tournaments.now`; infinity if that is not known yet."""
    table: int = 0
    """Their table, if they are called or play."""


def waits(state: Tournament, now: float, clock: float, present: Mapping[str, float]) -> dict[str, Wait]:
    """All who will play in a tournament, by their ids. The arguments are those of `due.due`."""
    if state.phase == "over" or (state.closed_at is not None and not state.busy):
        return {}
    until, busy = next_round(state, clock, present)[0], state.busy
    ends = state.closed_at is not None
    found = dict[str, Wait]()
    for player, (played, board) in busy.items():
        deals_at = played.deals_board_at(board)
        is_called = now < deals_at and board.board.table
        found[player] = Wait(state, "called" if is_called else "plays", deals_at, board.board.table)
    for player in state.playing:
        if player not in found and not ends and not state.entrants[player].sits_out:
            found[player] = Wait(state, "next", until)
    return found
