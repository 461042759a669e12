"""A move that a player has chosen, and whether it still counts at a table that has gone on. Pure."""

from typing import NamedTuple

from engine.errors import InputError
from engine.moves import Lay, Move, Swap
from server.limits import ARRANGING_MOVES
from server.table.entries import Moved
from server.table.state import TableState


class ChosenMove(NamedTuple):
    """A move, and when its player chose it: at this ply of this game."""

    game: str
    ply: int
    move: Move

    def is_in_time(self, state: TableState) -> bool:
        """Whether the decision is still pending for which the move was chosen."""
        return state.awaits(self.game, self.ply)

    def change(self, state: TableState, seat: int, made: int) -> Moved:
        """The change that the move makes at this seat, which had made ``made`` moves when it was asked for.

        Raises InputError if the table has moved on. What others do while all arrange their cards does not count.
        """
        made_now = state.moves_of(seat) if state.arranging else made
        if not self.is_in_time(state) or made_now != made:
            raise InputError("stale", "the table has moved on since you typed that: look again")
        if isinstance(self.move, Swap | Lay) and state.arranging and made >= ARRANGING_MOVES:
            raise InputError("too_fast", f"you have arranged your cards {ARRANGING_MOVES} times: type ready")
        return Moved(seat, str(self.move))
