"""What is asked about before it is done, since it costs much: typed once more, it is meant."""

from typing import Final

from engine.legality import legal_moves
from engine.moves import Move, PickUp, Play
from engine.view import View

BIG_PILE: Final = 8
"""Cards in a pile that one is asked about before picking it up while a play exists."""


class Confirmation:
    """The one thing that a player was asked about last."""

    def __init__(self) -> None:
        self._asked = ""

    def hears(self, what: str) -> None:
        """A command or a move was typed: unless it is what was asked about, the answer is no."""
        if self._asked != what:
            self._asked = ""

    def is_meant(self, what: str) -> bool:
        """Whether this was typed again after it was asked about; if not, it is to be asked about now."""
        asked, self._asked = self._asked, ""
        if asked != what:
            self._asked = what
        return asked == what


def is_costly(move: Move, view: View) -> bool:
    """Whether a move takes a big pile although a play exists: the slip that hurts most."""
    if not isinstance(move, PickUp) or len(view.pile) < BIG_PILE or view.seat is None:
        return False
    legal = legal_moves(view, view.seat)
    return move in legal and any(isinstance(other, Play) for other in legal)
