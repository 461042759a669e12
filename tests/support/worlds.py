"""Worlds that agree with what a seat knows of another one that took the pile, which those of a search leave out."""

from random import Random

from engine.ai.worlds import Worlds
from engine.odds import forced_chance
from engine.state import State
from engine.view import View, unseen_cards


def agreeing_world(view: View, seat: int, rng: Random) -> State:
    """A world in which the hand of this seat lacks what its player declined, as often as the pile was not a choice."""
    worlds, declined = Worlds(view), view.declined[seat]
    hidden = view.hand_counts[seat] - view.public_hands[seat].bit_count()
    if (unseen_cards(view) & ~declined).bit_count() < hidden or rng.random() >= forced_chance(view):
        return worlds.draw(rng)
    while True:
        world = worlds.draw(rng)
        if not world.hands[seat] & ~view.public_hands[seat] & declined:
            return world
