"""Taking the pile by choice, as hints and reviews judge it.

A search stops after some plies, and what is then left of a large pile in a hand is hard to judge. So such a choice is
also played to the end many times by a quick rule of thumb. Levels do not use this: it would change how they play.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engine.ai.basic_levels import own_seat
from engine.ai.playouts import MOST_PLIES, playouts_for
from engine.ai.worlds import World, Worlds, advance
from engine.moves import Move, PickUp
from engine.view import View

WEIGHT: Final = 2 / 3
"""How much the playouts count, and the search the rest.

In 130 positions of random games under three rule sets, the worth of taking the pile instead of the best play was 13
points off with the search alone, 11 points with this; with piles of six cards and more 14 and 10. It was compared with
games that Hard played to the end.
"""
LONGEST: Final = 300
"""A game that is not over after so many plies counts as drawn."""


def of_each_kind(moves: Sequence[Move]) -> list[Move]:
    """The first of these moves that takes the pile and the first that does not."""
    kinds = [[move for move in moves if isinstance(move, PickUp) == takes] for takes in (True, False)]
    return [kind[0] for kind in kinds if kind]


def judged_again(view: View, means: Mapping[Move, float], playouts: int, rng: Random) -> dict[Move, float]:
    """The expected results of some moves, judged again if only some of them take the pile.

    Args:
        view: the view of the seat to move, with which some world agrees.
        means: the results that a search expects: 1 is a win, 0 the last place.
        playouts: how often each move is played to the end.
        rng: draws the worlds, the same ones for all moves.
    """
    if len({isinstance(move, PickUp) for move in means}) < 2:
        return dict(means)
    worlds, seed = Worlds(view), rng.random()
    found = {move: _played_out(view, move, worlds, playouts, Random(seed)) for move in means}
    return {move: WEIGHT * found[move] + (1 - WEIGHT) * mean for move, mean in means.items()}


def _played_out(view: View, move: Move, worlds: Worlds, playouts: int, rng: Random) -> float:
    """The mean result after a move."""
    seat, rule_of_thumb, total = own_seat(view), playouts_for(view.rules), 0.0
    for _ in range(playouts):
        world = worlds.draw(rng)
        advance(world, move)
        for _ in range(LONGEST // MOST_PLIES):
            rule_of_thumb.finish(world)
        total += _result(world, seat)
    return total / playouts


def _result(world: World, seat: int) -> float:
    """The result of a seat; those that are still in share what is left."""
    seats, places, only_first = len(world.hands), world.places, world.rules.out_ends == "first"
    if seat in places:
        place = places.index(seat)
        return float(place == 0) if only_first else 1 - place / (seats - 1)
    left = seats - len(places)
    if only_first:
        return 0.0 if places else 1 / left
    return (left - 1) / 2 / (seats - 1)
