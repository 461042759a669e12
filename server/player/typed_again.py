"""What a player is asked to type again before it is done, since a slip would cost much: a costly move, a hang-up."""

from typing import Final

from engine.legality import legal_moves
from engine.moves import PickUp, Play
from engine.view import View

BIG_PILE: Final = 8
"""A player who could play has to confirm that they pick up a pile of so many cards."""
KEY_SECONDS: Final = 10
"""A key that has to be pressed again counts only so soon after the question."""


class TypedAgain:
    """One player's open question: what they were asked to type again."""

    def __init__(self) -> None:
        self.asked = ""
        """The move or command; empty for none."""
        self.proposed = ""
        """The line that was proposed instead of the last one, which Enter or yes gives; empty for none."""
        self.is_latest = True
        """Whether nobody has said anything since: else a yes may be an answer to them."""

    def confirm_or_ask(self, what: str) -> bool:
        """Note that the player is asked to type this again. Returns whether they now have, after they were asked."""
        confirmed, self.is_latest = self.asked == what, True
        self.asked = "" if confirmed else what
        return confirmed

    def confirm_nothing_but(self, *typed: str, keeps_talk: bool = False) -> None:
        """Forget what was proposed, unless it is talk to keep, and what was asked to be typed again, unless this."""
        if not (keeps_talk and self.proposed.startswith("'")):
            self.proposed, self.is_latest = "", True
        if self.asked not in typed:
            self.asked = ""


def is_costly(move: PickUp, view: View | None) -> bool:
    """Whether a player who sees this would pick up a big pile although they could play."""
    if view is None or view.seat is None or len(view.pile) < BIG_PILE:
        return False
    legal = legal_moves(view, view.seat)
    return move in legal and any(isinstance(other, Play) for other in legal)
