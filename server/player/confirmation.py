"""What a player types twice before it is done, since it may be a slip that costs much."""

from typing import Final

from engine.legality import legal_moves
from engine.moves import PickUp, Play
from engine.view import View

BIG_PILE: Final = 8
"""A player who could play is asked before they pick up a pile of so many cards."""


class Confirmation:
    """The one move or command that the player was asked about last."""

    def __init__(self) -> None:
        self.asked = ""
        """As the player has to type it once more; empty if there is nothing to confirm."""

    def observe(self, what: str) -> None:
        """The player typed this: if it is not what they were asked about, the answer is no."""
        if self.asked != what:
            self.asked = ""

    def confirm(self, what: str) -> bool:
        """Whether the player was asked about this just now; if not, they have to be asked now."""
        confirmed = self.asked == what
        self.asked = "" if confirmed else what
        return confirmed


def is_costly(move: PickUp, view: View) -> bool:
    """Whether the player would pick up a big pile although they could play."""
    if len(view.pile) < BIG_PILE or view.seat is None:
        return False
    legal = legal_moves(view, view.seat)
    return move in legal and any(isinstance(other, Play) for other in legal)
