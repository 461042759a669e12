"""Worlds that agree with what a seat knows of another one that took the pile, which those of a search leave out."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from engine.ai.worlds import Worlds
from engine.state import State
from engine.view import View, unseen_cards


def agreeing_worlds(view: View, seat: int, rng: Random) -> Iterator[State]:
    """Worlds in which the hand of this seat lacks what its player declined, as often as the pile was not a choice."""
    declined = view.declined[seat]
    hidden = view.hand_counts[seat] - view.public_hands[seat].bit_count()
    is_possible = (unseen_cards(view) & ~declined).bit_count() >= hidden
    of_this_seat = tuple(declined if each == seat else 0 for each in view.seats)
    worlds = Worlds(replace(view, declined=of_this_seat), know_declined=is_possible)
    while True:
        yield worlds.draw(rng)
