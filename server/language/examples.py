"""Chooses which play to show as an example of what to type. Pure."""

from collections.abc import Sequence

from engine.cards import Rank
from engine.moves import Play
from engine.view import View


def example_play(view: View, plays: Sequence[Play], *, copies: int) -> Play:
    """The play to show: a low rank without a power, with as nearly as possible this many copies."""

    def merit(play: Play) -> tuple[bool, Rank, int]:
        return play.picks[0].rank in view.rules.special, play.picks[0].rank, abs(len(play.picks) - copies)

    return min(plays, key=merit)
