"""What a table shows of a position, without a table."""

from typing import Final

from engine.state import State
from engine.view import view_of
from server.table.snapshot import Sitter, Snapshot

SITTERS: Final = (Sitter("ana"), Sitter("bo"), Sitter("cy"), Sitter("dee"))


def snapshot_of(
    state: State, seat: int | None = 0, ply: int = 0, *, sitters: tuple[Sitter, ...] = SITTERS, clock: float = 0.0
) -> Snapshot:
    """The snapshot of a position for one seat, or for a spectator (None); the host sits in seat 1."""
    shown = sitters[: len(state.hands)]
    return Snapshot(1, state.rules, seat, shown, view_of(state, seat), ply, host=1, clock=clock)
