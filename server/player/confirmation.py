"""What a player types twice before it is done, since it may be a slip that costs much."""

from typing import Final

from engine.legality import legal_moves
from engine.moves import Move, PickUp, Play
from engine.view import View

BIG_PILE: Final = 8
"""A player who could play is asked before they pick up a pile of so many cards."""


class Confirmation:
    """The one move or command that the player was asked about last."""

    def __init__(self) -> None:
        self._asked = ""

    def observe(self, what: str) -> None:
        """The player typed this: if it is not what they were asked about, the answer is no."""
        if self._asked != what:
            self._asked = ""

    def confirm(self, what: str) -> bool:
        """Whether the player was asked about this just now; if not, they have to be asked now."""
        confirmed = self._asked == what
        self._asked = "" if confirmed else what
        return confirmed


def is_costly(move: Move, view: View) -> bool:
    """Whether a move picks up a big pile although the player could play."""
    if not isinstance(move, PickUp) or len(view.pile) < BIG_PILE or view.seat is None:
        return False
    legal = legal_moves(view, view.seat)
    return move in legal and any(isinstance(other, Play) for other in legal)
